"""A table whose camera says what a test wants it to say."""

from __future__ import annotations

from referee import wire
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile, Sighting, Visit
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile

SHAPE = Shape.triomino()
FIRST = SeenTile("triomino", (0, 3, 5), 300.0, 200.0, -90.0)


class Lamp:
    """Signals that remember."""

    def __init__(self) -> None:
        self.status = "ok"
        self.buzzes = 0
        self.lit = False

    def buzz(self) -> None:
        self.buzzes += 1

    def led(self, on: bool) -> None:
        self.lit = on


class Camera:
    """Says what lies on the table, one settled sighting after another."""

    def __init__(self, table: Table, epoch: str = "camera") -> None:
        self.table = table
        self.epoch = epoch
        self.tiles: tuple[SeenTile, ...] = ()
        self.settle = 0
        self.visits: tuple[Visit, ...] = ()

    def rest(self, *tiles: SeenTile) -> wire.View:
        self.settle += 1
        self.tiles = tiles
        self.table.see(Sighting(self.epoch, self.settle, self.settle / 2, tiles, busy=False, visits=self.visits))
        return self.table.view

    def reached(self, *reaches_deg: float | None) -> None:
        """Hands came, each from one side."""
        for reach_deg in reaches_deg:
            visit = Visit(len(self.visits) + 1, self.settle / 2, self.settle / 2 + 0.3, reach_deg, 1, 0)
            self.visits = (*self.visits, visit)

    def busy(self) -> wire.View:
        self.table.see(Sighting(self.epoch, self.settle, self.settle / 2, self.tiles, busy=True))
        return self.table.view


def beside(spot: CellSpot, *laid: tuple[SeenTile, CellSpot]) -> SeenTile:
    """The pose of a tile in a cell next to others."""
    anchors = tuple(Anchor(Placed(Tile(seen.values), at, 0), seen) for seen, at in laid)
    return next(placing.poses_of(anchors, Tile(spot.values), spot, SHAPE))


PLAYED = ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")
FIRST_SPOT = CellSpot(placing.FIRST_CELL, (0, 3, 5))
FITTING = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 5)), (FIRST, FIRST_SPOT))
CLASHING = beside(CellSpot(Cell(0, 0, "D"), (1, 1, 1)), (FIRST, FIRST_SPOT))


def say(table: Table, line: str, order_id: str | None = None, seq: int | None = None) -> wire.Answer:
    view = table.view
    number = f"order-{line}-{view.seq}" if order_id is None else order_id
    return table.order(
        wire.Order(id=number, epoch=view.epoch, seq=view.seq if seq is None else seq, by="screen", line=line)
    )


def begun(table: Table) -> Camera:
    """A camera over a table whose first tile has been laid."""
    camera = Camera(table)
    camera.rest()
    view = camera.rest(FIRST)
    assert [tile.status for tile in view.layout] == ["placed"]
    return camera


def played(table: Table, *lines: str) -> wire.View:
    """Say lines that all must be taken; the view after them."""
    for line in lines:
        answer = say(table, line)
        assert answer.status == "done", (line, answer)
    return table.view
