"""The vision process: frames from a source to the watcher, sightings to the table, facts back from it."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import zmq

from referee.config import Places
from referee.sighting import CameraStatus, Facts, Sighting
from referee.wire import Beat, WireError, decode, encode
from vision.frames import Frame, FrameSource
from vision.watch import Watcher

REPEAT_S = 0.5  # a table that was started again hears the present sighting this soon
BEAT_S = 1.0
GRACE_S = 3.0  # after the source's end the last sighting is still to be heard
HEARING_S = 10.0
TICK_MS = 20

log = logging.getLogger(__name__)


class Line:
    """The eye's sockets: sightings and beats out, facts in; nothing here ever waits for the other side."""

    def __init__(self, places: Places) -> None:
        self._context = zmq.Context()
        self._sightings = self._socket(zmq.PUSH, {zmq.CONFLATE: 1, zmq.SNDHWM: 1}, places.endpoint("sightings"))
        self._beats = self._socket(zmq.PUSH, {zmq.SNDHWM: 1, zmq.IMMEDIATE: 1}, places.endpoint("beats"))
        self._facts = self._socket(zmq.SUB, {zmq.CONFLATE: 1}, places.endpoint("facts"))
        self._facts.setsockopt(zmq.SUBSCRIBE, b"")

    def _socket(self, kind: int, options: dict[int, int], endpoint: str) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        for option, value in {zmq.LINGER: 0, **options}.items():
            socket.setsockopt(option, value)
        socket.connect(endpoint)
        return socket

    def tell(self, sighting: Sighting) -> None:
        """Send a sighting; an older one still waiting is replaced."""
        self._send(self._sightings, sighting)

    def beat(self, epoch: str, progress: int) -> None:
        """Give a sign of life to the supervisor, if there is one."""
        self._send(self._beats, Beat("vision", epoch, progress))

    def heard(self, wait_ms: int = 0) -> Facts | None:
        """The newest facts, if any came."""
        if not self._facts.poll(wait_ms):
            return None
        try:
            return decode(self._facts.recv(zmq.NOBLOCK), Facts)
        except WireError as error:
            log.warning("facts that cannot be read: %s", error)
            return None

    def close(self) -> None:
        """Close all sockets."""
        for socket in (self._sightings, self._beats, self._facts):
            socket.close()
        self._context.term()

    @staticmethod
    def _send(socket: zmq.Socket[bytes], message: object) -> None:
        try:
            socket.send(encode(message), zmq.NOBLOCK)
        except zmq.Again:
            log.debug("nobody takes a message; the next one is as good")


class Room:
    """The vision room while it runs: one frame after another, until the source ends or somebody says stop."""

    def __init__(
        self,
        line: Line,
        source: FrameSource,
        watcher: Watcher,
        pace: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Put the room together.

        Args:
            pace: how fast a recording is played, 1 for its own speed, 0 as fast as it can be looked at.
        """
        self._line, self._source, self._watcher = line, source, watcher
        self._pace, self._clock = pace, clock
        self._stopped = False
        self._told: Sighting | None = None
        self._next_tell_s = self._next_beat_s = clock()
        self._progress = 0
        self._facts_seen: tuple[str, int] | None = None

    def stop(self) -> None:
        """Stop after the present frame."""
        self._stopped = True

    def run(self) -> None:
        """Watch until the end, then let the last sighting be heard for a while."""
        if self._pace:
            self._linger(HEARING_S, until_heard=True)  # a recording does not wait, so the table should be there
        begun_s = self._clock()
        first: Frame | None = None
        while not self._stopped:
            frame = self._source.read()
            if frame is None:
                break
            first = first or frame
            if self._pace:
                self._linger(begun_s + (frame.time_s - first.time_s) / self._pace - self._clock())
            self.look(frame)
        if not self._stopped:
            self._linger(GRACE_S)

    def look(self, frame: Frame) -> None:
        """Take one frame through the watcher and say what is new."""
        self._hear()
        sighting = self._watcher.see(frame)
        self._progress += 1
        if sighting is not None or self._told is None or self._told.camera is not self._status():
            self._tell(sighting or self._watcher.sighting())
        self._keep_telling()

    def _status(self) -> CameraStatus:
        """The source's own trouble comes first; then whether the camera was moved."""
        return self._source.status if self._source.status is not CameraStatus.OK else self._watcher.camera

    def _tell(self, sighting: Sighting) -> None:
        self._told = replace(sighting, camera=self._status())
        self._line.tell(self._told)
        self._next_tell_s = self._clock() + REPEAT_S

    def _keep_telling(self) -> None:
        """Repeat the newest sighting and the beat when their time has come."""
        now_s = self._clock()
        if self._told is not None and now_s >= self._next_tell_s:
            self._tell(self._told)
        if now_s >= self._next_beat_s:
            self._line.beat(self._watcher.epoch, self._progress)
            self._next_beat_s = now_s + BEAT_S

    def _hear(self, wait_ms: int = 0) -> bool:
        """Pass newest facts to the watcher; True when the table was heard."""
        facts = self._line.heard(wait_ms)
        if facts is None:
            return False
        if (facts.epoch, facts.seq) != self._facts_seen:
            self._facts_seen = (facts.epoch, facts.seq)
            self._watcher.facts(facts)
        return True

    def _linger(self, seconds: float, until_heard: bool = False) -> None:
        """Wait, listening and repeating."""
        until_s = self._clock() + seconds
        while not self._stopped and (left_s := until_s - self._clock()) > 0:
            if self._hear(max(1, min(TICK_MS, round(left_s * 1000)))) and until_heard:
                return
            self._progress += 1
            self._keep_telling()


def serve(places: Places, source: FrameSource, watcher: Watcher, pace: float = 0.0) -> None:
    """Run the vision room in this process until its source ends or it is told to stop (SIGTERM, SIGINT)."""
    line = Line(places)
    room = Room(line, source, watcher, pace)

    def stop(_number: int, _frame: FrameType | None) -> None:
        room.stop()

    before: dict[int, Any] = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        room.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        source.close()
        line.close()
