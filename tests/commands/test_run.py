"""`referee run`: how a house ends that cannot go on."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import io
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.commands import house, setting
from referee.commands import run as command
from referee.commands import screen as screen_command
from referee.commands import table as table_command
from referee.commands import vision as vision_command
from referee.commands.house import House
from referee.config import Places
from referee.wire import Invitation, Seat, Told, View

PROJECT = Path(__file__).parents[2]
LONGEST_S = 60


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = ("--state", str(directory / "state"), "--runtime", str(directory / "run"))
    command = [sys.executable, "-m", "referee", "run", "--headless", *places, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False, cwd=PROJECT)


def test_an_eye_that_was_started_wrongly_ends_everything_with_its_code_and_line(tmp_path: Path) -> None:
    done = run(tmp_path, "--camera", "usb:0", "--rooms", "table,vision")
    assert done.returncode == 64
    assert done.stderr == "referee vision: expected --calibration FILE[#NAME] for this camera\n"


@pytest.mark.parametrize("camera", ["bogus", "usb:x", "usb", "folder:", "pi:1", "none:1", ""])
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
    assert done.stderr == f"referee phone: cannot listen on port {port}: Address already in use\n"


def test_a_state_directory_that_is_a_file_is_said_in_a_line_and_is_78(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    done = run(tmp_path, "--camera", "none")
    assert done.returncode == 78
    assert done.stderr.count("\n") == 1
    assert "--state" in done.stderr


@pytest.mark.parametrize(("end", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_house_and_says_how_it_stands(tmp_path: Path, end: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "referee", "run", "--headless", "--camera", "none", "--rooms", "table"]
    command += ["--game", "fr-domino", "--players", "Ana,Bo"]
    environment = {**os.environ, "REFEREE_STATE": str(tmp_path / "s"), "REFEREE_RUNTIME": str(tmp_path / "r")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, env=environment) as process:
        try:
            while not (tmp_path / "r" / "views").exists():
                assert process.poll() is None
                time.sleep(0.02)
            process.send_signal(end)
            output, _ = process.communicate(timeout=LONGEST_S)
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
    assert House(Places(tmp_path, tmp_path), (), camera).once == once


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
