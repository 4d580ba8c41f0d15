"""Boneyard and shown hands in rendered pictures: a round in which nobody says a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee import notation, wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Place, Spot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile
from referee.umpire import Match
from tests.referee.seeing import Lamp, say
from vision import kinds
from vision.virtual import (
    Clear,
    Direction,
    Gather,
    Hover,
    Lay,
    Lying,
    Move,
    Spread,
    Take,
    Wait,
    open_table,
    profile_for,
)
from vision.virtual import stage as stages
from vision.watch import Watcher

HIGHEST = {"domino": 6, "triomino": 5}
ANA, BO = 90.0, 270.0
UNTIL_SEEN = Wait(16)  # many tiles that come at once are looked at after a second


class House:
    """Camera, eye and table in one process, frame by frame."""

    def __init__(self, folder: Path, match: Match, kind: str, directions: Sequence[Direction]) -> None:
        script = folder / "script.json"
        script.write_bytes(b"[" + b",".join(map(stages.encode, directions)) + b"]")
        spec = f"{script}?kind={kind}&size=1280x880"
        profile = profile_for(spec)
        self.camera = open_table(spec)
        self.eye = Watcher(profile, HIGHEST[kind], kinds.kinds()[kind])
        self.lamp = Lamp()
        self.journal = Journal(folder / "journal.sqlite3")
        self.table = Table(self.journal, self.lamp, "one", profile.shape, zones=profile.usable_zones)
        self.table.begin(match)
        self.asked: list[str] = []

    def play(self) -> wire.View:
        """Until the script ends; whatever is asked is noted and not answered."""
        while (frame := self.camera.read()) is not None:
            self.eye.facts(self.table.facts())
            sighting = self.eye.see(frame)
            if sighting is not None:
                self.table.see(sighting)
                self.asked += [each.what for each in self.table.view.questions if each.what not in self.asked]
        return self.table.view

    def close(self) -> None:
        self.camera.close()
        self.journal.close()

    @property
    def lines(self) -> list[str]:
        assert self.table.record is not None
        return [ruled.line for ruled in self.table.view.log]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[House]]:
    houses: list[House] = []
    yield houses
    for house in houses:
        house.close()


def backs(kind: str, count: int) -> tuple[Lying, ...]:
    """A boneyard of so many tiles, close together and somewhat askew."""
    if kind == "domino":
        return tuple(
            Lying((), 26.0 + 27.0 * (n % 3), 90.0 + 52.0 * (n // 3), 90.0 + 3.0 * (n % 2)) for n in range(count)
        )
    return tuple(
        Lying((), 30.0 + 24.0 * (n % 3), 90.0 + 40.0 * (n // 3), -90.0 + 180.0 * (n % 2) + n) for n in range(count)
    )


def shown(kind: str, tiles: Sequence[str], from_deg: float) -> Spread:
    """What is left of a hand, laid into the show zone."""
    lying = [
        Lying(Tile.parse(tile).values, 524.0 + 44.0 * (n % 2), 90.0 + 56.0 * (n // 2), 84.0 + 5.0 * n)
        for n, tile in enumerate(tiles)
    ]
    return Spread(kind, tuple(lying), from_deg)


def taken(pile: Sequence[Lying], number: int, from_deg: float) -> Take:
    return Take(pile[number].x_mm, pile[number].y_mm, from_deg)


class Layout:
    """Where the tiles of a round would lie."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._anchors: tuple[Anchor, ...] = ()

    def pose(self, tile: str, spot: Spot, first: SeenTile | None = None) -> SeenTile:
        if first is None:
            poses = placing.poses_of(self._anchors, Tile.parse(tile), spot, self._shape)
            first = max(poses, key=lambda pose: (pose.x_mm, -abs(pose.y_mm - 200.0)))
        self._anchors = (*self._anchors, Anchor(Placed(Tile.parse(tile), spot, 0), first))
        return first


def laid(pose: SeenTile, from_deg: float) -> Lay:
    return Lay(pose.kind, pose.values, pose.x_mm, pose.y_mm, pose.angle_deg, from_deg)


def turned_over(pile: Sequence[Lying], number: int, pose: SeenTile, from_deg: float) -> Move:
    """A tile of the boneyard that is laid at once."""
    there = pile[number]
    return Move(there.x_mm, there.y_mm, pose.x_mm, pose.y_mm, pose.angle_deg, from_deg, values=pose.values)


def test_two_tiles_that_leave_at_once_are_asked_about_in_pictures_too(tmp_path: Path, opened: list[House]) -> None:
    options = (("hands", "2:3"), ("max_number", "3"), ("opening", "any"))
    match = Match("fr-domino", ("Ana", "Bo"), options, (90, 270), ("draws",))
    pile = backs("domino", 4)
    first = laid(SeenTile("domino", (3, 3), 280.0, 200.0, 90.0), ANA)
    both = Gather(tuple((pile[number].x_mm, pile[number].y_mm) for number in (1, 2)), BO)
    house = House(tmp_path, match, "domino", [Wait(4), Spread("domino", pile, ANA), UNTIL_SEEN, first, both])
    opened.append(house)
    view = house.play()
    assert (view.stock, view.boneyard, house.asked) == (4, 2, ["who-drew"])
    options_of = {option.seat: option.line for option in view.questions[0].options}
    assert say(house.table, options_of[1]).status == "done"
    assert (house.table.view.stock, house.table.view.questions, house.lines[-1]) == (2, (), "B draws 2")


