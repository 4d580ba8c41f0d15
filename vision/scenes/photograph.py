"""The taking of a picture: what lies on a table, under its light, through its camera, with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.kinds import Image
from vision.scenes.hand import Arm, photograph_hand, shade_under
from vision.scenes.light import FIELD_STEP_PX, places_seen
from vision.scenes.session import Session
from vision.scenes.shadows import light_left
from vision.scenes.slabs import Placed, View, fill, hull_of, render, view
from vision.scenes.tiles import Piece, face_scale

Floats = NDArray[np.float32]
Random = np.random.Generator
FLAT_MM = 1.5  # what is thinner lies under what is thicker
SOFT_MM = 0.4  # how blurred the edges of shadows are
TALLER_MM = 1.0  # what is so much taller than tiles throws shadows on their tops
PEOPLE = 24


@dataclass(frozen=True, slots=True, eq=False)
class SeenPiece:
    """A tile in a picture.

    `picture_from_tile` takes mm of the tile's frame, on the plane of its top, to pixels. `visible` is the
    share of its top that is neither covered nor out of the picture.
    """

    piece: Piece
    picture_from_tile: Matrix
    outline_px: Matrix
    visible: float

    @property
    def face_up(self) -> bool:
        """Whether its numbers are on top."""
        return bool(self.piece.values)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A photograph, BGR, and the tiles in it; `owner` is 1 + the index of the tile whose top a pixel shows, else 0."""

    image: Image
    tiles: tuple[SeenPiece, ...]
    owner: NDArray[np.uint16]


def photograph(session: Session, things: Sequence[Piece | Placed], random: Random, arm: Arm | None = None) -> Picture:
    """Photograph tiles and other things on a session's table, with somebody's arm over them if there is one."""
    scale = face_scale(session.tiles, session.px_per_mm)
    canvas = _Canvas(session)
    laid = [
        _Laid(thing, session.tiles.placed(thing, scale, random), number)
        if isinstance(thing, Piece)
        else _Laid(None, thing, number)
        for number, thing in enumerate(things, 1)
    ]
    canvas.lay_all(laid)
    if arm is not None:
        canvas.reach_over(arm, int(random.integers(PEOPLE)))
    lit = cv2.GaussianBlur(_lit(session, canvas.picture, canvas.gloss, random), (0, 0), session.optics.blur_px)
    image = session.sensor.picture(np.asarray(lit, np.float32), random)
    return Picture(image, *canvas.labels(laid))


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A thing on the table, its number among all, and the tile that it is, if it is one."""

    piece: Piece | None
    placed: Placed
    number: int


class _Canvas:
    """A session's table in even light while things are laid on it: how it looks, how glossy it is, whose is what."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.picture = session.empty.copy()
        self.gloss = np.full(session.empty.shape[:2], session.ground_gloss, np.float32)
        self._owner = np.zeros(session.empty.shape[:2], np.uint16)
        self._views: dict[int, View] = {}

    def lay_all(self, things: list[_Laid]) -> None:
        """Lay what is flat, then shadows, then what is thick: what is nearer to the camera over what is farther."""
        optics, light, height_mm = self._session.optics, self._session.light, self._session.tiles.shape.thickness_mm
        things = sorted(things, key=self._order)
        flat = [thing for thing in things if thing.placed.slab.thickness_mm < FLAT_MM]
        thick = [thing for thing in things if thing.placed.slab.thickness_mm >= FLAT_MM]
        for thing in flat:
            self._lay(thing)
        soft_px = SOFT_MM * self._session.px_per_mm
        _darken(self.picture, light_left([thing.placed for thing in thick], optics, light, 0.0, soft_px))
        tall = [thing.placed for thing in thick if thing.placed.top_mm > height_mm + TALLER_MM]
        on_tops = light_left(tall, optics, light, height_mm, soft_px) if tall else None
        for thing in thick:
            self._lay(thing, None if thing.placed in tall else on_tops)

    def _order(self, thing: _Laid) -> tuple[float, float]:
        return thing.placed.lift_mm, -float(np.linalg.norm(thing.placed.centre_mm - self._session.optics.under_mm))

    def _lay(self, thing: _Laid, left_on_top: Floats | None = None) -> None:
        seen = view(thing.placed, self._session.optics)
        if seen is None:
            return
        self._views[thing.number] = seen
        sprite, part = render(thing.placed, seen, self._session.light), seen.box.slices
        if left_on_top is not None:
            _darken(sprite.colour, left_on_top[part])
        sprite.onto(self.picture)
        cover = 1 - sprite.keep[..., 0] / np.float32(255)
        self.gloss[part] += cover * (np.float32(thing.placed.slab.gloss) - self.gloss[part])
        fill(self._owner, hull_of(seen.top_px, seen.foot_px), 0)
        if thing.piece is not None:
            fill(self._owner, seen.top_px, thing.number)

    def reach_over(self, arm: Arm, person: int) -> None:
        """Lay somebody's arm and its shadow over all."""
        shade_under(self.picture, arm, person, self._session.optics, self._session.light)
        sprite = photograph_hand(arm, person, self._session.optics, self._session.light)
        if sprite is not None:
            sprite.onto(self.picture)
            covered = sprite.keep[..., 0] < 128
            self.gloss[sprite.box.slices][covered] = 0
            self._owner[sprite.box.slices][covered] = 0

    def labels(self, things: list[_Laid]) -> tuple[tuple[SeenPiece, ...], NDArray[np.uint16]]:
        """The tiles that may be seen, and for each pixel 1 + the index of its owner among them."""
        owned = np.bincount(self._owner.ravel(), minlength=len(things) + 1)
        found: list[SeenPiece] = []
        names = np.zeros(len(things) + 1, np.uint16)
        for thing in things:
            seen = self._views.get(thing.number)
            if thing.piece is None or seen is None:
                continue
            area = max(cv2.contourArea(seen.top_px.astype(np.float32)), 1.0)
            outline = cv2.perspectiveTransform(self._session.tiles.outline_mm()[None], seen.picture_from_frame)[0]
            share = float(min(owned[thing.number] / area, 1.0))
            found.append(SeenPiece(thing.piece, seen.picture_from_frame, np.asarray(outline, np.float64), share))
            names[thing.number] = len(found)
        return tuple(found), names[self._owner]


