"""One file says everything that the command line could, and a wrong key or value is one clear line."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from referee.commands import configured, setting, wired
from referee.config import ConfigurationError


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", choices=("pi", "none"))
    parser.add_argument("--port", type=setting.port, default=8420)
    parser.add_argument("--lan", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--wiring", type=wired.wiring)


def parsed(tmp_path: Path, text: str, *after: str, before: tuple[str, ...] = ()) -> argparse.Namespace:
    file = tmp_path / "referee.toml"
    file.write_text(text, encoding="utf-8")
    parser = argparse.ArgumentParser()
    configured.add(parser, options)
    return parser.parse_args([*before, "--config", str(file), *after])


def test_keys_are_the_names_of_the_options(tmp_path: Path) -> None:
    found = parsed(tmp_path, 'camera = "pi"\nport = 80\nlan = true\noption = ["a=1", "b=2"]\n')
    assert (found.camera, found.port, found.lan, found.option) == ("pi", 80, True, ["a=1", "b=2"])


def test_what_is_false_or_left_out_is_as_usual(tmp_path: Path) -> None:
    found = parsed(tmp_path, "lan = false\n")
    assert (found.camera, found.port, found.lan) == (None, 8420, False)


def test_the_command_line_after_it_wins(tmp_path: Path) -> None:
    assert parsed(tmp_path, "port = 80\n", "--port", "81").port == 81


def test_pins_stand_in_a_table(tmp_path: Path) -> None:
    found = parsed(tmp_path, "[wiring]\nbuzzer = 18\nrgb = [5, 6, 13]\npassive = true\nsounds = ['legal', 'turn']\n")
    assert (found.wiring.buzzer, found.wiring.rgb, found.wiring.passive) == (18, (5, 6, 13), True)
    assert found.wiring.sounds == ("legal", "turn")
    assert found.wiring.led == 27


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("colour = 3\n", "expected the name of an option, got 'colour'"),
        ("port = 99999\n", "port"),
        ('camera = "webcam"\n', "webcam"),
        ("lan = 5\n", "lan"),
        ("[wiring]\nbuzzer = 99\n", "expected a BCM pin from 0 to 27 for buzzer, got 99"),
        ("[wiring]\nlamp = 5\n", "expected one of buzzer, led, second, undo, rgb, seats, passive, sounds, got 'lamp'"),
        ("[wiring]\nrgb = [5, 6]\n", "expected pins for rgb, got '5,6'"),
        ("camera = pi\n", "expected TOML"),
        ('camra = "pi"\n', "expected the name of an option, got 'camra'; did you mean camera?"),
    ],
)
def test_a_wrong_key_or_value_is_one_line_that_names_the_file(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parsed(tmp_path, text)
    assert told in str(caught.value)
    assert "referee.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    configured.add(parser, options)
    with pytest.raises(ConfigurationError, match=r"expected a configuration file, got .*nothing\.toml"):
        parser.parse_args(["--config", str(tmp_path / "nothing.toml")])
