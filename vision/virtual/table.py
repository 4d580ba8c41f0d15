"""The virtual table as a source of frames: what lies there, what moves, and the camera's own faults."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.profile import Mat, Profile
from referee.sighting import CameraStatus
from referee.tiles import DOMINO, TRIOMINO, Shape
from vision.frames import Frame, Image, Options, SourceError
from vision.scenes.cameras import camera_over
from vision.scenes.hand import lay_over, shade_under
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics, through
from vision.scenes.sensor import noise_about
from vision.virtual import gestures
from vision.virtual.gestures import Ground, Moment, Resting
from vision.virtual.pieces import Piece, Shade, Sprite, render, shade
from vision.virtual.scene import empty_table, light_over, set_style
from vision.virtual.stage import (
    Both,
    Clear,
    Direction,
    End,
    Gather,
    Hover,
    Lay,
    Move,
    Put,
    ScriptStage,
    SocketStage,
    Spread,
    Stage,
    Take,
    load_script,
)
from vision.virtual.weather import Weather, passes

STILL = Moment()
FRAMES_BEFORE, FRAMES_BETWEEN, FRAMES_AFTER = 8, 6, 10
PATIENCE_S = 0.02
SILENCE_S = 5.0  # after which a camera tells that it fails
NOISE_LEVELS = 2.0
NOISE_SPARE_PX = 97  # a noise picture this much larger than the frame gives each frame another part of it
JPEG_QUALITY = 92
SEEN_LEVELS, SEEN_PIXELS = 6, 50  # what moves differs by so much from what lies still, in so many pixels
SIZES = {"1600x1100": (1600, 1100), "1280x880": (1280, 880), "2304x1584": (2304, 1584)}

_SHAPES = {DOMINO: Shape.domino(), TRIOMINO: Shape.triomino()}


@dataclass(frozen=True, slots=True)
class Setting:
    """A virtual table by its name: `SCRIPT.json?…` or `stage=ENDPOINT&…`.

    Options: `kind` (domino, triomino), `seed`, `fps` of the clock, `pace` (`fast`: a frame whenever one
    is asked for, `real`: at the clock's pace), `size` of the pictures, `keep` (a file that remembers what lies on
    the table: it still lies there when the camera is opened again), `stills` (so many photographs are taken of a
    table at rest, then given again and again, which is far quicker; 0: each is a new one).
    """

    script: tuple[Direction, ...]
    endpoint: str | None
    kind: str
    seed: int
    fps: float
    real: bool
    size: tuple[int, int]
    keep: Path | None = None
    stills: int = 0

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read a name, with or without `virtual:` in front.

        Raises:
            SourceError: if an option is not known or the script cannot be read.
        """
        text = text.removeprefix("virtual:")
        path, _, query = text.partition("?")
        if "?" not in text and re.match(r"[a-z]+=", text):
            path, query = "", text
        options = Options(query, ("stage", "kind", "seed", "fps", "pace", "size", "keep", "stills"))
        endpoint = options.text("stage", "") or None
        if bool(path) == bool(endpoint):
            raise SourceError(f"expected virtual:SCRIPT.json or virtual:stage=ipc://…, got virtual:{text}")
        script = load_script(Path(path)) if path else ()
        first = next((direction.kind for direction in script if isinstance(direction, Lay | Spread)), TRIOMINO)
        return cls(
            script=script,
            endpoint=endpoint,
            kind=options.text("kind", first, tuple(_SHAPES)),
            seed=options.whole("seed", 7, least=0),
            fps=options.rate("fps", 15.0),
            real=options.text("pace", "fast", ("fast", "real")) == "real",
            size=SIZES[options.text("size", "1600x1100", tuple(SIZES))],
            keep=Path(options.text("keep", "")) if options.has("keep") else None,
            stills=options.whole("stills", 0, least=0),
        )


