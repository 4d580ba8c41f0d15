"""`referee doctor` says of each thing how it is, and what would mend it."""

from __future__ import annotations

import json
import socket
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest

from calibration.profile import Mat, Profile, save
from hardware.camera import Locks
from referee.__main__ import Exit, main
from referee.commands import devices, machine
from referee.tiles import Shape
from tests.calibration.boards import over_mat
from vision.scenes.cameras import camera_over

OPTICS = camera_over(Mat(), 1920, 1280, 1)


@pytest.fixture
def profile() -> Profile:
    return Profile("table", OPTICS.camera, Mat(), Shape.triomino(29.0, 6.0))


def test_every_line_that_is_not_well_has_a_cure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--json", "--state", str(tmp_path), "--runtime", str(tmp_path / "run"), "--port", "0"])
    findings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == (Exit.FAILED if any(each["mark"] == "fail" for each in findings) else Exit.DONE)
    looked_at = {each["what"] for each in findings}
    assert looked_at >= {"python", "packages", "cameras", "drawing", "display", "touch", "letters", "pins", "disk"}
    assert looked_at >= {"room on disk", "journal", "clock", "heat", "port"}
    for each in findings:
        assert each["mark"] in ("ok", "warn", "fail")
        assert each["told"]
        assert each["cure"] or each["mark"] == "ok", each
    assert not list(tmp_path.glob(".doctor*"))


def test_a_broken_record_fails(tmp_path: Path) -> None:
    assert machine.journal(tmp_path).mark == "ok"
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE entry (line TEXT)")
        database.commit()
    assert machine.journal(tmp_path).mark == "ok"
    path.write_bytes(b"this was a record " * 400)
    assert machine.journal(tmp_path).mark == "fail"


def test_a_place_that_cannot_be_written_to_fails() -> None:
    (found,) = machine.disk(Path("/proc/referee"))
    assert (found.mark, found.what) == ("fail", "disk")
    assert "--state" in found.cure


def test_a_port_that_is_taken_is_told() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert machine.port(taken.getsockname()[1]).mark == "warn"


@pytest.mark.parametrize(("millidegrees", "mark"), [("45000", "ok"), ("74000", "warn"), ("85000", "fail")])
def test_a_hot_processor_is_told(tmp_path: Path, millidegrees: str, mark: str) -> None:
    zone = tmp_path / "temp"
    zone.write_text(millidegrees + "\n")
    assert machine.heat(zone)[0].mark == mark


@pytest.mark.parametrize(
    ("answer", "mark", "told"),
    [
        ("throttled=0x0", "ok", "enough"),
        ("throttled=0x50005", "warn", "too little voltage now, slowed down now, too little voltage before"),
        ("throttled=0x10000", "warn", "too little voltage before"),
    ],
)
def test_a_weak_power_supply_is_told_by_the_firmware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, mark: str, told: str
) -> None:
    program = tmp_path / "vcgencmd"
    program.write_text(f'#!/bin/sh\ntest "$1" = get_throttled && echo {answer}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    power = machine.heat(tmp_path / "none")[-1]
    assert (power.what, power.mark, power.told) == ("power", mark, told)
    assert power.cure or mark == "ok"


def test_a_clock_that_was_never_set_is_told(tmp_path: Path) -> None:
    flag = tmp_path / "timesync" / "synchronized"
    flag.parent.mkdir()
    assert machine.clock(flag).mark == "warn"
    flag.touch()
    assert machine.clock(flag).mark == "ok"
    assert machine.clock(tmp_path / "nowhere" / "timesync" / "synchronized").mark == "ok", "no systemd, nothing to say"


def test_a_card_that_is_slow_or_almost_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "SLOW_SYNC_MS", -1.0)
    monkeypatch.setattr(machine, "LITTLE_FREE_MB", 1 << 40)
    speed, room = machine.disk(tmp_path)
    assert (speed.mark, room.mark) == ("warn", "warn")
    assert "better card" in speed.cure
    monkeypatch.setattr(machine, "LEAST_FREE_MB", 1 << 40)
    assert machine.disk(tmp_path)[1].mark == "fail"


def test_pins_are_told_with_what_drives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert (devices.pins().mark, devices.pins().told) == ("ok", "driven by MockFactory")


