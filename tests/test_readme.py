"""Every command in README.md does what a newcomer expects of it; one that is new there needs a line here."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee import __main__ as door

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PROGRAMS = ("make", "referee", ".venv/bin/referee", "sudo", "python", "source")
LONGEST_S = 60

Check = Callable[[str, Path], None]


def commands_in(text: str) -> Iterator[str]:
    """What a reader may type: lines of fenced blocks, and code within sentences, that begin with a program."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    for line in (*lines, *spans):
        if line.split(" ")[0] in PROGRAMS and " " in line:
            yield line


def options_in(text: str) -> Iterator[str]:
    """Options that are named by themselves, with what stands after them."""
    yield from re.findall(r"`(--[^`\n]+)`", text)


# --- how a command is tried ----------------------------------------------------------------------------


def words_of(command: str) -> list[str]:
    """The words after `referee`."""
    name, *words = shlex.split(command.partition(" > ")[0])
    assert name.endswith("referee")
    return words


def is_understood(command: str, scratch: Path) -> None:
    """For what needs a camera, a Pi, pictures of one's own or minutes: the real parser takes it."""
    door.build_parser().read(words_of(command))


def is_a_target(command: str, scratch: Path) -> None:
    """For what takes minutes or belongs to another test: make knows how, and what it would call is understood."""
    words = shlex.split(command)[1:]
    told = subprocess.run(
        ["make", "--dry-run", "--assume-old=.venv/ready", *words],  # noqa: S607  # the system's make
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=True,
        cwd=PROJECT,
    )
    for line in told.stdout.splitlines():
        if line.startswith(".venv/bin/referee "):
            is_understood(line, scratch)


def ends_with(code: int, *says: str) -> Check:
    """For what is over in a second: it is run, ends with this code, and says so."""

    def check(command: str, scratch: Path) -> None:
        done = referee(scratch, *words_of(command))
        assert done.returncode == code, done.stderr
        assert all(text in done.stdout for text in says), done.stdout

    return check


def makes(name: str) -> Check:
    """For what writes a file: it is run where nothing is yet."""

    def check(command: str, scratch: Path) -> None:
        done = referee(scratch, *words_of(command))
        assert done.returncode == 0, done.stderr
        written = done.stdout if " > " in command else (scratch / name).read_bytes()
        assert len(written) > 1000

    return check


def referee(scratch: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a directory of its own; what it names in the project is found there."""
    words = tuple(str(PROJECT / word) if (PROJECT / word).is_file() else word for word in words)
    return subprocess.run(
        [sys.executable, "-m", "referee", *words],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        cwd=scratch,
        env=environment(scratch),
    )


def environment(scratch: Path) -> dict[str, str]:
    """A machine without a display, on which nobody has played yet."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    path = os.pathsep.join([str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])])
    places = {"REFEREE_STATE": str(scratch / "state"), "REFEREE_RUNTIME": str(scratch / "run")}
    return {**kept, **places, "PYTHONPATH": path, "GPIOZERO_PIN_FACTORY": "mock"}


def plays_a_demo(command: str, scratch: Path) -> None:
    """`make demo`, stopped after two tiles: every room comes up, sees them and rules."""
    is_a_target(command, scratch)
    done = referee(scratch, "demo", "--tiles", "2", "--port", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 tiles laid, 2 read right, 2 ruled right" in done.stdout
    assert re.search(r"Phone page: http://127\.0\.0\.1:\d+/", done.stdout)
    assert sorted((scratch / "demo-output").glob("*.png"))


@contextmanager
def running(command: str, scratch: Path) -> Iterator[None]:
    """A match that is kept by hand, from its start to Ctrl-C."""
    words = [*words_of(command), *([] if "--headless" in command else ["--headless"]), "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=scratch,
        env=environment(scratch),
    )
    assert process.stdout is not None
    try:
        assert any(line.startswith("Phone page: ") for line in process.stdout)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONGEST_S)
    assert process.returncode in (0, door.Exit.INTERRUPTED)


def is_played_by_hand(command: str, scratch: Path) -> None:
    """A match is begun, something is said in it, and then it is exported and judged again."""
    with running(command, scratch):
        said = referee(scratch, "say", "A announces 6-6", "B announces 5-5")
        assert said.returncode == 0, said.stdout + said.stderr
    for form in ("text", "json", "csv"):
        done = referee(scratch, "export", "last", "--format", form)
        assert done.returncode == 0, done.stderr
        (scratch / f"match.{form}").write_text(done.stdout, encoding="utf-8")
    assert json.loads((scratch / "match.json").read_text(encoding="utf-8"))
    replayed = referee(scratch, "replay", "match.text", "--missed")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert "A announces 6-6" in (scratch / "match.text").read_text(encoding="utf-8")


def examines_the_machine(command: str, scratch: Path) -> None:
    """Whatever it finds here, it says so line by line and fails at most by that."""
    done = referee(scratch, *words_of(command))
    assert done.returncode in (0, 1), done.stderr
    assert "python" in done.stdout.lower()


def every_command_has_it(command: str, scratch: Path) -> None:
    """`referee COMMAND --help`, for each."""
    assert len(door.build_parser().commands.choices) == len(door.COMMANDS)
    assert "examples:" in referee(scratch, "demo", "--help").stdout


def is_a_script(command: str, scratch: Path) -> None:
    """It is there, can be started, and is sound shell; `tests/systemd` runs it for real."""
    script = PROJECT / command.rpartition(" ")[2]
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True, timeout=LONGEST_S)  # noqa: S607  # the system's bash


def is_made_by_setup(command: str, scratch: Path) -> None:
    """The environment that the first `make` sets up has it."""
    assert "-m venv" in (PROJECT / ".requirements/setup.sh").read_text(encoding="utf-8")


