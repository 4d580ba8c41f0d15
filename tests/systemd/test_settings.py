"""systemd/referee.toml names every option of `referee run`, and nothing else."""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from referee.commands import configured
from referee.commands import run as command
from referee.config import ConfigurationError

EXAMPLE = Path(__file__).parents[2] / "systemd" / "referee.toml"
KEY = re.compile(r"^#?([a-z][a-z-]*) = (.+)$", re.MULTILINE)


def parsed(file: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    configured.add(parser, command.options)
    return parser.parse_args(["--config", str(file)])


def options() -> set[str]:
    parser = argparse.ArgumentParser(add_help=False)
    command.options(parser)
    return {action.option_strings[0].removeprefix("--") for action in parser._actions}


def top_keys() -> list[tuple[str, str]]:
    """Every key before the table of pins, switched off or not."""
    return KEY.findall(EXAMPLE.read_text(encoding="utf-8").partition("[wiring]")[0])


def pins() -> list[tuple[str, str]]:
    return KEY.findall(EXAMPLE.read_text(encoding="utf-8").partition("[wiring]")[2])


def test_every_option_is_told_of_and_every_key_is_an_option() -> None:
    keys = [name for name, _ in top_keys()]
    assert sorted(keys) == sorted(options() - {"wiring"})
    assert len(set(keys)) == len(keys)


def test_every_pin_that_can_be_wired_is_told_of() -> None:
    from dataclasses import fields

    from hardware.wiring import Wiring

    assert sorted(name for name, _ in pins()) == sorted(field.name for field in fields(Wiring))


def test_as_it_is_shipped_it_is_understood() -> None:
    found = parsed(EXAMPLE)
    assert (found.camera, found.lan, found.rooms) == ("auto", True, "table,vision,phone")
    assert (found.wiring.buzzer, found.wiring.led) == (17, 27)


@pytest.mark.parametrize(("key", "value"), [pair for pair in top_keys() if pair[0] != "option"])
def test_what_is_switched_off_is_understood_when_it_is_switched_on(key: str, value: str, tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(f"{key} = {value}\n", encoding="utf-8")
    said = tomllib.loads(f"{key} = {value}")[key]
    found = getattr(parsed(file), key.replace("-", "_"))
    assert (",".join(map(str, found)) if isinstance(found, tuple) else str(found)) == str(said)


@pytest.mark.parametrize(("key", "value"), pins())
def test_every_pin_of_the_example_can_be_wired(key: str, value: str, tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(f"[wiring]\n{key} = {value}\n", encoding="utf-8")
    said = tomllib.loads(f"{key} = {value}")[key]
    found = getattr(parsed(file).wiring, key)
    assert found == (tuple(said) if isinstance(said, list) else said)


def test_a_key_in_the_table_of_pins_that_belongs_above_is_told(tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text("[wiring]\nbuzzer = 17\nlan = true\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"referee\.toml: .*expected one of buzzer, .* got 'lan'"):
        parsed(file)
