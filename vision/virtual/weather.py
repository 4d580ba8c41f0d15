"""What goes wrong around the table: light that changes, shadows, a camera that is knocked or fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import CameraStatus
from vision.kinds import Image
from vision.scenes.optics import Optics
from vision.virtual.stage import Bump, Direction, Fail, Flash, Flicker, Glow, Light, Shadow, Wait

SHADOW_MM, GLOW_MM = 220.0, 28.0
SHADOW_FRAMES = 8  # in which it comes, and goes
SHAKES_DEG = (0.5, -0.35, 0.2, -0.1)  # beside where the camera comes to rest
COARSE = 8  # soft shadows are made on a picture so many times smaller


@dataclass(frozen=True, slots=True)
class Weather:
    """How things are in one frame.

    `light` is for blue, green and red against what it was at first; `turned_deg` how the camera is turned to the
    right, downward and about its axis; `shadow` and `glow` are places and what they do to the light there.
    """

    light: tuple[float, float, float] = (1.0, 1.0, 1.0)
    turned_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shadow: tuple[float, float, float] | None = None
    glow: tuple[float, float, tuple[int, int, int]] | None = None
    white: bool = False
    camera: CameraStatus = CameraStatus.OK

    def on(self, scene: Image, optics: Optics) -> Image:
        """The scene in this weather."""
        if self.white:
            return np.full_like(scene, 255)
        if self.shadow is not None or self.glow is not None or self.light != (1.0, 1.0, 1.0):
            scene = self._lit(scene, optics)
        if any(self.turned_deg):
            matrix = self._seen_turned(optics)
            scene = np.asarray(
                cv2.warpPerspective(scene, matrix, scene.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        return scene

    def _lit(self, scene: Image, optics: Optics) -> Image:
        height, width = (-(-side // COARSE) for side in scene.shape[:2])
        light = np.empty((height, width, 3), np.float32)
        light[:] = self.light
        rows, columns = np.mgrid[:height, :width].astype(np.float32) * COARSE
        for place, reach_mm in ((self.shadow, SHADOW_MM), (self.glow, GLOW_MM)):
            if place is None:
                continue
            at = np.array([place[:2], (place[0] + reach_mm, place[1])])
            middle, rim = optics.project(at, 0.0)
            away = np.hypot(columns - middle[0], rows - middle[1]) / np.linalg.norm(rim - middle)
            part = np.exp(-(away**4) if place is self.shadow else -(away**2))[..., None]
            if place is self.shadow:
                light *= 1.0 - np.float32(place[2]) * part
            elif self.glow is not None:
                light += part * np.array(self.glow[2], np.float32) / 30.0
        whole = cv2.resize(light, (width * COARSE, height * COARSE))[: scene.shape[0], : scene.shape[1]]
        return np.asarray(cv2.multiply(scene, whole, dtype=cv2.CV_8U), np.uint8)

    def _seen_turned(self, optics: Optics) -> Matrix:
        """The homography of the picture when the camera is turned about its own middle."""
        pan, tilt, roll = np.radians(self.turned_deg)
        turn = cv2.Rodrigues(np.array([-tilt, pan, roll]))[0]
        camera = optics.camera.matrix
        return np.asarray(camera @ turn.T @ np.linalg.inv(camera))


def passes(what: Direction, before: Weather, middle_mm: tuple[float, float]) -> Iterator[Weather] | None:
    """The weather frame by frame; None for what hands do."""
    during = before
    match what:
        case Light():
            return _light(what, before)
        case Flicker():
            swings = (1.0 + what.depth * float(np.sin(2 * np.pi * what.cycles * n)) for n in range(what.frames))
            return iter((*(replace(before, light=_times(before.light, swing)) for swing in swings), before))
        case Shadow():
            return _shadow(what, before, middle_mm)
        case Bump():
            return _bump(what, before)
        case Flash():
            during = replace(before, white=True)
        case Glow():
            during = replace(before, glow=(what.x_mm, what.y_mm, (what.blue, what.green, what.red)))
        case Fail():
            during = replace(before, camera=CameraStatus(what.how))
        case Wait():
            pass
        case _:
            return None
    return iter((during,) * what.frames + (before,))


def _times(light: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return light[0] * factor, light[1] * factor, light[2] * factor


def _light(what: Light, before: Weather) -> Iterator[Weather]:
    goal = np.array([what.blue, 1.0, what.red]) * what.brightness
    for frame in range(1, what.frames + 1):
        blue, green, red = np.array(before.light) + (goal - np.array(before.light)) * frame / what.frames
        yield replace(before, light=(float(blue), float(green), float(red)))


def _shadow(what: Shadow, before: Weather, middle_mm: tuple[float, float]) -> Iterator[Weather]:
    seat = np.deg2rad(what.from_deg)
    outward = np.array([np.cos(seat), np.sin(seat)])
    shares = np.linspace(0.0, 1.0, SHADOW_FRAMES)
    for share in (*shares, *[1.0] * what.frames, *shares[::-1]):
        x_mm, y_mm = np.array(middle_mm) + (620.0 - 440.0 * share) * outward
        yield replace(before, shadow=(float(x_mm), float(y_mm), what.darkness))
    yield before


def _bump(what: Bump, before: Weather) -> Iterator[Weather]:
    pan, tilt, roll = np.array(before.turned_deg) + np.array([what.pan_deg, what.tilt_deg, what.roll_deg])
    for shake in (*SHAKES_DEG, 0.0):
        yield replace(before, turned_deg=(float(pan + shake), float(tilt - shake), float(roll + shake / 2)))
