"""The motion gate: is the table still, is a hand over it?

Two small copies of a frame answer it. A sample of two channels, nearly free, tells of every frame whether
anything moves or has changed; only when something has is a copy in colour made, which tells hands,
things and light apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.arms import Arm, Rim
from vision.kinds import Image
from vision.light import Light, same_texture

SMALL_WIDTH_PX = 320
SAMPLED_WIDTH_PX = 270  # what is looked at in every frame
SAMPLED = (1, 2)  # channels: green is the least noisy, and dark skin on dark cloth may differ in red alone
SMOOTHED = 5  # sampled pixels, along and across
MOVED_LEVELS = 10  # two frames differ here by more than noise and flicker
MOVED_PIXELS = 11
CHANGED_LEVELS = 18
HAND_TILES = 6.0  # a larger change than this, blurred as it is, is no tile and no few of them
EDGE_TILES = 1.6  # a change at the mat's edge that is no larger may be a tile that was laid there
MOST_OF_A_HEAP = 0.9  # of what has changed lies where many tiles are expected
LIT_S, LIT_LEVELS = 0.2, 5  # between two looks at how a table at rest is lit; by so much it may be lit otherwise
LIGHT_SPREAD = 0.15  # light changes all channels by the same factor, things do not
LIGHT_FACTORS = (0.4, 2.5)  # a shadow that falls, and one that goes
SHORT_PATIENCE_S = 1.0  # what is this still may be a tile at the edge, or a shadow
INNER_PATIENCE_S = 2.5  # something large that reaches over no edge, a cup; but a sleeve may look like the mat
PATIENCE_S = 8.0  # no hand is as still as this for so long, unless an arm is behind it
ARM_PATIENCE_S = 60.0  # what goes on from the mat to the picture's border may be an arm at rest, or a book


@dataclass(frozen=True, slots=True)
class Stance:
    """What the gate saw in one frame.

    `arms` are those that reach over the mat's edge.
    """

    moving: bool
    hand: bool
    changed: bool
    arms: tuple[Arm, ...] = ()

    @property
    def still(self) -> bool:
        """True when nothing moves and no hand is there."""
        return not self.moving and not self.hand


def shrink(image: Image) -> Image:
    """The small BGR copy of a camera image in which hands are told from things."""
    height, width = image.shape[:2]
    size = (SMALL_WIDTH_PX, max(1, round(height * SMALL_WIDTH_PX / width)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)  # an area filter would read every pixel
    return np.asarray(cv2.blur(small, (3, 3)), dtype=np.uint8)


def sample(image: Image) -> Image:
    """Every so many pixels of a camera image's green and red, side by side, their noise smoothed away."""
    step = _step(image.shape[1])
    picked = (np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step, channel]) for channel in SAMPLED)
    return np.hstack([np.asarray(cv2.blur(part, (SMOOTHED, SMOOTHED)), dtype=np.uint8) for part in picked])


@dataclass(frozen=True, slots=True)
class _Blob:
    """A connected change: how many tiles large, for how long a still one is a hand, and where an arm comes from."""

    tiles: float
    patience_s: float
    arm: Arm | None


