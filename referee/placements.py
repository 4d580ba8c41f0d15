"""Where tiles may lie and what they would earn: for the people after a round, for training, for those who ask."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from referee import umpire
from referee.games import Placement, game
from referee.moves import Draw, Pass, Place
from referee.state import Phase, State
from referee.tiles import Tile
from referee.umpire import Record

SCORED = (Phase.CLEARING, Phase.OVER)


def legal_placements(state: State, tiles: Collection[Tile]) -> tuple[Placement, ...]:
    """All spots where some of these tiles could be laid legally now, whoever lays them, and what each would earn.

    None outside play, none for tiles that lie already, and none in games in which no tile joins another.
    """
    return game(state.game).placements(state, tiles)


@dataclass(frozen=True, slots=True)
class Missed:
    """What a seat could have done instead of the move of an entry: the best that its hand allowed."""

    entry: int
    seat: int
    earned: int
    best: Placement


def missed(record: Record) -> tuple[Missed, ...]:
    """For each turn of the rounds that are over: a placement that would have earned more, where there was one.

    Only tiles that the seat surely held count: those it laid or showed later without having drawn in between.
    """
    entries = umpire.effective(record)
    rulings = [record.rulings[entry.seq - 1] for entry in entries]
    found: list[Missed] = []
    held: list[set[Tile]] = []
    is_over = False
    for at in reversed(range(1, len(entries))):
        move, ruling, last = entries[at].what, rulings[at], rulings[at - 1]
        assert ruling is not None  # an entry that counts has a ruling
        assert last is not None
        before, after = last.state, ruling.state
        if after.phase in SCORED and before.phase not in SCORED:
            held = [set(hand or ()) for hand in after.shown]
            is_over = True
        elif after.round != before.round:
            is_over = False
        if isinstance(move, Draw) and is_over:
            held[move.seat] = set()
        if not isinstance(move, Place | Pass) or not is_over or not before.layout:
            continue
        held[move.seat] |= {move.tile} if isinstance(move, Place) else set()
        earned = sum(award.points for award in ruling.awards if award.seat == move.seat and award.what != "opening")
        rule = game(before.game).rule
        better = [each for each in legal_placements(before, held[move.seat]) if each.points > earned]
        better.sort(key=lambda each: each.points, reverse=True)
        # a duty, such as that of playing an exposed tile, may forbid what would fit
        allowed = (each for each in better if rule(before, Place(move.seat, each.tile, each.spot)).is_legal)
        best = next(allowed, None)
        if best is not None:
            found.append(Missed(entries[at].seq, move.seat, earned, best))
    return tuple(reversed(found))
