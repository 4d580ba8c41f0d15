"""Who opens a round of laying tiles, with what, and what makes an opening wrong."""

from __future__ import annotations

from collections import Counter

from tests.naive.layouts import Line
from tests.naive.reading import Act, Tile
from tests.naive.rounds import Match, Said


class Opening(Match):
    """A match as far as its rounds are opened."""

    def is_elsewhere(self, seat: int, tile: Tile) -> bool:
        """Whether another seat is known to hold the tile."""
        return any(tile in held for other, held in enumerate(self.round.known) if other != seat)

    def is_on_table(self, tile: Tile) -> bool:
        """Whether the tile has been laid."""
        return any(laid.tile == tile for laid in self.round.table)

    def is_playing(self) -> bool:
        """Whether the round has been opened and is not over."""
        return self.phase == "play" and bool(self.round.table)

    def is_stock(self, seat: int, tile: Tile) -> bool:
        """Whether the tile was seen in the stock, and the seat has drawn nothing since."""
        at = self.round.hands[seat].in_stock.get(tile)
        return at is not None and not any(line > at for line, _ in self.round.hands[seat].drawn)

    def in_reach(self, seat: int) -> int:
        """How many tiles the seat could draw."""
        return self.round.stocks[seat] if self.round.stocks else self.round.stock

    def may_take(self, seat: int) -> int:
        """How many tiles the seat may draw, if the last ones are left."""
        return max(0, self.in_reach(seat) - int(self.rules["stock_floor"]))

    def take(self, seat: int, count: int) -> None:
        """Tiles go from the stock to a hand."""
        self.round.counts[seat] += count
        self.round.stock -= count
        if self.round.stocks:
            self.round.stocks[seat] -= count

    # --- the opening ----------------------------------------------------------------------------------

    def opens_by_rule(self) -> bool:
        """Whether the rule says who opens this round, and with what."""
        has_winner = self.rules["next_opener"] == "winner" and self.number > 1 and self.winner is not None
        return self.rules["opening"] == "rule" and not has_winner

    def needs_triple(self) -> bool:
        """Whether all draw until somebody has a triple."""
        return self.rules["no_triple"] == "draw_until_triple" and self.rules["opening"] == "rule"

    def is_choice(self, tile: Tile) -> bool:
        """Whether the right opener may lay this one instead of a better one."""
        return bool(self.rules["zero_choice"]) and tile == (0, 0, 0)

    def worth(self, tile: Tile) -> tuple[int, ...]:
        """How good a tile is to open with."""
        larger = sorted(tile, reverse=True) if self.rules["open_tiebreak"] == "larger_numbers" else []
        is_best = self.is_goat and tile == (0, 0)
        return (is_best, len(set(tile)) == 1, sum(tile), *larger)

    def opening_bonus(self, tile: Tile) -> int:
        """What the first tile of a round earns besides its sum."""
        if self.is_line or not self.opens_by_rule() or len(set(tile)) > 1:
            return 0
        return int(self.rules["open_zero_total"] if sum(tile) == 0 else self.rules["open_triple"])

    def opening_faults(self, seat: int, tile: Tile, turn: int | None) -> set[str]:
        """What is wrong with this seat opening with this tile, as far as hands are known."""
        known = self.round.known
        own = max(map(self.worth, known[seat] | {tile}))
        others = self.round.counts[seat] - (0 if self.is_on_table(tile) else 1)
        is_hidden = others > len(known[seat] - {tile})
        if is_hidden and self.is_choice(tile) and not self.round.has_named[seat] and own == self.worth(tile):
            hidden = [
                each for each in self.tiles if not self.is_elsewhere(seat, each) and not self.is_stock(seat, each)
            ]
            own = max(map(self.worth, hidden), default=own)
        rivals = [self.worth(each) for other in range(self.players) if other != seat for each in known[other]]
        found = {
            "wrong-opener": max(rivals, default=own) > own or turn not in (None, seat),
            "needs-triple": self.needs_triple() and len(set(tile)) > 1,
            "wrong-opening-tile": own > self.worth(tile) and not self.is_choice(tile),
            "lap-not-over": self.needs_triple() and self.is_in_lap(),
        }
        return {name for name, is_so in found.items() if is_so}

    def is_early(self) -> bool:
        """Whether only the opening tile lies and nobody has acted since, so that a wrong opening can be undone."""
        table = self.round.table
        if self.phase != "play" or len(table) != 1 or not self.opens_by_rule() or table[0].is_overruled:
            return False
        return (
            not self.round.has_acted
            and not self.round.is_claimed
            and self.round.turn == (table[0].seat + 1) % self.players
        )

    def doubt_opening(self, said: Said) -> None:
        """Whether by what is known now the opener might not have opened so."""
        opening = self.round.table[0]
        faults = self.opening_faults(opening.seat, opening.tile, opening.seat)
        for fault, name in (("wrong-opener", "wrong-opener-proven"), ("wrong-opening-tile", "wrong-opening-tile")):
            if fault in faults:
                said.proofs[name, opening.seat, opening.line] += 1
                return

    def undo_opening(self, said: Said) -> None:
        """The tile goes back to the hand it came from, and somebody else opens."""
        opening = self.round.table.pop()
        seat, hand = opening.seat, self.round.hands[opening.seat]
        said.awards[seat, "tile"] -= 0 if self.is_line else sum(opening.tile)
        if isinstance(self.layout, Line) and not self.rules["muggins"]:
            said.awards[seat, "ends"] -= self.layout.earned([opening])
        self.round.unclaimed = 0
        said.awards[seat, "opening"] -= self.round.bonus
        self.round.bonus = 0
        self.round.counts[seat] += 1
        self.round.known[seat].add(opening.tile)
        del hand.laid[opening.tile]
        hand.exposed.setdefault(opening.tile, opening.line)  # all have seen it
        self.round.exposed.append((seat, opening.tile, True))
        self.round.told = Counter()
        self.round.turn = self.named_opener() if all(self.round.has_named) else 0 if self.players == 1 else None

    def named_opener(self) -> int | None:
        """The seat that has named or shown the best tile that opens, None where there is none or several."""
        if self.players == 1:
            return 0
        tiles = [(who, each) for who, held in enumerate(self.round.known) for each in held if self.may_open(each)]
        named = {who: max(self.worth(each) for other, each in tiles if other == who) for who, _ in tiles}
        best = [who for who, worth in named.items() if worth == max(named.values())]
        return best[0] if len(best) == 1 else None

    def is_in_lap(self) -> bool:
        """Whether some have drawn a tile to open with, and the others of that lap have not."""
        drawn = sum(len(hand.drawn) for hand in self.round.hands)
        return not self.round.table and self.round.stock > self.rules["stock_floor"] and drawn % self.players != 0

    def ask_for_triple(self, said: Said, seat: int) -> None:
        """Who has opened with 0-0-0 and has not shown a triple when another seat acts has lost what it brought."""
        if len(self.round.table) != 1 or not self.must_show() or seat == self.round.table[0].seat:
            return
        opening = self.round.table[0]
        if not self.round.has_named[opening.seat] and not self.has_shown_triple():
            said.proofs["triple-not-shown", opening.seat, opening.line] += 1

    def must_show(self) -> bool:
        """Whether the opening has earned what a triple has to be shown for."""
        table = self.round.table
        if not table or not self.rules["zero_must_show"] or not self.round.bonus or self.round.is_unshown:
            return False
        return not table[0].is_overruled and self.is_choice(table[0].tile) and self.worth_of_showing() > 0

    def has_shown_triple(self) -> bool:
        """Whether the opener has named or shown a higher triple before play went on."""
        opening = self.round.table[0]
        shown = [each for who, each, is_in_time in self.round.exposed if who == opening.seat and is_in_time]
        shown += [each for each in [self.round.named[opening.seat]] if each]
        return any(len(set(each)) == 1 and self.worth(each) > self.worth(opening.tile) for each in shown)

    def deny_triple(self, said: Said) -> None:
        """Whether it is proven now that the opener had a higher triple, though he showed none."""
        opening = self.round.table[0] if self.must_show() else None
        is_told = any(name == "triple-not-shown" for name, _, _ in said.proofs)
        if opening and not is_told and not self.has_shown_triple() and self.held_higher_triple():
            said.proofs["triple-not-shown", opening.seat, opening.line] += 1

    def judge_begin(self, act: Act, line: int) -> Said:
        """The deal is over."""
        if self.phase != "deal":
            return Said({"not-now"})
        self.phase = "play"
        if self.round.turn is None and not self.opens_by_rule():
            self.round.turn = 0
        return Said(reason="ok-begin")

    def judge_announces(self, act: Act, line: int) -> Said:
        """A seat names its best tile."""
        seat, tile = act.seat, (act.tiles or (None,))[0]
        may = self.phase in ("deal", "play") and (not self.round.table or self.is_early())
        before, seen = self.round.named[seat], {each for who, each, _ in self.round.exposed if who == seat}
        others = {each for each in self.round.known[seat] if each != before or each in seen}
        is_full = len(others | {tile}) > self.round.counts[seat] and bool(tile) and not self.is_on_table(tile)
        found = {
            "not-now": not may,
            "no-such-tile": bool(tile) and tile not in self.tiles,
            "not-in-hand": bool(tile) and (self.is_elsewhere(seat, tile) or self.is_stock(seat, tile) or is_full),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        self.round.known[seat] = others
        self.round.named[seat], self.round.has_named[seat] = tile, True
        if tile and not self.is_on_table(tile):
            self.round.known[seat].add(tile)
        self.turn_to_open()
        return Said(reason="ok-announce")

    def turn_to_open(self) -> None:
        """Once all have named their tiles the best that has been named or shown opens."""
        if not self.round.table and self.opens_by_rule() and not self.is_in_lap() and all(self.round.has_named):
            self.round.turn = self.named_opener()

    def may_open(self, tile: Tile) -> bool:
        """Whether a round can be opened with it at all."""
        return not self.needs_triple() or len(set(tile)) == 1

    def draw_for_opener(self, seat: int, count: int, line: int) -> Said:
        """One tile each in turn, free of charge, until somebody has a triple."""
        last = self.round.last_to_draw_for_opener
        found = {
            "not-now": count < 1,
            "out-of-turn": last is not None and seat != (last + 1) % self.players,
            "stock-empty": self.may_take(seat) == 0,
            "draw-limit": count > 1,
            "draw-while-able": not self.is_in_lap()
            and any(len(set(tile)) == 1 for held in self.round.known for tile in held),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        self.take(seat, 1)
        self.round.hands[seat].drawn.append((line, 0))
        self.round.last_to_draw_for_opener = seat
        self.round.has_named[seat] = False
        return Said(reason="ok-draw")
