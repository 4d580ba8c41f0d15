"""Pictures to train on: tiles of made-up sets, photographed by a made-up camera, cut back to faces.

Arrangement and geometry vary first, light and camera second, texture last. A `Session` is one set
under one light in front of one camera; many faces are taken of each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.kinds.paint import Canvas

Floats = NDArray[np.float32]
Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Session:
    """What stays the same while a set is photographed; lengths in mm, brightness as factors."""

    face_px_per_mm: float
    camera_px_per_mm: float
    exposure: float
    tint: tuple[float, float, float]
    gradient: float
    glare: float
    shade: bool
    blur_px: float
    noise: float
    sharpen: float
    gamma: float
    jpeg_quality: int
    table: tuple[float, float, float]
    weave: float
    wall_mm: tuple[float, float]
    wear: float


def ordinary_session(random: Random, face_px_per_mm: float, camera_px_per_mm: float) -> Session:
    """Make up a session as a set-up table has it: sharp enough, lit well enough, nothing too bright."""
    rough = session(random, face_px_per_mm)
    return replace(
        rough,
        camera_px_per_mm=camera_px_per_mm,
        exposure=float(random.uniform(0.65, 1.0)),
        gradient=float(random.uniform(0, 0.2)),
        glare=0.0,
        shade=False,
        blur_px=float(random.uniform(0.4, 1.0)),
        noise=float(random.uniform(0.5, 4)),
        sharpen=rough.sharpen / 2,
        jpeg_quality=int(random.integers(75, 96)),
        wear=rough.wear if random.random() < 0.3 else 0.0,
    )


def session(random: Random, face_px_per_mm: float, sharpest: float = 6.0, coarsest: float = 0.7) -> Session:
    """Make up a session, harsh ones among them."""
    overexposed = random.random() < 0.2
    tint = random.uniform(0.9, 1.1, 3)
    reach, away = random.uniform(0, 2.4), random.uniform(0, 2 * np.pi)
    return Session(
        face_px_per_mm=face_px_per_mm,
        camera_px_per_mm=float(np.exp(random.uniform(np.log(coarsest), np.log(sharpest)))),
        exposure=float(random.uniform(1.1, 1.9) if overexposed else random.uniform(0.6, 1.1)),
        tint=(float(tint[0]), float(tint[1]), float(tint[2])),
        gradient=float(random.uniform(0, 0.3)),
        glare=float(random.uniform(40, 200) if random.random() < 0.3 else 0),
        shade=bool(random.random() < 0.15),
        blur_px=float(random.uniform(0.4, 1.3)),
        noise=float(random.uniform(0.5, 6)),
        sharpen=float(random.uniform(0, 1.2) if random.random() < 0.5 else 0),
        gamma=float(random.uniform(0.8, 1.2)),
        jpeg_quality=int(random.integers(65, 96)),
        table=tuple(float(part) for part in random.uniform(10, 210) * random.uniform(0.6, 1.2, 3)),  # type: ignore[arg-type]
        weave=float(random.uniform(0, 0.25)),
        wall_mm=(float(reach * np.cos(away)), float(reach * np.sin(away))),
        wear=float(random.uniform(0.2, 1.0) if random.random() < 0.3 else 0),
    )


def worn(painted: Canvas, bare: Canvas, wear: float, random: Random) -> Canvas:
    """Rub the marks off in places, so that the bare plate shows: faded patches, chips and scratches."""
    if wear == 0:
        return painted
    height, width = painted.shape[:2]
    cells = int(random.integers(10, 40))
    rough = random.standard_normal((cells, cells)).astype(np.float32)
    patches = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    rubbed = np.clip(patches - 1.1, 0, 0.6) / 0.6
    if random.random() < 0.5:  # sharp-edged chips instead of a fading
        rubbed = np.clip((patches - random.uniform(1.0, 1.6)) * 8, 0, 1)
    rubbed = np.maximum(np.float32(wear) * rubbed, _scratches((width, height), wear, random))
    mixed: Canvas = painted + rubbed[..., None] * (bare - painted)
    return mixed


def _scratches(size_px: tuple[int, int], wear: float, random: Random) -> Floats:
    """Where lines have been scraped off, 0..1, (height, width)."""
    lines = np.zeros((size_px[1], size_px[0]), np.uint8)
    for _ in range(int(random.poisson(6 * wear))):
        start, way = random.uniform(0, size_px), random.uniform(0, 2 * np.pi)
        end = start + random.uniform(0.05, 0.5) * min(size_px) * np.array([np.cos(way), np.sin(way)])
        width = max(round(float(random.uniform(0.008, 0.035)) * min(size_px)), 1)
        ends = [(round(float(x)), round(float(y))) for x, y in (start, end)]
        cv2.line(lines, ends[0], ends[1], int(random.uniform(100, 255)), width, cv2.LINE_AA)
    return (lines / np.float32(255)).astype(np.float32)


def photograph(
    painted: Canvas,
    scale: int,
    face_size_px: tuple[int, int],
    at: Session,
    random: Random,
    slip_mm: float = 0.0,
    slip_deg: float = 0.0,
) -> Image:
    """Photograph a painted tile lying on the table and cut its face back, with a little error of pose.

    Args:
        painted: BGRA, `scale` times the face's size.
        slip_mm: an additional error of pose in a random direction, for faces that are no faces.
        slip_deg: the same, turned.

    Returns:
        BGR face of `face_size_px` (width, height).
    """
    zoom = at.camera_px_per_mm / at.face_px_per_mm
    half = int(np.hypot(*face_size_px) / 2 * zoom + 6)
    image_from_face = _pose(face_size_px, zoom, half, random)
    scene = _lay(painted, scale, image_from_face, half, at, random)
    picture = _expose(scene, at, random)
    slip = random.uniform(0, 2 * np.pi)
    error = np.clip(random.normal(0, 0.42, 2), -1.2, 1.2) + slip_mm * np.array([np.cos(slip), np.sin(slip)])
    wrong = _similarity(
        face_size_px, slip_deg + float(np.clip(random.normal(0, 0.9), -2.5, 2.5)), random.normal(1, 0.015)
    )
    wrong[:2, 2] += error * at.face_px_per_mm
    face_from_image = np.linalg.inv(image_from_face @ wrong)
    cut = cv2.warpPerspective(
        picture, face_from_image, face_size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return cut.astype(np.uint8)


def pattern(size_px: tuple[int, int], random: Random) -> Image:
    """Coloured blotches of all sizes: what the eye may be shown that is no tile at all."""
    picture = np.full((size_px[1], size_px[0], 3), random.uniform(40, 210, 3), np.float32)
    for _ in range(int(random.integers(1, 4))):
        cells = np.exp(random.uniform(np.log(3), np.log(70), 2)).astype(int)
        rough = random.standard_normal((cells[0], cells[1], 3)).astype(np.float32)
        if random.random() < 0.5:
            rough[:] = rough[..., :1]
        blotches = cv2.resize(rough, size_px, interpolation=cv2.INTER_CUBIC)
        picture += np.float32(random.uniform(20, 80)) * blotches
    return np.clip(picture, 0, 255).astype(np.uint8)


def _similarity(face_size_px: tuple[int, int], turn_deg: float, zoom: float) -> Points:
    """Turn and zoom about the middle of the face, (3, 3)."""
    middle = ((face_size_px[0] - 1) / 2, (face_size_px[1] - 1) / 2)
    return np.vstack([cv2.getRotationMatrix2D(middle, turn_deg, zoom), (0, 0, 1)])


def _pose(face_size_px: tuple[int, int], zoom: float, half: int, random: Random) -> Points:
    """Where the face lies in a picture of 2 * half pixels a side, (3, 3)."""
    width, height = face_size_px
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) - (width / 2, height / 2)
    turn = random.uniform(0, 2 * np.pi)
    turned = zoom * corners @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    lens = turned * (1 + random.normal(0, 0.014, (4, 2))) + half + random.uniform(-0.5, 0.5, 2)
    flat = corners + np.array([width - 1, height - 1]) / 2
    pose = cv2.getPerspectiveTransform(flat.astype(np.float32), lens.astype(np.float32))
    return np.asarray(pose, float)


def _lay(painted: Canvas, scale: int, image_from_face: Points, half: int, at: Session, random: Random) -> Floats:
    """The scene before exposure: table, shadow, side wall, tile; coarse pixels are averages of finer ones."""
    fine = 2 if at.camera_px_per_mm < 1.4 * at.face_px_per_mm else 1
    size = 2 * fine * half
    face_from_painted = np.array([(1 / scale, 0, 0.5 / scale - 0.5), (0, 1 / scale, 0.5 / scale - 0.5), (0, 0, 1)])
    fine_from_image = np.array([(fine, 0, (fine - 1) / 2), (0, fine, (fine - 1) / 2), (0, 0, 1.0)])
    whole = fine_from_image @ image_from_face @ face_from_painted
    tile = cv2.warpPerspective(painted, whole, (size, size), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    cover = tile[..., 3:] / 255
    scene = np.empty((size, size, 3), np.float32)
    scene[:] = at.table
    rough = random.standard_normal((max(size // 3, 2), max(size // 3, 2))).astype(np.float32)
    scene *= 1 + np.float32(at.weave) * cv2.resize(rough, (size, size))[..., None]
    if random.random() < 0.5:  # a neighbour close by, in the tile's own colour
        _neighbour(scene, painted, whole, random)
    step = np.array(at.wall_mm) * at.camera_px_per_mm * fine / 3
    side = np.float32(random.uniform(0.4, 0.95))
    shadow = cv2.GaussianBlur(cover, (0, 0), (1.0 + 2.5 * at.camera_px_per_mm) * fine / 2)[..., None]
    scene *= 1 - np.float32(0.5) * shadow
    body = side * np.array([np.median(painted[..., band]) for band in range(3)], np.float32)
    for count in (3, 2, 1):
        shift = np.array([(1, 0, count * step[0]), (0, 1, count * step[1])])
        wall = cv2.warpAffine(cover, shift, (size, size))[..., None]
        scene += wall * (body - scene)
    scene += cover * (tile[..., :3] - scene)
    return cv2.resize(scene, (2 * half, 2 * half), interpolation=cv2.INTER_AREA).astype(np.float32)


def _neighbour(scene: Floats, painted: Canvas, whole: Points, random: Random) -> None:
    """Lay the same tile, turned, somewhere beside."""
    height, width = painted.shape[:2]
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), float(random.uniform(0, 360)), 1), (0, 0, 1)])
    way = random.uniform(0, 2 * np.pi)
    turn[:2, 2] += 1.05 * np.array([np.cos(way) * width, np.sin(way) * height])
    size = (scene.shape[1], scene.shape[0])
    tile = cv2.warpPerspective(painted, whole @ turn, size, flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    scene += tile[..., 3:] / 255 * (tile[..., :3] - scene)


def _expose(scene: Floats, at: Session, random: Random) -> Image:
    """Light, lens, sensor and compression."""
    size = scene.shape[0]
    way = random.uniform(0, 2 * np.pi)
    ramp = np.linspace(-1, 1, size, dtype=np.float32)
    slope = ramp[None, :] * np.float32(np.cos(way)) + ramp[:, None] * np.float32(np.sin(way))
    light = at.exposure * (1 + at.gradient * slope)
    if at.shade:
        light = light * (1 - random.uniform(0.15, 0.5) / (1 + np.exp(-(slope - random.uniform(-0.5, 0.5)) * 25)))
    picture = scene * light[..., None] * np.array(at.tint, np.float32)
    if at.glare:
        x, y = random.uniform(-0.7, 0.7, 2)
        spread = random.uniform(0.08, 0.5)
        spot = np.exp(-((ramp[None, :] - x) ** 2 + (ramp[:, None] - y) ** 2) / (2 * spread**2))
        picture += np.float32(at.glare) * spot.astype(np.float32)[..., None]
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), at.blur_px), float)
    picture = 255 * np.clip(picture / 255, 0, None) ** at.gamma
    grain = random.standard_normal(picture.shape).astype(np.float32)
    picture += at.noise * np.sqrt(np.clip(picture, 5, 255) / 128) * grain
    if at.sharpen:
        picture += at.sharpen * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    sensor = np.clip(picture, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", sensor, [cv2.IMWRITE_JPEG_QUALITY, at.jpeg_quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
