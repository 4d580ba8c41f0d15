"""The triangular lattice that triominoes are laid on.

Vertex (x, y) lies at (x + y/2, y * sqrt(3)/2) in units of the side, y away from the viewer. The cell
(x, y, U) has the vertices (x, y), (x, y+1), (x+1, y); the cell (x, y, D) has (x+1, y), (x, y+1),
(x+1, y+1); both clockwise as seen from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Vertex = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One triangle of the lattice; `half` is `U` (point away from the viewer) or `D`."""

    x: int
    y: int
    half: str

    def __post_init__(self) -> None:
        if self.half not in ("U", "D"):
            raise ValueError(f"a cell points U or D, not {self.half!r}")

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.half}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Read `0,-1,D`.

        Raises:
            ValueError: if the text is not two whole numbers and U or D.
        """
        try:
            x, y, half = text.split(",")
            return cls(int(x), int(y), half)
        except ValueError:
            raise ValueError(f"expected a cell such as 0,-1,D, got {text!r}") from None

    @property
    def vertices(self) -> tuple[Vertex, Vertex, Vertex]:
        """The three vertices, clockwise as seen from above."""
        x, y = self.x, self.y
        if self.half == "U":
            return ((x, y), (x, y + 1), (x + 1, y))
        return ((x + 1, y), (x, y + 1), (x + 1, y + 1))

    @property
    def neighbours(self) -> tuple[Cell, Cell, Cell]:
        """The cells across the sides: between vertices 0 and 1, 1 and 2, 2 and 0."""
        x, y = self.x, self.y
        if self.half == "U":
            return (Cell(x - 1, y, "D"), Cell(x, y, "D"), Cell(x, y - 1, "D"))
        return (Cell(x, y, "U"), Cell(x, y + 1, "U"), Cell(x + 1, y, "U"))


def cells_around(vertex: Vertex) -> tuple[Cell, ...]:
    """The six cells that meet at a vertex."""
    x, y = vertex
    return (
        Cell(x, y, "U"),
        Cell(x - 1, y, "D"),
        Cell(x - 1, y, "U"),
        Cell(x - 1, y - 1, "D"),
        Cell(x, y - 1, "U"),
        Cell(x, y - 1, "D"),
    )


def position(vertex: Vertex) -> tuple[float, float]:
    """Where a vertex lies, in units of the side, y away from the viewer."""
    x, y = vertex
    return (x + y / 2, y * 3**0.5 / 2)


def centre(cell: Cell) -> tuple[float, float]:
    """The middle of a cell, in units of the side, y away from the viewer."""
    points = [position(vertex) for vertex in cell.vertices]
    return (sum(p[0] for p in points) / 3, sum(p[1] for p in points) / 3)


@dataclass(frozen=True, slots=True)
class Contact:
    """What a tile in a cell would touch: the facts E, C and H of the rule specification (G3).

    `sides` are the occupied side neighbours, `corners` the indices of touched corners, `hexagons` how
    many corners would have all six cells filled; `side_clash` and `corner_clash` say whether a number
    differs on an occupied side or only at a bare corner.
    """

    sides: int
    corners: tuple[int, ...]
    hexagons: int
    side_clash: bool
    corner_clash: bool


def contact(board: Mapping[Cell, tuple[int, ...]], cell: Cell, values: tuple[int, ...]) -> Contact:
    """Say what a tile with these clockwise numbers would touch in this cell.

    Args:
        board: occupied cells and the numbers at their vertices, clockwise.
        cell: a free cell.
        values: the tile's numbers in the order of the cell's vertices.
    """
    sides = [index for index, other in enumerate(cell.neighbours) if other in board]
    on_side = {corner for index in sides for corner in (index, (index + 1) % 3)}
    corners: list[int] = []
    clashes: set[int] = set()
    hexagons = 0
    for index, vertex in enumerate(cell.vertices):
        around = [other for other in cells_around(vertex) if other != cell and other in board]
        if around:
            corners.append(index)
        if any(board[other][other.vertices.index(vertex)] != values[index] for other in around):
            clashes.add(index)
        hexagons += len(around) == 5
    return Contact(
        sides=len(sides),
        corners=tuple(corners),
        hexagons=hexagons,
        side_clash=bool(clashes & on_side),
        corner_clash=bool(clashes - on_side),
    )


@dataclass(frozen=True, slots=True)
class Gap:
    """A free cell that touches tiles: the numbers it asks for at its vertices, clockwise.

    None where it touches nothing. `sides` are its occupied side neighbours.
    """

    cell: Cell
    asks: tuple[int | None, ...]
    sides: int

    def takes(self, values: tuple[int, ...]) -> bool:
        """True when a tile with these clockwise numbers matches wherever it would touch."""
        return all(asked in (None, value) for asked, value in zip(self.asks, values, strict=True))


def gaps(board: Mapping[Cell, tuple[int, ...]]) -> tuple[Gap, ...]:
    """All free cells that touch the tiles of a board and could be filled by some tile, in order.

    Where tiles that meet in a vertex disagree about its number, nothing fits.
    """
    numbers: dict[Vertex, set[int]] = {}
    for cell, values in board.items():
        for vertex, value in zip(cell.vertices, values, strict=True):
            numbers.setdefault(vertex, set()).add(value)
    free = {cell for vertex in numbers for cell in cells_around(vertex)} - set(board)
    found = []
    for cell in sorted(free):
        asked = [numbers.get(vertex, set()) for vertex in cell.vertices]
        if all(len(each) <= 1 for each in asked):
            asks = tuple(next(iter(each), None) for each in asked)
            found.append(Gap(cell, asks, sum(other in board for other in cell.neighbours)))
    return tuple(found)
