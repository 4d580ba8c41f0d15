"""A second judge of whole matches in which tiles are laid: it is told one line after the other and judges each anew.

It names every fault of an act, not only the first: what a record says of an illegal act must be one of them.
"""

from __future__ import annotations

from collections import Counter

from tests.naive.reading import Act
from tests.naive.rounds import Said
from tests.naive.turns import Turns


class Laying(Turns):
    """One match from its first line on."""

    # --- the end of a round ---------------------------------------------------------------------------

    def judge_shows(self, act: Act, line: int) -> Said:
        """A hand is laid open to be counted."""
        seat, tiles = act.seat, list(act.tiles)
        elsewhere = {laid.tile for laid in self.round.table} | {t for hand in self.round.shown for t in hand or []}
        found = {
            "not-now": self.phase != "show" or self.round.shown[seat] is not None,
            "hand-count-wrong": len(tiles) != self.round.counts[seat],
            "no-such-tile": not set(tiles) <= self.tiles,
            "tile-already-played": bool(elsewhere & set(tiles)) or len(set(tiles)) < len(tiles),
            "not-in-hand": any(self.is_elsewhere(seat, t) for t in tiles) or not self.round.known[seat] <= set(tiles),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        self.round.shown[seat] = tiles
        self.round.known[seat] = set(tiles)
        for tile in tiles:
            self.round.hands[seat].see(tile, line)
        return Said(reason="ok-show-hand")

    def judge_clear(self, act: Act, line: int) -> Said:
        """The table is cleared for the next round."""
        if self.phase != "clear":
            return Said({"not-now"})
        self.deal(self.number + 1)
        return Said(reason="ok-clear")

    # --- what people enter about an irregularity ------------------------------------------------------

    def judge_exposes(self, act: Act, line: int) -> Said:
        """The face of a hand tile has been seen."""
        seat, tile = act.seat, act.tiles[0]
        known = self.round.known[seat]
        found = {
            "not-now": self.phase != "play",
            "no-such-tile": tile not in self.tiles,
            "tile-already-played": self.is_on_table(tile),
            "not-in-hand": self.is_elsewhere(seat, tile)
            or (tile not in known and (self.is_stock(seat, tile) or len(known) >= self.round.counts[seat])),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        known.add(tile)
        self.round.hands[seat].see(tile, line)
        self.round.hands[seat].exposed[tile] = line
        self.round.exposed.append((seat, tile, not self.round.table or self.is_early()))
        self.turn_to_open()
        is_open = act.is_laid and self.rules["out_of_turn_remedy"] == "stays_open"
        if is_open or self.rules["exposed_tile_remedy"] == "must_play":
            self.round.duties.append((seat, tile))
        return Said(reason="ok-expose")

    def judge_holds(self, act: Act, line: int) -> Said:
        """A hand has been counted."""
        seat, number = act.seat, act.number or 0
        more = number - self.round.counts[seat]
        if self.phase == "show" and self.round.out == seat and more > 0:
            return self.deal_was_wrong(seat, more)
        is_showing = self.phase == "show" and self.round.shown[seat] is None
        has_drawn = self.round.turn == seat and self.round.drawn > 0
        found = {
            "wrong-deal": self.is_dealing() and more != 0,
            "not-now": not self.is_dealing() and not self.is_playing() and not is_showing,
            "hand-count-wrong": number < (0 if is_showing and act.is_confirmed else 1),
            "tile-count-wrong": more > self.in_reach(seat),
            "drawn-tile-stays": more < 0 and has_drawn and self.rules["draw_too_many_remedy"] == "stays",
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        said = Said(reason="ok-recount")
        self.take(seat, more)
        if more > 0:
            said.awards[seat, "draws"] -= self.rules["draw_cost"] * more
            self.round.hands[seat].found += more
            if self.is_playing():
                self.block_if_dead(said)
        elif more < 0:
            back = min(-more, self.round.drawn) if has_drawn else 0
            self.round.drawn -= back
            if self.rules["draw_too_many_remedy"] == "return":  # what was found and paid for may go back as well
                more_back = min(-more - back, self.round.hands[seat].found - self.round.hands[seat].paid_back)
                self.round.hands[seat].paid_back += more_back
                back += more_back
            said.awards[seat, "draws"] += self.rules["draw_cost"] * back
            said.awards[seat, "draw_too_many"] += self.against * self.rules["draw_too_many_penalty"] * back
            self.round.hands[seat].returned.append(line)
            self.round.known[seat] = set()  # nobody knows which one went
            self.round.duties = [each for each in self.round.duties if each[0] != seat]
        return said

    def is_dealing(self) -> bool:
        """Whether nothing has been laid in this round."""
        return self.phase == "deal" or (self.phase == "play" and not self.round.table)

    def judge_dealt(self, act: Act, line: int) -> Said:
        """It is found that a seat was dealt so many tiles."""
        return self.deal_was_wrong(act.seat, (act.number or 0) - self.round.hands[act.seat].dealt)

    def deal_was_wrong(self, seat: int, more: int) -> Said:
        """A seat was dealt so many more tiles than it should have been."""
        left = self.round.counts[seat] + more
        is_showing = self.phase == "show" and (self.round.shown[seat] is None or self.round.out == seat)
        found = {
            "wrong-deal": self.is_dealing() and more != 0,
            "not-now": not self.is_dealing() and not self.is_playing() and not is_showing,
            "hand-count-wrong": left < len(self.round.known[seat]),
            "tile-count-wrong": more > self.in_reach(seat),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        if not more:
            return Said(reason="ok-recount")
        said = Said(reason="ok-wrong-deal")
        said.proofs["wrong-deal-proven", seat, None] += 1
        self.take(seat, more)
        self.round.hands[seat].dealt += more
        if left == 0 and self.is_playing():
            self.close_round(seat, said)
        elif self.round.out == seat:  # he has not gone out after all
            self.round.out, self.phase, self.round.turn = None, "play", (seat + 1) % self.players
            self.round.shown = [None] * self.players
        return said

    def judge_stock(self, act: Act, line: int) -> Said:
        """The stock has been counted: fewer tiles than there should be while hands are hidden, and somebody drew."""
        number = act.number or 0
        if self.phase == "deal":
            return Said({"not-now"})
        said = Said(reason="ok-count-stock")
        held = [
            n if shown is None else len(shown) for n, shown in zip(self.round.counts, self.round.shown, strict=True)
        ]
        if len(self.round.table) + sum(held) + number != len(self.tiles):
            is_draw = number < self.round.stock and not self.is_all_shown()
            voids = self.is_all_shown() and self.rules["tile_missing_remedy"] == "void"
            if self.phase == "over" and voids and not act.is_confirmed:
                return Said({"needs-confirming"})
            said.proofs["draw-not-booked" if is_draw else "tile-count-wrong", -1, None] += 1
        return said

    def judge_uncovers(self, act: Act, line: int) -> Said:
        """A tile of the stock has been seen: it was in no hand then."""
        tile = act.tiles[0]
        found = {
            "not-now": self.phase not in ("deal", "play"),
            "no-such-tile": tile not in self.tiles,
            "tile-already-played": self.is_on_table(tile),
            "not-in-stock": any(tile in held for held in self.round.known),
            "stock-empty": self.round.stock == 0,
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        if not any(tile in hand.exposed for hand in self.round.hands):  # else it went back from a hand
            for hand in self.round.hands:
                hand.in_stock[tile] = line
        return Said(reason="ok-stock-exposed")

    def judge_says(self, act: Act, line: int) -> Said:
        """A player names how many tiles he has drawn in this turn or his last; the count rules."""
        seat = act.seat
        if not self.is_playing() and self.phase != "show":
            return Said({"not-now"})
        is_turn = self.round.turn == seat and self.round.drawn > 0
        said = Said(reason="ok-draw-total")
        if act.number != (self.round.drawn if is_turn else self.round.last_drawn[seat]):
            said.proofs["draw-total-wrong", seat, None] += 1
        return said

    def judge_claims(self, act: Act, line: int) -> Said:
        """A seat names what the newest tile has brought, which nobody has named."""
        if self.phase not in ("play", "show") or not self.rules.get("muggins"):
            return Said({"not-now"})
        if not self.round.unclaimed or act.number != self.round.unclaimed:
            return Said({"nothing-to-claim"})
        what = "ends" if self.round.table[-1].seat == act.seat else "muggins"
        points, self.round.unclaimed, self.round.is_claimed = self.round.unclaimed, 0, True
        return Said(reason="ok-claim", awards=Counter({(act.seat, what): points}))

    def judge_calls(self, act: Act, line: int) -> Said:
        """A seat says that nobody can move: right if all that fits lies on the table, or no hand holds any of it."""
        if self.phase == "show" and self.round.is_blocked:
            return Said(reason="ok-block-called")
        has_stock = self.rules["draw_limit"] != 0 and any(self.may_take(seat) > 0 for seat in range(self.players))
        hands = self.round.known
        is_all_known = all(len(held) == n for held, n in zip(hands, self.round.counts, strict=True))
        fitting = {tile for tile in self.tiles if self.fits(tile)}
        is_stuck = not fitting or (is_all_known and not has_stock and not any(fitting & held for held in hands))
        found = {
            "not-now": not self.is_playing(),
            "not-blocked": not is_stuck,
            "block-with-stock": is_stuck and has_stock,
        }
        faults = {name for name, is_so in found.items() if is_so}
        return Said(faults) if faults else Said(reason="ok-block-called")

    def judge_gets(self, act: Act, line: int) -> Said:
        """The people give a seat points, or take some."""
        if self.phase == "over" or not act.number:
            return Said({"not-now"})
        return Said(reason="ok-adjust", awards=Counter({(act.seat, "adjusted"): act.number}))

    def judge_turn(self, act: Act, line: int) -> Said:
        """The people say whose turn it is."""
        if self.phase != "play":
            return Said({"not-now"})
        self.end_turn(None)
        self.round.turn, self.round.drawn, self.round.stuck = act.seat, 0, 0
        return Said(reason="ok-turn")

    def judge_redeal(self, act: Act, line: int) -> Said:
        """The round does not count."""
        return Said({"not-now"}) if self.phase not in ("play", "show") else Said(reason="ok-redeal")
