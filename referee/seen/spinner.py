"""Which side of a tile another one lies at; which end that means beside a spinner, from which arms grow."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

from referee.laying import line
from referee.sighting import SeenTile


def end_beside(spinner: SeenTile, beside: Mapping[str, SeenTile], other: SeenTile) -> str | None:
    """At which end a tile lies that joins the spinner: its line goes straight on, and the arms lie across it.

    `up` is to the left of whoever goes along the line from its left end to its right one. None where the line itself
    lies, or nothing is known of where it lies.

    Args:
        beside: the tiles next to the spinner in its line, toward the `left` and the `right` end, where they are known.
    """
    if not beside:
        return None
    if not all(is_across(spinner, each, other) for each in beside.values()):
        free = [end for end in line.ENDS if end not in beside]
        is_opposite = all(is_away_from(spinner, each, other) for each in beside.values())
        return free[0] if free and is_opposite else None
    left, right = (beside.get(end, spinner) for end in line.ENDS)
    ahead = (right.x_mm - left.x_mm, right.y_mm - left.y_mm)
    out = (other.x_mm - spinner.x_mm, other.y_mm - spinner.y_mm)
    return line.UP if out[0] * ahead[1] - out[1] * ahead[0] > 0 else line.DOWN


def in_frame(frame: SeenTile, other: SeenTile) -> tuple[float, float]:
    """Where another tile's centre lies along and across a tile's own axis, mm (across: clockwise)."""
    angle = radians(frame.angle_deg)
    dx, dy = other.x_mm - frame.x_mm, other.y_mm - frame.y_mm
    return dx * cos(angle) + dy * sin(angle), -dx * sin(angle) + dy * cos(angle)


def is_away_from(tile: SeenTile, before: SeenTile, after: SeenTile) -> bool:
    """True when `after` joins `tile` on another side than `before` does."""
    before_along, before_across = in_frame(tile, before)
    after_along, after_across = in_frame(tile, after)
    is_opposite = before_along * after_along + before_across * after_across < 0
    return is_opposite or is_across(tile, before, after)


def is_across(tile: SeenTile, one: SeenTile, other: SeenTile) -> bool:
    """True when one tile lies beyond an end of a tile, and the other beside it."""
    (one_along, one_across), (other_along, other_across) = in_frame(tile, one), in_frame(tile, other)
    return (abs(one_along) > abs(one_across)) != (abs(other_along) > abs(other_across))
