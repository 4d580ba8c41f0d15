"""What a game of tricks is played with, the next deal of it, and a deal that does not count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.rulings import Award, Proof, Reason
from referee.state import changed, next_deal
from referee.tiles import Tile
from referee.tricks.trick import TrickState


@dataclass(frozen=True, slots=True)
class Pack:
    """What a game of tricks is played with: the whole set, tiles in each hand by the number of players, and
    the paragraph of the rule sheet behind each reason, each step, each way to take a trick, `score` and `end`."""

    tiles: frozenset[Tile]
    dealt: Mapping[int, int]
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A reason, the state as the move alone leaves it, and what the move itself earns and proves."""

    reason: Reason
    state: TrickState
    awards: tuple[Award, ...] = ()
    proven: tuple[Proof, ...] = ()


def dealt(pack: Pack, state: TrickState, bids_first: int | None) -> TrickState:
    """The next deal."""
    hand = pack.dealt[state.players]
    stock = len(pack.tiles) - hand * state.players
    return next_deal(state, hand, stock, bids_first, first=bids_first)


def next_first(state: TrickState) -> int | None:
    """The seat that bids first in the next deal, None while nobody has bid first yet."""
    return None if state.first is None else (state.first + 1) % state.players


def void(pack: Pack, answer: Answer) -> Answer:
    """The deal does not count and is dealt again; what it has brought is taken back, the first bid moves on."""
    state = answer.state
    pairs = zip(state.carried, state.scores, strict=True)
    awards = tuple(Award(seat, "void", then - now) for seat, (then, now) in enumerate(pairs))
    before = changed(state, round=state.round - 1, scores=state.carried, round_winner=state.last_winner)
    again = dealt(pack, before, next_first(state))
    # the awards are added when the ruling is made
    return replace(answer, state=changed(again, scores=state.scores), awards=awards)