def is_a_module(command: str, scratch: Path) -> None:
    """A program of its own: it explains itself."""
    words = [*shlex.split(command)[1:4], "--help"]
    done = subprocess.run([sys.executable, *words], capture_output=True, timeout=LONGEST_S, check=False, cwd=PROJECT)
    assert done.returncode == 0, done.stderr


CHECKS: dict[str, Check] = {
    "make demo": plays_a_demo,
    "make demo GAME=fr-domino": is_a_target,
    "make test": is_a_target,
    "make accuracy PHOTOS=FOLDER": is_a_target,
    "make robustness PHOTOS=FOLDER": is_a_target,
    "make torture": is_a_target,
    "make prove": is_a_target,
    "make kills": is_a_target,
    "make bench": is_a_target,
    "make soak": is_a_target,
    "make matrix": is_a_target,
    "make package": is_a_target,
    "make load": is_a_target,
    "make fuzz": is_a_target,
    "make browser": is_a_target,
    "make pictures": is_a_target,
    ".venv/bin/referee judge tests/fixtures/triominoes_corner_mismatch.jpg --game cs-triomino": ends_with(
        1, "2 meets 1: corner-mismatch", "illegal: 36 legal, 1 illegal"
    ),
    "source .venv/bin/activate": is_made_by_setup,
    "referee games": ends_with(0, "fr-domino", "kk-moon"),
    "referee rules kk-moon": ends_with(0, "§"),
    "referee rules GAME": is_understood,
    "referee rules cs-triomino --options": ends_with(0, "target"),
    "referee mat": makes("mat.pdf"),
    "referee mat --paper A3 --output mat.pdf": makes("mat.pdf"),
    "referee mat --board --output board.pdf": makes("board.pdf"),
    "referee calibrate --camera usb:0 --tile triomino,29,6 --output table.json": is_understood,
    "referee doctor": examines_the_machine,
    "referee doctor --camera usb:0": is_understood,
    "referee doctor --camera usb:0 --calibration table.json": is_understood,
    "referee run --camera usb:0 --calibration table.json --lan": is_understood,
    "referee run --camera none --game fr-domino --players Ana,Bo": is_played_by_hand,
    "referee run --camera none --headless --game fr-domino": is_understood,
    "referee learn-set kitchen --pictures photographs --size-mm 40": is_understood,
    "referee export last": is_understood,
    "referee export last --format text": is_understood,  # run by is_played_by_hand, as is the next
    "referee replay match.txt --missed": is_understood,
    "referee demo --game fr-domino --seed 3 --speed real --faults all --language cs": is_understood,
    "referee completion bash > ~/.local/share/bash-completion/completions/referee": makes("referee"),
    "referee --help": ends_with(0, "examples:", "referee judge photograph.jpg"),
    "referee COMMAND --help": every_command_has_it,
    "referee quiet": is_understood,
    "referee sequence FOLDER": is_understood,
    "referee hands FOLDER": is_understood,
    "referee layouts --layouts 20": is_understood,
    "sudo ./systemd/install": is_a_script,
    "python -m display text ADDRESS": is_a_module,
}


@pytest.mark.parametrize("command", sorted(set(commands_in(README))))
def test_every_command_of_the_readme_works(command: str, tmp_path: Path) -> None:
    assert command in CHECKS, "a command of the README needs an entry that says how it is tried"
    CHECKS[command](command, tmp_path)


def test_nothing_is_tried_that_the_readme_does_not_say() -> None:
    assert set(CHECKS) == set(commands_in(README))


@pytest.mark.parametrize("option", sorted(set(options_in(README))))
def test_every_option_that_the_readme_names_is_one_and_takes_what_stands_after_it(option: str) -> None:
    name, *values = shlex.split(option)
    parsers = door.build_parser().commands.choices.values()
    actions = [action for each in parsers for action in each._actions if name in action.option_strings]
    assert actions, f"no command has {name}"
    readers = [action.type or str for action in actions if (action.nargs != 0) == bool(values) or action.nargs == "?"]
    assert readers, f"{name} takes {'no value' if values else 'a value'}"
    for value in values:
        readers[0](value)


def test_a_command_that_nobody_tries_is_noticed() -> None:
    text = "Type `referee fly --high`.\n```\nmake tea   # hot\n      3V3   1 · · 2\n```\nand `usb:0`, `make`"
    assert list(commands_in(text)) == ["make tea", "referee fly --high"]


PAGES = (
    *("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "systemd/README.md", "vision/models/README.md"),
    *(".github/CONTRIBUTING.md", ".github/SECURITY.md", "tests/benchmarks/NUMBERS.md", "display/PROTOCOL.md"),
)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#]*)(#[^)]*)?\)")


@pytest.mark.parametrize("file", PAGES)
def test_every_link_leads_somewhere(file: str) -> None:
    text = (PROJECT / file).read_text(encoding="utf-8")
    for path, anchor in LINK.findall(text):
        target = (PROJECT / file).parent / path if path else PROJECT / file
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {"#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, f"{path}{anchor}"


def test_the_pictures_are_small_and_are_what_the_program_makes() -> None:
    from tests import pictures

    shown = {Path(path).name for path, _ in LINK.findall(README) if path.startswith(".github/pictures/")}
    assert shown == set(pictures.NAMES)
    drawn_by_hand = {".svg"}  # of the architecture
    made = [each for each in (PROJECT / ".github/pictures").iterdir() if each.suffix not in drawn_by_hand]
    sizes = {each.name: each.stat().st_size for each in made}
    assert set(sizes) == shown
    assert sum(sizes.values()) < 1_500_000
