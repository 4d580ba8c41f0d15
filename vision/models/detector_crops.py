"""Crops of made-up pictures for the detector to train on, and the maps that it should yield for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.models.detector_scenes import Labelled, Outlined
from vision.still.detector import KINDS, LARGEST_PX, OUTPUTS, SIZE_PX, SMALLEST_PX, STRIDE_PX, encoded

Floats = NDArray[np.float32]
Random = np.random.Generator

CROP_PX = 256
SPREAD = 1 / 7  # of the chance around a centre, and
NEAR = 0.25  # how far from a centre cells learn the outline, in parts of |a|
TILT = 0.25  # by how much a crop may be compressed across some direction, as a logarithm
BEND = 0.04  # and its corners be moved, as a part of its side
LIGHT = np.log((0.35, 1.7))  # how much darker or brighter a picture may be than it should
LEAST_SEEN = 0.75  # a tile of which less is seen need not be found


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """What a crop should yield: `heat` (kinds, rows, columns) with its `weight`, `told` (7, rows, columns) where `near`
    (the weight of a cell; those of a tile add up to 1).
    """

    heat: Floats
    weight: Floats
    told: Floats
    near: Floats


def targets(tiles: Sequence[Outlined], rows: int, columns: int) -> Targets:
    """Draw the tiles of a crop into maps of so many cells."""
    heat = np.zeros((len(KINDS), rows, columns), np.float32)
    weight = np.ones((rows, columns), np.float32)
    told = np.zeros((OUTPUTS - len(KINDS), rows, columns), np.float32)
    near = np.zeros((rows, columns), np.float32)
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    for tile in tiles:
        centre, outline = encoded(tile.corners, tile.kind)
        size = float(np.exp(outline[0]) * SIZE_PX)
        at_x, at_y = (centre.real + 0.5) / STRIDE_PX - 0.5, (centre.imag + 0.5) / STRIDE_PX - 0.5
        if not (-0.5 <= at_x < columns - 0.5 and -0.5 <= at_y < rows - 0.5):
            continue
        away = (x - np.float32(at_x)) ** 2 + (y - np.float32(at_y)) ** 2
        if tile.visible < LEAST_SEEN or not 0.8 * SMALLEST_PX <= size <= 1.15 * LARGEST_PX:
            weight[away < (size / STRIDE_PX / 2) ** 2] = 0
            continue
        spread = max(SPREAD * size / STRIDE_PX, 0.7)
        kind = KINDS.index(tile.kind)
        heat[kind] = np.maximum(heat[kind], np.exp(-away / (2 * spread**2)))
        cells = away < max(NEAR * size / STRIDE_PX, 1.0) ** 2
        told[:2, cells] = at_x - x[cells], at_y - y[cells]
        told[2:, cells] = outline[:, None]
        near[cells] = 1 / cells.sum()
    return Targets(heat, weight, told, near)


def crop(scene: Labelled, random: Random, side: int = CROP_PX) -> tuple[Image, tuple[Outlined, ...]]:
    """A square part of a scene, turned, sized and tilted at random, in other light."""
    wanted_px = float(random.uniform(SMALLEST_PX, LARGEST_PX))  # of small tiles a crop holds more
    zoom = float(np.clip(wanted_px / scene.usual_px, 0.15, 3.0))
    picture, scale = scene.picture(zoom)
    middle = random.uniform(0, (picture.shape[1] / scale, picture.shape[0] / scale))
    if scene.tiles and random.random() < 0.85:
        middle = scene.tiles[random.integers(len(scene.tiles))].corners.mean(0) + random.normal(0, 0.2 * side / zoom, 2)
    pose = _pose(middle, zoom, side, random)
    half_a_pixel = 0.5 / scale - 0.5
    from_seen = np.array([(1 / scale, 0, half_a_pixel), (0, 1 / scale, half_a_pixel), (0, 0, 1)])
    border = cv2.BORDER_CONSTANT if random.random() < 0.5 else cv2.BORDER_REPLICATE
    fill = tuple(float(part) for part in random.uniform(0, 255, 3))
    seen = cv2.warpPerspective(picture, pose @ from_seen, (side, side), borderMode=border, borderValue=fill)
    mirrored = np.linalg.det(pose[:2, :2]) < 0
    tiles = []
    for tile in scene.tiles:
        corners = cv2.perspectiveTransform(tile.corners[None], pose)[0]
        corners = corners[::-1] if mirrored else corners  # clockwise again, a domino's first side short as before
        tiles.append(Outlined(tile.kind, corners, tile.visible * _share_inside(corners, side)))
    return _relit(np.asarray(seen, np.uint8), random), tuple(tiles)


def _pose(middle: Points, zoom: float, side: int, random: Random) -> Points:
    """Takes a scene to a crop with that place in its middle, (3, 3)."""
    turn, way = random.uniform(0, 2 * np.pi), random.uniform(0, np.pi)
    tilt = np.exp(-abs(random.normal(0, TILT / 2)))
    spin = _rotation(way) @ np.diag([1.0, tilt]) @ _rotation(-way) @ _rotation(turn) * zoom
    if random.random() < 0.3:
        spin = spin @ np.diag([-1.0, 1.0])
    pose = np.eye(3)
    pose[:2, :2], pose[:2, 2] = spin, side / 2 - spin @ middle
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    bent = cv2.getPerspectiveTransform(square, (square + random.normal(0, BEND / 2 * side, (4, 2))).astype(np.float32))
    return np.asarray(bent @ pose, np.float64)


def _share_inside(corners: Points, side: int) -> float:
    """How much of a tile is in the crop, 0..1."""
    if (corners > 0).all() and (corners < side).all():
        return 1.0
    outline = corners.astype(np.float32)
    box = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    area, _ = cv2.intersectConvexConvex(outline, box)
    return float(area / max(cv2.contourArea(outline), 1.0))


def _rotation(turn: float) -> Points:
    return np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])


def _relit(seen: Image, random: Random) -> Image:
    """The same in another brightness, contrast and colour, in shade, too dark or too bright, blurred or noisy."""
    levels = np.arange(256)
    bright = (levels - 128) * random.uniform(0.6, 1.3) + 128 + random.normal(0, 20)
    if random.random() < 0.2:
        bright = levels * np.exp(random.uniform(*LIGHT))
    tints = np.clip(bright[:, None] * random.normal(1, 0.06, 3), 0, 255)
    picture = cv2.LUT(seen, tints[None].astype(np.uint8))
    if random.random() < 0.2:
        picture = cv2.convertScaleAbs(picture * _shade(picture.shape[0], random)[..., None])
    if random.random() < 0.15:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if random.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.3 + 2.2 * random.random() ** 2)
    if random.random() < 0.5:
        noise = np.empty(picture.shape, np.int16)
        cv2.setRNGSeed(int(random.integers(1 << 30)))
        cv2.randn(noise, np.zeros(3), np.full(3, 16 * random.random() ** 2))
        picture = cv2.add(picture, noise, dtype=cv2.CV_8U)
    return np.asarray(picture, np.uint8)


def _shade(side: int, random: Random) -> Floats:
    """The light that a shadow leaves, from a hard edge over to a slow fading, (side, side)."""
    way, where, width = (
        random.uniform(0, 2 * np.pi),
        random.normal(0, side / 5),
        np.exp(random.uniform(0, np.log(side))),
    )
    along = np.arange(side, dtype=np.float32) - side / 2
    across = along[None] * np.float32(np.cos(way)) + along[:, None] * np.float32(np.sin(way)) - where
    covered = np.clip(across / width + 0.5, 0, 1)
    return np.asarray(1 - random.uniform(0.2, 0.65) * covered, np.float32)


def batch(scenes: Sequence[Labelled], size: int, random: Random) -> tuple[Floats, dict[str, Floats]]:
    """So many crops of scenes drawn at random, (size, 3, side, side) 0..1, and by the names of `Targets` their maps."""
    pictures, wanted = [], []
    for _ in range(size):
        picture, tiles = crop(scenes[int(random.integers(len(scenes)))], random)
        pictures.append(picture.transpose(2, 0, 1))
        wanted.append(targets(tiles, CROP_PX // STRIDE_PX, CROP_PX // STRIDE_PX))
    maps = {field.name: np.stack([getattr(one, field.name) for one in wanted]) for field in fields(Targets)}
    return np.stack(pictures).astype(np.float32) / np.float32(255), maps
