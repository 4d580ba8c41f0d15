"""Deals of Moon before a second judge: auction, centre tile, tricks, and what they are worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.naive import books, ends
from tests.naive.reading import Act, Award, Tile
from tests.naive.rounds import OF_TABLE, Said
from tests.naive.tricks import SUITS

PLAYERS = 3
IMPOSSIBLE = {"not-now", "no-such-tile", "tile-already-played", "must-discard"}


@dataclass
class Played:
    """A tile in a trick; `may_be_blamed` when its player said by it that he could not follow."""

    seat: int
    tile: Tile
    line: int
    may_be_blamed: bool


@dataclass
class Trick:
    """The suit asked for, from its highest tile down, and what was played."""

    suit: list[Tile]
    plays: list[Played] = field(default_factory=list)


@dataclass
class Deal:
    """One deal."""

    counts: list[int]
    carried: list[int]
    calls: list[tuple[int, int]] = field(default_factory=list)
    centre: int = 1
    step: str = "auction"
    turn: int | None = None
    trump: str = ""
    discard: Tile | None = None
    discard_line: int | None = None
    kept_discard: bool = False
    tricks: list[Trick] = field(default_factory=list)
    known: list[set[Tile]] = field(default_factory=lambda: [set() for _ in range(PLAYERS)])
    seen: list[tuple[int, int, Tile]] = field(default_factory=list)  # line, seat, tile that was not played but seen
    duties: list[tuple[int, Tile]] = field(default_factory=list)
    told: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)


def suit_of(number: int) -> list[Tile]:
    """All tiles with a number, from the highest down; of the blanks there is only the double."""
    return [as_tile(word) for word in SUITS[number].split()]


def as_tile(word: str) -> Tile:
    """A tile written without a hyphen."""
    a, b = sorted(map(int, word))
    return a, b


class Deals:
    """A match of Moon as far as its deals go as they should."""

    def __init__(self, match: Act) -> None:
        self.rules = books.rules_of(match.word, match.options)
        self.tiles = books.tiles_of(match.word, self.rules)
        assert len(match.names) == PLAYERS
        self.scores = [0] * PLAYERS
        self.first: int | None = None
        self.ranking: list[set[int]] = []
        self.deal = self.dealt()

    def dealt(self) -> Deal:
        """Seven tiles each, and one in the centre."""
        self.phase = "deal"
        self.ranking = []
        return Deal([7] * PLAYERS, list(self.scores), turn=self.first)

    def deal_again(self) -> None:
        """The first bid moves to the left."""
        self.first = None if self.first is None else (self.first + 1) % PLAYERS
        self.deal = self.dealt()

    # --- judging --------------------------------------------------------------------------------------

    def say(self, act: Act, line: int) -> Said:
        """Judge an act, and do it if it is legal."""
        if act.verb not in OF_TABLE and not 0 <= act.seat < PLAYERS:
            return Said({"no-such-seat"})
        judge = getattr(self, f"judge_{act.verb}", None)
        if judge is None:
            return Said({"not-now"})
        said: Said = judge(act, line)
        if not said.faults:
            self.follow(said, line)
        said.awards = Counter({key: points for key, points in said.awards.items() if points})
        return said

    def follow(self, said: Said, line: int) -> None:
        """What a legal act proves and earns, and whether it ends the deal or the match."""
        deal = self.deal
        for blamed in self.revokes():
            if blamed.line not in deal.told:
                deal.told.add(blamed.line)
                said.proofs["revoke-proven", blamed.seat, blamed.line] += 1
        is_stopped = self.rules["revoke_remedy"] != "report" and bool(self.revokes(only_closed=True))
        is_over = self.phase == "play" and (is_stopped or self.finished() == 7)
        wrong = any(name == "tile-count-wrong" for name, _, _ in said.proofs)
        is_wrong_hand = wrong and said.reason == "ok-recount"
        is_void = said.reason in ("ok-redeal", "all-pass-redeal") or is_wrong_hand
        is_void = is_void or (wrong and self.rules["tile_missing_remedy"] == "void")
        if is_void or (is_over and is_stopped and self.rules["revoke_remedy"] == "replay"):
            gone = zip(deal.carried, self.scores, strict=True)
            said.awards = Counter({(seat, "void"): then - now for seat, (then, now) in enumerate(gone)})
            self.scores = list(deal.carried)
            self.deal_again()
            return
        if is_over:
            said.awards.update(self.worth())
        for (seat, _), points in said.awards.items():
            self.scores[seat] += points
        if is_over:
            self.phase, deal.turn = "clear", None
        if self.phase == "clear":
            self.ranking = self.rank_seats()
            self.phase = "over" if self.ranking else "clear"

    # --- what counts ----------------------------------------------------------------------------------

    @property
    def bidder(self) -> int:
        """Who has bid most."""
        return max(self.deal.calls, key=lambda call: call[1])[0]

    @property
    def bid(self) -> int:
        """The highest bid, 0 while there is none."""
        return max((bid for _, bid in self.deal.calls), default=0)

    def trumps(self) -> list[Tile]:
        """All trumps from the highest down."""
        if self.deal.trump == "doubles":
            return [(number, number) for number in range(6, -1, -1)]
        return [] if self.deal.trump == "none" else suit_of(int(self.deal.trump))

    def suits(self, tile: Tile) -> dict[int, list[Tile]]:
        """The suits that a led tile may ask for, by number; -1 are the trumps."""
        trumps = self.trumps()
        if tile in trumps:
            return {-1: trumps}
        return {number: [each for each in suit_of(number) if each not in trumps] for number in set(tile)}

    def taker(self, trick: Trick) -> int:
        """The seat whose tile stands highest among the trumps, else in the suit asked for."""
        played = {each.tile: each.seat for each in trick.plays}
        return next(played[tile] for tile in (*self.trumps(), *trick.suit) if tile in played)

    def finished(self) -> int:
        """How many tricks are complete."""
        return sum(len(trick.plays) == PLAYERS for trick in self.deal.tricks)

    def taken(self) -> list[int]:
        """How many tricks each seat has taken."""
        takers = [self.taker(trick) for trick in self.deal.tricks if len(trick.plays) == PLAYERS]
        return [takers.count(seat) for seat in range(PLAYERS)]

    def revokes(self, *, only_closed: bool = False) -> list[Played]:
        """The tiles that did not follow although their players have shown a tile of the suit since."""
        deal, found = self.deal, []
        shown = [(each.line, each.seat, each.tile) for trick in deal.tricks for each in trick.plays]
        for trick in deal.tricks[:-1] if only_closed and self.phase == "play" else deal.tricks:
            for each in trick.plays[1:]:
                later = {tile for line, seat, tile in (*shown, *deal.seen) if seat == each.seat and line > each.line}
                if each.may_be_blamed and each.tile not in trick.suit and later & set(trick.suit):
                    found.append(each)
        return found

    def worth(self) -> Counter[Award]:
        """What the deal brings."""
        guilty = {each.seat for each in self.revokes(only_closed=True)}
        guilty = set() if self.rules["revoke_remedy"] == "report" else guilty
        needed = 7 if self.bid == 21 else self.bid
        is_made = (bool(guilty) or self.taken()[self.bidder] >= needed) and self.bidder not in guilty
        self.is_made = is_made and not self.deal.kept_discard
        points: Counter[Award] = Counter()
        for seat, tricks in enumerate(self.taken()):
            if seat == self.bidder:
                points[seat, "moon" if self.bid == 21 else "bid"] += self.bid if self.is_made else -self.bid
            elif seat not in guilty:
                points[seat, "tricks"] += tricks
        return points

    def rank_seats(self) -> list[set[int]]:
        """Seats from first to last once somebody has won."""
        best = max(self.scores)
        winner = None
        is_moon = self.bid == 21 and self.is_made and self.rules["moon_made"] == "wins"
        if is_moon or (self.rules["bidder_goes_out"] and self.scores[self.bidder] >= self.rules["target"]):
            winner = self.bidder
        elif best >= self.rules["target"] and self.scores.count(best) == 1:
            winner = self.scores.index(best)
        if winner is None:
            return []
        others = {seat: score for seat, score in enumerate(self.scores) if seat != winner}
        return [{winner}, *ends.by_score(others, highest_first=True)]

    # --- from the deal to the first lead --------------------------------------------------------------

    def judge_begin(self, act: Act, line: int) -> Said:
        """The tiles are dealt."""
        if self.phase != "deal":
            return Said({"not-now"})
        self.phase = "play"
        return Said(reason="ok-begin")

    def judge_clear(self, act: Act, line: int) -> Said:
        """The table is cleared for the next deal."""
        if self.phase != "clear":
            return Said({"not-now"})
        self.deal_again()
        return Said(reason="ok-clear")

    def judge_first(self, act: Act, line: int) -> Said:
        """Who bids first is drawn, or set."""
        is_auction = self.phase == "play" and self.deal.step == "auction" and not self.deal.calls
        if self.phase != "deal" and not is_auction:
            return Said({"not-now"})
        self.first = self.deal.turn = act.seat
        return Said(reason="ok-first-bidder")

    def judge_bids(self, act: Act, line: int) -> Said:
        """A seat bids."""
        number = act.number or 0
        is_bid = number == 21 or self.rules["least_bid"] <= number <= 7
        return self.call(act.seat, number, set() if is_bid else {"bid-range"})

    def judge_passes(self, act: Act, line: int) -> Said:
        """A seat passes."""
        return self.call(act.seat, 0, set())

    def call(self, seat: int, bid: int, faults: set[str]) -> Said:
        """One call of the auction."""
        deal = self.deal
        is_turn = deal.turn == seat or (deal.turn is None and self.rules["opening"] == "any")
        found = {
            "not-now": self.phase != "play" or (deal.step == "auction" and deal.turn is None and not is_turn),
            "bid-closed": self.phase == "play" and deal.step != "auction",
            "out-of-turn": seat in dict(deal.calls) or (not is_turn and self.rules["out_of_turn_bid"] == "void"),
            "bid-too-low": is_turn and 0 < bid <= self.bid,
        }
        faults |= {name for name, is_so in found.items() if is_so}
        if faults:
            return Said(faults)
        if not is_turn:
            deal.calls.append((seat, 0))
            return Said(reason="ok-forced-pass")
        self.first = seat if self.first is None else self.first
        deal.calls.append((seat, bid))
        reason = "ok-bid" if bid else "ok-pass"
        if len(deal.calls) == PLAYERS and self.bid == 0:
            if self.rules["all_pass"] == "redeal":  # noqa: S105  # a rule, not a password
                return Said(reason="all-pass-redeal")
            deal.calls[-1], reason = (seat, self.rules["least_bid"]), "ok-forced-bid"
        if bid == 21 or len(deal.calls) == PLAYERS:
            deal.turn = self.bidder
            deal.step = "trump" if self.rules["trump_before_widow"] else self.take_centre()
        else:
            deal.turn = next(n % PLAYERS for n in (seat + 1, seat + 2) if n % PLAYERS not in dict(deal.calls))
        return Said(reason=reason)

    def take_centre(self) -> str:
        """The bidder takes the centre tile."""
        self.deal.counts[self.bidder] += 1
        self.deal.centre = 0
        return "discard"

    def judge_discards(self, act: Act, line: int) -> Said:
        """The bidder lays a tile face down."""
        deal, seat, tile = self.deal, act.seat, (act.tiles or (None,))[0]
        found = {
            "not-now": self.phase != "play" or deal.step != "discard",
            "out-of-turn": deal.turn != seat,
            "no-such-tile": tile is not None and tile not in self.tiles,
            "not-in-hand": tile is not None and not self.may_hold(seat, tile),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        deal.counts[seat] -= 1
        deal.centre = 1
        deal.known[seat] = deal.known[seat] - {tile} if tile else set()
        deal.discard, deal.discard_line = tile, line
        deal.step = "tricks" if deal.trump else "trump"
        return Said(reason="ok-exchange")

    def judge_names(self, act: Act, line: int) -> Said:
        """The bidder names trumps."""
        deal = self.deal
        found = {
            "not-now": self.phase != "play" or deal.step in ("auction", "tricks") or bool(deal.trump),
            "out-of-turn": deal.step in ("discard", "trump") and deal.turn != act.seat,
            "must-discard": deal.step == "discard" and not deal.trump,
            "no-such-trump": act.word not in (*"0123456", "doubles", "none"),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        deal.trump = act.word
        deal.step = "tricks" if deal.discard_line else self.take_centre()
        return Said(reason="ok-trump")

    # --- tricks ---------------------------------------------------------------------------------------

    def may_hold(self, seat: int, tile: Tile) -> bool:
        """Whether, as far as anybody knows, the tile may be in this hand."""
        known = self.deal.known[seat]
        if tile == self.deal.discard or any(tile in held for n, held in enumerate(self.deal.known) if n != seat):
            return False
        return tile in known or len(known) < self.deal.counts[seat]

    def is_on_table(self, tile: Tile) -> bool:
        """Whether the tile has been played."""
        return any(each.tile == tile for trick in self.deal.tricks for each in trick.plays)

    def open_trick(self) -> Trick | None:
        """The trick that the next tile is played to, None when it is led."""
        tricks = self.deal.tricks
        return tricks[-1] if tricks and len(tricks[-1].plays) < PLAYERS else None

    def judge_plays(self, act: Act, line: int) -> Said:
        """A tile is played."""
        seat, tile, faults = act.seat, act.tiles[0], self.playing_faults(act)
        trick = self.open_trick()
        has_played = bool(trick) and seat in [each.seat for each in trick.plays] if trick else False
        reason, blame = "ok-play", True
        if act.is_overruled and not faults & IMPOSSIBLE and not has_played:
            reason, blame, faults = "ok-overruled", faults == {"out-of-turn"}, set()
        if faults:
            return Said(faults)
        if trick is None:
            suits = self.suits(tile)
            asked = act.inner if act.inner in suits else max(suits)
            trick = Trick(suits[asked])
            self.deal.tricks.append(trick)
        trick.plays.append(Played(seat, tile, line, blame))
        if tile not in self.deal.known[seat] and len(self.deal.known[seat]) >= self.deal.counts[seat]:
            self.deal.known[seat] = set()  # so it was not his hand at all
        for held in self.deal.known:
            held.discard(tile)
        self.deal.counts[seat] -= 1
        played = [each.seat for each in trick.plays]
        others = [n % PLAYERS for n in (seat + 1, seat + 2) if n % PLAYERS not in played]
        self.deal.turn = others[0] if others else self.taker(trick)
        return Said(reason=reason)

    judge_lays = judge_plays

    def playing_faults(self, act: Act) -> set[str]:
        """What is wrong with this seat playing this tile now."""
        deal, seat, tile = self.deal, act.seat, act.tiles[0]
        is_time = self.phase == "play" and deal.step == "tricks"
        found = {
            "not-now": not is_time,
            "must-discard": self.phase == "play" and deal.step == "discard" and deal.turn == seat,
            "no-such-tile": tile not in self.tiles,
            "tile-already-played": self.is_on_table(tile),
            "out-of-turn": is_time and deal.turn != seat,
            "not-in-hand": not self.may_hold(seat, tile),
        }
        faults = {name for name, is_so in found.items() if is_so}
        if not is_time or tile not in self.tiles:
            return faults
        trick = self.open_trick()
        suit = trick.suit if trick else sorted(self.tiles)
        follows = tile in suit
        if not follows and set(deal.known[seat]) & set(suit):
            faults.add("revoke")
        duties = {each for who, each in deal.duties if who == seat and each in deal.known[seat]}
        if tile not in duties and any(each in suit or not follows for each in duties):
            faults.add("must-play-exposed")
        if act.inner is not None:
            may = set(self.suits(tile)) - {-1}
            may = may if self.rules["leader_names_suit"] else {max(may, default=-1)}
            faults |= set() if act.inner in may and trick is None else {"no-such-suit"}
        return faults
