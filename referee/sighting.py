"""What the camera room says lies on the table, and what the table tells it back.

Table coordinates are millimetres on the plane of the tile tops: the origin is the outer corner of the
mat's marker 0 (far left for the screen's side), x toward marker 1, y toward marker 3 (the near side).
Angles are degrees, clockwise as seen from above, 0 along +x.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.seen.zones import Zone


class CameraStatus(StrEnum):
    """How well the camera is doing; `none`: the score is kept by touch."""

    OK = "ok"
    LOST = "lost"
    FROZEN = "frozen"
    LATE = "late"
    MOVED = "moved"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Reading:
    """One possible reading of a tile's face, in the same corner order as the tile's `values`."""

    values: tuple[int, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile as seen: kind, numbers, pose and how sure the eye is.

    `angle_deg` points from the centre to the corner of `values[0]` (triomino, numbers clockwise as seen)
    or from the half of `values[0]` to the half of `values[1]` (domino). The numbers come in their
    smallest rotation. A face-down tile has no numbers (`()`), and an unread one may have none either.
    `readings` are the likeliest few, best first, given for the same angle as `values`; each keeps its
    corner order and is therefore not turned to its own smallest rotation. `picture` names the small pictures
    that were taken when it came to lie there, empty where there are none.
    """

    kind: str
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    face_up: bool = True
    confidence: float = 1.0
    readings: tuple[Reading, ...] = ()
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit of a hand: its number, when it was there, and what was different afterwards.

    `reach_deg` is the direction from the mat's centre to the side the hand came from (0 = +x, clockwise),
    None when that was not clear. `appeared` and `gone` count tiles.
    """

    number: int
    from_s: float
    to_s: float
    reach_deg: float | None
    appeared: int
    gone: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """Everything believed to lie on the table at one moment; complete, never a difference.

    `settle` counts the times the table has come to rest. While `busy` (a hand or a moving tile is in
    view) `tiles` is what lay there before. `time_s` is the source's own clock.
    """

    epoch: str
    settle: int
    time_s: float
    tiles: tuple[SeenTile, ...]
    busy: bool
    visits: tuple[Visit, ...] = ()
    camera: CameraStatus = CameraStatus.OK


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table tells the eye: the set in play and the tiles accepted or confirmed by people.

    `copies` says how often each tile exists (None: no such prior). `confirmed` never says what would be
    legal next. In `zones` many tiles may be laid down at once.
    """

    epoch: str
    seq: int
    set_id: str
    kind: str
    copies: int | None
    confirmed: tuple[SeenTile, ...] = ()
    zones: tuple[Zone, ...] = ()
