"""Measuring as a room of the house: the game's eye has given the camera away, and a window elsewhere shows it."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from threading import Thread
from typing import TYPE_CHECKING

import msgspec
import zmq

from calibration.profile import Camera, Locks, Mat, Profile
from calibration.survey import Survey
from display.calibrating import CANCEL, Picture, Shown, Stage
from display.measuring import ENDPOINT, Standing, Tapped
from display.preparing import CHOOSE, KEEP, KIND, LESS, LOOK, MEASURE, MORE, Size
from display.pulse import Pulse
from referee.commands.measuring import Course, watch
from referee.config import ConfigurationError, Places
from referee.tiles import DOMINO, TRIOMINO, Shape
from referee.wire import LARGEST_MESSAGE_BYTES

if TYPE_CHECKING:
    from vision.frames import FrameSource

ALONE_S = 15.0  # a window that is gone so long does not come back
HEARD_S = 0.5  # the last answer is lost if the socket is closed before it is taken
_TURN_MS = 50
JPEG_QUALITY = 80

USUAL_MAT = Mat()
USUAL_MM = {"side": 29.0, "length": 48.0, "width": 24.0, "thickness": 6.0, "line": 100.0}
OF_TILES = {TRIOMINO: ("side", "thickness"), DOMINO: ("length", "width", "thickness")}
OF_THE_MAT = ("across", "down", "line")
STEPS_MM = {"across": 10.0, "down": 10.0}
TILE_STEP_MM = 0.5
BOUNDS_MM = {"thickness": (1.0, 30.0), "across": (180.0, 2000.0), "down": (180.0, 2000.0), "line": (50.0, 200.0)}
TILE_BOUNDS_MM = (5.0, 150.0)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How large tiles and mat are, as far as it was tapped.

    `is_set` where a known set says how large its tiles are; `under_way` is the kind of tile of a match that goes on.
    """

    kind: str
    mm: dict[str, float]
    marker_mm: float
    is_set: bool
    under_way: str | None

    @classmethod
    def first(cls, kept: Profile | None, tiles: Shape | None, kind: str | None) -> Lengths:
        """Those of the profile that there is, else the usual ones; of a known set or kind where that is given."""
        shape = tiles or (None if kept is None else kept.shape)
        mat = USUAL_MAT if kept is None else kept.mat
        mm = {**USUAL_MM, "across": mat.width_mm, "down": mat.height_mm}
        if shape is not None:
            mm |= {"side": shape.length_mm} if shape.kind == TRIOMINO else {}
            mm |= {"length": shape.length_mm, "width": shape.width_mm} if shape.kind == DOMINO else {}
            mm["thickness"] = shape.thickness_mm
        usual = TRIOMINO if shape is None else shape.kind
        return cls(usual if tiles is not None else kind or usual, mm, mat.marker_mm, tiles is not None, kind)

    @property
    def asked(self) -> tuple[Size, ...]:
        """What is asked for."""
        names = OF_THE_MAT if self.is_set else (*OF_TILES[self.kind], *OF_THE_MAT)
        return tuple(Size(name, self.mm[name]) for name in names)

    def tapped(self, verb: str, name: str) -> Lengths:
        """A little more or less of one, or the other kind of tile."""
        if verb == KIND:
            return self if self.is_set else replace(self, kind=DOMINO if self.kind == TRIOMINO else TRIOMINO)
        if name not in {size.name for size in self.asked}:
            return self
        step = STEPS_MM.get(name, TILE_STEP_MM) * (1 if verb == MORE else -1)
        least, most = BOUNDS_MM.get(name, TILE_BOUNDS_MM)
        return replace(self, mm={**self.mm, name: min(max(self.mm[name] + step, least), most)})

    @property
    def shape(self) -> Shape:
        """The tiles."""
        if self.kind == TRIOMINO:
            return Shape.triomino(self.mm["side"], self.mm["thickness"])
        return Shape.domino(self.mm["length"], self.mm["width"], self.mm["thickness"])

    @property
    def mat(self) -> Mat:
        """The mat as large as it was really printed."""
        true_size = self.mm["line"] / 100
        return Mat(self.mm["across"] * true_size, self.mm["down"] * true_size, self.marker_mm * true_size)


