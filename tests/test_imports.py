"""Which room may know which: the import table of ARCHITECTURE.md, read from the source itself."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.__main__ import COMMANDS

PROJECT = Path(__file__).parent.parent
ROOMS = ("referee", "vision", "display", "hardware", "calibration")
EDGE = (
    "wire",
    "outside",
    "journal",
    "keeping",
    "config",
    "chronicle",
    "evidence",
    "table",
    "views",
    "asking",
    "telling",
    "heralding",
    "pins",
    "service",
    "notify",
    "supervisor",
    "commands",
    "__main__",
)
TABLE_PROCESS = tuple(
    f"referee.{name}"
    for name in (
        *("journal", "chronicle", "evidence", "table", "views", "asking", "telling", "pins", "service", "supervisor"),
        *("outside.joining", "outside.guests", "outside.gate"),
    )
)

# What may know of buzzer, lights and buttons.
BESIDE_THE_PINS = ("referee/pins.py", "referee/service.py")

# What a rule must not touch: the clock, chance, files, sockets, other processes.
OUTSIDE_WORLD = (
    *("time", "datetime", "random", "secrets", "uuid", "os", "io", "pathlib", "shutil", "tempfile", "glob"),
    *("sqlite3", "socket", "selectors", "ssl", "http", "urllib", "asyncio", "threading", "subprocess", "signal"),
)

# A room may import itself and these; the command files alone may import any.
MAY_IMPORT = {
    "referee": ("referee",),
    "vision": ("vision", "referee", "calibration", "hardware"),
    "display": ("display", "referee"),
    "hardware": ("hardware",),
    "calibration": ("calibration", "referee"),
}


@dataclass(frozen=True, slots=True)
class Use:
    """One thing a file reaches for: a module (or a name in one) that it imports, or a function it calls.

    `deferred` means that loading the file does not do it: it stands in a function, or is for types only.
    """

    name: str
    line: int
    deferred: bool
    is_call: bool = False

    def is_in(self, *modules: str) -> bool:
        """True when the name is one of the modules or lies in one."""
        return any(self.name == module or self.name.startswith(module + ".") for module in modules)

    @property
    def top(self) -> str:
        """The outermost package."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class File:
    """A source file by its path from the project's root, and all it reaches for."""

    path: str
    uses: tuple[Use, ...]

    @classmethod
    def parse(cls, path: str, source: str) -> File:
        """Read the source without running it."""
        return cls(path, tuple(uses_in(ast.parse(source), module_of(path).split("."), path.endswith("__init__.py"))))

    @property
    def imports(self) -> tuple[Use, ...]:
        """The imported modules and names."""
        return tuple(use for use in self.uses if not use.is_call)

    @property
    def room(self) -> str:
        """The top-level folder."""
        return self.path.partition("/")[0]

    @property
    def is_pure(self) -> bool:
        """True for the files of the rules."""
        return self.room == "referee" and module_of(self.path).split(".")[1:2] not in [[edge] for edge in EDGE]

    @property
    def is_command(self) -> bool:
        """True for the files that put the rooms together."""
        return self.path.startswith("referee/commands/")

    @property
    def is_behind_the_door(self) -> bool:
        """True for the command files that the front door loads to know what there is."""
        names = [name.replace("-", "_") for name in COMMANDS]
        return self.is_command and module_of(self.path).rpartition(".")[2] in (*names, "commands")


def module_of(path: str) -> str:
    """`referee/games/__init__.py` is `referee.games`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_for_types(node: ast.AST) -> bool:
    """True for `if TYPE_CHECKING:`, whose imports never run."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def uses_in(node: ast.AST, module: list[str], is_package: bool, deferred: bool = False) -> Iterator[Use]:
    """Every import and every call by a plain name under a node, in order."""
    for child in ast.iter_child_nodes(node):
        inside = (
            deferred or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_for_types(child)
        )
        if isinstance(child, ast.Import):
            yield from (Use(alias.name, child.lineno, deferred) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            up = child.level - is_package
            package = module[: len(module) - up] if child.level else []
            base = ".".join([*package, *([child.module] if child.module else [])])
            yield from (Use(f"{base}.{alias.name}", child.lineno, deferred) for alias in child.names)
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name | ast.Attribute):
            name = child.func.id if isinstance(child.func, ast.Name) else child.func.attr
            yield Use(name, child.lineno, deferred, is_call=True)
        yield from uses_in(child, module, is_package, inside)


def plug_ins(folder: str, name: str) -> tuple[str, ...]:
    """The modules of a folder that offer something under this name: the games, the kinds."""
    offers = re.compile(rf"^{name}\b.*=", re.MULTILINE)
    files = [
        path for path in sorted((PROJECT / folder).glob("*.py")) if offers.search(path.read_text(encoding="utf-8"))
    ]
    return tuple(module_of(f"{folder}/{path.name}") for path in files)


GAMES = plug_ins("referee/games", "GAMES")
KINDS = plug_ins("vision/kinds", "KIND")


