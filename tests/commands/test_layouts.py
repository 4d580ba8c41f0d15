"""`referee layouts`: whole layouts are made up, come before the eye in several ways, and are counted."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from referee import people
from referee.__main__ import main
from referee.commands import layouts
from referee.commands.layouts import growing, ways
from referee.laying.contact import outline, separation
from referee.sighting import SeenTile, Sighting
from referee.tiles import Tile

MAT_MM = (600.0, 400.0)
LYING = (
    SeenTile("domino", (3, 1), 100.0, 100.0, 10.0),
    SeenTile("domino", (2, 2), 200.0, 100.0, 90.0),
    SeenTile("domino", (0, 6), 300.0, 100.0, 45.0),
)
SEEN = (replace(LYING[0], values=(1, 3), angle_deg=-170.0), replace(LYING[1], angle_deg=-90.0), LYING[2])


def counted(*seen: SeenTile) -> layouts.Outcome:
    outcome = layouts.Outcome("found", "domino", 1)
    layouts.compare(LYING, seen, 48.0, outcome)
    return outcome


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_a_made_up_layout_has_each_tile_once_on_the_mat_and_none_in_another(kind: str) -> None:
    layout, shape = growing.grown(kind, MAT_MM, Random(2)), growing.SHAPES[kind]
    assert len(layout) == 28 if kind == "domino" else 20 <= len(layout) <= 56
    assert len({Tile(tile.values) for tile in layout}) == len(layout)
    assert all(people.on_mat(tile, shape, MAT_MM) for tile in layout)
    outlines = [outline(tile, shape) for tile in layout]
    gaps = [separation(one, other) for number, one in enumerate(outlines) for other in outlines[:number]]
    assert -growing.LITTLE_MM <= min(gaps) < 2.0, "they touch, and hardly more"


def test_tiles_are_exact_however_their_numbers_are_turned() -> None:
    outcome = counted(*SEEN)
    assert (dict(outcome.counts), outcome.remarks) == ({"tiles": 3, "exact": 3}, [])
    assert outcome.is_right


def test_a_tile_that_is_not_sure_is_asked_about_which_is_right() -> None:
    outcome = counted(replace(SEEN[0], values=(2, 3), confidence=0.6), *SEEN[1:])
    assert (outcome.counts["asked"], outcome.counts["exact"], outcome.is_right) == (1, 2, True)
    assert outcome.remarks == ["asked: (1, 3) at 100, 100, read (2, 3) at 0.60"]


@pytest.mark.parametrize(
    ("seen", "name"),
    [
        ((replace(SEEN[0], values=(2, 3)), *SEEN[1:]), "wrong"),
        ((replace(SEEN[0], angle_deg=10.0), *SEEN[1:]), "wrong"),
        (SEEN[1:], "missed"),
        ((*SEEN, replace(SEEN[0], x_mm=400.0)), "invented"),
    ],
)
def test_what_is_believed_and_not_so_is_counted_as_a_fault(seen: tuple[SeenTile, ...], name: str) -> None:
    outcome = counted(*seen)
    assert outcome.counts[name] == 1
    assert not outcome.is_right


def test_tiles_that_come_and_go_while_nothing_is_laid_are_unsteady() -> None:
    first = Sighting("eye", 1, 0.0, SEEN, busy=False)
    pushed = replace(first, tiles=(replace(SEEN[0], x_mm=103.0), *SEEN[1:]))
    lost = replace(first, tiles=SEEN[:2])
    assert layouts.came_and_went((first, pushed, first), 48.0) == 0
    assert layouts.came_and_went((first, lost, first), 48.0) == 2


def test_while_nobody_looked_three_tiles_went_three_came_and_three_were_moved() -> None:
    layout = growing.grown("triomino", MAT_MM, Random(3))
    course = ways.changed(layout, growing.SHAPES["triomino"], Random(3))
    assert course.confirmed is not None
    assert len(course.at_last) == len(course.confirmed) == len(layout) - 3
    lying = {Tile(tile.values) for tile in course.at_last}
    assert len([tile for tile in course.confirmed if Tile(tile.values) not in lying]) == 3
    assert len([tile for tile in course.at_last if tile not in layout]) == 3


def test_a_layout_laid_at_once_and_one_that_changed_meanwhile_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["layouts", "--layouts", "1", "--seed", "18", "--kind", "triomino", "--way", "laid", "--way", "changed"]
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    laid, changed = (told["counts"][f"triomino {way}"] for way in ("laid", "changed"))
    assert laid["tiles"] == laid["exact"] >= 20
    assert changed["tiles"] == changed["exact"] == laid["tiles"] - 3
    assert told["findings"] == []


def test_what_was_read_wrong_is_named_with_its_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "measured", lambda kind, way, seed: replace(counted(), kind=kind, way=way, seed=seed))
    assert main(["layouts", "--layouts", "1", "--seed", "9", "--kind", "domino", "--way", "known"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[1].split() == ["domino", "known", "3", "0", "0", "0", "3", "0", "0", "0"]
    assert told[2] == "domino known, seed 9: missed: (1, 3) at 100, 100"


def test_a_number_of_layouts_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["layouts", "--layouts", "none"])
    assert ended.value.code == 64
    assert "a number of layouts" in capsys.readouterr().err
