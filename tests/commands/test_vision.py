"""`referee vision --set`: the set of tiles that the eye is told of, and what contradicts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.tileset import TileSet, save
from referee.__main__ import main
from referee.commands.house import House
from referee.config import Places
from referee.tiles import Shape

CAMERA = f"folder:{Path(__file__).parents[1] / 'fixtures' / 'rendered-table'}"
CALIBRATION = f"{Path(__file__).parents[1] / 'fixtures' / 'rendered-table' / 'sequences.json'}#d1"


@pytest.fixture
def triominoes(tmp_path: Path) -> Path:
    file = tmp_path / "set.json"
    save(TileSet("family", Shape.triomino(38.0, 7.0), 5), file)
    return file


def test_a_set_that_is_missing_or_of_another_kind_is_one_line_and_64(
    triominoes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["vision", "--camera", CAMERA, "--calibration", CALIBRATION]
    assert main([*arguments, "--set", str(triominoes.with_name("none.json"))]) == 64
    assert capsys.readouterr().err.count("\n") == 1
    assert main([*arguments, "--set", str(triominoes), "--kind", "domino"]) == 64
    assert "expected --kind triomino as in the set of tiles" in capsys.readouterr().err


def test_a_game_of_another_kind_than_the_set_is_refused(triominoes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "--camera", CAMERA, "--calibration", CALIBRATION, "--set", str(triominoes)]
    assert main([*arguments, "--game", "fr-domino"]) == 64
    assert "expected a domino set for fr-domino" in capsys.readouterr().err


def test_the_eye_of_a_house_hears_of_the_set_rather_than_of_the_game(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path)
    told = dict(House(places, (), "pi", tileset="set.json", kind="domino", highest=6).commands())["vision"]
    table = dict(House(places, (), "pi", tileset="set.json", kind="domino", highest=6).commands())["table"]
    assert table[table.index("--set") + 1] == "set.json", "the table tells the eye how many there are of each tile"
    assert told[-2:] == ["--set", "set.json"]
    assert "--highest" not in told
    plain = dict(House(places, (), "pi", kind="domino", highest=6).commands())["vision"]
    assert plain[-2:] == ["--highest", "6"]
