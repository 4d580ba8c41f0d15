"""A table whose boneyard and show zone are watched, and what lies in them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.seen.zones import usual
from referee.sighting import Reading, SeenTile

ZONES = usual(600.0, 400.0, 40.0)


def backs(count: int, first: int = 0, kind: str = "triomino") -> tuple[SeenTile, ...]:
    """So many tiles face down in the boneyard, each always in its own place."""
    places = ((20.0 + 12.0 * (number % 7), 60.0 + 40.0 * (number // 7)) for number in range(first, first + count))
    return tuple(SeenTile(kind, (), x_mm, y_mm, 30.0, face_up=False) for x_mm, y_mm in places)


def faces(tiles: Iterable[str], down_mm: float = 0.0) -> tuple[SeenTile, ...]:
    """Tiles face up in the show zone, one under the other."""
    lying = []
    for number, text in enumerate(tiles):
        values = tuple(map(int, text.split("-")))
        kind = "domino" if len(values) == 2 else "triomino"
        at_mm = (530.0 + 40.0 * (number % 2), 70.0 + 42.0 * (number // 2) + down_mm)
        lying.append(SeenTile(kind, values, *at_mm, -90.0, readings=(Reading(values, 1.0),)))
    return tuple(lying)


def unread(at: SeenTile, *readings: tuple[str, float]) -> SeenTile:
    """A tile that may be one of several."""
    found = tuple(Reading(tuple(map(int, text.split("-"))), chance) for text, chance in readings)
    return SeenTile(at.kind, found[0].values, at.x_mm, at.y_mm, at.angle_deg, confidence=0.5, readings=found)
