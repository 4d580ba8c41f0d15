"""The triangular lattice that triominoes are laid on.

Vertex (x, y) lies at (x + y/2, y * sqrt(3)/2) in units of the side, y away from the viewer. The cell
(x, y, U) has the vertices (x, y), (x, y+1), (x+1, y); the cell (x, y, D) has (x+1, y), (x, y+1),
(x+1, y+1); both clockwise as seen from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Vertex = tuple[int, int]
_Key = tuple[int, int, str]  # a cell as a plain tuple
_DISPUTED = -1  # the number of a vertex about which tiles disagree
_NOTHING = (None, 0)  # what meets where no tile lies: no number, no tiles


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
        return _vertices(self.x, self.y, self.half)

    @property
    def neighbours(self) -> tuple[Cell, Cell, Cell]:
        """The cells across the sides: between vertices 0 and 1, 1 and 2, 2 and 0."""
        first, second, third = _neighbours(self.x, self.y, self.half)
        return (Cell(*first), Cell(*second), Cell(*third))


def cells_around(vertex: Vertex) -> tuple[Cell, ...]:
    """The six cells that meet at a vertex."""
    return tuple(Cell(*key) for key in _around(*vertex))


def _vertices(x: int, y: int, half: str) -> tuple[Vertex, Vertex, Vertex]:
    if half == "U":
        return ((x, y), (x, y + 1), (x + 1, y))
    return ((x + 1, y), (x, y + 1), (x + 1, y + 1))


def _neighbours(x: int, y: int, half: str) -> tuple[_Key, _Key, _Key]:
    if half == "U":
        return ((x - 1, y, "D"), (x, y, "D"), (x, y - 1, "D"))
    return ((x, y, "U"), (x, y + 1, "U"), (x + 1, y, "U"))


def _around(x: int, y: int) -> tuple[_Key, ...]:
    return (
        *((x, y, "U"), (x - 1, y, "D"), (x - 1, y, "U")),
        *((x - 1, y - 1, "D"), (x, y - 1, "U"), (x, y - 1, "D")),
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


# The numbers that a gap asks for at its vertices, clockwise; None where it touches nothing.
Asks = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A free cell that touches tiles: the numbers it asks for at its vertices, clockwise.

    None where it touches nothing. `sides` are its occupied side neighbours, `hexagons` how many of its
    corners would have all six cells filled.
    """

    cell: Cell
    asks: Asks
    sides: int
    hexagons: int = 0

    def takes(self, values: tuple[int, ...]) -> bool:
        """True when a tile with these clockwise numbers matches wherever it would touch."""
        return all(asked in (None, value) for asked, value in zip(self.asks, values, strict=True))

    @property
    def corners(self) -> int:
        """How many of its corners touch tiles."""
        return 3 - self.asks.count(None)


class Board:
    """Tiles on the lattice as the rules look at them: which cells are filled, and what meets at each vertex.

    Plain tuples stand for cells here, because every ruling asks for dozens of them. A board never
    changes: `with_tile` gives the next one.
    """

    __slots__ = ("_cells", "_gaps", "_meets")

    def __init__(self, tiles: Mapping[Cell, tuple[int, ...]] | None = None) -> None:
        self._cells: set[_Key] = set()
        self._meets: dict[Vertex, tuple[int, int]] = {}
        self._gaps: tuple[Gap, ...] | None = None
        for cell, values in (tiles or {}).items():
            self._lay(cell, values)

    def _lay(self, cell: Cell, values: tuple[int, ...]) -> None:
        self._cells.add((cell.x, cell.y, cell.half))
        for vertex, value in zip(cell.vertices, values, strict=True):
            number, count = self._meets.get(vertex, (value, 0))
            self._meets[vertex] = (number if number == value else _DISPUTED, count + 1)

    def with_tile(self, cell: Cell, values: tuple[int, ...]) -> Board:
        """The board with one more tile in a free cell; the numbers are in the order of the cell's vertices."""
        board = Board()
        board._cells = self._cells.copy()
        board._meets = self._meets.copy()
        board._lay(cell, values)
        return board

    def __bool__(self) -> bool:
        """True when there is any tile."""
        return bool(self._cells)

    def __contains__(self, cell: Cell) -> bool:
        """True when the cell is filled."""
        return (cell.x, cell.y, cell.half) in self._cells

    def contact(self, cell: Cell, values: tuple[int, ...]) -> Contact:
        """Say what a tile with these numbers, in the order of the cell's vertices, would touch in this free cell."""
        around = _neighbours(cell.x, cell.y, cell.half)
        is_side = [key in self._cells for key in around]
        corners: list[int] = []
        hexagons = 0
        side_clash = corner_clash = False
        for index, vertex in enumerate(cell.vertices):
            if vertex not in self._meets:
                continue
            number, count = self._meets[vertex]
            corners.append(index)
            hexagons += count == 5
            if number != values[index]:
                on_side = is_side[index] or is_side[index - 1]
                side_clash, corner_clash = side_clash or on_side, corner_clash or not on_side
        return Contact(sum(is_side), tuple(corners), hexagons, side_clash, corner_clash)

    def asked(self) -> set[tuple[Asks, bool]]:
        """What the free cells ask for that could be filled by some tile, and whether a side of theirs is touched."""
        meets: Mapping[Vertex, tuple[int | None, int]] = self._meets
        filled = self._cells
        found: set[tuple[Asks, bool]] = set()
        for key in {key for x, y in meets for key in _around(x, y)} - filled:
            (a, _), (b, _), (c, _) = [meets.get(vertex, _NOTHING) for vertex in _vertices(*key)]
            if _DISPUTED not in (a, b, c):
                one, two, three = _neighbours(*key)
                found.add(((a, b, c), one in filled or two in filled or three in filled))
        return found

    def gaps(self) -> tuple[Gap, ...]:
        """All free cells that touch tiles and could be filled by some tile, in order.

        Where tiles that meet in a vertex disagree about its number, nothing fits.
        """
        if self._gaps is None:
            meets: Mapping[Vertex, tuple[int | None, int]] = self._meets
            filled = self._cells
            free = {key for x, y in meets for key in _around(x, y)} - filled
            found = []
            for key in sorted(free):
                (a, a_tiles), (b, b_tiles), (c, c_tiles) = [meets.get(vertex, _NOTHING) for vertex in _vertices(*key)]
                if _DISPUTED in (a, b, c):
                    continue
                one, two, three = _neighbours(*key)
                sides = (one in filled) + (two in filled) + (three in filled)
                found.append(Gap(Cell(*key), (a, b, c), sides, (a_tiles == 5) + (b_tiles == 5) + (c_tiles == 5)))
            self._gaps = tuple(found)
        return self._gaps


def contact(board: Mapping[Cell, tuple[int, ...]], cell: Cell, values: tuple[int, ...]) -> Contact:
    """Say what a tile with these clockwise numbers would touch in this cell.

    Args:
        board: occupied cells and the numbers at their vertices, clockwise.
        cell: a free cell.
        values: the tile's numbers in the order of the cell's vertices.
    """
    return Board(board).contact(cell, values)


def gaps(board: Mapping[Cell, tuple[int, ...]]) -> tuple[Gap, ...]:
    """All free cells that touch the tiles of a board and could be filled by some tile, in order."""
    return Board(board).gaps()
