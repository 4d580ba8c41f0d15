"""While the camera is measured: the eye gives it away, the game waits, and goes on with what was measured."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from referee import games
from referee.wire import View

if TYPE_CHECKING:
    from referee.commands.house import House
    from referee.supervisor import Supervisor

NAME = "calibrate"


class Lending:
    """Does what the screen asks of the supervisor: one camera serves one program, so the rooms change places.

    Args:
        camera: the source, `auto` where it is chosen while measuring, `none` where there is to be none.
        file: where the profile goes.
        tileset: the file of the set of tiles, if it is known.
        built: the house as it is.
        again: the house with the profile that is there then.
    """

    def __init__(self, camera: str, file: Path, tileset: str | None, built: House, again: Callable[[], House]) -> None:
        self._camera, self._file, self._tileset = camera, file, tileset
        self._built, self._again = built, again
        self._before: bytes | None = None

    def turn(self, supervisor: Supervisor, view: View | None) -> None:
        """Begin if that was asked for, and take the camera back when it is over."""
        if NAME in supervisor.rooms:
            supervisor.errands.discard(NAME)
            if not supervisor.running(NAME):
                is_new = _bytes(self._file) != self._before
                self._built = self._again() if is_new else self._built
                supervisor.change(self._built.commands(), again=("table",) if is_new else ())
        elif NAME in supervisor.errands:
            supervisor.errands.discard(NAME)
            if self._camera == "none" or "vision" not in self._built.rooms:
                sys.stderr.write("referee: no camera can be measured, as none is to be used\n")
                return
            self._before = _bytes(self._file)
            supervisor.change(self._built.commands(self._arguments(view)))

    def _arguments(self, view: View | None) -> list[str]:
        tiles = ["--set", self._tileset] if self._tileset else []
        if view is not None and view.game and view.phase != "over":  # it goes on only with tiles of this kind
            tiles += ["--kind", games.game(view.game).kind]
        return [NAME, "--room", "--camera", self._camera, "--output", str(self._file), *tiles]


def _bytes(file: Path) -> bytes | None:
    """What is in a file, None where there is none."""
    try:
        return file.read_bytes()
    except OSError:
        return None
