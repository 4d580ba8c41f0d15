"""A picture as the networks know pictures: without the noise, the darkness and the blur that can be measured in it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image

Floats = NDArray[np.float32]

BAND_PX, BANDS, EVERY_PX = 16, 6, 5  # what noise and blur are measured in, evenly over the height of the picture
NOISE_LEVELS = 6.0  # noise up to so many grey levels does no harm
NOISE_LEFT = 4.0
BRIGHTEST_SHARE, BRIGHTEST, TOO_DARK = 99.5, 235.0, 190.0
MOST_GAIN = 3.5
SHARP_PX, BLURRED_PX, MOST_BLUR_PX = 0.7, 1.0, 3.5
REBLUR_PX = 1.5
EDGES_SHARE, LEAST_EDGE = 99.0, 12.0  # the steepest places of the bands, in grey levels from pixel to pixel
NOISE_TO_SIGNAL = 0.003
MARK_PX = 23  # on a face of 160 x 80: wider than any pip or divider
# A face is darker in a shadow than in light, but not by so much as a dark one is darker than its pale pips.
PLAIN, FACE = 0.35, 220.0


def cleared(image: Image) -> Image:
    """A BGR picture with its noise averaged and its brightest parts bright; itself where it is well as it is."""
    bands = _bands(image)
    noise = noise_levels(bands)
    if noise > NOISE_LEVELS:
        # A blur of s pixels leaves 1 / (2 s sqrt(pi)) of white noise.
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), noise / NOISE_LEFT / (2 * np.pi**0.5)), np.uint8)
    brightest = float(np.percentile(image[::EVERY_PX, ::EVERY_PX].max(-1), BRIGHTEST_SHARE))
    if brightest < TOO_DARK:
        image = np.asarray(cv2.convertScaleAbs(image, alpha=min(BRIGHTEST / max(brightest, 1), MOST_GAIN)), np.uint8)
    return image


def sharpened(image: Image) -> Image | None:
    """A BGR picture with the blur taken back that its sharpest edges show; None where it is sharp, or too noisy."""
    bands = _bands(image)
    blur = blur_px(bands)
    if noise_levels(bands) > NOISE_LEFT or not BLURRED_PX < blur < MOST_BLUR_PX:
        return None
    return _unblurred(image, float(np.sqrt(blur**2 - SHARP_PX**2)))


def noise_levels(bands: Image) -> float:
    """The noise of single pixels, in grey levels, in bands (n, height, width, 3), where they are not clipped."""
    green = bands[..., 1].astype(np.int16)
    green = green[..., : green.shape[2] // 2 * 2]
    squares = np.stack([green[:, row::2, column::2] for row in (0, 1) for column in (0, 1)])
    whole = (squares.min(0) > 0) & (squares.max(0) < 255)
    if not whole.any():
        return 0.0
    # Upright and level edges cancel out in this difference of diagonals; of noise it has twice the deviation.
    upper_left, upper_right, lower_left, lower_right = squares
    return float(np.median(np.abs(upper_left - upper_right - lower_left + lower_right)[whole]) / 2 / 0.6745)


def blur_px(bands: Image) -> float:
    """The blur of the sharper edges, as the standard deviation of a Gaussian in pixels; 0 where there are no edges.

    Blurred again by a known amount, a sharp edge loses more of its slope than one that was blurred already.
    """
    before, after = [], []
    for band in bands:
        grey: Floats = np.asarray(cv2.cvtColor(band, cv2.COLOR_BGR2GRAY), np.float32)
        before.append(_slope(grey))
        after.append(_slope(np.asarray(cv2.GaussianBlur(grey, (0, 0), REBLUR_PX), np.float32)))
    first, second = np.array(before), np.array(after)
    steep = max(float(np.percentile(first, EDGES_SHARE)), LEAST_EDGE)
    at = first >= steep
    if np.count_nonzero(at) < 30:
        return 0.0
    ratio = float(np.percentile(first[at] / np.maximum(second[at], 1e-3), 75))
    return REBLUR_PX / float(np.sqrt(max(ratio**2 - 1, 1e-3)))


def levelled(face: Image) -> Image | None:
    """A face in even light: every place in parts of the plain face around it; None for a dark face with pale marks.

    The plain face is what is left when all that is narrower than a pip is filled in. That keeps the edges of shadows.
    """
    kernel = np.ones((MARK_PX, MARK_PX), np.uint8)
    plain = cv2.morphologyEx(cv2.medianBlur(face, 3), cv2.MORPH_CLOSE, kernel, borderType=cv2.BORDER_REPLICATE)
    bright = plain.max(2)
    if float(np.median(bright)) < PLAIN * float(bright.max()):
        return None
    return np.clip(face * (FACE / np.maximum(plain.astype(np.float32), 8)), 0, 255).astype(np.uint8)


def _bands(image: Image) -> Image:
    height = image.shape[0]
    tall = min(BAND_PX, height // 2 * 2)
    tops = np.unique(np.linspace(0, height - tall, BANDS).astype(int) // 2 * 2)
    return np.stack([image[top : top + tall] for top in tops])


def _slope(grey: Floats) -> Floats:
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *order, scale=0.125) for order in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down)[3:-3], np.float32)


def _unblurred(image: Image, sigma_px: float) -> Image:
    """The picture with a Gaussian blur divided out, as far as that does not raise noise (Wiener's filter)."""
    height, width = image.shape[:2]
    rim = int(np.ceil(4 * sigma_px))
    tall, wide = (cv2.getOptimalDFTSize(side + 2 * rim) for side in (height, width))
    padded = cv2.copyMakeBorder(
        image, rim, tall - height - rim, rim, wide - width - rim, cv2.BORDER_REFLECT_101
    ).astype(np.float32)
    down, across = np.fft.fftfreq(tall)[:, None], np.fft.rfftfreq(wide)[None]
    passed = np.exp(-2 * (np.pi * sigma_px) ** 2 * (down**2 + across**2))
    gain = passed / (passed**2 + NOISE_TO_SIGNAL) * (1 + NOISE_TO_SIGNAL)
    sharp = [np.fft.irfft2(np.fft.rfft2(padded[..., channel]) * gain, (tall, wide)) for channel in range(3)]
    kept = np.stack(sharp, -1)[rim : rim + height, rim : rim + width]
    return np.clip(np.rint(kept), 0, 255).astype(np.uint8)