def open_table(text: str) -> VirtualTable:
    """Open the virtual table of a name such as `stage=ipc://…&kind=triomino&seed=7`.

    Raises:
        SourceError: if the name or the script is wrong, or the stage cannot be bound.
    """
    setting = Setting.parse(text)
    at_rest = kept(setting.keep) if setting.keep is not None else ()
    stage = ScriptStage(setting.script) if setting.endpoint is None else SocketStage(setting.endpoint)
    return VirtualTable(setting, stage, at_rest=at_rest)


def kept(file: Path) -> tuple[Piece, ...]:
    """What lay on a table when it was last looked at; nothing where there is no such file yet.

    Raises:
        SourceError: if the file holds something else.
    """
    try:
        return msgspec.json.decode(file.read_bytes(), type=tuple[Piece, ...]) if file.exists() else ()
    except (OSError, msgspec.MsgspecError) as error:
        raise SourceError(f"expected what lies on a table in {file}, got something else ({error})") from None


def profile_for(text: str) -> Profile:
    """What a calibration would tell of a virtual table: all but the pose, which the markers show."""
    setting = Setting.parse(text)
    mat = Mat()
    camera = camera_over(mat, *setting.size, setting.seed).camera
    return Profile(f"virtual-{setting.seed}", camera, mat, _SHAPES[setting.kind])


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """What stays the same however the game goes: camera, light, the empty table through the lens, sensor noise.

    `mat` is 255 where a pixel shows the mat, else 0.
    """

    optics: Optics
    light: Light
    ground: Ground
    empty: Image
    noise: Image
    mat: Image


@lru_cache(maxsize=2)
def room(size: tuple[int, int], seed: int) -> Room:
    """The room of a seed; making one takes about a second."""
    mat = Mat()
    optics = camera_over(mat, *size, seed)
    light = light_over(mat, seed)
    empty, noise = empty_table(mat, optics, light, seed), _noise(size, seed)
    return Room(optics, light, _ground(optics, mat), empty, noise, _covered(optics, mat))


