"""Who played, told by the side from which the hand came."""

from __future__ import annotations

from referee.umpire import Match, Record

CLEAR_DEG = 35.0  # by so much nearer the hand must have come to another seat to be that player's
DOUBTFUL_DEG = 20.0  # and by so much to be asked about


def who_played(record: Record, reach_deg: float | None, turn: int) -> tuple[int, int | None]:
    """The seat that laid a tile, and another that may have.

    It is the seat to move, unless all have told where they sit and the hand clearly came from somebody else.

    Args:
        reach_deg: the direction from the mat's middle to the side the hand came from, None when that is not clear.
        turn: the seat to move.
    """
    seats_deg = next((e.what.seats_deg for e in reversed(record.entries) if isinstance(e.what, Match)), ())
    if reach_deg is None or len(seats_deg) <= turn:
        return turn, None
    away = [abs((seat_deg - reach_deg + 180.0) % 360.0 - 180.0) for seat_deg in seats_deg]
    nearest = min(range(len(away)), key=away.__getitem__)
    lead_deg = away[turn] - away[nearest]
    if lead_deg >= CLEAR_DEG:
        return nearest, None
    return turn, nearest if lead_deg >= DOUBTFUL_DEG else None
