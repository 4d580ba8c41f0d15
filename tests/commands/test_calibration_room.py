"""Measuring as a room of its own: what is asked before the first picture, and the window far away that shows it."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pygame
import pytest
import zmq

import hardware.camera
from calibration.profile import Locks, Mat, Profile, save
from display.calibrating import CANCEL, SAVE
from display.measuring import BEGUN_S, ENDPOINT, SILENT_S, Measuring, Standing
from display.preparing import CHOOSE, KEEP, KIND, LESS, LOOK, MEASURE, MORE
from referee.__main__ import Exit, main
from referee.commands import calibrate
from referee.commands import calibration_room as room
from referee.commands.calibration_room import CalibrationRoom, Lengths, locks_of, serve
from referee.commands.calibration_room import held as held_of
from referee.config import Places
from referee.sighting import CameraStatus
from referee.tiles import Shape
from tests.calibration.boards import camera, held, over_mat
from vision.frames import Frame, SourceError
from vision.live import LiveSource

MAT = Mat(560.0, 380.0, 40.0)
POSE = held((-0.23, -0.13), (0.5, -0.7), 0.0, 900.0)
LOCKS = Locks(exposure_us=20_000, gain=1.5, colour_gains=(1.8, 1.6), lens_position=1.7)
KEPT = Profile("ours", camera(), MAT, Shape.domino(47.0, 23.5, 9.0), locks=LOCKS, source="usb:Webcam")
LONGEST_S = 30.0


class Pictures:
    """A camera that shows the empty mat for ever."""

    status = CameraStatus.OK

    def __init__(self) -> None:
        self._image = over_mat(camera(), POSE, MAT)
        self._number = 0
        self.is_closed = False

    def read(self) -> Frame | None:
        self._number += 1
        time.sleep(0.01)
        return Frame(self._image, self._number / 10, self._number)

    def close(self) -> None:
        self.is_closed = True


class World:
    """What the room reaches for: cameras, and where profiles go."""

    def __init__(self, *cameras: str) -> None:
        self.cameras = cameras
        self.opened: list[tuple[str, Profile | None]] = []
        self.saved: list[Profile] = []
        self.pictures: Pictures | None = None

    def open(self, name: str, known: Profile | None) -> Pictures:
        self.opened.append((name, known))
        self.pictures = Pictures()
        return self.pictures

    def write(self, made: Profile) -> bool:
        self.saved.append(made)
        return True

    def calibration(
        self, name: str = "usb:Webcam", kept: Profile | None = None, tiles: Shape | None = None, kind: str | None = None
    ) -> CalibrationRoom:
        return CalibrationRoom(name, kept, tiles, kind, lambda: self.cameras, self.open, self.write)


def hear(calibration: CalibrationRoom, *said: str) -> None:
    for word in said:
        calibration.hear(word)


def asked(calibration: CalibrationRoom) -> dict[str, float]:
    return {size.name: size.mm for size in calibration.shown.stage.sizes}


def test_a_camera_is_chosen_among_those_that_are_there_now() -> None:
    world = World()
    calibration = world.calibration("")
    assert (calibration.shown.stage.step, calibration.shown.stage.cameras) == ("camera", ())
    world.cameras = ("pi", "usb:Webcam")
    hear(calibration, LOOK)
    assert calibration.shown.stage.cameras == world.cameras
    hear(calibration, f"{CHOOSE} usb:Elsewhere")
    assert calibration.shown.stage.step == "camera"
    hear(calibration, f"{CHOOSE} usb:Webcam")
    assert calibration.shown.stage.step == "sizes"


def test_lengths_begin_with_those_of_the_profile_and_change_by_taps_within_bounds() -> None:
    calibration, line = World().calibration(kept=KEPT), {"line": 100.0}
    mat = {"across": 560.0, "down": 380.0}
    assert asked(calibration) == {"length": 47.0, "width": 23.5, "thickness": 9.0} | mat | line
    hear(calibration, f"{MORE} length", f"{LESS} width", f"{MORE} across", *[f"{LESS} thickness"] * 30, f"{LESS} side")
    mat["across"] = 570.0
    assert asked(calibration) == {"length": 47.5, "width": 23.0, "thickness": 1.0} | mat | line
    assert calibration.shown.stage.kind == "domino"
    hear(calibration, KIND)
    assert asked(calibration) == {"side": 29.0, "thickness": 1.0} | mat | line


def test_a_known_set_says_how_large_its_tiles_are_and_a_match_under_way_begins_with_its_kind() -> None:
    of_a_set = World().calibration(kept=KEPT, tiles=Shape.triomino(31.0, 7.0))
    assert set(asked(of_a_set)) == {"across", "down", "line"}
    in_a_match = World().calibration(kept=KEPT, kind="triomino")
    assert "side" in asked(in_a_match)
    assert not in_a_match.shown.stage.is_left
    hear(in_a_match, KIND)
    assert "length" in asked(in_a_match)
    assert in_a_match.shown.stage.is_left, "people are told before it is too late"
    hear(in_a_match, KIND)
    assert not in_a_match.shown.stage.is_left
    assert Lengths.first(KEPT, Shape.triomino(31.0, 7.0), None).shape == Shape.triomino(31.0, 7.0)


def test_a_line_that_was_printed_too_short_makes_the_mat_as_small_as_it_is() -> None:
    lengths = Lengths.first(None, None, None)
    for _ in range(6):
        lengths = lengths.tapped(LESS, "line")
    assert lengths.mat == Mat(600 * 0.97, 400 * 0.97, 40 * 0.97)


def test_a_lens_is_kept_only_for_the_camera_that_it_belongs_to() -> None:
    world = World("usb:Webcam", "pi")
    same, other = world.calibration("usb:Webcam", KEPT), world.calibration("pi", KEPT)
    assert (same.shown.stage.is_kept, other.shown.stage.is_kept) == (True, False)
    hear(other, KEEP)
    assert world.opened == []
    hear(same, KEEP)
    assert world.opened == [("usb:Webcam", KEPT)], "its focus and light are taken over"
    same.close()
    hear(other, MEASURE)
    assert world.opened[1:] == [("pi", None)]
    other.close()


class Holding:
    """An open camera that holds something."""

    def __init__(self, locks: hardware.camera.Locks) -> None:
        self.locks = locks

    def read(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("locks", "words"),
    [
        (asdict(LOCKS), ("light", "colours", "focus")),
        ({"exposure_us": 10_000, "colour_k": 4600}, ("light", "colours")),
        ({}, ()),
    ],
)
def test_what_a_camera_holds_is_told_in_words_and_kept(locks: dict[str, Any], words: tuple[str, ...]) -> None:
    source = LiveSource(lambda: Holding(hardware.camera.Locks(**locks)))
    source.step()
    assert held_of(source) == words
    assert locks_of(source) == (Locks(**locks) if locks else None)
    assert held_of(Pictures()) == (), "a recording holds nothing"


@contextmanager
def served(places: Places, calibration: CalibrationRoom) -> Iterator[threading.Thread]:
    """The room in a thread of its own."""
    thread = threading.Thread(target=serve, args=(places, calibration), daemon=True)
    thread.start()
    yield thread
    thread.join(LONGEST_S)
    assert not thread.is_alive()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


def until(far: Measuring, true: Callable[[], bool]) -> None:
    until_s = time.monotonic() + LONGEST_S
    while not true():
        assert time.monotonic() < until_s, far.shown
        far.poll()
        time.sleep(0.01)


def test_a_window_far_away_sees_the_picture_and_measures_by_taps(places: Places) -> None:
    world = World()
    with served(places, world.calibration(kept=KEPT)), closing(Measuring(places)) as far:
        until(far, lambda: far.shown.stage.step == "sizes")
        far.say(KEEP)
        until(far, lambda: far.shown.stage.step == "result")
        assert far.shown.picture is not None
        seen = np.frombuffer(far.shown.picture.rgb, np.uint8).reshape(*far.shown.picture.size[::-1], 3)
        assert abs(seen[140:170, 265:295].mean() - over_mat(camera(), POSE, MAT)[320:400, 600:680].mean()) < 3
        far.say(SAVE)
        until(far, lambda: far.is_over)
        assert not far.is_lost
    (made,) = world.saved
    assert (made.name, made.source, made.shape) == ("ours", "usb:Webcam", KEPT.shape)
    assert made.pose is None, "markers are looked for anew at every start"
    assert world.pictures is not None
    assert world.pictures.is_closed, "the game's eye can have the camera"


def test_who_cancels_frees_the_camera_and_saves_nothing(places: Places) -> None:
    world = World()
    with served(places, world.calibration(kept=KEPT)), closing(Measuring(places)) as far:
        until(far, lambda: far.shown.stage.step == "sizes")
        far.say(KEEP)
        until(far, lambda: far.shown.picture is not None)
        far.say(CANCEL)
        until(far, lambda: far.is_over)
    assert world.saved == []
    assert world.pictures is not None
    assert world.pictures.is_closed


def test_a_room_whose_window_is_gone_ends_by_itself(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ALONE_S", 0.3)
    world = World()
    calibration = world.calibration(kept=KEPT)
    hear(calibration, KEEP)
    with served(places, calibration):
        pass
    assert world.pictures is not None
    assert world.pictures.is_closed


def test_what_is_no_message_is_passed_over(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    with (
        served(places, World().calibration()),
        zmq.Context() as context,
        context.socket(zmq.DEALER) as socket,
        closing(Measuring(places)) as far,
    ):
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(places.endpoint(ENDPOINT))
        for message in ([b"nonsense"], [b'{"said": [1]}'], []):
            socket.send_multipart(message or [b""])
        until(far, lambda: far.shown.stage.step == "sizes")
        far.say(CANCEL)
        until(far, lambda: far.is_over)
    assert capsys.readouterr().err.count("not understood") == 3


class Clock:
    def __init__(self) -> None:
        self.now_s = 10.0

    def __call__(self) -> float:
        return self.now_s


def test_a_window_waits_for_the_room_and_gives_up_when_it_never_comes(places: Places) -> None:
    clock = Clock()
    with closing(Measuring(places, clock)) as far:
        far.poll()
        assert (far.shown.stage.step, far.is_over) == ("waiting", False)
        clock.now_s += BEGUN_S + 0.1
        far.poll()
        assert (far.is_over, far.is_lost) == (True, True)
    with closing(Measuring(places, clock)) as far:
        far.say(CANCEL)
        assert (far.is_over, far.is_lost) == (True, False), "nobody has to wait for it"


def test_a_window_notices_a_room_that_has_died(places: Places) -> None:
    clock = Clock()
    with zmq.Context() as context, context.socket(zmq.ROUTER) as socket, closing(Measuring(places, clock)) as far:
        socket.setsockopt(zmq.LINGER, 0)
        socket.bind(places.endpoint(ENDPOINT))
        pause = 0.0
        while not socket.poll(10):
            clock.now_s += pause
            far.poll()
        sender, _ = socket.recv_multipart()
        told = Standing(room.Stage("sizes"))
        for second in (b"no picture", b""):
            socket.send_multipart([sender, msgspec.json.encode(told), second])
        until(far, lambda: far.shown.stage.step == "sizes")
        clock.now_s += SILENT_S + 0.1
        far.poll()
        assert (far.is_over, far.is_lost) == (True, True)


def test_a_camera_that_cannot_be_opened_ends_the_room_and_not_the_house(
    places: Places, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(name: str, _known: Profile | None) -> Pictures:
        raise SourceError(f"expected picamera2 to be installed for the source {name!r}")

    calibration = CalibrationRoom("pi", KEPT, None, None, lambda: (), nothing, lambda _made: True)
    with pytest.raises(SourceError, match="picamera2"):
        hear(calibration, MEASURE)
    places_named = ("--state", str(places.state), "--runtime", str(places.runtime))
    output = ("--output", str(tmp_path / "table.json"))
    set_file = ("--set", str(tmp_path / "nowhere.json"))
    assert main(["calibrate", "--room", "--camera", "auto", *places_named, *output, *set_file]) == Exit.FAILED
    assert "nowhere.json" in capsys.readouterr().err


@pytest.fixture(autouse=True)
def fonts() -> None:
    pygame.font.init()


def before(output: Path, camera: str) -> Profile | None:
    args = argparse.Namespace(output=output, camera=camera)
    return calibrate._before(args)


def test_what_was_measured_before_is_begun_with_and_a_virtual_table_knows_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.json"
    assert before(file, "pi") is None
    virtual = before(file, "virtual:stage=ipc:///nowhere&kind=domino&size=1280x880")
    assert virtual is not None
    assert (virtual.shape.kind, virtual.camera.width) == ("domino", 1280)
    save(KEPT, file)
    found = before(file, "pi")
    assert found is not None
    assert found.source == "usb:Webcam"
    file.write_bytes(b"half")
    assert before(file, "pi") is None, "a broken one is as good as none"
    assert "which is not whole" in capsys.readouterr().err
