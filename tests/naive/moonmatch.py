"""A second judge of recorded matches of Moon: it is told one line after the other, and names every fault of an act."""

from __future__ import annotations

from collections import Counter

from tests.naive.deals import Deals
from tests.naive.reading import Act, Award
from tests.naive.rounds import Said


class Moon(Deals):
    """One match from its first line on, with what people enter about an irregularity."""

    def judge_exposes(self, act: Act, line: int) -> Said:
        """The face of a hand tile has been seen."""
        seat, tile = act.seat, act.tiles[0]
        on_table = self.deal.tricks[-1].plays if self.deal.tricks else []
        if self.phase == "play" and any((each.seat, each.tile) == (seat, tile) for each in on_table):
            return Said(reason="ok-expose")  # it lies there by now
        found = {
            "not-now": self.phase != "play",
            "no-such-tile": tile not in self.tiles,
            "tile-already-played": self.is_on_table(tile),
            "not-in-hand": not self.may_hold(seat, tile),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        self.deal.known[seat].add(tile)
        self.deal.seen.append((line, seat, tile))
        is_open = act.is_laid and self.rules["out_of_turn_remedy"] == "stays_open"
        if is_open or self.rules["exposed_tile_remedy"] == "must_play":
            self.deal.duties.append((seat, tile))
        return Said(reason="ok-expose")

    def judge_shows(self, act: Act, line: int) -> Said:
        """What is left in a hand when a deal has been stopped."""
        deal, seat, tiles = self.deal, act.seat, set(act.tiles)
        found = {
            "not-now": self.phase not in ("clear", "over") or seat in deal.shown or not deal.counts[seat],
            "hand-count-wrong": len(act.tiles) != deal.counts[seat],
            "no-such-tile": not tiles <= self.tiles,
            "tile-already-played": len(tiles) < len(act.tiles) or any(map(self.is_on_table, tiles)),
            "not-in-hand": deal.discard in tiles
            or not deal.known[seat] <= tiles
            or any(tiles & held for n, held in enumerate(deal.known) if n != seat),
        }
        if any(found.values()):
            return Said({name for name, is_so in found.items() if is_so})
        before = self.worth()
        deal.shown.add(seat)
        deal.known[seat] = tiles
        deal.seen += [(line, seat, tile) for tile in tiles]
        said = Said(reason="ok-show-hand")
        said.awards.update(self.difference(before, "revoke"))
        self.phase = "clear"
        return said

    def difference(self, before: Counter[Award], what: str) -> Counter[Award]:
        """What the deal is worth now, seat by seat, more or less than before."""
        change: Counter[Award] = Counter()
        for (seat, _), points in self.worth().items():
            change[seat, what] += points
        for (seat, _), points in before.items():
            change[seat, what] -= points
        return change

    def judge_holds(self, act: Act, line: int) -> Said:
        """A hand has been counted."""
        deal, seat, number = self.deal, act.seat, act.number or 0
        more = number - deal.counts[seat]
        if not more:
            return Said({"not-now"}) if self.phase == "over" else Said(reason="ok-recount")
        is_kept = more == 1 and bool(deal.discard_line) and seat == self.bidder and not deal.kept_discard
        if not deal.tricks:
            is_any = 0 <= number <= len(self.tiles)
            return Said({"must-discard" if is_kept else "wrong-deal" if is_any else "hand-count-wrong"})
        if not is_kept:
            if self.phase != "play" or not 0 <= number <= len(self.tiles):
                return Said({"hand-count-wrong", "not-now"})
            said = Said(reason="ok-recount")
            said.proofs["tile-count-wrong", seat, None] += 1
            return said
        before = self.worth()
        deal.kept_discard, deal.discard = True, None
        deal.counts[seat] += 1
        deal.centre = 0
        said = Said(reason="ok-recount")
        said.proofs["no-discard-proven", seat, deal.discard_line] += 1
        if self.phase in ("clear", "over"):
            said.awards.update(self.difference(before, "no_discard"))
            self.phase = "clear"
        return said

    def judge_stock(self, act: Act, line: int) -> Said:
        """The tiles in the centre have been counted."""
        if self.phase not in ("play", "clear", "over"):
            return Said({"not-now"})
        said = Said(reason="ok-count-stock")
        played = sum(len(trick.plays) for trick in self.deal.tricks)
        if played + sum(self.deal.counts) + (act.number or 0) != len(self.tiles):
            said.proofs["tile-count-wrong", -1, None] += 1
        return said

    def judge_gets(self, act: Act, line: int) -> Said:
        """The people give a seat points, or take some."""
        if self.phase == "over" or not act.number:
            return Said({"not-now"})
        return Said(reason="ok-adjust", awards=Counter({(act.seat, "adjusted"): act.number}))

    def judge_turn(self, act: Act, line: int) -> Said:
        """The people say whose turn it is."""
        trick = self.open_trick()
        done = {seat for seat, _ in self.deal.calls}
        if self.deal.step == "tricks":
            done = {each.seat for each in trick.plays} if trick else set()
        if self.phase != "play" or self.deal.step not in ("auction", "tricks") or act.seat in done:
            return Said({"not-now"})
        self.deal.turn = act.seat
        return Said(reason="ok-turn")

    def judge_redeal(self, act: Act, line: int) -> Said:
        """The deal does not count."""
        return Said(reason="ok-redeal") if self.phase == "play" else Said({"not-now"})
