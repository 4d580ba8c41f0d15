"""Cameras over tables, made up: on a stand, or in a hand that photographs obliquely."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.profile import Camera, Mat, Matrix, TablePose
from calibration.table import project
from vision.scenes.layouts import Area
from vision.scenes.optics import Box, Optics, through

Random = np.random.Generator
MOST_REACH_MM = 900.0  # what is farther than this from the point aimed at is no longer of interest


def draw_camera(
    random: Random,
    px_per_mm: float,
    size_px: tuple[int, int],
    centre_mm: tuple[float, float],
    tilt_deg: float,
    harsh: bool,
) -> Optics:
    """Make up a camera that sees a point of the table in the middle of its picture, at that resolution there.

    The point may lie off the lens's axis: the picture is then a part of a larger one.
    """
    width, height = size_px
    distance = float(random.uniform(600, 900) if tilt_deg < 10 else random.uniform(350, 900))
    distance = max(distance, 0.9 * max(width, height) / px_per_mm)  # wider lenses would show the horizon
    focal = px_per_mm * distance
    way, off = random.uniform(0, 2 * np.pi), random.uniform(0, 250) * (tilt_deg < 10)
    aim = np.array([off * np.cos(way), off * np.sin(way), distance])
    middle = np.array([width - 1, height - 1]) / 2 - focal * aim[:2] / distance
    matrix = np.array([(focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0)])
    k1 = random.uniform(-0.15, 0.05) if harsh or random.random() < 0.5 else random.uniform(-0.04, 0.02)
    lens = np.array([k1, random.uniform(0.0, 0.02), *random.uniform(-4e-4, 4e-4, 2), 0.0])
    towards, roll = np.deg2rad(random.uniform(0, 360)), _roll(random, tilt_deg)
    if tilt_deg >= 10:
        towards = np.deg2rad(random.normal(0, 15))  # photographers stand before the table and look ahead
    tilt = -np.deg2rad(tilt_deg) * np.array([np.cos(towards), np.sin(towards), 0.0])
    lean, turn = (np.asarray(cv2.Rodrigues(v)[0], np.float64) for v in (tilt, np.array([0.0, 0.0, np.deg2rad(roll)])))
    rotation = turn @ lean
    centre = np.array([*centre_mm, 0.0])
    blur = float(random.uniform(0.4, 1.3 if harsh else 1.0))
    return Optics(Camera(width, height, matrix, lens), TablePose(rotation, aim - rotation @ centre), blur)


def _roll(random: Random, tilt_deg: float) -> float:
    if tilt_deg < 10:
        return float(random.uniform(-3, 3) + random.choice([0, 0, 90, 180, 270]))
    return float(random.normal(0, 8))


def area_seen(optics: Optics, height_mm: float = 0.0, most_mm: float = MOST_REACH_MM) -> Area:
    """A rectangle of the table that holds all that the picture shows, cut off where it reaches far."""
    table = _rim(optics, height_mm)
    middle = through(
        optics.table_from_ray(height_mm), optics.rays(Box(optics.camera.width // 2, optics.camera.height // 2, 1, 1))
    )[0, 0]
    near = np.clip(table - middle, -most_mm, most_mm) + middle
    (left, top), (right, bottom) = near.min(0) - 5, near.max(0) + 5
    return Area(float(left), float(top), float(right), float(bottom))


def area_inside(optics: Optics, height_mm: float = 0.0) -> Area:
    """The largest rectangle of the picture's own proportions that the picture shows as a whole."""
    width, height = optics.camera.width, optics.camera.height
    centre = np.asarray(
        through(optics.table_from_ray(height_mm), optics.rays(Box(width // 2, height // 2, 1, 1)))[0, 0], np.float64
    )
    seen = area_seen(optics, height_mm)
    half = np.array([seen.right - seen.left, seen.bottom - seen.top]) / 2
    for share in np.arange(1.0, 0.1, -0.04):
        corners = centre + share * half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        pixels = optics.project(corners, height_mm)
        if (pixels >= 0).all() and (pixels < (width, height)).all():
            break
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    return Area(float(left), float(top), float(right), float(bottom))


def _rim(optics: Optics, height_mm: float) -> Matrix:
    """Table points all around the picture."""
    right, lower = optics.camera.width - 1, optics.camera.height - 1
    edges = (Box(0, 0, right, 1), Box(0, lower, right, 1), Box(0, 0, 1, lower), Box(right, 0, 1, lower + 1))
    rays = np.concatenate([optics.rays(edge).reshape(-1, 2)[::8] for edge in edges])
    corners = np.concatenate([optics.rays(Box(x, y, 1, 1)).reshape(-1, 2) for x in (0, right) for y in (0, lower)])
    every = np.concatenate([rays, corners])[None]
    return np.asarray(through(optics.table_from_ray(height_mm), every)[0], np.float64)


def camera_over(mat: Mat, width: int, height: int, seed: int, margin_mm: float = 16.0) -> Optics:
    """A camera on a stand that sees the whole mat and a margin: lens, tilt and place drawn from the seed."""
    chance = np.random.default_rng([seed, 1])
    focal = chance.uniform(1.13, 1.2) * width
    middle = np.array([width, height]) / 2 - 0.5 + chance.uniform(-0.006, 0.006, 2) * width
    matrix = np.array([(focal, 0.0, middle[0]), (0.0, focal * 1.0004, middle[1]), (0.0, 0.0, 1.0)])
    distortion = np.array(
        [chance.uniform(-0.07, -0.03), chance.uniform(0.0, 0.02), *chance.uniform(-3e-4, 3e-4, 2), 0.0]
    )
    camera = Camera(width, height, matrix, distortion)
    tilt = np.deg2rad([*chance.uniform(-1.6, 1.6, 2), chance.uniform(-1.5, 1.5)])
    rotation = np.asarray(cv2.Rodrigues(tilt)[0], np.float64)
    centre = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    aim = chance.uniform(-4, 4, 2)
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    reach = corners * [mat.width_mm, mat.height_mm] + (2 * corners - 1) * margin_mm
    for distance in np.arange(mat.width_mm, 8 * mat.width_mm, 2.0):
        pose = TablePose(rotation, np.array([*aim, distance]) - rotation @ centre)
        seen = project(reach, 0.0, camera, pose)
        if (seen >= 2).all() and (seen <= np.array([width, height]) - 3).all():
            return Optics(camera, pose, float(chance.uniform(0.6, 0.8)))
    raise ValueError(f"expected a picture that can hold the mat, got {width} x {height} pixels")
