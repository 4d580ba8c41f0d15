"""Who says what happens on the virtual table, and the stages that it comes from.

A direction is a JSON object with the field `do`, a script (`virtual:SCRIPT.json`) a list of them; what each field
means stands with its direction. Hands: `lay`, `both`, `spread`, `take`, `gather`, `move`, `clear`, `hover`, `put`.
What goes wrong around them: `light`, `flash`, `flicker`, `shadow`, `glow`, `bump`, `fail`. Besides: `wait`, `end`. The
same script with the same seed gives the same pictures. Nothing is said in return: whoever gives directions sees what
became of them as everybody else does, in the pictures.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec
import zmq

from referee.tiles import DOMINO, TRIOMINO
from vision.frames import SourceError

LARGEST_MESSAGE_BYTES = 32 * 1024
WAITING_DIRECTIONS = 1000

Millimetres = Annotated[float, msgspec.Meta(ge=-2000, le=2000)]
Degrees = Annotated[float, msgspec.Meta(ge=-3600, le=3600)]
Number = Annotated[int, msgspec.Meta(ge=0, le=99)]
Frames = Annotated[int, msgspec.Meta(ge=1, le=20000)]
SmallTurn = Annotated[float, msgspec.Meta(ge=-15, le=15)]

MOST_SPREAD = 120
_CORNERS = {DOMINO: 2, TRIOMINO: 3}


def _check(kind: str, values: tuple[int, ...]) -> None:
    """Refuse numbers that no tile of this kind bears."""
    if kind not in _CORNERS:
        raise ValueError(f"expected one of {', '.join(_CORNERS)} as kind, got {kind!r}")
    if len(values) not in (0, _CORNERS[kind]):
        raise ValueError(f"expected {_CORNERS[kind]} values (or none) for a {kind}, got {values}")


class Lay(msgspec.Struct, frozen=True, tag_field="do", tag="lay", forbid_unknown_fields=True):
    """A hand brings a tile and lays it.

    The pose is that of a `SeenTile`: the centre of its top face, the angle toward the corner of
    `values[0]` (triomino, numbers clockwise) or from the half of `values[0]` to that of `values[1]`.
    No values: face down. `from_deg` is the side the hand comes from, seen from the mat's middle
    (0 = right, 90 = near). `nudge_mm` is how far the nearest tile is pushed away.
    """

    kind: str
    values: tuple[Number, ...]
    x_mm: Millimetres
    y_mm: Millimetres
    angle_deg: Degrees
    from_deg: Degrees
    nudge_mm: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0

    def __post_init__(self) -> None:
        _check(self.kind, self.values)


class Lying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile of several, as it is to lie: numbers (none: face down) and pose as for `lay`."""

    values: tuple[Number, ...]
    x_mm: Millimetres
    y_mm: Millimetres
    angle_deg: Degrees


class Both(msgspec.Struct, frozen=True, tag_field="do", tag="both", forbid_unknown_fields=True):
    """A hand lays a tile and, before the table has come to rest, the next hand lays another."""

    tiles: tuple[Lay, Lay]


class Spread(msgspec.Struct, frozen=True, tag_field="do", tag="spread", forbid_unknown_fields=True):
    """A hand brings many tiles at once and leaves them as they are to lie: a boneyard, or what was left in a hand."""

    kind: str
    tiles: Annotated[tuple[Lying, ...], msgspec.Meta(min_length=1, max_length=MOST_SPREAD)]
    from_deg: Degrees

    def __post_init__(self) -> None:
        for each in self.tiles:
            _check(self.kind, each.values)


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """A hand takes away the tile that lies nearest to a point."""

    x_mm: Millimetres
    y_mm: Millimetres
    from_deg: Degrees


class Clear(msgspec.Struct, frozen=True, tag_field="do", tag="clear", forbid_unknown_fields=True):
    """A hand sweeps all tiles off the table."""

    from_deg: Degrees


class Gather(msgspec.Struct, frozen=True, tag_field="do", tag="gather", forbid_unknown_fields=True):
    """A hand draws the tiles nearest to some points (x, y) off the table at once, as a trick is taken."""

    places_mm: Annotated[
        tuple[tuple[Millimetres, Millimetres], ...], msgspec.Meta(min_length=1, max_length=MOST_SPREAD)
    ]
    from_deg: Degrees


class Hover(msgspec.Struct, frozen=True, tag_field="do", tag="hover", forbid_unknown_fields=True):
    """A hand comes without a tile, points at a place (else the mat's middle), rests there some frames, and goes."""

    from_deg: Degrees
    x_mm: Millimetres | None = None
    y_mm: Millimetres | None = None
    frames: Frames = 2


