"""The language of the screen comes from the command line, from what was chosen on it, or from the system."""

from __future__ import annotations

import argparse

import pytest

from display.preferences import Preferences
from referee.commands import demo, run, screen, setting

COMMANDS = {"run": (run, ["--camera", "none"]), "demo": (demo, []), "screen": (screen, [])}


def parsed(command: str, *words: str) -> argparse.Namespace:
    """The arguments of a command."""
    parser = argparse.ArgumentParser()
    module, needed = COMMANDS[command]
    module.add(parser.add_subparsers())
    return parser.parse_args([command, *needed, *words])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_language_is_handed_to_the_room_that_shows_it(command: str) -> None:
    assert setting.language_argument(parsed(command, "--language", "kk")) == ("--language", "kk")
    assert setting.language_argument(parsed(command)) == ()


def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("screen", "--language", "klingon")
    assert "expected a language (en, ro, cs, fr, uk, kk), got 'klingon'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wanted", "remembered", "system", "spoken"),
    [
        ("kk", "cs", "fr_FR.UTF-8", "kk"),
        (None, "cs", "fr_FR.UTF-8", "cs"),
        (None, "", "fr_FR.UTF-8", "fr"),
        (None, "", "C", "en"),
        (None, "tlh", "fr_FR.UTF-8", "en"),
    ],
)
def test_the_nearest_wish_wins(
    wanted: str | None, remembered: str, system: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", system)
    assert screen.likes(Preferences(language=remembered), None, wanted).language == spoken