def is_impure(use: Use) -> bool:
    """What a pure file must not reach for."""
    if use.is_call:
        return use.name in ("open", "input", "print", "exec", "eval", "__import__", "import_module")
    if use.top == "referee":
        return use.is_in(*(f"referee.{edge}" for edge in EDGE))
    if use.name == "random.Random":
        return False  # a generator with a seed of its own repeats itself
    return use.top not in sys.stdlib_module_names or use.top in OUTSIDE_WORLD


def pure_files_stay_pure(file: File) -> list[Use]:
    """Replay must be exact, and the rules must run anywhere."""
    return [use for use in file.uses if is_impure(use)] if file.is_pure else []


def the_table_needs_no_picture(file: File) -> list[Use]:
    """The table must live when a camera or a screen dies."""
    if file.room != "referee":
        return []
    pictures = [use for use in file.imports if use.is_in("cv2", "numpy", "pygame")]
    return [use for use in pictures if not (file.is_command and use.deferred)]


def only_the_service_signals(file: File) -> list[Use]:
    """One process owns the buzzer."""
    if file.is_command or file.room == "hardware" or file.path in BESIDE_THE_PINS:
        return []
    return [use for use in file.imports if use.is_in("hardware.signals", "hardware.buttons")]


def the_eye_knows_no_rules(file: File) -> list[Use]:
    """An eye that knows what would be legal sees what it expects."""
    rules = tuple(f"referee.{name}" for name in ("games", "laying", "tricks", "state", "entries", "changes", "umpire"))
    return [use for use in file.imports if file.room == "vision" and use.is_in(*rules)]


def the_display_needs_no_camera(file: File) -> list[Use]:
    """A phone has neither camera nor pins."""
    return [use for use in file.imports if file.room == "display" and use.is_in("vision", "hardware", "cv2")]


def a_plug_in_knows_no_other(file: File) -> list[Use]:
    """Variants are parameters: a game imports no game, a kind no kind."""
    folder, _, name = file.path.rpartition("/")
    if name == "__init__.py" or folder not in ("referee/games", "vision/kinds"):
        return []
    others = [module for module in (*GAMES, *KINDS) if module != module_of(file.path)]
    return [use for use in file.imports if use.is_in(*others)]


def only_commands_put_rooms_together(file: File) -> list[Use]:
    """One front door, cheap to open: a command file imports rooms and packages only inside functions."""
    if file.is_command:
        at_once = [
            use for use in file.imports if not use.deferred and not use.is_in("referee.commands", "referee.config")
        ]
        at_once = at_once if file.is_behind_the_door else []
        return [
            use
            for use in at_once
            if use.top not in sys.stdlib_module_names and (use.top != "referee" or is_impure(use))
        ]
    wrong = [use for use in file.imports if use.top in ROOMS and use.top not in MAY_IMPORT[file.room]]
    if file.path in BESIDE_THE_PINS:
        wrong = [use for use in wrong if not use.is_in("hardware.signals", "hardware.buttons")]
    if file.room != "referee":
        wrong += [use for use in file.imports if use.is_in(*TABLE_PROCESS)]
    return wrong


def only_the_camera_file_knows_picamera2(file: File) -> list[Use]:
    """It comes with the system, not with our packages."""
    uses = [use for use in file.imports if use.is_in("picamera2", "libcamera")]
    return [use for use in uses if not (file.path == "hardware/camera.py" and use.deferred)]


def imports_are_written_as_imports(file: File) -> list[Use]:
    """An import by a computed name would pass under this table; the front door has the only one."""
    calls = [use for use in file.uses if use.is_call and use.name in ("import_module", "__import__")]
    return calls if file.path != "referee/__main__.py" else []


RULES: tuple[Callable[[File], list[Use]], ...] = (
    pure_files_stay_pure,
    the_table_needs_no_picture,
    only_the_service_signals,
    the_eye_knows_no_rules,
    the_display_needs_no_camera,
    a_plug_in_knows_no_other,
    only_commands_put_rooms_together,
    only_the_camera_file_knows_picamera2,
    imports_are_written_as_imports,
)


@cache
def project_files() -> list[File]:
    """Every source file of every room."""
    paths = [path for room in ROOMS for path in sorted((PROJECT / room).rglob("*.py"))]
    return [File.parse(str(path.relative_to(PROJECT)), path.read_text(encoding="utf-8")) for path in paths]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps_to_the_import_table(rule: Callable[[File], list[Use]]) -> None:
    wrong = [f"{file.path}:{use.line} {use.name}" for file in project_files() for use in rule(file)]
    assert not wrong, rule.__doc__


def test_no_room_has_a_drawer_for_odds_and_ends() -> None:
    odd = [
        path for room in ROOMS for name in ("utils", "util", "helpers") for path in (PROJECT / room).rglob(f"{name}.py")
    ]
    assert odd == []


def test_the_folder_of_units_does_not_hide_a_library_of_that_name() -> None:
    assert not (PROJECT / "systemd" / "__init__.py").exists()


