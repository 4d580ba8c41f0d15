"""`referee run`: how a house ends that cannot go on."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import Camera, Mat, Profile, load, save
from hardware.wiring import Wiring
from referee.__main__ import build_parser, main
from referee.commands import house, setting, wired
from referee.commands import run as command
from referee.commands import screen as screen_command
from referee.commands import table as table_command
from referee.commands import vision as vision_command
from referee.commands.house import House
from referee.config import Places
from referee.tiles import Shape
from referee.wire import Invitation, Seat, Told, View

PROJECT = Path(__file__).parents[2]
LONGEST_S = 60
TAKEN = (
    "referee phone: cannot listen on port {port}: Address already in use; is another referee running? "
    "--port N takes another\n"
)


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = ("--state", str(directory / "state"), "--runtime", str(directory / "run"))
    command = [sys.executable, "-m", "referee", "run", "--headless", *places, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False, cwd=PROJECT)


def test_an_eye_that_was_started_wrongly_ends_everything_with_its_code_and_line(tmp_path: Path) -> None:
    done = run(tmp_path, "--camera", "folder:nowhere", "--rooms", "table,vision")
    assert done.returncode == 64
    assert done.stderr == "referee vision: expected --calibration FILE[#NAME] for this camera\n"


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    return parser.parse_args(["run", *words])


@pytest.mark.parametrize("camera", ["pi", "usb:0"])
def test_a_camera_without_a_profile_is_told_how_to_make_one(
    camera: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = parsed("--camera", camera, "--state", str(tmp_path), "--runtime", str(tmp_path / "r"))
    assert args.run(args) == 64
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"referee calibrate --camera {camera} --output {tmp_path / 'table.json'}" in error


def test_the_profile_that_was_left_in_the_state_directory_is_taken_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[House] = []
    monkeypatch.setattr(command, "_tell", lambda house, _measuring: built.append(house) or 0)
    kept = tmp_path / "table.json"
    profile = {
        "version": 1,
        "name": "table",
        "camera": {
            "width": 640,
            "height": 480,
            "matrix": [[500, 0, 320], [0, 500, 240], [0, 0, 1]],
            "distortion": [0] * 5,
        },
        "mat": {"width_mm": 600, "height_mm": 400, "marker_mm": 40},
        "shape": {"kind": "domino", "length_mm": 48, "width_mm": 24, "thickness_mm": 8},
        "pose": None,
    }
    kept.write_text(json.dumps(profile))
    places = ("--state", str(tmp_path), "--runtime", str(tmp_path / "r"))
    args = parsed("--camera", "usb:0", *places)
    assert args.run(args) == 0
    assert capsys.readouterr().err == f"referee: the table's profile is {kept}\n"
    commands = dict(built[0].commands())
    for room in ("table", "vision"):
        assert ["--calibration", str(kept)] == commands[room][(at := commands[room].index("--calibration")) : at + 2]
    kept.write_text("{")
    assert args.run(args) == 64
    args = parsed("--camera", "none", *places)
    assert args.run(args) == 0, "by touch no profile is needed"


LENS = Camera(640, 480, np.array([[600.0, 0, 320], [0, 600, 240], [0, 0, 1]]), np.zeros(5))
KEPT = Profile("table", LENS, Mat(), Shape.domino(48.0, 24.0, 8.0), source="usb:Webcam")


def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: str) -> dict[str, list[str]]:
    """The rooms that are started with what lies in a state directory."""
    built: list[House] = []
    monkeypatch.setattr(command, "_tell", lambda house, _measuring: built.append(house) or 0)
    args = parsed("--camera", camera, "--state", str(tmp_path), "--runtime", str(tmp_path / "r"))
    assert args.run(args) == 0
    return dict(built[0].commands())


def test_a_box_plays_with_the_camera_that_its_table_was_measured_with_and_by_touch_before_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rooms = started(tmp_path, monkeypatch, "auto")
    assert "vision" not in rooms
    assert "--no-camera" in rooms["table"]
    save(KEPT, tmp_path / "table.json")
    rooms = started(tmp_path, monkeypatch, "auto")
    assert rooms["vision"][:3] == ["vision", "--camera", "usb:Webcam"]
    assert str(tmp_path / "table.json") in rooms["table"]
    assert "--leave" in rooms["table"], "a match of other tiles than were measured for keeps no box from starting"
    save(replace(KEPT, source="folder:pictures"), tmp_path / "table.json")
    assert "vision" not in started(tmp_path, monkeypatch, "auto"), "a recording is no camera"
    capsys.readouterr()
    (tmp_path / "table.json").write_bytes(b"")
    (tmp_path / "table.last-good.json").unlink()
    assert "vision" not in started(tmp_path, monkeypatch, "auto"), "a box starts whatever has become of its files"
    assert "kept by touch until the camera is measured again" in capsys.readouterr().err


@pytest.mark.parametrize("damage", [b"", b'{"version": 1, "name"'])
def test_a_damaged_profile_is_told_once_and_its_last_good_copy_used_in_every_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, damage: bytes
) -> None:
    """Each room once warned of it for itself, so that it was told three times."""
    for _ in range(2):
        save(KEPT, tmp_path / "table.json")
    (tmp_path / "table.json").write_bytes(damage)
    for camera in ("usb:Webcam", "auto"):
        caplog.clear()
        rooms = started(tmp_path, monkeypatch, camera)
        assert len(caplog.records) == 1
        assert "its last good copy is used instead" in caplog.text
        for room in ("table", "vision"):
            (named,) = (word for word in rooms[room] if word.endswith(".json"))
            caplog.clear()
            assert load(named).source == "usb:Webcam"
            assert caplog.records == []


def test_a_wrong_value_in_a_file_is_one_line_that_names_it_and_78(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "referee.toml"
    for text, told in (
        ('camera = "webcam"', "expected --camera"),
        ('camera = "none"\ngame = "chess"', "expected a game"),
        ('camera = "none"\nrooms = "kitchen"', "expected rooms out of"),
        ("lan = true", "expected --camera"),
        ('camera = "none"\nlanguages = "en"', "languages"),
    ):
        file.write_text(f"{text}\n")
        assert main(["run", "--config", str(file)]) == 78
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert str(file) in error
        assert told in error


def test_what_is_wired_reaches_the_table_and_the_hook_that_quietens_it(tmp_path: Path) -> None:
    wires = Wiring(buzzer=5, led=None, rgb=(6, 13, 19), seats=(20, 21), undo=26, passive=True, sounds=("legal", "turn"))
    assert wired.wiring(wired.told(wires)) == wires
    assert wired.wiring(wired.told(Wiring())) == Wiring()
    args = parsed("--camera", "none", "--wiring", wired.told(wires))
    assert args.wiring == wires
    built = House(Places(tmp_path, tmp_path), (), None, wiring=("--wiring", wired.told(wires)))
    for words in (dict(built.commands())["table"], built.after["table"]):
        assert build_parser().parse_args(list(words)).wiring == wires


@pytest.mark.parametrize("camera", ["bogus", "usb:", "usb", "folder:", "pi:1", "none:1", ""])
def test_a_camera_that_no_source_is_called_is_complained_of_before_its_calibration(camera: str, tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    args = parser.parse_args(["run", "--camera", camera, "--calibration", str(tmp_path / "none.json"), "--game", "x"])
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        assert command.run(args) == 64
    assert told.getvalue().startswith("referee run: expected --camera pi, usb:N, ")
    assert repr(camera) in told.getvalue()


@pytest.mark.parametrize("camera", ["pi", "usb:0", "none", "folder:a", "video:a.mp4", "virtual:stage=x&kind=y"])
def test_every_kind_of_source_passes(camera: str) -> None:
    assert setting.camera(camera) == camera


def test_the_screen_is_turned_and_fills_the_display_as_the_house_is_told(tmp_path: Path) -> None:
    built = House(Places(tmp_path, tmp_path), (), None, screen=("--rotate", "90", "--full"))
    parser = argparse.ArgumentParser()
    screen_command.add(parser.add_subparsers())
    args = parser.parse_args(dict(built.commands())["screen"])
    assert (args.rotate, args.full) == ("90", True)
    run_parser = argparse.ArgumentParser()
    command.add(run_parser.add_subparsers())
    assert run_parser.parse_args(["run", "--camera", "none", "--rotate", "90", "--full"]).rotate == "90"


@pytest.mark.parametrize("is_kept", [True, False])
def test_pictures_are_taken_and_kept_unless_the_house_is_told_otherwise(tmp_path: Path, is_kept: bool) -> None:
    rooms = dict(House(Places(tmp_path, tmp_path), (), "pi", evidence=is_kept).commands())
    for room, its in (("table", table_command), ("vision", vision_command)):
        parser = argparse.ArgumentParser()
        its.add(parser.add_subparsers())
        assert parser.parse_args(rooms[room]).no_evidence is not is_kept


def test_a_port_that_is_taken_ends_everything_with_78(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run(tmp_path, "--camera", "none", "--rooms", "table,phone", "--port", str(port))
    assert done.returncode == 78
    assert done.stderr == TAKEN.format(port=port)


def test_a_state_directory_that_is_a_file_is_said_in_a_line_and_is_78(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    done = run(tmp_path, "--camera", "none")
    assert done.returncode == 78
    assert done.stderr.count("\n") == 1
    assert "--state" in done.stderr


@contextlib.contextmanager
def systemd(path: Path) -> Iterator[socket.socket]:
    """A socket that listens as systemd's does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        listening.settimeout(LONGEST_S)
        yield listening


