"""Lines with arms as they lie on a table: found again however they were grown, and ruled as the camera sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee import people
from referee.journal import Journal
from referee.laying import line
from referee.moves import LineSpot
from referee.seen import placing
from referee.seen.placing import Anchor, Unclear
from referee.seen.spinner import end_beside
from referee.sighting import SeenTile
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile, domino_set
from referee.umpire import Match
from tests.referee.seeing import Camera, Lamp, say

BONES = Shape.domino()


def grown(random: Random, count: int) -> list[str]:
    """The ends at which a line with arms was grown at random, each tile a little askew and found again."""
    tiles, used = list(domino_set(6)), []
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("domino", first.values, 0.0, 0.0, random.uniform(-180, 180))
    anchors = [Anchor(Placed(first, LineSpot("left"), 0, spins=first.is_uniform), pose)]
    for _ in range(200):
        if len(anchors) == count or not tiles:
            break
        now = tuple(anchors)
        layout = tuple(anchor.placed for anchor in now)
        tile = tiles.pop(random.randrange(len(tiles)))
        spot = LineSpot(random.choice(list(line.open_numbers(layout))), random.choice(tile.values))
        others = [anchor.seen for anchor in now if anchor.seen is not None]
        found = [each for each in placing.poses_of(now, tile, spot, BONES) if people.keeps_clear(each, others, BONES)]
        if not found:
            tiles.append(tile)
            continue
        laid = people.jittered(random.choice(found), random)
        assert placing.spot_of(now, laid, BONES) == spot, (len(now), tile, laid)
        spins = tile.is_uniform and spot.end in line.ENDS and line.spinner(layout) is None
        anchors.append(Anchor(Placed(tile, spot, 0, spins=spins), laid))
        used.append(spot.end)
    return used


def test_a_domino_is_found_at_the_arm_it_was_laid_at_however_the_line_turns() -> None:
    used = [end for seed in range(25) for end in grown(Random(seed), 18)]
    assert all(used.count(end) > 20 for end in line.EVERY_END)


SPINNER = SeenTile("domino", (5, 5), 300.0, 200.0, 90.0)
LEFT = SeenTile("domino", (0, 5), 263.5, 200.0, 0.0)
RIGHT = SeenTile("domino", (2, 5), 336.5, 200.0, 180.0)
UP = SeenTile("domino", (5, 6), 300.0, 151.5, 270.0)
DOWN = SeenTile("domino", (4, 5), 300.0, 248.5, 270.0)


@pytest.mark.parametrize(
    ("beside", "other", "end"),
    [
        ({"left": LEFT, "right": RIGHT}, UP, "up"),
        ({"left": LEFT, "right": RIGHT}, DOWN, "down"),
        ({"left": RIGHT, "right": LEFT}, UP, "down"),  # from the other side of the table
        ({"left": LEFT}, RIGHT, "right"),
        ({"right": RIGHT}, LEFT, "left"),
        ({"left": LEFT}, UP, "up"),
        ({"left": LEFT, "right": RIGHT}, RIGHT, None),
        ({}, UP, None),  # nobody knows where its line lies
    ],
)
def test_the_line_goes_straight_through_a_spinner_and_its_arms_lie_across(
    beside: dict[str, SeenTile], other: SeenTile, end: str | None
) -> None:
    assert end_beside(SPINNER, beside, other) == end
    turned = {side: replace(seen, angle_deg=seen.angle_deg + 180.0) for side, seen in beside.items()}
    assert end_beside(replace(SPINNER, angle_deg=270.0), turned, other) == end  # either half may be the first


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal(tmp_path / "journal.sqlite3")
    table = Table(journal, Lamp(), "first")
    table.begin(Match("all-fives", ("Ana", "Bo"), (("opening", "any"),)))
    yield table
    journal.close()


def test_a_cross_is_ruled_and_counted_as_it_is_laid(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    lying: list[SeenTile] = []
    told = []
    for tile in (SPINNER, LEFT, RIGHT, UP, DOWN):
        lying.append(tile)
        view = camera.rest(*lying)
        assert view.last is not None
        told.append((view.last.line, view.count, sum(award.points for award in view.last.awards)))
    lines = [each[0] for each in told]
    # a double's first half shows which side is left: here the one toward the mat's right
    assert [word.split(" at ")[1].split()[0] for word in lines] == ["left", "right", "left", "down", "up"]
    assert [each[1:] for each in told] == [(10, 10), (10, 10), (2, 0), (8, 0), (12, 0)]
    assert not table._signals.buzzes  # type: ignore[attr-defined]  # the test's own lamp
    assert {tile.status for tile in view.layout} == {"placed"}


def test_a_tile_at_an_arm_that_is_not_open_is_illegal_until_it_is_taken_away(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    camera.rest(SPINNER)
    camera.rest(SPINNER, LEFT)
    view = camera.rest(SPINNER, LEFT, UP)
    assert view.dispute is not None
    assert view.dispute.reason == "arm-closed"
    assert camera.rest(SPINNER, LEFT).dispute is None


def test_an_arm_that_is_entered_by_hand_is_found_on_either_side_of_the_spinner(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    for count in range(1, 4):
        camera.rest(*(SPINNER, LEFT, RIGHT)[:count])
    unread = replace(DOWN, values=(), confidence=0.2)
    camera.rest(SPINNER, LEFT, RIGHT, unread)
    assert say(table, "B lays 4-5 at up").status == "done"  # nobody at the table knows which side is up
    assert [tile.status for tile in table.view.layout] == ["placed"] * 4


def test_a_domino_at_the_end_of_an_inner_double_that_is_no_spinner_is_unclear() -> None:
    row = ((LEFT, "left", False), (SPINNER, "right", False), (RIGHT, "right", False))
    anchors = tuple(Anchor(Placed(Tile(seen.values), LineSpot(end), 0, spins=spins), seen) for seen, end, spins in row)
    assert placing.spot_of(anchors, UP, BONES) == Unclear()
