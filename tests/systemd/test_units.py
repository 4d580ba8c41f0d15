"""systemd's own opinion of our units, in a staged root: no complaint, and little that they could do harm with."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
UNITS = sorted((PROJECT / "systemd").glob("*.service"))
PROGRAMS = ("usr/bin/cage", "usr/bin/nmcli", "opt/referee/current/venv/bin/referee")
TARGETS = ("sysinit", "basic", "shutdown", "local-fs", "multi-user")
MOST_EXPOSED = {"referee.service": 2.5, "referee-screen.service": 6.0, "referee-network.service": 2.5}

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@pytest.fixture
def staged(tmp_path: Path) -> Path:
    """A root with our units, the programs that they start, and nothing of this machine's."""
    units = tmp_path / "etc" / "systemd" / "system"
    units.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(unit, units)
    for name in TARGETS:
        (units / f"{name}.target").write_text(f"[Unit]\nDescription={name}\n")
    for name in PROGRAMS:
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return tmp_path


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("systemd-analyze") or "", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_has_no_complaint(unit: Path, staged: Path) -> None:
    done = analyze("verify", f"--root={staged}", unit.name)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_systemd
def test_systemd_would_complain_of_a_program_that_is_not_there_and_of_a_word_it_does_not_know(staged: Path) -> None:
    (staged / "usr/bin/cage").unlink()
    assert "cage" in analyze("verify", f"--root={staged}", "referee-screen.service").stderr
    unit = staged / "etc/systemd/system/referee.service"
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSeconds="))
    assert "WatchdogSeconds" in analyze("verify", f"--root={staged}", "referee.service").stderr


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_that_is_taken_over_can_do_little(unit: Path) -> None:
    done = analyze("security", "--offline=true", str(unit))
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert found, done.stdout + done.stderr
    assert float(found[1]) <= MOST_EXPOSED[unit.name]


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_lock_that_systemd_knows_is_set_or_explained(unit: Path) -> None:
    told = json.loads(analyze("security", "--offline=true", "--json=short", str(unit)).stdout)
    left_out = [each["name"] for each in told if each["set"] is False]
    assert left_out, "systemd tells of locks"
    for name in left_out:
        key, _, value = name.partition("=")
        words = [value] if value.startswith("~@") else [key.partition("/")[0]]
        assert all(word in unit.read_text() for word in words), f"{unit.name} leaves out {name} in silence"


def value(unit: str, key: str) -> str:
    found = re.findall(rf"^{key}=(.*)$", (PROJECT / "systemd" / unit).read_text(), re.MULTILINE)
    assert len(found) == 1, f"{unit}: {key} stands {len(found)} times"
    return str(found[0])


def test_the_watchdog_is_more_patient_than_the_supervisor() -> None:
    from referee.supervisor import LONGEST_PAUSE_S, STUCK_S

    assert float(value("referee.service", "WatchdogSec")) > STUCK_S + LONGEST_PAUSE_S / 2
    assert value("referee.service", "Type") == "notify"


def test_a_wrong_configuration_is_not_tried_again_and_a_missing_display_is_for_ever() -> None:
    assert value("referee.service", "RestartPreventExitStatus").split() == ["64", "78"]
    assert (value("referee-screen.service", "Restart"), value("referee-screen.service", "StartLimitIntervalSec")) == (
        "always",
        "0",
    )


@pytest.mark.parametrize("key", ["ExecStart", "ExecStopPost"])
def test_what_the_units_start_is_a_command_line_that_is_understood(key: str) -> None:
    from referee.__main__ import build_parser

    line = value("referee.service", key).removeprefix("-").split()
    settings = str(PROJECT / "systemd" / "referee.toml")
    args = build_parser().parse_args([settings if word == "/etc/referee.toml" else word for word in line[1:]])
    assert str(args.config) == settings


@pytest.mark.parametrize(
    ("event", "connection", "is_looked_for"),
    [
        ("down", "home", True),
        ("down", "", True),
        ("up", "home", False),
        ("down", "referee-hotspot", False),
        ("connectivity-change", "home", False),
    ],
)
def test_only_a_known_network_that_is_lost_is_looked_for(
    event: str, connection: str, is_looked_for: bool, tmp_path: Path
) -> None:
    from referee.commands.network import CONNECTION

    assert CONNECTION == "referee-hotspot"
    program = tmp_path / "systemctl"
    program.write_text('#!/bin/sh\necho "$*"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CONNECTION_ID": connection}
    hook = [str(PROJECT / "systemd/referee-network.dispatcher"), "wlan0", event]
    done = subprocess.run(hook, env=environment, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout == ("start --no-block referee-network.service\n" if is_looked_for else "")
