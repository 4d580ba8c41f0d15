"""Whole layouts as games leave them, made up: tile after tile where people would lay it, and not quite straight."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from referee import people
from referee.laying import line
from referee.laying.contact import outline, separation
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import DOMINO, Shape, Tile, domino_set, triomino_set

SHAPES = {DOMINO: Shape.domino(), "triomino": Shape.triomino()}
HIGHEST_DOMINO, HIGHEST_TRIOMINO = 6, 5
LEAST_TRIOMINOES = 20
ATTEMPTS = 60  # at a line of dominoes: most end in a corner of the mat
TRIED = 6  # tiles at each end of it
STRAIGHT = (0.3, 0.9)  # how often people go straight on
LITTLE_MM = 0.6  # so far tiles may seem to lie in each other
ENOUGH = 40  # ways to go on, of which one is chosen


def grown(kind: str, mat_mm: tuple[float, float], random: Random) -> tuple[SeenTile, ...]:
    """A layout: a double-six set of dominoes in one line, or twenty triominoes and more side by side."""
    if kind != DOMINO:
        count = random.randint(LEAST_TRIOMINOES, len(triomino_set(HIGHEST_TRIOMINO)))
        return _Triominoes(mat_mm, random).grown(count)
    longest: tuple[SeenTile, ...] = ()
    for _ in range(ATTEMPTS):
        longest = max(longest, _Dominoes(mat_mm, random).grown(), key=len)
        if len(longest) == len(domino_set(HIGHEST_DOMINO)):
            break
    return longest


class _Layout:
    """A layout that grows."""

    def __init__(self, kind: str, tiles: Sequence[Tile], mat_mm: tuple[float, float], random: Random) -> None:
        self.mat_mm, self.random, self.shape = mat_mm, random, SHAPES[kind]
        self.left = list(tiles)
        random.shuffle(self.left)
        self.anchors: tuple[Anchor, ...] = ()

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        """The tiles so far."""
        return tuple(anchor.seen for anchor in self.anchors if anchor.seen is not None)

    def first(self) -> tuple[Tile, float, float]:
        """Some tile, and a place about the middle of the mat."""
        x_mm, y_mm = (side * self.random.uniform(0.35, 0.65) for side in self.mat_mm)
        return self.left[0], x_mm, y_mm

    def add(self, placed: Placed, pose: SeenTile) -> None:
        """A tile is laid."""
        self.left.remove(placed.tile)
        self.anchors = (*self.anchors, Anchor(placed, pose))

    def as_laid(self, pose: SeenTile) -> SeenTile | None:
        """The pose as a hand leaves it, None where there is no room."""
        laid = people.jittered(pose, self.random)
        own = outline(laid, self.shape)
        room = all(separation(own, outline(other, self.shape)) > -LITTLE_MM for other in self.lying)
        return laid if room and people.on_mat(laid, self.shape, self.mat_mm) else None


class _Dominoes(_Layout):
    """A line that grows at both ends, with bends, and doubles crosswise or not."""

    def __init__(self, mat_mm: tuple[float, float], random: Random) -> None:
        super().__init__(DOMINO, domino_set(HIGHEST_DOMINO), mat_mm, random)
        self.straight = random.uniform(*STRAIGHT)

    def grown(self) -> tuple[SeenTile, ...]:
        """The line when none fits any more, or the mat has no room."""
        tile, x_mm, y_mm = self.first()
        angle_deg = self.random.choice((0.0, 90.0, 180.0, 270.0)) + self.random.uniform(-8.0, 8.0)
        self.add(Placed(tile, LineSpot("left"), 0), SeenTile(DOMINO, tile.values, x_mm, y_mm, angle_deg))
        while any(self._is_joined(end) for end in self.random.sample(line.ENDS, 2)):
            pass
        return self.lying

    def _is_joined(self, end: str) -> bool:
        """Whether one more tile could be laid at an end."""
        opened = line.open_number(tuple(anchor.placed for anchor in self.anchors), end)
        for tile in [tile for tile in self.left if opened in tile.values][:TRIED]:
            placed = Placed(tile, LineSpot(end, opened), 0)
            poses = self._poses(self.anchors, placed)
            if self.random.random() > self.straight:
                self.random.shuffle(poses)
            poses.sort(key=lambda pose: not self._leads_on(placed, pose))
            laid = next((laid for pose in poses if (laid := self.as_laid(pose)) is not None), None)
            if laid is not None:
                self.add(placed, laid)
                return True
        return False

    def _poses(self, anchors: tuple[Anchor, ...], placed: Placed) -> list[SeenTile]:
        lying = [anchor.seen for anchor in anchors if anchor.seen is not None]
        return [
            pose
            for pose in placing.poses_of(anchors, placed.tile, placed.spot, self.shape)
            if people.on_mat(pose, self.shape, self.mat_mm) and people.keeps_clear(pose, lying, self.shape)
        ]

    def _leads_on(self, placed: Placed, pose: SeenTile) -> bool:
        """Whether a next tile has room at the end that this one makes."""
        assert isinstance(placed.spot, LineSpot)
        anchors = (*self.anchors, Anchor(placed, pose))
        opened = line.open_number(tuple(anchor.placed for anchor in anchors), placed.spot.end)
        following = Tile((opened, (opened + 1) % (HIGHEST_DOMINO + 1)))
        return bool(self._poses(anchors, Placed(following, LineSpot(placed.spot.end, opened), 0)))


class _Triominoes(_Layout):
    """Triangles side by side; when none fits any more, whatever is left, since an eye must not care."""

    def __init__(self, mat_mm: tuple[float, float], random: Random) -> None:
        super().__init__("triomino", triomino_set(HIGHEST_TRIOMINO), mat_mm, random)
        self.cells: list[Cell] = []
        self.numbers: dict[tuple[int, int], int] = {}  # at the corners of the lattice

    def grown(self, count: int) -> tuple[SeenTile, ...]:
        """So many tiles, or as many as the mat has room for."""
        tile, x_mm, y_mm = self.first()
        pose = SeenTile("triomino", tile.values, x_mm, y_mm, self.random.uniform(-180.0, 180.0))
        self._take(CellSpot(placing.FIRST_CELL, tile.values), tile, pose)
        while len(self.anchors) < count and self._goes_on():
            pass
        return self.lying

    def _goes_on(self) -> bool:
        """Whether one more tile could be laid."""
        free = sorted({cell for taken in self.cells for cell in taken.neighbours} - set(self.cells))
        self.random.shuffle(free)
        fitting: list[tuple[CellSpot, Tile]] = []
        others: list[tuple[CellSpot, Tile]] = []
        for cell in free:
            for tile in self.left:
                for values in (tile.values, tile.values[1:] + tile.values[:1], tile.values[2:] + tile.values[:2]):
                    known = [
                        self.numbers.get(corner, value) for corner, value in zip(cell.vertices, values, strict=True)
                    ]
                    (fitting if known == list(values) else others).append((CellSpot(cell, values), tile))
            if len(fitting) > ENOUGH:
                break
        ways = fitting or others
        self.random.shuffle(ways)
        for spot, tile in ways:
            pose = next(placing.poses_of(self.anchors, tile, spot, self.shape))
            laid = self.as_laid(pose)
            if laid is not None:
                self._take(spot, tile, laid)
                return True
        return False

    def _take(self, spot: CellSpot, tile: Tile, pose: SeenTile) -> None:
        self.add(Placed(tile, spot, 0), pose)
        self.cells.append(spot.cell)
        for corner, value in zip(spot.cell.vertices, spot.values, strict=True):
            self.numbers.setdefault(corner, value)