class VirtualTable:
    """Photographs of a table on which hands do what a stage says."""

    def __init__(
        self,
        setting: Setting,
        stage: Stage,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        at_rest: Iterable[Piece] = (),
    ) -> None:
        """Set the table up, with tiles and things that lie there already."""
        self._setting, self._stage, self._clock, self._sleep = setting, stage, clock, sleep
        self._room = room(setting.size, setting.seed)
        self._chance = np.random.default_rng([setting.seed, 6])
        self._resting = Resting()
        for piece in at_rest:
            self._resting.add(piece)
        self._laid = self._shown = self._room.empty
        self._laid_version = 0
        self._photographed: dict[Piece, tuple[Sprite | None, Shade | None]] = {}
        self._running: Iterator[Moment] = repeat(STILL, FRAMES_BEFORE)
        self._ending = False
        self._number = 0
        self._weather = Weather()
        self.moment = STILL  # what moves in the newest photograph
        self._newest: Frame | None = None
        self._stills: deque[Image] = deque()
        self._stills_of = (0, self._weather)
        self._failing = 0  # frames in a row in which the camera has failed
        self._due_s = clock()

    @property
    def status(self) -> CameraStatus:
        """What a camera would tell: that it fails only after it has done so for some seconds."""
        return self._weather.camera if self._failing >= SILENCE_S * self._setting.fps else CameraStatus.OK

    @property
    def lying(self) -> tuple[Piece, ...]:
        """The tiles and things that really lie on the table."""
        return tuple(self._resting.pieces)

    @property
    def has_movement(self) -> bool:
        """Whether a hand, what it holds, or their shadows are over the mat in the newest photograph."""
        if self.moment.arm is None:
            return False
        blue, green, red = cv2.split(cv2.absdiff(self._shown, self._laid))
        most = cv2.bitwise_and(cv2.max(cv2.max(blue, green), red), self._room.mat)
        return cv2.countNonZero(cv2.threshold(most, SEEN_LEVELS, 255, cv2.THRESH_BINARY)[1]) > SEEN_PIXELS

    def read(self) -> Frame | None:
        """The next photograph; None after the end of the script or an `end`."""
        moment = self._next_moment()
        if moment is None:
            return None
        if self._setting.real:
            self._keep_pace()
        self.moment, self._weather = moment, moment.weather or self._weather
        failing = self._weather.camera
        self._failing = self._failing + 1 if failing is not CameraStatus.OK else 0
        time_s = self._number / self._setting.fps
        self._number += 1
        if failing is CameraStatus.LOST and self._newest is not None:
            return self._newest
        frozen = failing is CameraStatus.FROZEN and self._newest is not None
        self._shown = self._scene(moment)
        image = self._newest.image if frozen and self._newest is not None else self._taken(moment)
        self._newest = Frame(image, time_s, self._number - 1)
        return self._newest

    def close(self) -> None:
        """End, and let go of the stage."""
        self._running, self._ending = iter(()), True
        self._stage.close()

    def _keep_pace(self) -> None:
        wait = self._due_s - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._due_s = max(self._due_s, self._clock()) + 1 / self._setting.fps

    def _next_moment(self) -> Moment | None:
        moment = next(self._running, None)
        if moment is not None or self._ending:
            return moment
        direction = self._stage.next(0.0 if self._setting.real else PATIENCE_S)
        if direction is None:
            return STILL
        self._ending = isinstance(direction, End)
        still = repeat(STILL, FRAMES_AFTER if self._ending else FRAMES_BETWEEN)
        self._running = chain(self._gesture(direction), still)
        return next(self._running)

    def _gesture(self, direction: Direction) -> Iterator[Moment]:
        lying, ground = self._resting, self._room.ground
        moments: Iterator[Moment]
        match direction:
            case Lay():
                moments = gestures.lay(direction, lying, ground, self._chance)
            case Both():
                moments = chain.from_iterable(
                    gestures.lay(each, lying, ground, self._chance) for each in direction.tiles
                )
            case Spread():
                moments = gestures.spread(direction, lying, ground)
            case Take():
                moments = gestures.take(direction, lying, ground, self._chance)
            case Move():
                moments = gestures.move(direction, lying, ground)
            case Put():
                moments = gestures.put(direction, lying, ground, self._chance)
            case Gather():
                moments = gestures.gather(direction, lying, ground)
            case Clear():
                moments = gestures.clear(direction, lying, ground)
            case Hover():
                moments = gestures.hover(direction, ground)
            case _:
                weathers = passes(direction, self._weather, ground.middle) or ()
                moments = (Moment(weather=each) for each in weathers)
        return moments

    def _scene(self, moment: Moment) -> Image:
        """The table with what lies and what moves on it, as a lens without a sensor would see it."""
        if self._laid_version != self._resting.version:
            self._laid, self._laid_version = self._lay_all(), self._resting.version
            self._keep()
        if moment.arm is None:
            return self._laid
        picture = self._laid.copy()
        shade_under(picture, moment.arm, moment.person, self._room.optics, self._room.light)
        for piece in moment.carried:
            sprite, shadow = self._photograph(piece)
            if shadow is not None:
                part = picture[shadow.box.slices]
                cv2.multiply(part, cv2.merge([shadow.left] * 3), part, 1 / 255)
            if sprite is not None:
                sprite.onto(picture)
        lay_over(picture, moment.arm, moment.person, self._room.optics, self._room.light)
        return picture

    def _keep(self) -> None:
        """Remember what lies there; the file is whole at any time."""
        if self._setting.keep is not None:
            beside = self._setting.keep.with_name(self._setting.keep.name + ".new")
            beside.write_bytes(msgspec.json.encode(self.lying))
            beside.replace(self._setting.keep)

    def _photograph(self, piece: Piece) -> tuple[Sprite | None, Shade | None]:
        kind = piece.kind if piece.kind in _SHAPES else self._setting.kind
        shape, style = _SHAPES[kind], set_style(kind, self._setting.seed)
        sprite = render(piece, shape, style, self._room.optics, self._room.light)
        return sprite, shade(piece, shape, style, self._room.optics, self._room.light)

    def _lay_all(self) -> Image:
        """The table with all resting tiles: first their shadows, then the tiles, those nearest the camera last."""
        pieces = self._resting.pieces
        self._photographed = {piece: self._photographed.get(piece) or self._photograph(piece) for piece in pieces}
        left = np.full(self._room.empty.shape[:2], 255, np.uint8)
        for _, shadow in self._photographed.values():
            if shadow is not None:
                part = left[shadow.box.slices]
                np.minimum(part, shadow.left, out=part)
        picture = np.asarray(cv2.multiply(self._room.empty, cv2.merge([left, left, left]), scale=1 / 255), np.uint8)
        under = self._room.optics.under_mm
        for piece in sorted(pieces, key=lambda piece: -np.hypot(piece.x_mm - under[0], piece.y_mm - under[1])):
            sprite, _ = self._photographed[piece]
            if sprite is not None:
                sprite.onto(picture)
        return picture

    def _taken(self, moment: Moment) -> Image:
        """A photograph of what is shown; of a table at rest perhaps one that was taken before."""
        if moment.arm is not None or not self._setting.stills:
            return self._developed(self._shown)
        if self._stills_of != (self._resting.version, self._weather):
            self._stills_of = (self._resting.version, self._weather)
            self._stills.clear()
        if len(self._stills) < self._setting.stills:
            self._stills.append(self._developed(self._shown))
        else:
            self._stills.rotate(-1)
        return self._stills[-1]

    def _developed(self, scene: Image) -> Image:
        """What the sensor and the encoder make of a scene: exposure drift, noise, JPEG."""
        scene = self._weather.on(scene, self._room.optics)
        chance = np.random.default_rng([self._setting.seed, 7, self._number])
        gain = 1 + 0.008 * np.sin(self._number / 23) + 0.002 * chance.standard_normal()
        x, y = chance.integers(NOISE_SPARE_PX, size=2)
        noise = self._room.noise[y : y + scene.shape[0], x : x + scene.shape[1]]
        exposed = cv2.addWeighted(scene, float(gain), noise, 1.0, -128)
        _, data = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        image.flags.writeable = False
        return image