def _darken(picture: Image, left: Floats) -> None:
    share = np.asarray(cv2.convertScaleAbs(left, alpha=255), np.uint8)
    cv2.multiply(picture, cv2.merge([share, share, share]), picture, 1 / 255)


def _lit(session: Session, albedo: Image, gloss: Floats, random: Random) -> Floats:
    """The light that comes back from a table: lamp, room, a person's shadow, the lamp mirrored."""
    light = session.light
    places = places_seen(session.optics)
    bright = light.brightness(places)
    if random.random() < (0.3 if session.harsh else 0.12):
        bright = bright * _persons_shadow(places, random)
    if random.random() < (0.3 if session.harsh else 0.1):
        bright = bright * _flicker(len(bright), random)
    drift = 1 + float(np.clip(random.normal(0, 0.015), -0.04, 0.04))
    gain = np.float32(session.exposure * drift) * _full(bright, albedo.shape[:2])
    tint = np.array(light.tint, np.float32)
    lit = cv2.multiply(albedo, cv2.merge([gain * float(part) for part in tint]), dtype=cv2.CV_32F)
    if light.glare > 0.5:
        glare = gloss * _full(light.shine(places), albedo.shape[:2])
        lit = cv2.add(lit, cv2.merge([glare, glare, glare]), dtype=cv2.CV_32F)
    return np.asarray(lit, np.float32)


def _flicker(rows: int, random: Random) -> Floats:
    """Bands across the picture, as a sensor read row by row sees a lamp on alternating current."""
    waves = random.uniform(0.5, 4) * np.linspace(0, 2 * np.pi, rows) + random.uniform(0, 2 * np.pi)
    return (1 + random.uniform(0.01, 0.05) * np.sin(waves)).astype(np.float32)[:, None]


def _full(field: Floats, size: tuple[int, int]) -> Floats:
    """A field known at every eighth pixel, for every pixel."""
    rows, columns = field.shape
    full = cv2.resize(field, (columns * FIELD_STEP_PX, rows * FIELD_STEP_PX), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[: size[0], : size[1]], np.float32)


def _persons_shadow(places: Floats, random: Random) -> Floats:
    """The edge of a shadow that somebody leaning over throws across the table."""
    way = random.uniform(0, 2 * np.pi)
    across = places[..., 0] * np.float32(np.cos(way)) + places[..., 1] * np.float32(np.sin(way))
    low, high = float(across.min()), float(across.max())
    edge = random.uniform(low + 0.2 * (high - low), high - 0.2 * (high - low))
    bend = (places[..., 0] * np.float32(-np.sin(way)) + places[..., 1] * np.float32(np.cos(way))) * random.normal(
        0, 0.3
    )
    width = random.uniform(2, 30)
    beyond = 1 / (1 + np.exp(np.clip(-(across + bend - edge) / width, -30, 30)))
    return np.asarray(1 - random.uniform(0.15, 0.5) * beyond, np.float32)
