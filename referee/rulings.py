"""What the referee answers: a reason, the points, and the clauses and entries it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.moves import Move
    from referee.state import State


class Reason(StrEnum):
    """Stable codes: they stand in the journal, go over the wire and are put into words by the display."""

    OK_MATCH = "ok-match"
    OK_BEGIN = "ok-begin"
    OK_ANNOUNCE = "ok-announce"
    OK_OPENING = "ok-opening"
    OK_EDGE = "ok-edge"
    OK_BRIDGE = "ok-bridge"
    OK_TWO_SIDED = "ok-two-sided"
    OK_THREE_SIDED = "ok-three-sided"
    OK_HEXAGON = "ok-hexagon"
    OK_MULTI_HEXAGON = "ok-multi-hexagon"
    OK_TWO_CORNER = "ok-two-corner"
    OK_THREE_CORNER = "ok-three-corner"
    OK_PLACE = "ok-place"
    OK_OVERRULED = "ok-overruled"
    OK_DRAW = "ok-draw"
    OK_PASS = "ok-pass"
    OK_SHOW_HAND = "ok-show-hand"
    OK_CLEAR = "ok-clear"
    OK_UNDO = "ok-undo"
    OK_CORRECT = "ok-correct"
    OK_EXPOSE = "ok-expose"
    OK_RECOUNT = "ok-recount"
    OK_COUNT_STOCK = "ok-count-stock"
    OK_STOCK_EXPOSED = "ok-stock-exposed"
    OK_DRAW_TOTAL = "ok-draw-total"
    OK_WRONG_DEAL = "ok-wrong-deal"
    OK_BLOCK_CALLED = "ok-block-called"
    OK_CLAIM = "ok-claim"
    OK_ADJUST = "ok-adjust"
    OK_TURN = "ok-turn"
    OK_REDEAL = "ok-redeal"
    OK_FIRST_BIDDER = "ok-first-bidder"
    OK_BID = "ok-bid"
    OK_FORCED_BID = "ok-forced-bid"
    OK_FORCED_PASS = "ok-forced-pass"
    OK_EXCHANGE = "ok-exchange"
    OK_TRUMP = "ok-trump"
    OK_PLAY = "ok-play"
    ALL_PASS_REDEAL = "all-pass-redeal"
    FISH = "fish"

    NO_SUCH_TILE = "no-such-tile"
    TILE_ALREADY_PLAYED = "tile-already-played"
    CELL_OCCUPIED = "cell-occupied"
    NOT_CONNECTED = "not-connected"
    ONE_CORNER_ONLY = "one-corner-only"
    CORNER_CONTACT_NOT_ALLOWED = "corner-contact-not-allowed"
    EDGE_MISMATCH = "edge-mismatch"
    CORNER_MISMATCH = "corner-mismatch"
    END_MISMATCH = "end-mismatch"
    ARM_CLOSED = "arm-closed"
    WRONG_OPENER = "wrong-opener"
    WRONG_OPENING_TILE = "wrong-opening-tile"
    NEEDS_TRIPLE = "needs-triple"
    OUT_OF_TURN = "out-of-turn"
    DRAW_WHILE_ABLE = "draw-while-able"
    PASS_WITH_STOCK = "pass-with-stock"
    PASS_WHILE_ABLE = "pass-while-able"
    STOCK_EMPTY = "stock-empty"
    DRAW_LIMIT = "draw-limit"
    NOT_IN_HAND = "not-in-hand"
    HAND_COUNT_WRONG = "hand-count-wrong"
    NOT_NOW = "not-now"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SUCH_ENTRY = "no-such-entry"
    MUST_PLAY_EXPOSED = "must-play-exposed"
    DRAWN_TILE_STAYS = "drawn-tile-stays"
    WRONG_DEAL = "wrong-deal"
    NOT_BLOCKED = "not-blocked"
    BLOCK_WITH_STOCK = "block-with-stock"
    NOT_IN_STOCK = "not-in-stock"
    NOTHING_TO_CLAIM = "nothing-to-claim"
    LAP_NOT_OVER = "lap-not-over"
    NEEDS_CONFIRMING = "needs-confirming"

    BID_RANGE = "bid-range"
    BID_TOO_LOW = "bid-too-low"
    BID_CLOSED = "bid-closed"
    NO_SUCH_TRUMP = "no-such-trump"
    MUST_DISCARD = "must-discard"
    NO_SUCH_SUIT = "no-such-suit"
    REVOKE = "revoke"

    FALSE_PASS_PROVEN = "false-pass-proven"
    FALSE_DRAW_PROVEN = "false-draw-proven"
    WRONG_OPENER_PROVEN = "wrong-opener-proven"
    TRIPLE_NOT_SHOWN = "triple-not-shown"
    REVOKE_PROVEN = "revoke-proven"
    NO_DISCARD_PROVEN = "no-discard-proven"
    TILE_COUNT_WRONG = "tile-count-wrong"
    DRAW_NOT_BOOKED = "draw-not-booked"
    DRAW_TOTAL_WRONG = "draw-total-wrong"
    WRONG_DEAL_PROVEN = "wrong-deal-proven"

    @property
    def is_legal(self) -> bool:
        """True for every reason that lets the move stand."""
        return self.startswith("ok-") or self in (Reason.FISH, Reason.ALL_PASS_REDEAL)


@dataclass(frozen=True, slots=True)
class Award:
    """Points for one seat and what they are for (`tile`, `hexagon`, `draws` ...); costs are negative."""

    seat: int
    what: str
    points: int


@dataclass(frozen=True, slots=True)
class Cite:
    """What a ruling rests on: a clause of the rules, and the journal entry that proves it, if one does.

    `clause` is the preset and the paragraph of its rule sheet: `ro-trimino/manufacturer §2.1.10`.
    """

    clause: str
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to one move.

    On an illegal move `state` is the very object that was passed in. Only where the house rules charge for
    a wrong tile has the ruling awards, and then its state differs from the one passed in by the scores alone.
    `proven` lists the irregularities that this move has brought to light (a false pass, say).
    """

    reason: Reason
    state: State
    awards: tuple[Award, ...] = ()
    cites: tuple[Cite, ...] = ()
    proven: tuple[Proof, ...] = ()

    @property
    def is_legal(self) -> bool:
        """True when the move stands."""
        return self.reason.is_legal

    def points(self, seat: int) -> int:
        """All that this ruling gives (or takes from) one seat."""
        return sum(award.points for award in self.awards if award.seat == seat)


@dataclass(frozen=True, slots=True)
class Proof:
    """An irregularity proven in hindsight: whose, from which claim, by which tiles."""

    reason: Reason
    seat: int
    entry: int | None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to deal with a move that was refused, or to answer what has to be asked.

    Attributes:
        what: `take-back`, `stands`, `stays-open` or `redeal` of a tile; `count-again`, `holds` (so many tiles after
            all), `missing` (it is empty) or `dealt` (so many at the deal) of a hand; `void` of a round;
            `shows-triple` or `is-highest` of the tile that an opener passed over.
        move: what is entered then, None when nothing is: the tile is taken back, the hand counted again.
        ruling: how that move would be ruled, with what it earns.
    """

    what: str
    move: Move | None = None
    ruling: Ruling | None = None


def charged(reason: Reason, state: State, awards: tuple[Award, ...], cites: tuple[Cite, ...] = ()) -> Ruling:
    """The ruling on a move that does not stand but costs something; without awards the state is the same object."""
    totals = list(state.scores)
    for award in awards:
        totals[award.seat] += award.points
    scores = tuple(totals)
    return Ruling(reason, state if scores == state.scores else replace(state, scores=scores), awards, cites)
