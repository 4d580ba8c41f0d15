"""Where tiles may lie and what they would earn: for the people after a round, for training, for those who ask."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from referee import notation, umpire
from referee.games import Placement, game
from referee.laying import line
from referee.moves import CellSpot, Draw, LineSpot, Loose, Pass, Place, Spot
from referee.rulings import Reason, Ruling
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


def missed(record: Record, last_round: bool = False) -> tuple[Missed, ...]:
    """For each turn of the rounds that are over: a placement that would have earned more, where there was one.

    Only tiles that the seat surely held count: those it laid or showed later without having drawn in between.

    Args:
        record: the match.
        last_round: tell only of the round that the match is in.
    """
    entries = [entry for entry in umpire.effective(record) if entry.reason.is_legal]
    rulings = [record.rulings[entry.seq - 1] for entry in entries]
    found: list[Missed] = []
    held: list[set[Tile]] = []
    is_over = False
    for at in reversed(range(1, len(entries))):
        move, ruling, last = entries[at].what, rulings[at], rulings[at - 1]
        assert ruling is not None  # an entry that counts has a ruling
        assert last is not None
        before, after = last.state, ruling.state
        if last_round and after.round != record.state.round:
            break
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
        earned = _earned(ruling, move.seat)
        best = _best(before, move.seat, held[move.seat], earned)
        if best is not None:
            found.append(Missed(entries[at].seq, move.seat, earned, best))
    return tuple(reversed(found))


def worst_missed(record: Record) -> tuple[Missed, ...]:
    """Of a round that has just been scored, what each seat let pass that would have gained it most; else ()."""
    if record.state.phase not in SCORED:
        return ()
    by_seat: dict[int, Missed] = {}
    for each in missed(record, last_round=True):
        known = by_seat.get(each.seat)
        if known is None or each.best.points - each.earned > known.best.points - known.earned:
            by_seat[each.seat] = each
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def better(record: Record) -> Missed | None:
    """A better place for the tile of the newest entry, None where there is none, as for a first tile."""
    entry, ruling = record.entries[-1], record.rulings[-1]
    if not isinstance(entry.what, Place) or ruling is None:
        return None
    before = before_entry(record, entry.seq)
    if before is None or not before.layout:
        return None
    earned = _earned(ruling, entry.what.seat)
    best = _best(before, entry.what.seat, (entry.what.tile,), earned)
    return None if best is None else Missed(entry.seq, entry.what.seat, earned, best)


def before_entry(record: Record, seq: int) -> State | None:
    """The state that an entry was judged in, None for the first."""
    return next((ruling.state for ruling in reversed(record.rulings[: seq - 1]) if ruling is not None), None)


def allowed_placements(state: State, seat: int, tile: Tile) -> tuple[Placement, ...]:
    """The places of a tile that a seat may really choose: a duty, or the opening, may forbid what would fit."""
    rule = game(state.game).rule
    places = legal_placements(state, (tile,))
    return tuple(each for each in places if rule(state, Place(seat, tile, each.spot)).is_legal)


def listing(state: State, words: Sequence[str]) -> tuple[str, ...]:
    """The places of a tile in notation, best first: `12 ok-edge B lays 3-3-5 at 0,0,D`.

    Args:
        state: the match as it stands.
        words: the tile, and the seat's letter unless it is the one to move.

    Raises:
        ValueError: for a tile that cannot come any more, no such seat, or too many words.
    """
    letters = notation.SEATS[: state.players]
    expected = f"a tile and a seat (A to {letters[-1]})"
    tile_word, seat_word = (*words, "")[:2] if 1 <= len(words) <= 2 else ("", "")
    if not tile_word or (seat_word and seat_word not in tuple(letters)):
        raise ValueError(f"expected {expected}, got {' '.join(words)[:40]!r}")
    tile = Tile.parse(tile_word)
    seat = letters.index(seat_word) if seat_word else state.turn
    if seat is None:
        raise ValueError(f"expected {expected}, since nobody is to move")
    refusal = game(state.game).rule(state, Place(seat, tile, Loose())).reason
    if refusal in (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED):
        raise ValueError(f"expected a tile that may still come, got {tile} ({refusal})")
    found = sorted(allowed_placements(state, seat, tile), key=lambda each: -each.points)
    return tuple(f"{each.points} {each.reason} {notation.write(Place(seat, tile, each.spot))}" for each in found)


def beside(state: State, spot: Spot) -> tuple[Tile, ...]:
    """The tiles that a tile at this spot would join by a whole side."""
    if isinstance(spot, CellSpot):
        cells = set(spot.cell.neighbours)
        return tuple(
            placed.tile for placed in state.layout if isinstance(placed.spot, CellSpot) and placed.spot.cell in cells
        )
    if isinstance(spot, LineSpot):
        return tuple(placed.tile for placed in line.tiles_from(state.layout, spot.end)[:1])
    return ()


def _earned(ruling: Ruling, seat: int) -> int:
    """What a move earned where it lay; what an opening earns besides and what a mistake costs is no matter of place."""
    if not ruling.is_legal:
        return 0
    return sum(award.points for award in ruling.awards if award.seat == seat and award.what != "opening")


def _best(state: State, seat: int, tiles: Collection[Tile], earned: int) -> Placement | None:
    """The placement that earns most, and more than was earned, of those that a seat may choose."""
    more = [each for each in legal_placements(state, tiles) if each.points > earned]
    more.sort(key=lambda each: each.points, reverse=True)
    rule = game(state.game).rule
    return next((each for each in more if rule(state, Place(seat, each.tile, each.spot)).is_legal), None)
