"""The table's own network, with a stand-in for NetworkManager's program that does as it is told."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.commands import network

STAND_IN = """#!/bin/sh
printf '%s\\n' "$*" >> "$NMCLI_SAID"
case "$*" in
    *device) cat "$NMCLI_DEVICES" ;;
    *delete*) exit 10 ;;
    *" up "*) test -z "$NMCLI_BROKEN" || { echo "Error: $NMCLI_BROKEN" >&2; exit 4; } ;;
esac
"""
SETTINGS = 'hotspot = "Tabletop Referee"\nhotspot-password = "two words, 15"\n'


class Machine:
    """A search path with the stand-in on it, and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = folder / "referee.toml"
        self.settings.write_text(SETTINGS)
        (folder / "bin").mkdir()
        program = folder / "bin" / "nmcli"
        program.write_text(STAND_IN)
        program.chmod(0o755)
        self.devices("wifi:disconnected", "loopback:unmanaged")

    def devices(self, *lines: str) -> None:
        (self.folder / "devices").write_text("\n".join(lines) + "\n")

    def run(self) -> int:
        return main(["network", "--config", str(self.settings), "--wait", "0"])

    @property
    def said(self) -> list[str]:
        file = self.folder / "said"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "bin"), os.environ["PATH"])))
    monkeypatch.setenv("NMCLI_SAID", str(tmp_path / "said"))
    monkeypatch.setenv("NMCLI_DEVICES", str(tmp_path / "devices"))
    return Machine(tmp_path)


def test_where_no_known_network_is_one_is_opened(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.run() == 0
    assert capsys.readouterr() == ("opened the network Tabletop Referee\n", "")
    asked, deleted, added, up = machine.said
    assert asked == "--terse --fields TYPE,STATE device"
    assert deleted == "connection delete referee-hotspot"
    assert added.startswith("connection add save no type wifi ifname * con-name referee-hotspot autoconnect no")
    assert "ssid Tabletop Referee 802-11-wireless.mode ap" in added
    assert "ipv4.method shared" in added
    assert added.endswith("wifi-sec.psk two words, 15")
    assert up == "--wait 20 connection up referee-hotspot"


@pytest.mark.parametrize("device", ["wifi:connected", "ethernet:connected", "ethernet:connected (externally)"])
def test_where_a_known_network_is_nothing_is_changed(
    machine: Machine, device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.devices("wifi:disconnected", device)
    assert machine.run() == 0
    assert capsys.readouterr().out.startswith(f"connected by {device.partition(':')[0]}")
    assert len(machine.said) == 1


def test_without_being_asked_for_networkmanager_is_not_even_asked(machine: Machine) -> None:
    machine.settings.write_text("lan = true\n")
    assert (machine.run(), machine.said) == (0, [])


def test_a_network_that_cannot_be_opened_is_told_in_networkmanagers_words(
    machine: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NMCLI_BROKEN", "No suitable device found")
    assert machine.run() == 1
    assert capsys.readouterr().err == "referee network: NetworkManager: Error: No suitable device found\n"


def test_without_networkmanager_it_says_so(
    machine: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine.folder / "bin" / "nmcli").unlink()
    monkeypatch.setenv("PATH", str(machine.folder / "bin"))
    assert machine.run() == 1
    assert "NetworkManager (nmcli) is not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('hotspot = "Table"\n', "expected --hotspot-password of 8 to 63"),
        ('hotspot = "Table"\nhotspot-password = "short"\n', "expected --hotspot-password of 8 to 63"),
        ('hotspot = "Table"\nhotspot-password = "čtyři slova"\n', "expected --hotspot-password of 8 to 63"),
        ('hotspot-password = "long enough"\n', "expected --hotspot NAME of 1 to 32 bytes, got None"),
        (f'hotspot = "{"ш" * 17}"\nhotspot-password = "long enough"\n', "expected --hotspot NAME of 1 to 32 bytes"),
    ],
)
def test_a_name_or_password_that_no_network_can_have_is_one_line_and_78(
    machine: Machine, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.settings.write_text(text, encoding="utf-8")
    assert (machine.run(), machine.said) == (78, [])
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert told in error


def test_a_known_network_is_waited_for_and_not_longer_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, answers = [0.0], iter(["wifi:connecting (configuring)\n"] * 3 + ["wifi:connected\n"])
    monkeypatch.setattr(network, "_nmcli", lambda *arguments: next(answers))

    def sleep(seconds: float) -> None:
        now_s[0] += seconds

    assert network._known(30.0, lambda: now_s[0], sleep) == "wifi"
    assert now_s[0] == 3.0
    monkeypatch.setattr(network, "_nmcli", lambda *arguments: "wifi:connecting (configuring)\n")
    assert network._known(30.0, lambda: now_s[0], sleep) == ""
    assert now_s[0] == 33.0


def test_a_table_with_a_network_of_its_own_lets_phones_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from referee.commands import run as command

    built: list[bool] = []
    monkeypatch.setattr(command, "_tell", lambda house, _measuring: built.append(house.lan) or 0)
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    places = ["--state", str(tmp_path / "s"), "--runtime", str(tmp_path / "r")]
    words = ["run", "--camera", "none", *places]
    for more in ([], ["--hotspot", "Table", "--hotspot-password", "long enough"]):
        args = parser.parse_args([*words, *more])
        assert args.run(args) == 0
    assert built == [False, True]