def _noise(size: tuple[int, int], seed: int) -> Image:
    """Sensor noise about 128, a little larger than a frame: mostly of brightness, a little of colour."""
    shape = (size[1] + NOISE_SPARE_PX, size[0] + NOISE_SPARE_PX)
    field = noise_about(shape, 0.5, np.random.default_rng([seed, 8]))
    return np.asarray(np.rint(np.float32(NOISE_LEVELS) * field + np.float32(128)), np.uint8)


def _covered(optics: Optics, mat: Mat) -> Image:
    """The mask of the pixels that show the mat, (height, width)."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * [mat.width_mm, mat.height_mm]
    mask = np.zeros((optics.camera.height, optics.camera.width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(optics.project(corners, 0.0)).astype(np.int32), 255)
    return mask


def _ground(optics: Optics, mat: Mat) -> Ground:
    """The part of the table that the camera sees."""
    right_px, bottom_px = optics.camera.width - 1, optics.camera.height - 1
    corners = [Box(x, y, 1, 1) for x in (0, right_px) for y in (0, bottom_px)]
    rays = np.concatenate([optics.rays(corner) for corner in corners])
    table = through(optics.table_from_ray(0.0), rays).reshape(-1, 2)
    (left, top), (right, bottom) = table.min(0), table.max(0)
    return Ground((float(left), float(top)), (float(right), float(bottom)), (mat.width_mm / 2, mat.height_mm / 2))
