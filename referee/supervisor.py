"""The supervisor starts the rooms as processes, watches their beats, and starts a dead one again.

A room that exits with 0 has done its work (a recording has ended, a window was closed) and stays down;
one that exits with 64 or 78 was started wrongly, which starting it again would not mend. Any other end is
an accident: the room is started again for as long as the house stands, after pauses that grow.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

import zmq

from referee.__main__ import PARENT, Exit
from referee.config import ConfigurationError, Places, held
from referee.wire import LARGEST_MESSAGE_BYTES, Beat, Errand, WireError, decode

STUCK_S = 20.0
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
STEADY_S = 60.0
FINAL = (Exit.USAGE, Exit.CONFIGURATION)
_STOP_S = 5.0
_AFTER_S = 5.0


@dataclass(slots=True)
class Room:
    """One process: its command line, and how it is doing."""

    name: str
    command: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None
    started_s: float = 0.0
    heard_s: float = 0.0
    progress: int = -1
    pause_s: float = FIRST_PAUSE_S
    due_s: float | None = 0.0
    restarts: int = 0
    code: int | None = None

    def failing(self, now_s: float) -> bool:
        """True when it died of an accident and has not run steadily since."""
        shaky = self.process is None or now_s - self.started_s <= STEADY_S
        return self.code not in (None, Exit.DONE) and shaky


class Supervisor:
    """Keeps rooms alive. Within its block SIGTERM and SIGINT are noted in `told`, and end nothing by themselves.

    `errands` are what the screen has asked for, beside the beats; whoever does them takes them out.

    Args:
        places: where the socket for beats is bound.
        rooms: name and arguments of `referee` for each room, in the order of starting.
        environment: the environment of the processes.
        clock: monotonic seconds.
        say: where a sentence for people goes.
        program: what the arguments are given to.
        once: rooms that are not started again when they die, because they would begin from the beginning.
        after: arguments of `referee` for what is to be done as soon as a room has died of an accident.

    Raises:
        ConfigurationError: if another supervisor holds the runtime directory.
    """

    def __init__(
        self,
        places: Places,
        rooms: Sequence[tuple[str, Sequence[str]]],
        environment: dict[str, str],
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        program: Sequence[str] = (sys.executable, "-m", "referee"),
        once: Collection[str] = (),
        after: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._clock = clock
        self._say = say
        self._environment = {**environment, PARENT: str(os.getpid())}
        self._once = once
        self._program = tuple(program)
        self._after = {name: (*program, *arguments) for name, arguments in (after or {}).items()}
        self.rooms = {name: Room(name, (*program, *arguments)) for name, arguments in rooms}
        self.errands: set[str] = set()
        self._handlers: dict[int, Any] = {}
        self.told: int | None = None
        self._holding = ExitStack()
        self._holding.enter_context(held(places.runtime / "supervisor.lock"))
        self._context = zmq.Context()
        self._beats = self._context.socket(zmq.PULL)
        for option, value in ((zmq.LINGER, 0), (zmq.RCVHWM, 100), (zmq.MAXMSGSIZE, LARGEST_MESSAGE_BYTES)):
            self._beats.setsockopt(option, value)
        try:
            self._beats.bind(places.endpoint("beats"))
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise ConfigurationError(f"cannot make a socket in {places.runtime} ({error.strerror})") from None
        self.epoch = uuid.uuid4().hex

    def __enter__(self) -> Supervisor:
        def note(number: int, _frame: FrameType | None) -> None:
            self.told = number

        self._handlers = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def watch(self) -> None:
        """One round: take in the beats, end what is stuck, start what is due."""
        self._take_beats()
        now_s = self._clock()
        for room in self.rooms.values():
            if room.process is not None:
                self._check(room, now_s)
            if room.process is None and room.due_s is not None and now_s >= room.due_s:
                self._start(room, now_s)

    def change(self, rooms: Sequence[tuple[str, Sequence[str]]], again: Collection[str] = ()) -> None:
        """Go on with these rooms: one that is not among them, has other arguments or is named in `again` ends first."""
        before = self.rooms
        self.rooms = {name: Room(name, (*self._program, *arguments)) for name, arguments in rooms}
        for name, room in before.items():
            if name in self.rooms and self.rooms[name].command == room.command and name not in again:
                self.rooms[name] = room
        self._end(room for name, room in reversed(before.items()) if self.rooms.get(name) is not room)

    def running(self, name: str) -> bool:
        """True while a room runs or is going to be started again."""
        room = self.rooms[name]
        return room.process is not None or room.due_s is not None

    @property
    def standing(self) -> str:
        """How the rooms are, in a line for whoever watches from outside."""
        running = [room.name for room in self.rooms.values() if room.process is not None]
        waiting = [room.name for room in self.rooms.values() if room.process is None and room.due_s is not None]
        again = [f"{room.name} {room.restarts} times" for room in self.rooms.values() if room.restarts]
        told = (("running", running), ("about to be started", waiting), ("started again", again))
        return "; ".join(f"{what}: {', '.join(names)}" for what, names in told if names)

    @property
    def over(self) -> bool:
        """True when the house was told to end, or a room was started wrongly."""
        return self.told is not None or self._refusal is not None

    @property
    def verdict(self) -> int:
        """What the house ends with: the code of a room that was started wrongly comes first."""
        if self._refusal is not None:
            return self._refusal
        if self.told == signal.SIGINT:
            return Exit.INTERRUPTED
        now_s = self._clock()
        return Exit.FAILED if any(room.failing(now_s) for room in self.rooms.values()) else Exit.DONE

    @property
    def _refusal(self) -> int | None:
        return next((room.code for room in self.rooms.values() if room.code in FINAL), None)

    def stop(self) -> None:
        """End all rooms, the last started first, and wait for them."""
        self._end(reversed(self.rooms.values()))
        self._beats.close()
        self._context.term()
        self._holding.close()

    def _end(self, rooms: Iterable[Room]) -> None:
        ending = [room for room in rooms if room.process is not None]
        for room in ending:
            assert room.process is not None
            room.process.terminate()
        until_s = self._clock() + _STOP_S
        for room in reversed(ending):
            assert room.process is not None
            try:
                room.code = room.process.wait(max(0.1, until_s - self._clock()))
            except subprocess.TimeoutExpired:
                room.process.kill()
                room.code = room.process.wait()
            room.process = None
            room.due_s = None

    def _start(self, room: Room, now_s: float) -> None:
        room.process = subprocess.Popen(room.command, env=self._environment)  # noqa: S603  # our own command line
        room.started_s = room.heard_s = now_s
        room.progress = -1
        room.due_s = None

    def _check(self, room: Room, now_s: float) -> None:
        assert room.process is not None
        code = room.process.poll()
        if code is None and now_s - room.heard_s > STUCK_S:
            self._say(f"{room.name} has been stuck for {STUCK_S:.0f} s and is started again")
            room.process.kill()
            code = room.process.wait()
        if code is None:
            return
        room.process = None
        room.code = code
        if code in (Exit.DONE, *FINAL):
            return
        self._clear_up(room)
        if room.name in self._once:
            self._say(f"{room.name} ended with {code}; what it showed cannot be gone on with")
            return
        steady = now_s - room.started_s > STEADY_S
        room.pause_s = FIRST_PAUSE_S if steady else min(room.pause_s * 2, LONGEST_PAUSE_S)
        room.due_s = now_s + room.pause_s
        room.restarts += 1
        self._say(f"{room.name} ended with {code} and is started again in {room.pause_s:.0f} s")

    def _clear_up(self, room: Room) -> None:
        if room.name in self._after:
            with suppress(OSError, subprocess.TimeoutExpired):  # the room itself comes again, whatever became of this
                subprocess.run(  # noqa: S603  # our own command line
                    self._after[room.name],
                    env=self._environment,
                    stdout=subprocess.DEVNULL,
                    timeout=_AFTER_S,
                    check=False,
                )

    def _take_beats(self) -> None:
        while True:
            try:
                beat = decode(self._beats.recv(zmq.NOBLOCK), Beat | Errand)  # type: ignore[arg-type]  # a union is no class
            except zmq.Again:
                return
            except WireError:
                continue  # not a beat: counts as silence
            if isinstance(beat, Errand):
                self.errands.add(beat.what)
                continue
            room = self.rooms.get(beat.room)
            if room is not None and beat.progress != room.progress:
                room.progress = beat.progress
                room.heard_s = self._clock()
