"""A demo is the same match whenever its seed is the same, goes wrong as it is told to, and can be filmed."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from referee.__main__ import main
from referee.commands import mishaps
from tests.vision.test_film import lamp_is_lit
from vision import film

PLAYED = ("demo", "--players", "2", "--tiles", "3", "--seed", "6", "--language", "en")


def filmed(folder: Path, *words: str) -> int:
    return main([*PLAYED, "--film", str(folder / "demo.webp"), "--screenshots", str(folder / "shots"), *words])


def test_a_film_shows_table_and_screen_with_an_illegal_tile_under_the_light(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert filmed(tmp_path) == 0
    said = capsys.readouterr().out
    assert "3 tiles laid, 3 read right, 3 ruled right, 0 asked about" in said
    assert "1 illegal tiles laid, 1 flagged, 1 taken away" in said
    read, animation = cv2.imreadanimation(str(tmp_path / "demo.webp"))
    assert read
    width = 3 * film.GAP_PX + film.TABLE_PX[0] + film.SCREEN_PX[0]
    assert {picture.shape[:2] for picture in animation.frames} == {(film.GAP_PX + 400 + film.STRIP_PX, width)}
    lit = [lamp_is_lit(picture) for picture in animation.frames]
    assert not lit[0]
    assert any(lit)
    assert not lit[-1], "the tile was taken back"
    assert list((tmp_path / "shots").glob("*-edge-mismatch.png"))


def test_the_same_seed_is_the_same_film(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        assert filmed(tmp_path / name, "--tiles", "1") == 0
    assert (tmp_path / "one/demo.webp").read_bytes() == (tmp_path / "two/demo.webp").read_bytes()


def test_a_game_of_tricks_is_filmed_too_and_faults_can_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("demo", "--game", "kk-moon", "--tiles", "1", "--faults", "none")
    assert main([*words, "--film", str(tmp_path / "moon.webp"), "--screenshots", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "1 tiles laid, 1 read right" in said
    assert "0 illegal tiles laid" in said
    assert f"film: {tmp_path}/moon.webp" in said


REFUSED = {
    ("--film", "demo.mp4"): "expected a name that ends in .webp, .png or .gif, got 'demo.mp4'",
    ("--film", "no-such-folder/demo.webp"): "expected a file in a folder that is there",
    ("--film", "demo.webp", "--zones"): "expected --film without --zones",
    ("--faults", "light,earthquake"): "expected all, none, or some of illegal, light, shadow, hand, knock, camera",
    ("--tiles", "0"): "expected a number of tiles from 1 to 1000, got '0'",
    ("--speed", "slow"): "got 'slow'",
    ("--game", "fr-dominoes"): "did you mean fr-domino?",
}


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_what_no_demo_can_be_is_refused_with_what_it_can_be(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["demo", *words])
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]  # the parser's errors end with a number
    said = capsys.readouterr()
    assert (code, said.out) == (64, "")
    assert REFUSED[words] in said.err
    assert not list(tmp_path.glob("demo*"))


def test_a_film_that_cannot_be_written_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo.webp").mkdir()
    words = ("demo", "--game", "fr-domino", "--players", "2", "--tiles", "1", "--screenshots", str(tmp_path / "shots"))
    assert main([*words, "--film", str(tmp_path / "demo.webp")]) == 64
    assert "referee demo: expected a file that can be written, got" in capsys.readouterr().err


def test_every_mishap_is_drawn_and_the_same_again_for_the_same_seed() -> None:
    def drawn(names: tuple[str, ...], seed: int) -> list[object]:
        chance = mishaps.Mishaps(names, seed)
        return [direction for _ in range(200) for direction in chance.drawn((600.0, 400.0))]

    whole = drawn(mishaps.NAMES, 1)
    assert {type(each).__name__ for each in whole} == {"Light", "Shadow", "Hover", "Bump", "Fail", "Wait"}
    assert whole == drawn(mishaps.NAMES, 1)
    assert whole != drawn(mishaps.NAMES, 2)
    assert drawn((), 1) == drawn((mishaps.ILLEGAL,), 1) == []