class CalibrationRoom:
    """From the choice of a camera to the table's profile.

    Args:
        camera: the source, "" where it is to be chosen.
        kept: the profile that there is.
        tiles: the size of the tiles where it is known.
        kind: theirs, where a match is under way.
        cameras: lists those that can be chosen.
        open_source: opens one, for a profile if its lens is kept.
        write: saves a profile; False if it could not.
    """

    def __init__(
        self,
        camera: str,
        kept: Profile | None,
        tiles: Shape | None,
        kind: str | None,
        cameras: Callable[[], tuple[str, ...]],
        open_source: Callable[[str, Profile | None], FrameSource],
        write: Callable[[Profile], bool],
    ) -> None:
        self._camera, self._kept = camera, kept
        self._cameras, self._open, self._write = cameras, open_source, write
        self._found = () if camera else cameras()
        self._lengths = Lengths.first(kept, tiles, kind)
        self._course: Course | None = None
        self._source: FrameSource | None = None
        self._thread: Thread | None = None
        self._is_cancelled = False

    @property
    def is_over(self) -> bool:
        """Whether it was saved or cancelled."""
        return self._is_cancelled or (self._course is not None and self._course.is_over)

    @property
    def shown(self) -> Shown:
        """How things stand now."""
        if self._course is not None:
            return self._course.shown
        if not self._camera:
            return Shown(Stage("camera", cameras=self._found))
        now = self._lengths
        stage = Stage("sizes", sizes=now.asked, kind="" if now.is_set else now.kind, is_kept=self._can_be_kept())
        return Shown(replace(stage, is_left=now.under_way not in (None, now.kind)))

    def hear(self, said: str | tuple[float, float]) -> None:
        """Take in a tap."""
        if said == CANCEL:
            self._is_cancelled = True
        elif self._course is not None:
            self._course.point(*said) if isinstance(said, tuple) else self._course.say(said)
        elif isinstance(said, str):
            self._prepare(*said.partition(" ")[::2])

    def close(self) -> None:
        """Give the camera back."""
        if self._course is not None:
            self._course.is_over = True
        if self._source is not None:
            self._source.close()
        if self._thread is not None:
            self._thread.join(5.0)

    def _prepare(self, verb: str, rest: str) -> None:
        if verb == LOOK:
            self._found = self._cameras()
        elif verb == CHOOSE and rest in self._found:
            self._camera = rest
        elif verb in (LESS, MORE, KIND):
            self._lengths = self._lengths.tapped(verb, rest)
        elif verb == MEASURE or (verb == KEEP and self._can_be_kept()):
            self._begin(self._kept if verb == KEEP else None)

    def _can_be_kept(self) -> bool:
        """Whether the lens that is known is that of this camera."""
        return self._kept is not None and self._kept.source in (None, self._camera)

    def _begin(self, kept: Profile | None) -> None:
        source = self._source = self._open(self._camera, kept)
        mat, shape = self._lengths.mat, self._lengths.shape
        name = "table" if self._kept is None else self._kept.name

        def write(camera: Camera, seen: Survey, is_pointed_at: bool) -> bool:
            pose = seen.pose if is_pointed_at else None
            return self._write(Profile(name, camera, mat, shape, pose, locks=locks_of(source), source=self._camera))

        self._course = Course(None if kept is None else kept.camera, mat, shape, write, lambda: held(source))
        self._thread = watch(source, self._course)


def locks_of(source: FrameSource) -> Locks | None:
    """What the camera holds, to be held again when it is played."""
    from vision.live import LiveSource

    return Locks(**asdict(source.locks)) if isinstance(source, LiveSource) and source.locks.held else None


def held(source: FrameSource) -> tuple[str, ...]:
    """The same in words of `display.calibrating.HELD`."""
    locks = locks_of(source) or Locks()
    told = (
        ("light", locks.exposure_us is not None),
        ("colours", locks.colour_gains is not None or locks.colour_k is not None),
        ("focus", locks.lens_position is not None),
    )
    return tuple(word for word, is_held in told if is_held)


def serve(places: Places, room: CalibrationRoom, clock: Callable[[], float] = time.monotonic) -> None:
    """Show the room to the window that asks, until it is over or no window has asked for long.

    Raises:
        ConfigurationError: if the socket cannot be made.
    """
    context = zmq.Context()
    socket = context.socket(zmq.ROUTER)
    for option, value in ((zmq.LINGER, 0), (zmq.MAXMSGSIZE, LARGEST_MESSAGE_BYTES)):
        socket.setsockopt(option, value)
    pulse = Pulse(places, uuid.uuid4().hex, room="calibrate")
    try:
        socket.bind(places.endpoint(ENDPOINT))
        until_s, is_told = clock() + ALONE_S, False
        while clock() < until_s:
            pulse.beat()
            if socket.poll(_TURN_MS) and not is_told:
                is_told = _answer(socket, room)
                until_s = clock() + (HEARD_S if is_told else ALONE_S)
    except zmq.ZMQError as error:
        raise ConfigurationError(f"cannot make a socket in {places.runtime} ({error.strerror})") from None
    finally:
        pulse.close()
        socket.close()
        context.term()
        room.close()


def _answer(socket: zmq.Socket[bytes], room: CalibrationRoom) -> bool:
    """Take in what was tapped and say how things stand; whether it was said that it is over."""
    sender, *parts = socket.recv_multipart()
    try:
        tapped = msgspec.json.decode(parts[0] if parts else b"", type=Tapped)
    except msgspec.MsgspecError as error:
        sys.stderr.write(f"referee calibrate: a message that is not understood ({error})\n")
        return False
    for said in tapped.said:
        room.hear(said)
    shown = room.shown
    picture = b"" if shown.picture is None else _jpeg(shown.picture)
    is_over = room.is_over
    socket.send_multipart([sender, msgspec.json.encode(Standing(shown.stage, is_over)), picture])
    return is_over


def _jpeg(picture: Picture) -> bytes:
    import cv2
    import numpy as np

    width, height = picture.size
    rgb = np.frombuffer(picture.rgb, np.uint8).reshape(height, width, 3)
    packed = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return bytes(packed)