BAD = [
    (pure_files_stay_pure, "referee/moves.py", "import msgspec"),
    (pure_files_stay_pure, "referee/moves.py", "import time"),
    (pure_files_stay_pure, "referee/moves.py", "from time import monotonic"),
    (pure_files_stay_pure, "referee/moves.py", "import random"),
    (pure_files_stay_pure, "referee/moves.py", "from random import shuffle"),
    (pure_files_stay_pure, "referee/moves.py", "if TYPE_CHECKING:\n    import numpy"),
    (pure_files_stay_pure, "referee/moves.py", "from os import path"),
    (pure_files_stay_pure, "referee/moves.py", "from referee import wire"),
    (pure_files_stay_pure, "referee/moves.py", "from . import journal"),
    (pure_files_stay_pure, "referee/games/moon.py", "from ..journal import Journal"),
    (pure_files_stay_pure, "referee/games/__init__.py", "from ..config import Places"),
    (pure_files_stay_pure, "referee/games/moon.py", "def rule():\n    import socket"),
    (pure_files_stay_pure, "referee/seen/reader.py", "def load(path):\n    return open(path).read()"),
    (pure_files_stay_pure, "referee/seen/reader.py", "def load(path):\n    return path.open()"),
    (the_table_needs_no_picture, "referee/service.py", "def look():\n    import numpy as np"),
    (the_table_needs_no_picture, "referee/commands/judge.py", "import cv2"),
    (the_table_needs_no_picture, "referee/journal.py", "import pygame.font"),
    (only_the_service_signals, "referee/supervisor.py", "from hardware.signals import Signals"),
    (only_the_service_signals, "vision/service.py", "from hardware import buttons"),
    (the_eye_knows_no_rules, "vision/track.py", "from referee.games import game"),
    (the_eye_knows_no_rules, "vision/track.py", "from referee import state"),
    (the_eye_knows_no_rules, "vision/kinds/domino.py", "def read():\n    from referee.umpire import fold"),
    (the_display_needs_no_camera, "display/draw.py", "import cv2"),
    (the_display_needs_no_camera, "display/phone/bridge.py", "import vision.overlay"),
    (a_plug_in_knows_no_other, "referee/games/moon.py", "from referee.games.goat import Settings"),
    (a_plug_in_knows_no_other, "referee/games/moon.py", "from . import triomino"),
    (a_plug_in_knows_no_other, "vision/kinds/hexomino.py", "from vision.kinds import domino"),
    (only_commands_put_rooms_together, "hardware/camera.py", "from referee.sighting import Sighting"),
    (only_commands_put_rooms_together, "referee/service.py", "import vision"),
    (only_commands_put_rooms_together, "referee/service.py", "from hardware.camera import open_camera"),
    (only_commands_put_rooms_together, "display/screen.py", "from referee.service import Service"),
    (only_commands_put_rooms_together, "referee/commands/run.py", "from display.screen import Screen"),
    (only_commands_put_rooms_together, "referee/commands/run.py", "import zmq"),
    (only_commands_put_rooms_together, "referee/commands/run.py", "from referee.wire import View"),
    (only_commands_put_rooms_together, "referee/commands/check_rules.py", "from referee import service"),
    (only_commands_put_rooms_together, "referee/commands/__init__.py", "import display.link"),
    (only_the_camera_file_knows_picamera2, "vision/frames.py", "def open_pi():\n    import picamera2"),
    (only_the_camera_file_knows_picamera2, "hardware/camera.py", "from picamera2 import Picamera2"),
    (
        imports_are_written_as_imports,
        "vision/kinds/__init__.py",
        "import importlib\nk = importlib.import_module('cv2')",
    ),
]

GOOD = [
    ("referee/people.py", "from random import Random\ndice = Random(1)"),
    ("referee/commands/run.py", "if TYPE_CHECKING:\n    from display.link import Link"),
    ("referee/moves.py", "from dataclasses import dataclass\nfrom referee.tiles import Tile"),
    ("referee/games/goat.py", "from referee.games import Game\nGAMES = ()"),
    ("referee/service.py", "import zmq\nfrom hardware import signals\nfrom hardware.buttons import Buttons"),
    (
        "referee/commands/run.py",
        "import argparse\ndef run(args):\n    import cv2\n    from display.screen import Screen",
    ),
    ("referee/__main__.py", "from importlib import import_module\nimport_module('referee.commands')"),
    ("vision/service.py", "import cv2\nfrom hardware.camera import open_camera\nfrom referee.wire import encode"),
    ("display/screen.py", "import pygame\nfrom referee.wire import View"),
    ("hardware/camera.py", "def pi():\n    from picamera2 import Picamera2"),
]


@pytest.mark.parametrize(("rule", "path", "source"), BAD)
def test_the_table_refuses_what_it_forbids(rule: Callable[[File], list[Use]], path: str, source: str) -> None:
    assert rule(File.parse(path, source))


@pytest.mark.parametrize(("path", "source"), GOOD)
def test_the_table_lets_pass_what_it_allows(path: str, source: str) -> None:
    assert [(rule.__name__, use.name) for rule in RULES for use in rule(File.parse(path, source))] == []