def test_a_font_that_lacks_letters_or_draws_them_like_others_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It once asked pygame how wide they are, which it also tells of letters that are not there."""
    assert devices.letters().mark == "ok"
    of_pygame = devices.letters(Path(pygame.__file__).parent / "freesansbold.ttf")
    assert of_pygame.mark == "fail"
    assert set("ҒҚҢҰ") <= set(of_pygame.told)
    monkeypatch.setattr(devices, "LETTERS", devices.LETTERS + "\u4e00")
    assert (devices.letters().mark, devices.letters().told) == ("fail", "\u4e00")


def test_what_pygame_can_draw_on_is_told_as_sdl_lists_it() -> None:
    drawing, display = devices.display()
    assert "dummy" in drawing.told
    assert display.cure or display.mark == "ok"


def test_a_box_is_looked_at_as_it_is_set_up(
    tmp_path: Path, profile: Profile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked: list[tuple[str, str]] = []
    monkeypatch.setattr(devices, "camera", lambda name, known: looked.append((name, known.name)) or [])
    file = tmp_path / "referee.toml"
    file.write_text('camera = "auto"\nport = 0\n')
    line = ["doctor", "--config", str(file), "--state", str(tmp_path), "--runtime", str(tmp_path / "r")]
    main(line)
    assert looked == [], "nothing was measured yet"
    save(replace(profile, source="usb:Webcam"), tmp_path / "table.json")
    main(line)
    assert looked == [("usb:Webcam", "table")]
    assert f"✓ profile       {tmp_path / 'table.json'}" in capsys.readouterr().out


def test_cameras_are_named_by_what_stays_when_they_are_plugged_in_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "usb-Maker_Eye_123-video-index0").touch()
    (found,) = devices.cameras(tmp_path)
    assert (found.mark, found.told) == ("ok", "usb-Maker_Eye_123-video-index0")


def test_a_table_that_is_seen_well_is_told_with_its_resolution(tmp_path: Path, profile: Profile) -> None:
    cv2.imwrite(str(tmp_path / "mat.png"), over_mat(OPTICS.camera, OPTICS.pose, Mat()))
    camera, table = devices.camera(f"folder:{tmp_path}?hold=20&fps=15", profile)
    assert camera.mark == "ok"
    assert "15 pictures a second" in camera.told
    assert table.mark == "ok"
    assert "pixels a millimetre" in table.told


def test_a_mat_that_is_not_there_fails_with_a_cure(tmp_path: Path, profile: Profile) -> None:
    cv2.imwrite(str(tmp_path / "none.png"), np.full((1280, 1920, 3), 90, np.uint8))
    _, table = devices.camera(f"folder:{tmp_path}?hold=20&fps=15", profile)
    assert table.mark == "fail"
    assert "referee calibrate" in table.cure


def test_touch_is_found_by_its_name_and_its_turn_told(tmp_path: Path) -> None:
    listed = tmp_path / "devices"
    listed.write_text('N: Name="Power Button"\nN: Name="raspberrypi-ts touchscreen"\n')
    assert devices.touch(tmp_path, listed).mark == "ok"
    listed.write_text('N: Name="Power Button"\n')
    assert devices.touch(tmp_path, listed).mark == "warn"


def test_a_profile_that_is_not_whole_is_told_though_its_copy_will_do(tmp_path: Path, profile: Profile) -> None:
    path = tmp_path / "table.json"
    save(profile, path)
    save(profile, path)
    assert [finding.mark for finding in devices.profile_file(str(path))] == ["ok"]
    path.write_bytes(b"")
    (finding,) = devices.profile_file(str(path))
    assert (finding.mark, finding.cure) == ("warn", "run referee calibrate again")
    assert "which is not whole" in finding.told
    assert "its last good copy is used instead" in finding.told


def test_what_a_camera_holds_is_told_and_that_it_holds_nothing() -> None:
    held = devices._locked(Locks(20_000, 1.5, (1.9, 1.4), None, 1.67))
    assert (held.mark, "exposure_us 20000" in held.told, "lens_position 1.67" in held.told) == ("ok", True, True)
    loose = devices._locked(Locks())
    assert (loose.mark, loose.told) == ("warn", "holds nothing")
    assert loose.cure
