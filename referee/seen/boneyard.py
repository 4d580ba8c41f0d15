"""Draws seen by camera: the tiles in the boneyard are counted, and those that leave it make a draw of somebody.

One tile that leaves is a draw of the player to move, and is ruled as any other. Several at once, a tile that several
hands may have taken, and a count that is not what the record says are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee import umpire
from referee.moves import Draw, Move, Recount
from referee.seen import seating
from referee.seen.reader import Step
from referee.seen.zoned import Asked, Reply, Zoned, ask, unasked, watches
from referee.seen.zones import DRAWS
from referee.state import Phase
from referee.umpire import Record, Undo

WHO_DREW, SHORT, OVER = "who-drew", "stock-short", "stock-over"
DIFFERS = (SHORT, OVER)


def next_step(record: Record, zoned: Zoned) -> tuple[Zoned, Step | None]:
    """What is to be done about the boneyard; call again until there is nothing.

    Returns:
        The memory with the last rest dealt with, as far as it goes without the step, and a draw to be journaled.
    """
    state = record.state
    if state.phase is not Phase.PLAY or zoned.boneyard is None or not watches(record, DRAWS):
        return _done(unasked(zoned, WHO_DREW, *DIFFERS)), None
    wanting = state.stock - zoned.elsewhere - zoned.boneyard
    if wanting == 0:
        return _done(replace(unasked(zoned, WHO_DREW, *DIFFERS), is_dealt=True)), None
    left = zoned.before - zoned.boneyard if zoned.is_fresh and zoned.before is not None else 0
    if not state.layout:
        return _for_the_opening(record, zoned, wanting, left)
    if not zoned.is_fresh:
        is_out_of_date = any(each.what in (WHO_DREW, *DIFFERS) and each.tiles != wanting for each in zoned.asked)
        return _differing(record, zoned, wanting) if is_out_of_date else zoned, None
    if left >= wanting > 0 and state.turn is not None:
        player, rival = seating.who_played(record, zoned.reach_deg, state.turn)
        if wanting == 1 and zoned.alone and rival is None:
            # where the rules refuse it the difference is asked about next
            return replace(zoned, before=zoned.boneyard), Step(Draw(player), None)
        return _done(ask(unasked(zoned, *DIFFERS), _who_drew(record, wanting))), None
    return _done(_differing(record, zoned, wanting)), None


def _done(zoned: Zoned) -> Zoned:
    """The last rest has been dealt with."""
    return replace(zoned, is_fresh=False) if zoned.is_fresh else zoned


def _for_the_opening(record: Record, zoned: Zoned, wanting: int, left: int) -> tuple[Zoned, Step | None]:
    """Before the first tile tiles are dealt; only what the rules let seats draw until one can open is a draw."""
    if not zoned.is_dealt:
        return (zoned if zoned.before is None else replace(zoned, before=None)), None  # asked about once it is over
    if not left >= wanting > 0:
        return _done(zoned), None
    draws = [Draw(seat, wanting) for seat in range(record.state.players)]
    legal = [draw for draw in draws if umpire.judge(record, draw).is_legal]
    if len(legal) == 1 and zoned.alone:
        return replace(zoned, before=zoned.boneyard), Step(legal[0], None)
    if not legal:
        return _done(zoned), None
    replies = tuple(Reply("drew", draw, seat=draw.seat) for draw in legal)
    return _done(ask(zoned, Asked("", WHO_DREW, (*replies, Reply("elsewhere")), tiles=wanting))), None


def _who_drew(record: Record, tiles: int) -> Asked:
    return Asked("", WHO_DREW, (*_takers(record, tiles), Reply("elsewhere")), tiles=tiles)


def _differing(record: Record, zoned: Zoned, wanting: int) -> Zoned:
    """The question what has become of the tiles that are wanting, or where those that are too many come from."""
    replies = (*_takers(record, wanting), Reply("elsewhere"))
    if wanting < 0:
        replies = (*_givers(record, -wanting), Reply("miscounted"))
    question = Asked("", SHORT if wanting > 0 else OVER, replies, tiles=wanting)
    return ask(unasked(zoned, WHO_DREW, *DIFFERS), question)


def _takers(record: Record, tiles: int) -> Iterator[Reply]:
    """Who may have drawn so many, the player to move first: as a draw where that is legal, else as a hand recounted."""
    state = record.state
    for seat in sorted(range(state.players), key=lambda seat: seat != state.turn):
        moves: tuple[Move, ...] = (Draw(seat, tiles), Recount(seat, state.hands[seat] + tiles))
        legal = next((move for move in moves if umpire.judge(record, move).is_legal), None)
        if legal is not None:
            yield Reply("drew", legal, seat=seat)


def _givers(record: Record, tiles: int) -> Iterator[Reply]:
    """Which draw may not have been one, and who may have put so many back."""
    drawn = [entry for entry in umpire.effective(record) if isinstance(entry.what, Draw) and entry.reason.is_legal]
    last = drawn[-1].what if drawn else None
    if isinstance(last, Draw) and last.count == tiles and umpire.judge(record, Undo(drawn[-1].seq)).is_legal:
        yield Reply("take-back", Undo(drawn[-1].seq), seat=last.seat)
    for seat in range(record.state.players):
        fewer = Recount(seat, record.state.hands[seat] - tiles)
        if fewer.tiles > 0 and umpire.judge(record, fewer).is_legal:
            yield Reply("put-back", fewer, seat=seat)