class Move(msgspec.Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """A hand takes the tile nearest to a point and lays it elsewhere before it goes; `slide`: without lifting it.

    `values` are the numbers that it shows there, where it is turned over on the way.
    """

    x_mm: Millimetres
    y_mm: Millimetres
    to_x_mm: Millimetres
    to_y_mm: Millimetres
    to_angle_deg: Degrees
    from_deg: Degrees
    slide: bool = False
    values: tuple[Number, ...] | None = None


class Put(msgspec.Struct, frozen=True, tag_field="do", tag="put", forbid_unknown_fields=True):
    """A hand lays down a thing that is no tile: a `cup`, a `phone`, a `pen` or a `card`."""

    what: Literal["cup", "phone", "pen", "card"]
    x_mm: Millimetres
    y_mm: Millimetres
    angle_deg: Degrees
    from_deg: Degrees


class Light(msgspec.Struct, frozen=True, tag_field="do", tag="light", forbid_unknown_fields=True):
    """The light becomes so bright, against what it was at first, within some frames; 1 frame is a switch.

    `blue` and `red` say of what colour it becomes: these channels against green.
    """

    brightness: Annotated[float, msgspec.Meta(gt=0, le=4)]
    blue: Annotated[float, msgspec.Meta(gt=0, le=4)] = 1.0
    red: Annotated[float, msgspec.Meta(gt=0, le=4)] = 1.0
    frames: Frames = 1


class Flash(msgspec.Struct, frozen=True, tag_field="do", tag="flash", forbid_unknown_fields=True):
    """So many frames are all white."""

    frames: Frames = 1


class Flicker(msgspec.Struct, frozen=True, tag_field="do", tag="flicker", forbid_unknown_fields=True):
    """The light swings by so much up and down, as under a lamp on the mains, so many times a frame."""

    depth: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.08
    cycles: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.31
    frames: Frames = 45


class Shadow(msgspec.Struct, frozen=True, tag_field="do", tag="shadow", forbid_unknown_fields=True):
    """The soft shadow of somebody falls on the table from a side, stays for some frames, and leaves."""

    from_deg: Degrees
    frames: Frames = 20
    darkness: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.45


class Glow(msgspec.Struct, frozen=True, tag_field="do", tag="glow", forbid_unknown_fields=True):
    """A lamp or a screen of our own shines at a place for some frames."""

    x_mm: Millimetres
    y_mm: Millimetres
    frames: Frames = 30
    blue: Number = 30
    green: Number = 30
    red: Number = 99


class Bump(msgspec.Struct, frozen=True, tag_field="do", tag="bump", forbid_unknown_fields=True):
    """Somebody knocks against the camera: it shakes, and looks another way from then on.

    Degrees by which it is then turned to the right, downward, and about its own axis.
    """

    pan_deg: SmallTurn = 0.0
    tilt_deg: SmallTurn = 0.0
    roll_deg: SmallTurn = 0.0


class Fail(msgspec.Struct, frozen=True, tag_field="do", tag="fail", forbid_unknown_fields=True):
    """The camera fails for some frames: it gives the same picture again and again (`frozen`), or none (`lost`)."""

    how: Literal["frozen", "lost"]
    frames: Frames = 90


class Wait(msgspec.Struct, frozen=True, tag_field="do", tag="wait", forbid_unknown_fields=True):
    """Nothing happens for some frames."""

    frames: Frames


class End(msgspec.Struct, frozen=True, tag_field="do", tag="end", forbid_unknown_fields=True):
    """The source ends."""


Hands = Lay | Both | Spread | Take | Gather | Clear | Hover | Move | Put
Direction = Hands | Light | Flash | Flicker | Shadow | Glow | Bump | Fail | Wait | End


class Stage(Protocol):
    """Where directions come from."""

    def next(self, patience_s: float) -> Direction | None:
        """The next direction; None when there is none within `patience_s` of wall time."""
        ...

    def close(self) -> None:
        """Let go of whatever the stage holds."""
        ...


class ScriptStage:
    """Plays a list of directions, then ends."""

    def __init__(self, directions: tuple[Direction, ...]) -> None:
        self._left = iter(directions)

    def next(self, patience_s: float) -> Direction | None:  # noqa: ARG002  # a script never keeps one waiting
        """The next direction, `End` after the last."""
        return next(self._left, End())

    def close(self) -> None:
        """Nothing is held."""


class SocketStage:
    """Takes directions from a ZeroMQ PULL socket that it binds; those who play connect and PUSH.

    The socket belongs to the thread that made it.
    """

    def __init__(self, endpoint: str) -> None:
        self._socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.PULL)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RCVHWM, WAITING_DIRECTIONS)
        self._socket.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE_BYTES)
        try:
            self._socket.bind(endpoint)
        except zmq.ZMQError as error:
            self._socket.close()
            raise SourceError(f"expected an address that a stage can be bound to, got {endpoint!r} ({error})") from None

    def next(self, patience_s: float) -> Direction | None:
        """The oldest direction not yet played; one that cannot be understood is logged and left out."""
        while self._socket.poll(round(patience_s * 1000)):
            try:
                return decode(self._socket.recv())
            except SourceError as error:
                logging.getLogger(__name__).warning("a direction was left out: %s", error)
        return None

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def encode(direction: Direction) -> bytes:
    """Put one direction into JSON."""
    return msgspec.json.encode(direction)


def decode(data: bytes) -> Direction:
    """Read one direction.

    Raises:
        SourceError: if it is not JSON or not a direction.
    """
    try:
        return msgspec.json.decode(data, type=Direction)
    except msgspec.MsgspecError as error:
        raise SourceError(f"expected a direction such as {{'do': 'clear', 'from_deg': 90}}, got {error}") from None


def load_script(path: Path) -> tuple[Direction, ...]:
    """Read a file with a JSON list of directions.

    Raises:
        SourceError: if the file cannot be read or is not such a list.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Direction, ...])
    except OSError as error:
        raise SourceError(f"expected a file of directions, got {path} ({error.strerror})") from None
    except msgspec.MsgspecError as error:
        raise SourceError(f"expected a JSON list of directions in {path}, got {error}") from None