def however_turned(line: str) -> str:
    """A line without the place, which for a layout that begins with a triple depends on how it is looked at."""
    act = notation.parse(line)
    return f"{line[0]} lays {act.tile}" if isinstance(act, Place) else line


def test_a_round_of_dominoes_is_played_by_camera_alone(tmp_path: Path, opened: list[House]) -> None:
    options = (("hands", "2:3"), ("max_number", "3"), ("opening", "any"))
    match = Match("fr-domino", ("Ana", "Bo"), options, (90, 270), ("draws", "hands"))
    pile, layout = backs("domino", 4), Layout(Shape.domino())
    first = layout.pose("3-3", LineSpot("left"), SeenTile("domino", (3, 3), 280.0, 200.0, 90.0))
    joins = [("1-3", 3), ("0-1", 1), ("0-2", 0), ("2-2", 2)]
    bo_1, ana_2, bo_2, ana_3 = (layout.pose(tile, LineSpot("right", inner)) for tile, inner in joins)
    house = House(
        tmp_path,
        match,
        "domino",
        [
            Wait(4),
            Spread("domino", pile, ANA),
            UNTIL_SEEN,
            laid(first, ANA),
            Hover(BO, pile[2].x_mm, pile[2].y_mm),
            taken(pile, 1, BO),
            turned_over(pile, 3, bo_1, BO),
            laid(ana_2, ANA),
            laid(bo_2, BO),
            laid(ana_3, ANA),
            shown("domino", ("0-0", "1-1", "1-2"), BO),
            UNTIL_SEEN,
            Clear(ANA),
        ],
    )
    opened.append(house)
    view = house.play()
    assert house.lines == [
        "begin",
        "A lays 3-3 at left",
        "B draws 1",
        "B draws 1",
        "B lays 1-3 at right by 3",
        "A lays 0-1 at right by 1",
        "B lays 0-2 at right by 0",
        "A lays 2-2 at right by 2",
        "B shows 0-0 1-1 1-2",
        "clear",
        "begin",
    ]
    assert all(ruled.legal for ruled in view.log)
    assert (house.asked, house.lamp.buzzes, view.round) == ([], 0, 2)
    assert [seat.score for seat in view.seats] == [0, 5]


def test_a_round_of_triominoes_is_played_by_camera_alone(tmp_path: Path, opened: list[House]) -> None:
    options = (("hands", "2:3"), ("max_number", "2"), ("opening", "any"))
    match = Match("ro-trimino/manufacturer", ("Ana", "Bo"), options, (90, 270), ("draws", "hands"))
    pile, layout = backs("triomino", 4), Layout(Shape.triomino())
    at = CellSpot(placing.FIRST_CELL, (2, 2, 2))
    first = layout.pose("2-2-2", at, SeenTile("triomino", (2, 2, 2), 300.0, 210.0, -90.0))
    joins = [
        ("1-2-2", Cell(0, 0, "D"), (2, 2, 1)),
        ("0-2-2", Cell(0, -1, "D"), (0, 2, 2)),
        ("1-1-2", Cell(1, 0, "U"), (2, 1, 1)),
        ("0-1-2", Cell(0, 1, "U"), (2, 0, 1)),
    ]
    bo_1, ana_2, bo_2, ana_3 = (layout.pose(tile, CellSpot(cell, values)) for tile, cell, values in joins)
    house = House(
        tmp_path,
        match,
        "triomino",
        [
            Wait(4),
            Spread("triomino", pile, ANA),
            UNTIL_SEEN,
            laid(first, ANA),
            taken(pile, 0, BO),
            turned_over(pile, 2, bo_1, BO),
            laid(ana_2, ANA),
            laid(bo_2, BO),
            laid(ana_3, ANA),
            shown("triomino", ("0-0-0", "0-0-1", "1-1-1"), BO),
            UNTIL_SEEN,
            Clear(ANA),
        ],
    )
    opened.append(house)
    view = house.play()
    assert [however_turned(line) for line in house.lines] == [
        "begin",
        "A lays 2-2-2",
        "B draws 1",
        "B draws 1",
        "B lays 1-2-2",
        "A lays 0-2-2",
        "B lays 1-1-2",
        "A lays 0-1-2",
        "B shows 0-0-0 0-0-1 1-1-1",
        "clear",
        "begin",
    ]
    assert all(ruled.legal for ruled in view.log)
    assert (house.asked, house.lamp.buzzes, view.round) == ([], 0, 2)