@pytest.mark.parametrize(("end", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_house_and_says_how_it_stands_to_people_and_to_systemd(
    tmp_path: Path, end: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-m", "referee", "run", "--headless", "--camera", "none", "--rooms", "table"]
    command += ["--game", "fr-domino", "--players", "Ana,Bo"]
    environment = {**os.environ, "REFEREE_STATE": str(tmp_path / "s"), "REFEREE_RUNTIME": str(tmp_path / "r")}
    environment["NOTIFY_SOCKET"] = str(tmp_path / "notify")
    with (
        systemd(tmp_path / "notify") as manager,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, env=environment) as process,
    ):
        try:
            while b"READY=1" not in (heard := manager.recv(1000)):
                assert b"WATCHDOG" not in heard, "the table gets on before anything is ready"
            assert (tmp_path / "r" / "views").exists()
            process.send_signal(end)
            output, _ = process.communicate(timeout=LONGEST_S)
            while not heard.startswith(b"STOPPING=1"):
                heard = manager.recv(1000)
        finally:
            process.kill()
    assert process.returncode == code
    assert "0 rulings, 0 illegal" in output


def test_what_is_played_and_how_reaches_the_table_word_by_word(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    words = ["--game", "fr-domino", "--players", "Ana,Bo", "--target", "50", "--opening", "any", "--new", "--training"]
    words += ["--house-rules", str(rules), "--option", "hands=2:2", "--zones", "draws,hands"]
    passed_on = command._table_arguments(parser.parse_args(["run", "--camera", "none", *words]))
    assert sorted(passed_on) == sorted(words)
    table = argparse.ArgumentParser()
    table_command.add(table.add_subparsers())
    understood = table.parse_args(["table", *passed_on])
    assert (understood.house_rules, understood.option, understood.training) == (rules, ["hands=2:2"], True)
    assert understood.zones == ("draws", "hands")
    assert command._table_arguments(parser.parse_args(["run", "--camera", "none"])) == ()


@pytest.mark.parametrize(
    ("words", "zones"),
    [([], ()), (["--zones"], ("draws", "hands")), (["--zones", "hands"], ("hands",))],
)
def test_what_is_seen_in_zones_belongs_to_the_match(words: list[str], zones: tuple[str, ...]) -> None:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    match = setting.match(parser.parse_args(["run", "--camera", "none", "--game", "fr-domino", *words]))
    assert match is not None
    assert match.zones == zones


def test_zones_are_refused_where_there_is_no_boneyard_to_be_seen(tmp_path: Path) -> None:
    done = run(tmp_path, "--camera", "none", "--game", "kk-moon", "--players", "3", "--zones")
    assert (done.returncode, done.stderr) == (
        64,
        "referee run: expected a game with a boneyard to be watched in zones, got kk-moon\n",
    )


@pytest.mark.parametrize(
    ("camera", "once"),
    [("folder:pictures", ("vision",)), ("video:a.mp4", ("vision",)), ("virtual:s.json", ("vision",)), ("usb:0", ())],
)
def test_an_eye_on_a_recording_is_not_started_twice_and_a_camera_always_again(
    camera: str, once: tuple[str, ...], tmp_path: Path
) -> None:
    assert House(Places(tmp_path, tmp_path), (), camera).once == (*once, "calibrate")


class Table:
    """A table with a code for each set of players."""

    def __init__(self) -> None:
        self.view: View | None = None

    def play(self, *names: str) -> None:
        self.view = View(epoch="e", seq=1, seats=tuple(Seat(name, 0, 0, 7) for name in names))

    def ask(self, what: str) -> Told:
        assert what == "joining"
        assert self.view is not None
        return Told("", invitation=Invitation(f"{len(self.view.seats)}" * 6))


def test_without_a_screen_the_code_to_join_with_is_said_whenever_it_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table, invited = Table(), None
    for names in ((), ("Ana", "Bo"), ("Ana", "Bo"), ("Ana", "Bo", "Cleo")):
        table.play(*names)
        invited = command.invite(table, invited)  # type: ignore[arg-type]  # all that it needs of a link
    said = [f"Phones join with the code {code}" for code in ("000000", "222222", "333333")]
    assert capsys.readouterr().out.splitlines() == said


class Unreachable(socket.socket):
    """A socket of a machine that has no way out."""

    def connect(self, address: object) -> None:
        raise OSError("Network is unreachable")


def test_a_machine_with_no_way_out_still_tells_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones in a network that the referee itself makes once were sent to their own loopback address."""
    monkeypatch.setattr(socket, "socket", Unreachable)
    found = {"lo": "127.0.0.1", "eth0": None, "wlan0": "10.42.0.1"}
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(found, 1)))

    def ioctl(_file: int, request: int, name: bytes) -> bytes:
        assert request == house._GET_ADDRESS
        address = found[name.rstrip(b"\0").decode()]
        if address is None:
            raise OSError("no address")
        return name[:20] + socket.inet_aton(address) + name[24:]

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    assert house.lan_address() == "10.42.0.1"
    found["wlan0"] = None
    assert house.lan_address() == "127.0.0.1"
