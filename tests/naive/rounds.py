"""One match in which tiles are laid, as a judge keeps it: the rounds, what acts bring about, and what they prove."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.naive import books, ends
from tests.naive.hands import Hand
from tests.naive.layouts import Laid, Line, Triangles
from tests.naive.reading import Act, Award, Proof, Tile

OF_TABLE = ("begin", "clear", "redeal", "stock", "uncovers")


@dataclass
class Said:
    """What the judge says of an act: its faults, or what it is, brings and proves."""

    faults: set[str] = field(default_factory=set)
    reason: str = ""
    awards: Counter[Award] = field(default_factory=Counter)
    proofs: Counter[Proof] = field(default_factory=Counter)


@dataclass
class Round:
    """One round: all lists go by seats."""

    counts: list[int]
    stock: int
    stocks: list[int]
    hands: list[Hand]
    known: list[set[Tile]]
    named: list[Tile | None]
    has_named: list[bool]
    shown: list[list[Tile] | None]
    carried: list[int]
    table: list[Laid] = field(default_factory=list)
    duties: list[tuple[int, Tile]] = field(default_factory=list)
    exposed: list[tuple[int, Tile, bool]] = field(default_factory=list)  # and whether play had not gone on
    is_unshown: bool = False  # a triple that had to be shown was not
    turn: int | None = None
    drawn: int = 0
    stuck: int = 0
    last_to_draw_for_opener: int | None = None
    out: int | None = None
    is_blocked: bool = False
    last_drawn: list[int] = field(default_factory=list)
    has_acted: bool = False  # since the opening
    bonus: int = 0
    unclaimed: int = 0  # of the newest tile
    is_claimed: bool = False
    told: Counter[Proof] = field(default_factory=Counter)


class Match:
    """One match from its first line on."""

    def __init__(self, match: Act) -> None:
        self.preset = match.word
        self.rules = books.rules_of(self.preset, match.options)
        self.is_line = books.is_line(self.preset)
        self.tiles = books.tiles_of(self.preset, self.rules)
        self.players = len(match.names)
        low, high = self.rules["players"]
        assert low <= self.players <= high
        self.scores = [0] * self.players
        self.number = 0
        self.phase = "deal"
        self.winner: int | None = None
        self.ranking: list[set[int]] = []
        self.is_goat = books.is_goat(self.preset)
        counts_ends = books.counts_ends(self.preset)
        self.layout: Line | Triangles = Line(self.rules, counts_ends) if self.is_line else Triangles(self.rules)
        self.deal(self.number + 1)

    def deal(self, number: int) -> None:
        """All tiles are mixed and dealt."""
        n, each = self.players, self.rules["hands"][self.players]
        stock = len(self.tiles) - n * each
        assert stock >= 0
        self.round = Round(
            counts=[each] * n,
            stock=stock,
            stocks=[stock // n] * n if self.rules["private_stock"] else [],
            hands=[Hand(each) for _ in range(n)],
            known=[set() for _ in range(n)],
            named=[None] * n,
            has_named=[False] * n,
            shown=[None] * n,
            carried=list(self.scores),
            last_drawn=[0] * n,
        )
        if n == 1:
            self.round.turn = 0
        elif self.rules["next_opener"] == "winner" and number > 1:
            self.round.turn = self.winner
        self.phase = "deal"
        self.number = number

    # --- judging --------------------------------------------------------------------------------------

    def say(self, act: Act, line: int) -> Said:
        """Judge an act, and do it if it is legal."""
        judge = getattr(self, f"judge_{act.verb}", None)
        if act.verb not in OF_TABLE and not 0 <= act.seat < self.players:
            said = Said({"no-such-seat"})
        elif judge is None:
            said = Said({"not-now"})
        else:
            before = self.knowledge()
            was_early = self.is_early()
            said = judge(act, line)
            if not said.faults:
                self.follow(said, line, was_early and self.is_early() and self.knowledge() != before)
        said.awards = Counter({key: points for key, points in said.awards.items() if points})
        if said.faults:  # a tile that does not fit may cost something
            for (seat, _), points in said.awards.items():
                self.scores[seat] += points
        return said

    def knowledge(self) -> tuple[object, ...]:
        """What has been named and shown of the hands."""
        return tuple(map(frozenset, self.round.known)), tuple(self.round.has_named)

    def follow(self, said: Said, line: int, is_early: bool) -> None:
        """What a legal act proves and earns, and whether it ends the round or the match."""
        penalties: Counter[Award] = Counter()
        if self.phase != "deal":
            self.prove(said, line, penalties)
        if is_early and not said.proofs:
            self.doubt_opening(said)
        self.deny_triple(said)
        names = {name for name, _, _ in said.proofs}
        if is_early and names & {"wrong-opener-proven", "wrong-opening-tile"}:
            self.undo_opening(said)
        elif said.reason == "ok-redeal" or self.voids(names):
            gone = zip(self.round.carried, self.scores, strict=True)
            said.awards = Counter({(seat, "void"): then - now for seat, (then, now) in enumerate(gone)})
            said.awards.update(penalties)
            self.score(said)
            self.deal(self.number)
            return
        else:
            self.withdraw_bonus(said, names)
        said.awards.update(penalties)
        is_scored = self.phase == "show" and None not in self.round.shown
        if is_scored:
            self.winner, points = self.worth_of_round()
            said.awards.update(points)
            self.give_back(said)
            self.phase = "clear"
        self.score(said)
        at_once = self.rules["end"] == "at_once" and self.rules["rounds"] is None and self.phase != "over"
        if self.phase == "clear" or at_once:
            self.ranking = self.rank_seats(self.winner if self.phase == "clear" else None)
            self.phase = "over" if self.ranking else self.phase

    def score(self, said: Said) -> None:
        """The points are written down."""
        for (seat, _), points in said.awards.items():
            self.scores[seat] += points

    def worth_of_round(self) -> tuple[int | None, Counter[Award]]:
        """The winner of the round and the points of the open hands."""
        hands = [hand or [] for hand in self.round.shown]
        if self.is_goat:
            return ends.line_round(self.rules, hands, self.round.out, self.round.table[-1].seat)
        if self.is_line:
            return ends.pips_round(self.rules, hands, self.round.out)
        return ends.triangle_round(self.rules, hands, self.round.out)

    def rank_seats(self, winner: int | None) -> list[set[int]]:
        """Seats from first to last if the match is over."""
        if self.is_goat:
            return ends.line_ranking(self.rules, self.scores, self.number)
        return ends.triangle_ranking(self.rules, self.scores, winner, self.number)

    # --- what tiles shown later prove -----------------------------------------------------------------

    def prove(self, said: Said, line: int, penalties: Counter[Award]) -> None:
        """Everything that this act has proven, and what it costs."""
        for seat in range(self.players):
            self.prove_false_claims(said, seat, line, penalties)
        found = self.wrong_openings()
        said.proofs += found - self.round.told
        self.round.told |= found
        for name, seat, _ in said.proofs:
            if name == "wrong-deal-proven":
                penalties[seat, "wrong_deal"] += self.against * self.rules["wrong_deal_penalty"]

    @property
    def against(self) -> int:
        """Which way points go that are against a player."""
        return 1 if self.is_goat else -1

    def prove_false_claims(self, said: Said, seat: int, line: int, penalties: Counter[Award]) -> None:
        """What a seat has said and cannot be true; each false claim costs once."""
        hand = self.round.hands[seat]
        if line not in hand.seen.values():
            return  # only what is seen proves anything
        false = hand.false_lines()
        news: list[tuple[bool, int | None]] = [(each, at) for at, each in false.items() if at not in hand.told]
        hand.told |= set(false)
        is_conflict, too_much = hand.conflict(false, line)
        if too_much:
            news.append((too_much.is_pass, None))
        dues = len(false) + is_conflict - hand.charged
        for is_pass, at in news:
            said.proofs["false-pass-proven" if is_pass else "false-draw-proven", seat, at] += 1
            if dues > 0:
                dues, hand.charged = dues - 1, hand.charged + 1
                what = "false_pass" if is_pass else "needless_draw"
                penalties[seat, what] += self.against * self.rules[f"{what}_penalty"]

    def withdraw_bonus(self, said: Said, names: set[str]) -> None:
        """A wrong opener keeps the points of his tile only, or loses what he had to show a triple for."""
        lost = self.round.bonus if names & {"wrong-opener-proven", "wrong-opening-tile"} else 0
        if "triple-not-shown" in names:
            self.round.is_unshown = True
            lost = lost or self.worth_of_showing()
        if lost:
            said.awards[self.round.table[0].seat, "opening"] -= lost
            self.round.bonus -= lost

    def worth_of_showing(self) -> int:
        """What 0-0-0 brings more than another triple, for which the higher triple is shown."""
        return max(0, self.rules["open_zero_total"] - self.rules["open_triple"])

    def is_all_shown(self) -> bool:
        """Whether all hands lie open."""
        return None not in self.round.shown

    def held_higher_triple(self) -> bool:
        """Whether the opener must have held a higher triple than the one he opened with."""
        opening = self.round.table[0]
        hand = self.round.hands[opening.seat]
        better = [each for each in hand.seen if len(set(each)) == 1 and self.worth(each) > self.worth(opening.tile)]
        return bool(better) and hand.held_one_by(opening.line, better)

    def give_back(self, said: Said) -> None:
        """Who had no higher triple to show gets back what was withdrawn because he showed none."""
        is_wrong = any(name in ("wrong-opener-proven", "wrong-opening-tile") for name, _, _ in self.round.told)
        if self.round.is_unshown and not is_wrong and not self.held_higher_triple():
            said.awards[self.round.table[0].seat, "opening"] += self.worth_of_showing()

    def voids(self, names: set[str]) -> bool:
        """Whether what was proven makes the round void by the rules of the house."""
        found = {
            "wrong-opener-proven": self.rules["wrong_opener_remedy"] == "replay",
            "wrong-opening-tile": self.rules["wrong_opener_remedy"] == "replay",
            "false-pass-proven": self.rules["false_pass_remedy"] == "stops",  # noqa: S105  # a rule, not a password
            "wrong-deal-proven": self.rules["wrong_deal_remedy"] == "void",
            "tile-count-wrong": self.rules["tile_missing_remedy"] == "void" and self.is_all_shown(),
        }
        return any(found.get(name) for name in names)

    def wrong_openings(self) -> Counter[Proof]:
        """Whether somebody held a better tile than the one that opened, when it opened."""
        found: Counter[Proof] = Counter()
        if not self.round.table or not self.opens_by_rule() or self.round.table[0].is_overruled:
            return found
        opening = self.round.table[0]
        bar: tuple[int, ...] = self.worth(opening.tile)
        if self.is_choice(opening.tile):  # right as long as his best tile may have been the best of all
            best_first = sorted(self.tiles, key=self.worth, reverse=True)
            held = (tile for tile in best_first if self.may_have_held(opening.seat, tile))
            bar = next(map(self.worth, held), ())
        for seat, hand in enumerate(self.round.hands):
            better = [tile for tile in hand.seen if self.worth(tile) > bar]
            if better and hand.held_one_by(opening.line, better):
                name = "wrong-opening-tile" if seat == opening.seat else "wrong-opener-proven"
                found[name, opening.seat, opening.line] = 1
        return found

    def may_have_held(self, seat: int, tile: Tile) -> bool:
        """Whether the seat may have held the tile when the round was opened."""
        hand, known = self.round.hands[seat], self.round.known[seat]
        is_hidden = self.round.shown[seat] is None and self.round.counts[seat] > len(known)
        is_elsewhere = any(tile in other.seen for n, other in enumerate(self.round.hands) if n != seat)
        may = tile in hand.seen or tile in known or (is_hidden and not is_elsewhere)
        return may and hand.could_hold_by(self.round.table[0].line, tile)
