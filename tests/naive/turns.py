"""A turn: a tile is laid, tiles are drawn, or a seat passes."""

from __future__ import annotations

from collections import Counter

from tests.naive.hands import Claim
from tests.naive.layouts import Laid
from tests.naive.openings import Opening
from tests.naive.reading import Act, Tile
from tests.naive.rounds import Said

# What even the people at the table cannot let stand.
IMPOSSIBLE = {"not-now", "no-such-tile", "tile-already-played", "cell-occupied"}
# What is wrong with the place alone.
MISPLACED = {
    *("not-connected", "one-corner-only", "corner-contact-not-allowed"),
    *("edge-mismatch", "corner-mismatch", "end-mismatch", "arm-closed"),
}


class Turns(Opening):
    """A match as far as its turns go."""

    def fits(self, tile: Tile) -> bool:
        """Whether the tile fits the table now."""
        return not self.is_on_table(tile) and self.layout.fits(self.round.table, tile)

    def is_known_able(self, seat: int) -> bool:
        """Whether all know that the seat could lay something."""
        return any(self.fits(tile) for tile in self.round.known[seat])

    def duties_of(self, seat: int) -> set[Tile]:
        """Open tiles that this seat has to lay now."""
        return {tile for who, tile in self.round.duties if who == seat and self.fits(tile)}

    def judge_lays(self, act: Act, line: int) -> Said:
        """A tile is laid."""
        seat, tile = act.seat, act.tiles[0]
        lies = self.layout.lies(self.round.table, act, self.opening_bonus(tile))
        faults = self.placing_faults(seat, tile)
        is_well = lies.code.startswith("ok-")
        every = faults | (set() if is_well else {lies.code})
        reason, points = lies.code, lies.points
        if act.is_overruled and not every & IMPOSSIBLE:
            keeps = is_well and every <= {"out-of-turn"} and every
            points = points if keeps else Counter() if self.is_line else Counter(tile=sum(tile))
            every, reason = set(), "ok-overruled"
        unclaimed = points.pop("unclaimed", 0)
        if every:
            cost = self.against * self.rules["wrong_tile_penalty"] if every <= MISPLACED else 0
            return Said(every, awards=Counter({(seat, "wrong_tile"): cost}))
        said = Said(reason=reason, awards=Counter({(seat, what): points[what] for what in points}))
        self.ask_for_triple(said, seat)
        self.lay(act, line, points)
        self.round.unclaimed, self.round.is_claimed = unclaimed, False
        self.close_round(seat, said)
        return said

    def placing_faults(self, seat: int, tile: Tile) -> set[str]:
        """What is wrong with this seat laying this tile now, wherever it lies."""
        known, is_opening = self.round.known[seat], not self.round.table and self.opens_by_rule()
        duties = self.duties_of(seat)
        found = {
            "not-now": self.phase != "play",
            "no-such-tile": tile not in self.tiles,
            "tile-already-played": self.is_on_table(tile),
            "not-in-hand": self.is_elsewhere(seat, tile)
            or (tile not in known and len(known) >= self.round.counts[seat]),
            "out-of-turn": not is_opening and self.round.turn != seat,
            "must-play-exposed": bool(duties) and tile not in duties,
        }
        faults = {name for name, is_so in found.items() if is_so}
        return faults | (
            self.opening_faults(seat, tile, self.round.turn) if is_opening and tile in self.tiles else set()
        )

    def lay(self, act: Act, line: int, points: Counter[str]) -> None:
        """The tile leaves the hand and lies on the table."""
        seat, tile = act.seat, act.tiles[0]
        if not self.round.table:
            self.round.bonus = points["opening"]
        self.round.table.append(Laid(seat, tile, act.numbers, act.place, act.inner, line, act.is_overruled))
        self.round.hands[seat].see(tile, line)
        self.round.hands[seat].laid[tile] = line
        self.round.counts[seat] -= 1
        for held in self.round.known:
            held.discard(tile)
        self.end_turn(seat)
        self.round.turn, self.round.drawn, self.round.stuck = (seat + 1) % self.players, 0, 0
        self.round.has_acted = len(self.round.table) > 1

    def end_turn(self, seat: int | None) -> None:
        """What was drawn in a turn that is over is remembered of who drew it; who plays out of turn drew nothing."""
        turn, drawn = self.round.turn, self.round.drawn
        if seat is not None:
            self.round.last_drawn[seat] = 0
        if turn is not None and (drawn or turn == seat):
            self.round.last_drawn[turn] = drawn

    def close_round(self, seat: int, said: Said) -> None:
        """The round is over when a hand is empty or nothing can be laid any more."""
        if self.round.counts[seat] == 0:
            self.round.out, self.round.shown[seat] = seat, []
            self.phase, self.round.turn = "show", None
        else:
            self.block_if_dead(said)

    def block_if_dead(self, said: Said) -> None:
        """The line is dead: fish."""
        may_die = self.is_line and (self.rules["fish_with_stock"] or self.round.stock <= self.rules["stock_floor"])
        if may_die and self.layout.is_dead(self.round.table, self.tiles):
            said.reason = "fish" if said.reason in ("ok-place", "ok-draw") else said.reason
            self.round.is_blocked = True
            self.phase, self.round.turn = "show", None

    def judge_draws(self, act: Act, line: int) -> Said:
        """Tiles are taken from the stock."""
        seat, count = act.seat, act.number or 0
        if self.phase == "play" and not self.round.table and self.needs_triple() and self.opens_by_rule():
            return self.draw_for_opener(seat, count, line)
        limit = self.rules["draw_limit"]
        found = {
            "not-now": not self.is_playing() or count < 1,
            "out-of-turn": self.round.turn != seat,
            "must-play-exposed": bool(self.duties_of(seat)),
            "stock-empty": count > self.may_take(seat),
            "draw-limit": limit is not None and self.round.drawn + count > limit,
            "draw-while-able": not self.rules["draw_while_able"] and self.is_known_able(seat),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        said = Said(reason="ok-draw", awards=Counter({(seat, "draws"): -self.rules["draw_cost"] * count}))
        self.ask_for_triple(said, seat)
        for part in range(count):
            if not self.rules["draw_while_able"]:
                self.claim(seat, line, part, is_pass=False)
            self.round.hands[seat].drawn.append((line, part))
        self.take(seat, count)
        self.round.drawn += count
        self.round.unclaimed, self.round.is_claimed = 0, False
        self.round.has_acted = True
        self.block_if_dead(said)
        return said

    def claim(self, seat: int, line: int, part: int, *, is_pass: bool) -> None:
        """The seat says that none of its tiles fits."""
        fitting = frozenset(tile for tile in self.tiles if self.fits(tile))
        self.round.hands[seat].claims.append(Claim(line, part, is_pass, fitting))

    def judge_passes(self, act: Act, line: int) -> Said:
        """A seat says that it cannot play."""
        seat, limit, stock = act.seat, self.rules["draw_limit"], self.may_take(act.seat)
        at_limit = limit is not None and self.round.drawn >= limit
        declines = self.rules["draw_then_decline"] and self.round.drawn > 0
        claims = not self.rules["voluntary_pass"] and not declines
        found = {
            "not-now": not self.is_playing(),
            "out-of-turn": self.round.turn != seat,
            "must-play-exposed": bool(self.duties_of(seat)),
            "pass-with-stock": stock > 0 and not at_limit and not declines,
            "pass-while-able": claims and self.is_known_able(seat),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        cost = self.rules["limit_extra"] if at_limit else self.rules["empty_stock"]
        cost = 0 if declines and stock else cost
        said = Said(reason="ok-pass", awards=Counter({(seat, "empty_stock"): -cost}))
        self.ask_for_triple(said, seat)
        if claims:
            self.claim(seat, line, 0, is_pass=True)
        self.round.last_drawn[seat] = self.round.drawn
        self.round.turn, self.round.drawn, self.round.has_acted = (seat + 1) % self.players, 0, True
        self.round.unclaimed, self.round.is_claimed = 0, False
        self.round.stuck = 0 if stock and limit != 0 else self.round.stuck + 1
        if self.round.stuck == self.players:
            self.round.is_blocked = True
            self.phase, self.round.turn = "show", None
        return said
