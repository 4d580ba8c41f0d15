"""Every help text ends with examples that work, and a shell can complete what stands in them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from referee import __main__ as door
from referee import games

SETTINGS = str(Path(__file__).parents[2] / "systemd/referee.toml")  # what /etc/referee.toml is at first
SHELL_NOTES = re.compile(r"\s{2,}.*")  # what an example's line says beside the command


def examples(text: str) -> list[str]:
    """The command lines at the end of a help text."""
    found = re.search(r"\nexamples?:\n((?:  .*\n)+)\Z", text)
    assert found is not None, text
    return [SHELL_NOTES.sub("", line.strip()) for line in found[1].splitlines()]


def parsed(example: str) -> None:
    """Take every command of a line as the shell would give it to us."""
    for command in re.split(r" \| | > \S+", example):
        if command:
            name, *words = shlex.split(command.replace("/etc/referee.toml", SETTINGS))
            assert name == "referee"
            door.build_parser().read(words)


@pytest.mark.parametrize("name", door.COMMANDS)
def test_every_command_s_help_ends_with_examples_that_are_understood(name: str) -> None:
    lines = examples(door.build_parser().commands.choices[name].format_help())
    assert any(re.search(rf"\breferee {name}\b", line) for line in lines)
    for line in lines:
        parsed(line)


def test_the_main_help_groups_all_commands_and_ends_with_examples() -> None:
    text = door.build_parser().format_help()
    listed = re.findall(r"^  ([a-z-]+) {2,}\S", text.partition("\nexamples:")[0], re.MULTILINE)
    assert listed == list(door.COMMANDS)
    assert len(set(listed)) == len(listed)
    *lines, last = examples(text)
    assert last == "referee COMMAND --help"
    for line in lines:
        parsed(line)


def test_paragraphs_of_a_help_text_are_filled_and_what_is_set_in_stays() -> None:
    parser = door.Parser(prog="x", epilog="one\ntwo\n  {\n  }\nthree\n\nfour\n")
    assert parser.format_help().endswith("\n\none two\n  {\n  }\nthree\n\nfour\n")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert door.main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_a_bash_completes_commands_options_games_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "referee.bash").write_text(script("bash", capsys), encoding="utf-8")
    (tmp_path / "photograph.jpg").touch()

    def completed(*words: str) -> set[str]:
        """What a person is offered who has typed these words and presses Tab."""
        line = " ".join(map(shlex.quote, words))
        ask = (
            f"source referee.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
            f"$(complete -p referee | sed -E 's/.* -F ([^ ]+) .*/\\1/'); printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path)  # noqa: S607  # the system's bash
        return set(done.stdout.split())

    assert completed("referee", "ju") == {"judge"}
    assert completed("referee", "demo", "--fi") == {"--film"}
    assert completed("referee", "demo", "--game", "") == set(games.games())
    assert completed("referee", "demo", "--language", "k") == {"kk"}
    assert "photograph.jpg" in completed("referee", "judge", "pho")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_of_every_command(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = script(shell, capsys)
    assert all(re.search(rf"\b{name}\b", text) for name in door.COMMANDS)
    if (program := shutil.which(shell)) is not None:
        (tmp_path / "script").write_text(text, encoding="utf-8")
        subprocess.run([program, "-n", str(tmp_path / "script")], check=True)
