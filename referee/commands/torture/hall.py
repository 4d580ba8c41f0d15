"""The proving ground: a virtual table, an eye above it and the referee's table, in one process, on the camera's clock.

Nothing here sleeps and no socket is used: one frame after another goes the way that frames go in a real
house, as fast as they can be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

from calibration.profile import Profile
from referee import games
from referee.journal import Journal
from referee.sighting import CameraStatus, SeenTile
from referee.table import Table
from referee.tiles import Shape
from referee.wire import Answer, Order, View
from vision.frames import Frame
from vision.kinds import kinds
from vision.virtual import Direction, VirtualTable, profile_for
from vision.virtual.table import Setting
from vision.watch import Watcher

FPS = 15
STILLS = 4  # different photographs of a table at rest
REPEAT = FPS // 2  # frames after which the eye repeats what it has told, for a table that was started again

Course = Iterator[Direction | None]


class Lamp:
    """Signals that only remember."""

    status = "ok"

    def __init__(self) -> None:
        self.buzzes = 0
        self.is_lit = False

    def buzz(self) -> None:
        """The buzzer has sounded."""
        self.buzzes += 1

    def led(self, on: bool) -> None:
        """The lamp was switched."""
        self.is_lit = on


class Directions:
    """The stage of the virtual table: what a course gives, one thing after another."""

    def __init__(self) -> None:
        self._course: Course = iter(())
        self.is_over = False

    def begin(self, course: Course) -> None:
        """A course begins."""
        self._course, self.is_over = course, False

    def next(self, patience_s: float) -> Direction | None:  # noqa: ARG002  # people are never waited for
        """What happens next on the table."""
        for direction in self._course:
            return direction
        self.is_over = True
        return None

    def close(self) -> None:
        """Nothing is held."""


class Hall:
    """One table with everything around it but people; their course of action is what it runs.

    A course gives one direction after another, or None to let a frame go by. It is asked only while
    nothing moves, and what it finds in `view` is what everybody is told after the newest frame.
    """

    def __init__(self, directory: Path, game: str, seed: int) -> None:
        """Set up a table for a game, with its journal in a directory."""
        played = games.game(game)
        self._directory = directory
        self._kind, self._highest = played.kind, max(max(tile.values) for tile in played.tiles)
        name = f"stage=unused&kind={self._kind}&seed={seed}&fps={FPS}&size=1280x880&stills={STILLS}"
        self._profile: Profile = profile_for(name)
        self._stage = Directions()
        self._camera = VirtualTable(Setting.parse(name), self._stage)
        self._orders = count(1)
        self._epochs = count(1)
        self._chance = Random(seed)  # lots too fall the same way again
        self._told, self._repeat_at = CameraStatus.OK, 0
        self._journal: Journal | None = None
        self.lamp = Lamp()
        self.frames = 0
        self.newest: Frame | None = None
        self.hand_gone = 0  # the number of the first frame since the last hand
        self.start_eye()
        self.start_table()

    # What people see

    @property
    def view(self) -> View:
        """What everybody is told."""
        return self.table.view

    @property
    def shape(self) -> Shape:
        """The size of the tiles."""
        return self._profile.shape

    @property
    def mat_mm(self) -> tuple[float, float]:
        """The size of the mat."""
        return self._profile.mat.width_mm, self._profile.mat.height_mm

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        """The tiles that really lie on the table."""
        pieces = (piece for piece in self._camera.lying if piece.kind == self._kind)
        return tuple(SeenTile(p.kind, p.values, p.x_mm, p.y_mm, p.angle_deg, bool(p.values)) for p in pieces)

    # What people do

    def order(self, line: str) -> Answer:
        """Say something to the referee."""
        view = self.table.view
        number = f"{view.epoch}-{next(self._orders)}"
        return self.table.order(Order(id=number, epoch=view.epoch, seq=view.seq, by="people", line=line))

    def start_eye(self) -> None:
        """Begin to watch, or begin anew as after a crash: nothing is remembered but what the table tells."""
        self._eye = Watcher(self._profile, self._highest, kinds()[self._kind])
        if self._journal is not None:
            self._eye.facts(self.table.facts())

    def start_table(self) -> None:
        """Open the table, or open it again as after a crash: nothing is remembered but the journal."""
        if self._journal is not None:
            self._journal.close()
        self._journal = Journal(self._directory / "journal.sqlite3")
        epoch = f"run-{next(self._epochs)}"
        self.table = Table(self._journal, self.lamp, epoch, self.shape, self.mat_mm, chance=self._chance)

    def close(self) -> None:
        """Let go of the journal and the camera."""
        self._camera.close()
        if self._journal is not None:
            self._journal.close()

    def run(self, course: Course, watch: Callable[[], None]) -> None:
        """Take frames until a course has come to its end; `watch` is called after each."""
        self._stage.begin(course)
        while not self._stage.is_over:
            self._frame()
            watch()

    def _frame(self) -> None:
        """Take one frame through the eye to the table."""
        frame = self._camera.read()
        assert frame is not None  # a course that has ended leaves the table lying still
        self.newest = frame
        self.frames += 1
        if self._camera.has_movement:
            self.hand_gone = self.frames + 1
        sighting = self._eye.see(frame)
        now = self._camera.status if self._camera.status is not CameraStatus.OK else self._eye.camera
        if sighting is not None or now is not self._told or self.frames >= self._repeat_at:
            self._told, self._repeat_at = now, self.frames + REPEAT
            self.table.see(replace(sighting or self._eye.sighting(), camera=now))
            self._eye.facts(self.table.facts())
