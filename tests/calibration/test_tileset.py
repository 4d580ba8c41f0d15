"""Files of sets of tiles: what is saved is loaded, contradictions are refused, copies are counted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.tileset import Colours, Feet, Shown, TileSet, TileSetError, load, save
from referee.tiles import Shape, domino_set, smallest_rotation, triomino_set

TRIOMINOES = TileSet("family", Shape.triomino(38.0, 7.0), 5, 1, "numerals", "corner")
LINES = {"version": 1, "name": "family", "kind": "triomino", "highest": 5, "side_mm": 38.0, "thickness_mm": 7.0}
numbers = st.tuples(*[st.integers(0, 6)] * 3)


def written(folder: Path, content: Any) -> Path:
    path = folder / "set.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@settings(max_examples=20)  # each waits for the disk
@given(
    highest=st.integers(1, 18),
    copies=st.none() | st.integers(1, 9),
    feet=st.none() | st.sampled_from(get_args(Feet)),
    ascending=st.booleans(),
    domino=st.booleans(),
)
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory,
    highest: int,
    copies: int | None,
    feet: Feet | None,
    ascending: bool,
    domino: bool,
) -> None:
    kept = TileSet("a", Shape.triomino(38.0, 7.0), highest, copies, "numerals" if feet else None, feet, ascending)
    if domino:
        kept = TileSet("b", Shape.domino(50.0, 25.0, 9.0), highest, copies)
    path = tmp_path_factory.getbasetemp() / "tiles.json"
    save(kept, path)
    assert load(path) == kept


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"version": 2}, "version 1"),
        ({"colour": "red"}, "colour"),
        ({"highest": 0}, "highest"),
        ({"copies": 0}, "copies"),
        ({"copies": "many"}, "copies"),
        ({"side_mm": None}, "side_mm alone"),
        ({"length_mm": 48.0}, "side_mm alone"),
        ({"kind": "domino"}, "length_mm and width_mm"),
        ({"kind": "domino", "feet": "corner"}, "triomino sets only"),
        ({"kind": "domino", "ascending": False}, "triomino sets only"),
        ({"marks": "pips", "feet": "centre"}, "numerals only"),
        ({"feet": "left"}, "feet"),
        ({"thickness_mm": -1.0}, "thickness_mm"),
        ({"shown": {"picture": "a.png", "values": [[0, 1, 6]]}}, "up to 5 for every shown face"),
        ({"shown": {"picture": "a.png", "values": [[0, 1]]}}, "3 numbers"),
        ({"shown": {"picture": "../a.png", "values": [[0, 1, 2]]}}, "picture"),
        ({"shown": {"picture": "a.png", "values": []}}, "values"),
        ({"colours": {"face": "red", "marks": []}}, "face"),
    ],
)
def test_a_set_that_contradicts_itself_is_refused(tmp_path: Path, changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(TileSetError, match=wrong):
        load(written(tmp_path, LINES | changes))


@pytest.mark.parametrize("content", ["", "{", "[]", "[" * 100_000])
def test_a_file_that_is_no_set_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(TileSetError, match=r"set\.json"):
        load(written(tmp_path, content))


def test_what_was_shown_of_a_set_lies_beside_its_file(tmp_path: Path) -> None:
    picture = tmp_path / "family-0123.png"
    kept = TileSet(
        "family",
        Shape.triomino(38.0, 7.0),
        5,
        colours=Colours("#e8e1cd", (None, "#1c1c1e")),
        shown=Shown(picture, ((0, 1, 2), (5, 5, 5))),
    )
    save(kept, tmp_path / "family.json")
    assert load(tmp_path / "family.json") == kept
    assert str(tmp_path) not in (tmp_path / "family.json").read_text()


def test_a_set_that_was_never_shown_is_loaded_as_before(tmp_path: Path) -> None:
    old = load(written(tmp_path, LINES))
    assert (old.shown, old.colours) == (None, None)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TileSetError, match="No such file"):
        load(tmp_path / "none.json")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.json"
    save(TRIOMINOES, path)

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(TileSet("other", Shape.domino(), 6), path)
    monkeypatch.undo()
    assert load(path) == TRIOMINOES
    assert list(tmp_path.iterdir()) == [path]


@given(numbers)
def test_a_set_holds_exactly_its_tiles(values: tuple[int, int, int]) -> None:
    tiles = {tile.values for tile in triomino_set(5)}
    assert TRIOMINOES.holds(values) == (smallest_rotation(values) in tiles)
    any_order = TileSet("odd", Shape.triomino(), 5, ascending=False)
    assert any_order.holds(values) == (max(values) <= 5)
    dominoes = TileSet("nines", Shape.domino(), 5)
    assert dominoes.holds(values[:2]) == (smallest_rotation(values[:2]) in {tile.values for tile in domino_set(5)})


@given(st.integers(1, 9), st.booleans())
def test_of_a_set_that_is_all_unseen_there_is_every_tile_it_holds(highest: int, ascending: bool) -> None:
    tiles = TileSet("odd", Shape.triomino(), highest, 2, ascending=ascending)
    unseen = tiles.unseen([])
    assert set(unseen.values()) == {2}
    assert all(tiles.holds(values) for values in unseen)
    if ascending:
        assert set(unseen) == {tile.values for tile in triomino_set(highest)}
    else:
        assert len(unseen) == ((highest + 1) ** 3 + 2 * (highest + 1)) // 3  # all three numbers, but for rotations


def test_what_lies_there_is_no_longer_unseen() -> None:
    two, any_number = TileSet("two", Shape.domino(), 6, 2), TileSet("any", Shape.domino(), 6, None)
    assert [two.unseen([(5, 3)] * lying)[3, 5] for lying in range(4)] == [2, 1, 0, 0]
    assert two.unseen([(3, 5), (3, 7), ()])[3, 4] == 2
    assert any_number.unseen([(3, 5)] * 9)[3, 5] == 1
    assert (3, 7) not in any_number.unseen([])