class Gate:
    """Watches the mat on small frames: compares each with the one before and with the last rest."""

    def __init__(
        self,
        mat_outline_px: Matrix,
        image_size_px: tuple[int, int],
        tile_share: float,
        earlier: Gate | None = None,
    ) -> None:
        """Set up for one pose of the mat.

        Args:
            mat_outline_px: corners of the mat in the camera image, (4, 2), clockwise from table (0, 0).
            image_size_px: width and height of the camera image.
            tile_share: area of one tile as a part of the mat's.
            earlier: the gate for the pose before; for how long nothing has moved does not begin anew with a pose.
        """
        width, height = image_size_px
        scale = SMALL_WIDTH_PX / width
        corners = (mat_outline_px + 0.5) * scale - 0.5
        mask = _filled(corners, (SMALL_WIDTH_PX, max(1, round(height * scale))))
        inner = cv2.erode(mask, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self._mask = mask
        self._band: NDArray[np.bool_] = (mask > 0) & (inner == 0)
        self._heaps = np.zeros(mask.shape, np.bool_)
        self._tile_px = max(4.0, tile_share * float(np.count_nonzero(mask)))
        self._unit_from_small = cv2.getPerspectiveTransform(
            corners.astype(np.float32), np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
        )
        sides = np.linalg.norm(np.diff(mat_outline_px[:3], axis=0), axis=1)
        self._rim = Rim(np.asarray(self._unit_from_small, np.float64), sides)
        step = _step(width)
        self._sampled = _filled(
            (mat_outline_px - step // 2) / step,
            (len(range(step // 2, width, step)), len(range(step // 2, height, step))),
        )
        # what moves beside the mat is smoothed into its rim
        self._moving = np.asarray(cv2.erode(self._sampled, np.ones((SMOOTHED, SMOOTHED), np.uint8)), np.uint8)
        self._tile_samples = max(4.0, tile_share * float(np.count_nonzero(self._sampled)))
        self._before: Image | None = earlier._before if earlier is not None else None
        self._rest: tuple[Image, Image] | None = None  # as sampled, and in colour
        self._is_carried = False
        self._judged: tuple[Image, tuple[_Blob, ...]] | None = None
        self._still_from_s: float = earlier._still_from_s if earlier is not None else 0.0
        self._lit_s = 0.0

    def step(self, image: Image, time_s: float) -> Stance:
        """Judge the next frame, a BGR camera image (height, width, 3)."""
        now = sample(image)
        moving = self._before is not None and _differs(now, self._before, self._moving)
        if moving or self._before is None:
            self._still_from_s = time_s
        self._before = now
        if self._rest is None:
            return Stance(moving, False, True)
        if _differing(now, self._rest[0], CHANGED_LEVELS, self._sampled) < self._tile_samples / 4:
            self._follow_light(image, now, time_s)
            return Stance(moving, False, False)
        blobs = self._blobs(image, now)
        still_s = time_s - self._still_from_s
        hands = [blob for blob in blobs if still_s < blob.patience_s]
        return Stance(moving, bool(hands), bool(blobs), tuple(blob.arm for blob in hands if blob.arm is not None))

    def rest(self, image: Image, is_carried: bool = False) -> None:
        """Remember a camera image as the table at rest; later changes are told against it.

        Args:
            is_carried: it was taken from elsewhere and carried over: at the mat's edge it may not fit to the pixel.
        """
        self._rest, self._judged, self._is_carried = (sample(image), shrink(image)), None, is_carried

    def _follow_light(self, image: Image, now: Image, time_s: float) -> None:
        """Take a table at rest as it is lit now, where that has changed faintly: later it would look like shadows."""
        assert self._rest is not None  # the frame was compared with it
        if time_s < max(self._still_from_s, self._lit_s) + LIT_S:
            return
        self._lit_s = time_s
        if _differing(now, self._rest[0], LIT_LEVELS, self._sampled) > self._tile_samples:
            self.rest(image)

    def expect_heaps(self, outlines: Sequence[Matrix]) -> None:
        """Many tiles at once are no hand in these places: corners (n, 2), the mat reaching from (-1, -1) to (1, 1)."""
        heaps = np.zeros(self._mask.shape, np.uint8)
        small_from_unit = np.linalg.inv(self._unit_from_small)
        for corners in outlines:
            pixels = cv2.perspectiveTransform(corners[:, None].astype(np.float64), small_from_unit)
            cv2.fillConvexPoly(heaps, np.round(pixels).astype(np.int32), 255)
        self._heaps = cv2.dilate(heaps, np.ones((5, 5), np.uint8)) > 0

    def _blobs(self, image: Image, now: Image) -> tuple[_Blob, ...]:
        """Everything a quarter tile large that has changed; not told anew while nothing moves."""
        if self._judged is None or _differs(now, self._judged[0], self._sampled):
            assert self._rest is not None  # what has changed has changed since a rest
            self._judged = (now, tuple(self._told_apart(shrink(image), self._rest[1])))
        return self._judged[1]

    def _told_apart(self, small: Image, rest: Image) -> Iterator[_Blob]:
        """The things, then the lights and shadows, that are new on a small picture in colour."""
        alike = self._in_this_light(small, rest)
        blue, green, red = cv2.split(cv2.absdiff(small, alike))
        largest = cv2.max(cv2.max(blue, green), red)
        whole = np.asarray(cv2.threshold(largest, CHANGED_LEVELS, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
        lights = np.zeros_like(whole)
        different = np.nonzero(whole)
        lights[different] = np.where(_is_light(small[different], alike[different]), 255, 0)
        things = np.asarray(cv2.subtract(whole, lights), dtype=np.uint8)
        for mask, most_patience_s in ((things, PATIENCE_S), (lights, SHORT_PATIENCE_S)):
            inside = cv2.bitwise_and(_opened(mask), self._mask)
            left, top, width, height = cv2.boundingRect(inside)
            if not width:
                continue
            around = np.s_[top : top + height, left : left + width]
            count, labels, stats, _ = cv2.connectedComponentsWithStats(inside[around])
            for blob in range(1, count):
                tiles = float(stats[blob, cv2.CC_STAT_AREA]) / self._tile_px
                if tiles < 0.25:
                    continue
                shows, corner = labels == blob, np.array([left, top])
                at_edge = np.column_stack(np.nonzero(shows & self._band[around])[::-1]) + corner
                patience_s = min(most_patience_s, _patience_s(tiles, len(at_edge) > 0))
                if self._heaps[around][shows].mean() > MOST_OF_A_HEAP:
                    patience_s = min(patience_s, INNER_PATIENCE_S if len(at_edge) else SHORT_PATIENCE_S)
                may_be_arm = len(at_edge) > 0 and mask is things and not (self._is_carried and tiles <= EDGE_TILES)
                if may_be_arm and self._is_arm(things, whole, shows, left, top):
                    patience_s = ARM_PATIENCE_S
                pixels = np.column_stack(np.nonzero(shows)[::-1]) + corner
                arm = self._rim.arm(pixels, at_edge, mask is things) if len(at_edge) else None
                yield _Blob(tiles, patience_s, arm)

    def _is_arm(self, things: Image, whole: Image, blob: NDArray[np.bool_], left: int, top: int) -> bool:
        """Whether a thing goes on to the picture's border; parts of a dark arm, and its shadow, look like light."""
        most = np.count_nonzero(blob) + HAND_TILES * self._tile_px
        return _goes_on_to_border(_opened(things), blob, left, top) or _goes_on_to_border(
            _opened(whole), blob, left, top, most
        )

    def _in_this_light(self, small: Image, rest: Image) -> Image:
        """The picture of the last rest in the present light; any colour of light while the table's texture is seen."""
        now = Light.between(rest, small, self._mask)
        return (now if now.plain or same_texture(rest, small, self._mask) else now.grey).on(rest)


def _step(width_px: int) -> int:
    """From one sampled pixel of a picture to the next."""
    return max(1, round(width_px / SAMPLED_WIDTH_PX))


def _differing(now: Image, other: Image, levels: int, mask: Image) -> int:
    """How many sampled pixels in a mask differ by more than so many grey levels."""
    difference = cv2.absdiff(now, other)
    half = difference.shape[1] // 2
    most = cv2.bitwise_and(cv2.max(difference[:, :half], difference[:, half:]), mask)
    return cv2.countNonZero(cv2.threshold(most, levels, 255, cv2.THRESH_BINARY)[1])


def _differs(now: Image, other: Image, mask: Image) -> bool:
    """Whether what the samples show in a mask has moved."""
    return _differing(now, other, MOVED_LEVELS, mask) >= MOVED_PIXELS


def _filled(corners: Matrix, size_px: tuple[int, int]) -> Image:
    """A mask (0 or 255) of what lies inside corners (n, 2) on a picture of this width and height."""
    mask = np.zeros((size_px[1], size_px[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
    return mask


def _patience_s(tiles: float, at_edge: bool) -> float:
    """For how long a still change is taken for a hand, from its size and whether it reaches the mat's edge."""
    if at_edge:
        return SHORT_PATIENCE_S if tiles <= EDGE_TILES else PATIENCE_S
    return INNER_PATIENCE_S if tiles > HAND_TILES else 0.0


def _opened(mask: Image) -> Image:
    """A mask without what is only a pixel wide."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)


def _goes_on_to_border(
    mask: Image, blob: NDArray[np.bool_], left: int, top: int, most_px: float = float("inf")
) -> bool:
    """Whether what covers a blob, its corner at (left, top) of a mask, reaches the picture's border as an arm does.

    Args:
        most_px: what is larger than this is no arm.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    rows, columns = blob.shape
    parts = np.unique(labels[top : top + rows, left : left + columns][blob])
    x, y, width, height, area = stats[parts[parts > 0]].T
    ends = (x == 0) | (y == 0) | (x + width == mask.shape[1]) | (y + height == mask.shape[0])
    return bool(np.any(ends & (area <= most_px)))


def _is_light(now: Image, before: Image) -> NDArray[np.bool_]:
    """Which pixels (n, 3) differ from what they were as under another light: by one factor in all channels."""
    factors = (now + 4.0) / (before + 4.0)
    middle = factors.mean(axis=1)
    low, high = LIGHT_FACTORS
    return np.asarray((np.ptp(factors, axis=1) < LIGHT_SPREAD * middle) & (middle > low) & (middle < high))
