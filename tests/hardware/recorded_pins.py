"""Pins of a machine that outlive the processes which drive them: every change is a line in a file.

gpiozero loads `Factory` by its name `recorded` in a process whose search path holds what `installed` wrote.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

FILE = "REFEREE_TEST_PINS"


class Pin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose levels are written down."""

    def _set_state(self, value: Any) -> None:
        super()._set_state(value)
        with Path(os.environ[FILE]).open("a") as levels:
            levels.write(f"{self.info.name} {int(bool(value))} {os.getpid()}\n")

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "output":
            self._set_state(self._state)


class Factory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins that write down their levels."""

    def __init__(self) -> None:
        super().__init__(pin_class=Pin)


def installed(folder: Path) -> dict[str, str]:
    """Make the factory known to gpiozero in processes with this environment; levels go to `pins.txt` in the folder."""
    package = folder / "recorded_pins-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: recorded-pins\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[gpiozero_pin_factories]\nrecorded = recorded_pins:Factory\n")
    paths = [str(folder), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "GPIOZERO_PIN_FACTORY": "recorded",
        FILE: str(folder / "pins.txt"),
    }


def levels(folder: Path) -> dict[str, tuple[int, int]]:
    """The last level of each pin, with the process that set it."""
    last: dict[str, tuple[int, int]] = {}
    file = folder / "pins.txt"
    for line in file.read_text().splitlines() if file.exists() else ():
        name, level, process = line.split()
        last[name] = (int(level), int(process))
    return last
