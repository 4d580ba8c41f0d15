"""Tiles, the sets they come in, and the size a set's tiles have on the table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

DOMINO = "domino"
TRIOMINO = "triomino"


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One physical piece: its numbers, turned to their smallest rotation.

    A domino has two numbers, a triomino three, read clockwise as seen from above. A triomino may be
    turned but never mirrored, so (0, 1, 2) and (0, 2, 1) are two different tiles.
    """

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.values) not in (2, 3) or any(value < 0 for value in self.values):
            raise ValueError(f"a tile has two or three numbers from 0 up, not {self.values!r}")
        object.__setattr__(self, "values", smallest_rotation(self.values))

    @property
    def kind(self) -> str:
        """`domino` or `triomino`."""
        return DOMINO if len(self.values) == 2 else TRIOMINO

    @property
    def total(self) -> int:
        """The sum of the numbers."""
        return sum(self.values)

    @property
    def is_uniform(self) -> bool:
        """True for a double (domino) or a triple (triomino)."""
        return len(set(self.values)) == 1

    def __str__(self) -> str:
        return "-".join(map(str, self.values))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `3-5` or `0-1-4`; numbers may come in any rotation.

        Raises:
            ValueError: if the text is not two or three numbers joined by hyphens.
        """
        return cls(parse_values(text))


def parse_values(text: str) -> tuple[int, ...]:
    """Read `5-0-3` as (5, 0, 3), keeping the order.

    Raises:
        ValueError: if the text is not two or three numbers joined by hyphens.
    """
    parts = text.split("-")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"expected a tile such as 3-5 or 0-1-4, got {text!r}")
    return tuple(map(int, parts))


def smallest_rotation(values: tuple[int, ...]) -> tuple[int, ...]:
    """Turn the numbers so that the lexicographically smallest rotation comes first."""
    return min(rotations(values))


def rotations(values: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The numbers in every order that turning the tile gives, as many as it has numbers."""
    return tuple(values[shift:] + values[:shift] for shift in range(len(values)))


def domino_set(highest: int) -> tuple[Tile, ...]:
    """All dominoes from 0-0 to the double of `highest` (28 tiles for six)."""
    return tuple(Tile(pair) for pair in combinations_with_replacement(range(highest + 1), 2))


def triomino_set(highest: int) -> tuple[Tile, ...]:
    """All triominoes whose numbers rise clockwise, from 0-0-0 up (56 tiles for five)."""
    return tuple(Tile(triple) for triple in combinations_with_replacement(range(highest + 1), 3))


@dataclass(frozen=True, slots=True)
class Shape:
    """How large the tiles of a set are: millimetres, the nominal sharp-cornered top face.

    For a domino `length_mm` is the long and `width_mm` the short side; for a triomino `length_mm` is
    the side and `width_mm` the height of the triangle.
    """

    kind: str
    length_mm: float
    width_mm: float
    thickness_mm: float

    @classmethod
    def domino(cls, length_mm: float = 48.0, width_mm: float = 24.0, thickness_mm: float = 8.0) -> Shape:
        """The shape of a domino set."""
        return cls(DOMINO, length_mm, width_mm, thickness_mm)

    @classmethod
    def triomino(cls, side_mm: float = 40.0, thickness_mm: float = 8.0) -> Shape:
        """The shape of a triomino set."""
        return cls(TRIOMINO, side_mm, side_mm * 3**0.5 / 2, thickness_mm)
