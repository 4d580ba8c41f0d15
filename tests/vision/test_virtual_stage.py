"""Directions that come while the virtual table runs, and its pace."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import zmq

from vision.frames import Frame, SourceError
from vision.sources import open_source
from vision.virtual import Direction, End, Flash, Gather, Hover, Lay, VirtualTable, Wait
from vision.virtual.stage import ScriptStage, SocketStage, decode, encode
from vision.virtual.table import FRAMES_AFTER, FRAMES_BEFORE, FRAMES_BETWEEN, PATIENCE_S, Setting


@contextmanager
def pusher(endpoint: str) -> Iterator[zmq.Socket[bytes]]:
    socket = zmq.Context.instance().socket(zmq.PUSH)
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.SNDTIMEO, 5000)
    socket.connect(endpoint)
    try:
        yield socket
    finally:
        socket.close()


def moved(frame: Frame, other: Frame) -> bool:
    difference = cv2.absdiff(frame.image, other.image).astype(np.float32).mean(axis=2)
    return bool(cv2.GaussianBlur(difference, (0, 0), 2.0).max() > 15)


def test_a_stage_is_played_while_the_table_runs_and_lies_still_without_directions(tmp_path: Path) -> None:
    endpoint = f"ipc://{tmp_path}/stage"
    source = open_source(f"virtual:stage={endpoint}&kind=domino&size=1280x880")
    first = source.read()
    assert first is not None
    with pusher(endpoint) as people:
        for _ in range(FRAMES_BEFORE + 2):
            frame = source.read()
            assert frame is not None
            assert not moved(frame, first)
        people.send(encode(Lay("domino", (2, 5), 200.0, 200.0, 0.0, 270.0)))
        seen = [frame for frame in (source.read() for _ in range(40)) if frame is not None]
        assert len(seen) == 40
        assert any(moved(frame, first) for frame in seen[:20])
        assert moved(seen[-1], first)  # the tile
        assert not moved(seen[-1], seen[-5])
        people.send(encode(End()))
        rest = 0
        while source.read() is not None:
            rest += 1
            assert rest < 200
    source.close()


def test_a_direction_that_cannot_be_understood_is_logged_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = SocketStage(f"ipc://{tmp_path}/stage")
    try:
        with pusher(f"ipc://{tmp_path}/stage") as people, caplog.at_level(logging.WARNING):
            people.send(b"lay a tile, please")
            people.send(encode(Hover(90.0)))
            assert stage.next(5.0) == Hover(90.0)
            assert stage.next(0.0) is None
    finally:
        stage.close()
    assert "a direction was left out: expected a direction such as" in caplog.text


def test_a_stage_that_cannot_be_bound_is_refused() -> None:
    with pytest.raises(SourceError, match="expected an address that a stage can be bound to, got 'nonsense'"):
        open_source("virtual:stage=nonsense&size=1280x880")


def test_directions_survive_the_wire() -> None:
    for direction in (Lay("triomino", (0, 1, 2), 1.0, 2.0, 3.0, 4.0, 0.5), Hover(1.0), Hover(1.0, 2.0, 3.0), End()):
        assert decode(encode(direction)) == direction


class Patience:
    """A stage that never has a direction and writes down how long it was asked to wait."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    def next(self, patience_s: float) -> Direction | None:
        self.asked.append(patience_s)
        return None

    def close(self) -> None:
        self.asked.append(-1.0)


def test_an_idle_table_waits_for_directions_but_a_moving_one_does_not() -> None:
    stage = Patience()
    table = VirtualTable(Setting.parse("stage=unused&size=1280x880"), stage)
    for _ in range(FRAMES_BEFORE):
        table.read()
    assert stage.asked == []
    for _ in range(3):
        assert table.read() is not None
    assert stage.asked == [PATIENCE_S] * 3
    table.close()
    assert table.read() is None
    assert stage.asked[-1] == -1.0


def test_a_real_pace_sleeps_until_each_frame_is_due() -> None:
    now = [50.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    setting = Setting.parse("stage=unused&size=1280x880&pace=real&fps=10")
    table = VirtualTable(setting, ScriptStage((Hover(0.0),)), clock=lambda: now[0], sleep=sleep)
    for _ in range(4):
        table.read()
        now[0] += 0.03  # what looking at a frame takes
    assert slept == pytest.approx([0.07] * 3)
    now[0] += 5.0  # somebody was slow: no rush to catch up
    table.read()
    table.read()
    assert slept[3:] == pytest.approx([0.1])


def test_a_fast_pace_never_sleeps() -> None:
    def sleep(_: float) -> None:
        raise AssertionError("a fast table does not sleep")

    table = VirtualTable(Setting.parse("stage=unused&size=1280x880"), ScriptStage(()), sleep=sleep)
    frames = 0
    while table.read() is not None:
        frames += 1
    assert frames == FRAMES_BEFORE + FRAMES_AFTER
    assert FRAMES_BETWEEN >= 5


def test_a_trick_is_taken_at_once_and_what_lies_beside_it_stays() -> None:
    tiles = [Lay("domino", (number, 6), 200.0 + 60.0 * number, 200.0, 90.0, 90.0) for number in range(3)]
    taken = Gather(((200.0, 200.0), (320.0, 205.0)), 210.0)
    setting = Setting.parse("stage=unused&kind=domino&size=1280x880")
    camera = VirtualTable(setting, ScriptStage((*tiles, taken)))
    counts = []
    while camera.read() is not None:
        counts.append(len(camera.lying))
    assert [piece.values for piece in camera.lying] == [(1, 6)]
    assert sorted(set(counts)) == [0, 1, 2, 3]
    (first,) = decode(encode(taken)).places_mm[:1]  # type: ignore[union-attr]  # it is one
    assert first == (200.0, 200.0)


def test_a_table_that_keeps_lies_as_it_lay_when_its_camera_is_opened_again(tmp_path: Path) -> None:
    name = f"stage=unused&size=1280x880&kind=domino&keep={tmp_path / 'lying.json'}"
    table = VirtualTable(Setting.parse(name), ScriptStage((Lay("domino", (2, 5), 200.0, 200.0, 0.0, 270.0),)))
    while (frame := table.read()) is not None:
        last = frame
    again = open_source(f"virtual:stage=ipc://{tmp_path}/stage&{name.partition('&')[2]}")
    seen = again.read()
    again.close()
    assert seen is not None
    assert not moved(seen, last)
    (tmp_path / "lying.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(SourceError, match="expected what lies on a table in"):
        open_source(f"virtual:stage=ipc://{tmp_path}/stage&{name.partition('&')[2]}")


def test_photographs_of_a_table_at_rest_are_given_again_until_something_changes() -> None:
    directions = (Wait(9), Flash(1), Wait(9), Lay("domino", (2, 5), 200.0, 200.0, 0.0, 270.0), Wait(9))
    table = VirtualTable(Setting.parse("stage=unused&size=1280x880&kind=domino&stills=3"), ScriptStage(directions))
    frames = []
    while (frame := table.read()) is not None:
        frames.append(frame)
    pictures = {id(frame.image) for frame in frames}
    assert [frame.number for frame in frames] == list(range(len(frames)))
    assert len(pictures) < len(frames) / 2
    assert all(one.image is not other.image for one, other in pairwise(frames)), "two in a row always differ"
    assert moved(frames[-1], frames[0])
