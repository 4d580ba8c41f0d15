"""systemd/install under a folder of its own, with stand-ins for what would change the machine.

The stand-ins write down what they were told; the environment that they make is a few lines of shell.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "systemd"
VENV_PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) echo 311 ;;
    *find_spec*) test -e "$STAND/camera" ;;
    "-c import simplejpeg") test ! -e "$STAND/camera" ;;
    *"-m pip"*) echo "pip ${*##*--root-user-action }" >> "$STAND/said"; test ! -e "$STAND/no-network" ;;
esac
"""
PYTHON = """#!/bin/sh
for made; do :; done
mkdir -p "$made/bin"
cp "$STAND/venv-python" "$made/bin/python"
printf '#!/bin/sh\\necho referee\\n' > "$made/bin/referee"
chmod +x "$made/bin/python" "$made/bin/referee"
"""
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> "$STAND/said"
if [ "$*" = "restart referee.service" ] && [ -e "$STAND/bad" ]; then
    test "$(readlink "$DESTDIR/opt/referee/current")" != "$(cat "$STAND/bad")"
fi
"""
SAYS = '#!/bin/sh\necho "${0##*/} $*" >> "$STAND/said"\n'


class Machine:
    """A folder that stands for a machine, and a source tree to install from."""

    def __init__(self, folder: Path) -> None:
        self.root, self.stand, self.source = folder / "root", folder / "stand", folder / "source"
        programs = dict.fromkeys(("apt-get", "useradd", "usermod", "userdel", "chown", "chgrp"), SAYS)
        programs |= {"python3": PYTHON, "systemctl": SYSTEMCTL, "cage": "#!/bin/sh\n"}
        programs |= {"apt-cache": "#!/bin/sh\necho '  Candidate: 1.0'\n", "dpkg-query": "#!/bin/sh\nexit 1\n"}
        programs |= {"id": '#!/bin/sh\ntest "$1" != referee && echo 0\n'}
        (self.stand / "bin").mkdir(parents=True)
        for name, text in programs.items():
            (self.stand / "bin" / name).write_text(text)
            (self.stand / "bin" / name).chmod(0o755)
        (self.stand / "venv-python").write_text(VENV_PYTHON)
        (self.root / "run/systemd/system").mkdir(parents=True)
        for name in ("referee", "vision", "display", "hardware", "calibration", ".requirements"):
            (self.source / name).mkdir(parents=True)
        for name in ("pyproject.toml", "README.md", "LICENSE", ".requirements/build.in", ".requirements/run311.txt"):
            (self.source / name).touch()
        shutil.copytree(SCRIPTS, self.source / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
        self.release("1.0")

    def release(self, number: str) -> None:
        (self.source / "referee/__init__.py").write_text(f'__version__ = "{number}"\n')

    def install(self, *words: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.stand / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "STAND": str(self.stand), "DESTDIR": str(self.root)}
        command = [str(self.source / "systemd/install"), *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    def installed(self, *words: str) -> str:
        done = self.install(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def said(self) -> str:
        file = self.stand / "said"
        return file.read_text() if file.exists() else ""

    @property
    def current(self) -> str:
        return str((self.root / "opt/referee/current").readlink())

    @property
    def versions(self) -> list[str]:
        return sorted(path.name.partition("-")[0] for path in (self.root / "opt/referee/versions").iterdir())

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*")}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_fresh_machine_gets_packages_user_units_settings_and_the_pinned_versions(machine: Machine) -> None:
    machine.installed()
    for name in ("python3-venv", "libgl1", "python3-picamera2", "python3-lgpio", "cage"):
        assert f" {name}" in machine.said
    assert "useradd --system" in machine.said
    assert "--require-hashes --only-binary :all: --requirement" in machine.said
    for unit in ("referee", "referee-screen", "referee-network"):
        assert (machine.root / f"etc/systemd/system/{unit}.service").is_file()
    settings = machine.root / "etc/referee.toml"
    assert settings.read_text() == (SCRIPTS / "referee.toml").read_text()
    assert settings.stat().st_mode & 0o777 == 0o640
    assert machine.current.startswith("versions/1.0-")
    assert "systemctl enable --quiet referee-screen.service" in machine.said


def test_where_networkmanager_is_it_tells_of_networks_that_are_lost(machine: Machine) -> None:
    hook = machine.root / "etc/NetworkManager/dispatcher.d/90-referee"
    machine.installed()
    assert not hook.parent.exists()
    (machine.root / "etc/NetworkManager").mkdir()
    machine.installed()
    assert hook.stat().st_mode & 0o777 == 0o755, "NetworkManager starts nothing that others can write to"
    machine.installed("uninstall")
    assert not hook.exists()


def test_only_looking_changes_nothing_and_tells_every_step(machine: Machine) -> None:
    before = machine.files()
    told = machine.installed("--dry-run")
    assert (machine.files(), machine.said) == (before, "")
    for step in ("apt-get install", "useradd", "would build", "referee.toml", "systemctl restart referee.service"):
        assert step in told


def test_again_is_the_same_version_and_keeps_what_was_changed(machine: Machine) -> None:
    machine.installed()
    first = machine.current
    (machine.root / "etc/referee.toml").write_text("lan = false\n")
    said = machine.said.count("pip ")
    assert "is built already" in machine.installed()
    assert (machine.current, machine.said.count("pip ")) == (first, said)
    assert (machine.root / "etc/referee.toml").read_text() == "lan = false\n"


def test_an_upgrade_keeps_games_and_the_version_before_it_and_forgets_older_ones(machine: Machine) -> None:
    machine.installed()
    game = machine.root / "var/lib/referee/journal.sqlite3"
    game.write_text("a game")
    for number in ("2.0", "3.0"):
        before = machine.current
        machine.release(number)
        machine.installed()
    assert machine.versions == ["2.0", "3.0"]
    assert machine.current.startswith("versions/3.0-")
    assert str((machine.root / "opt/referee/previous").readlink()) == before
    assert game.read_text() == "a game"


def test_an_upgrade_that_cannot_be_built_changes_nothing(machine: Machine) -> None:
    machine.installed()
    before, current = machine.files(), machine.current
    machine.release("2.0")
    (machine.stand / "no-network").touch()
    restarts = machine.said.count("restart")
    done = machine.install()
    assert done.returncode == 1
    assert f"could not be built; {current} stays as it was" in done.stderr
    assert (machine.files(), machine.current, machine.said.count("restart")) == (before, current, restarts)


def test_an_upgrade_that_does_not_start_is_taken_back_with_its_units(machine: Machine) -> None:
    machine.installed()
    current = machine.current
    unit = machine.root / "etc/systemd/system/referee.service"
    old = unit.read_text()
    machine.release("2.0")
    (machine.source / "systemd/referee.service").write_text(f"{old}# newer\n")
    name = next(line for line in machine.installed("--dry-run").splitlines() if line.startswith("would build"))
    (machine.stand / "bad").write_text(f"versions/{Path(name).name}")
    done = machine.install()
    assert done.returncode == 1
    assert "does not start; back to 1.0-" in done.stderr
    assert (machine.current, unit.read_text()) == (current, old)
    assert machine.said.rstrip().endswith("systemctl restart referee.service"), "the old one runs again"


def test_a_camera_library_for_another_numpy_is_mended_and_a_good_one_left_alone(machine: Machine) -> None:
    machine.installed()
    assert "simplejpeg" not in machine.said
    (machine.stand / "camera").touch()
    machine.release("2.0")
    machine.installed()
    assert "--force-reinstall --no-deps simplejpeg" in machine.said


def test_taking_it_away_keeps_games_unless_they_are_to_go_too(machine: Machine) -> None:
    machine.installed()
    game = machine.root / "var/lib/referee/journal.sqlite3"
    game.write_text("a game")
    machine.installed("uninstall")
    assert game.exists()
    assert (machine.root / "etc/referee.toml").exists()
    left = machine.files()
    assert not [name for name in left if name.startswith(("opt/referee", "usr/local/bin/", "etc/systemd/system/"))]
    machine.installed("uninstall", "--purge")
    assert not game.exists()
    assert not (machine.root / "etc/referee.toml").exists()


@pytest.mark.parametrize("words", [("--purge",), ("--force",), ("remove",)])
def test_what_it_does_not_know_it_does_not_guess(machine: Machine, words: tuple[str, ...]) -> None:
    before = machine.files()
    done = machine.install(*words)
    assert done.returncode == 64
    assert "sudo ./systemd/install" in done.stderr
    assert machine.files() == before
