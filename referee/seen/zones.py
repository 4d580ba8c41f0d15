"""Parts of the mat that have a meaning of their own: the boneyard, and where a hand is shown.

Tiles that lie in one of them are never placements. They lie at the mat's left and right unless a table's profile says
otherwise, between its markers, and leave the middle to the layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

DRAWS, HANDS = "draws", "hands"
WATCHED = (DRAWS, HANDS)  # what of a match may be seen by camera besides the tiles that are laid

USUAL_SHARE = 1 / 6  # of the mat's width, for each
RIM_MM = 6.0
MARKER_RIM_MM = 12.0  # a marker has a white rim


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of the mat, millimetres from the mat's far left corner."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float

    @property
    def corners_mm(self) -> tuple[tuple[float, float], ...]:
        """Its corners, clockwise from the far left one."""
        left, top, right, bottom = self.left_mm, self.top_mm, self.right_mm, self.bottom_mm
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def holds(self, x_mm: float, y_mm: float, beyond_mm: float = 0.0) -> bool:
        """Whether a point lies in it, or so far beyond its edge at most."""
        return (
            self.left_mm - beyond_mm <= x_mm <= self.right_mm + beyond_mm
            and self.top_mm - beyond_mm <= y_mm <= self.bottom_mm + beyond_mm
        )

    def meets(self, other: Zone) -> bool:
        """Whether it has any part in common with another."""
        return (
            self.left_mm < other.right_mm
            and other.left_mm < self.right_mm
            and self.top_mm < other.bottom_mm
            and other.top_mm < self.bottom_mm
        )

    def __str__(self) -> str:
        return f"{self.left_mm:g} to {self.right_mm:g} by {self.top_mm:g} to {self.bottom_mm:g} mm"


@dataclass(frozen=True, slots=True)
class Zones:
    """Where the boneyard lies, and where hands are shown."""

    boneyard: Zone
    show: Zone

    @property
    def both(self) -> tuple[Zone, Zone]:
        """The two of them."""
        return self.boneyard, self.show


def usual(width_mm: float, height_mm: float, marker_mm: float) -> Zones:
    """The boneyard at the left and shown hands at the right, a sixth of the mat each, between the markers."""
    top_mm, wide_mm = marker_mm + MARKER_RIM_MM, width_mm * USUAL_SHARE
    boneyard = Zone(RIM_MM, top_mm, wide_mm, height_mm - top_mm)
    return Zones(boneyard, Zone(width_mm - wide_mm, top_mm, width_mm - RIM_MM, height_mm - top_mm))


def check(zones: Zones, width_mm: float, height_mm: float, marker_mm: float, tile_mm: float) -> None:
    """Refuse zones that a table cannot be played with.

    Args:
        width_mm, height_mm: the mat's.
        marker_mm: of the square markers in its corners.
        tile_mm: the length of a tile, which has to find room in every zone.

    Raises:
        ValueError: for the first thing that is wrong, with what was expected and what came.
    """
    far_mm = (width_mm - marker_mm, height_mm - marker_mm)
    corners = [Zone(x, y, x + marker_mm, y + marker_mm) for x in (0.0, far_mm[0]) for y in (0.0, far_mm[1])]
    for name, zone in (("boneyard", zones.boneyard), ("show", zones.show)):
        sides = (zone.left_mm, zone.top_mm, zone.right_mm, zone.bottom_mm)
        on_mat = all(map(isfinite, sides)) and zone.left_mm >= 0 and zone.top_mm >= 0
        if not on_mat or zone.right_mm > width_mm or zone.bottom_mm > height_mm:
            raise ValueError(f"expected the {name} zone on the mat of {width_mm:g} x {height_mm:g} mm, got {zone}")
        if min(zone.right_mm - zone.left_mm, zone.bottom_mm - zone.top_mm) < tile_mm:
            raise ValueError(f"expected a {name} zone as long and wide as a tile, {tile_mm:g} mm, got {zone}")
        if any(zone.meets(corner) for corner in corners):
            raise ValueError(f"expected the {name} zone beside the mat's markers, got {zone}, which covers one")
        if zone.holds(width_mm / 2, height_mm / 2):
            raise ValueError(f"expected the {name} zone beside the middle, where the layout begins, got {zone}")
    if zones.boneyard.meets(zones.show):
        raise ValueError(f"expected zones apart from each other, got boneyard {zones.boneyard} and show {zones.show}")


def watched(text: str) -> tuple[str, ...]:
    """Read what is to be seen by camera: `draws`, `hands`, or both with a comma.

    Raises:
        ValueError: for anything else.
    """
    words = tuple(text.split(","))
    if not set(words) <= set(WATCHED) or len(set(words)) < len(words):
        raise ValueError(f"expected {' or '.join(WATCHED)}, or both with a comma, got {text[:40]!r}")
    return tuple(word for word in WATCHED if word in words)
