"""The package as others get it: all that a room needs is in it, nothing else, and it says what it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

from referee import __version__

PROJECT = Path(__file__).parent.parent
ROOMS = ("referee", "vision", "display", "hardware", "calibration")
COPIED = (*ROOMS, "tests/records", "systemd", ".requirements", ".github")


def built(kind: str, source: Path, into: Path) -> Path:
    """Build a wheel or a source archive, without any network."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=60)
    return next(into.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, of a copy: building compiles catalogues, and nobody shall see them half done."""
    copy = tmp_path_factory.mktemp("packaging") / "copy"
    for folder in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(PROJECT / folder, copy / folder, ignore=ignored)
    for path in (path for path in PROJECT.iterdir() if path.is_file() and path.name != ".git"):
        shutil.copy2(path, copy)
    return built("sdist", copy, copy.parent / "archive")


@pytest.fixture(scope="module")
def wheel(archive: Path) -> zipfile.ZipFile:
    """The wheel, built from the source archive alone."""
    unpack = ["tar", "--extract", "--file", str(archive), "--directory", str(archive.parent)]
    subprocess.run(
        unpack, check=True, timeout=60
    )  # the one of Python 3.11.2 knows no filter, that of 3.13 asks for one
    source = archive.parent / archive.name.removesuffix(".tar.gz")
    return zipfile.ZipFile(built("wheel", source, archive.parent))


@pytest.fixture(scope="module")
def described(wheel: zipfile.ZipFile) -> Message:
    """What the wheel says about itself."""
    return message_from_string(wheel.read(f"tabletop_referee-{__version__}.dist-info/METADATA").decode())


def files(room: str) -> set[str]:
    """Every file of a room that is written by people, and what its catalogues are compiled to."""
    found = {path for path in (PROJECT / room).rglob("*") if path.is_file() and path.suffix not in {".pyc", ".mo"}}
    found |= {path.with_suffix(".mo") for path in found if path.suffix == ".po"}
    return {path.relative_to(PROJECT).as_posix() for path in found}


@pytest.mark.parametrize("room", ROOMS)
def test_the_wheel_holds_every_file_of_a_room_and_no_other(wheel: zipfile.ZipFile, room: str) -> None:
    assert {name for name in wheel.namelist() if name.startswith(f"{room}/")} == files(room)


def test_the_wheel_holds_the_rooms_alone(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {*ROOMS, f"tabletop_referee-{__version__}.dist-info"}


def test_the_source_archive_holds_what_testing_and_installing_need(archive: Path) -> None:
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"Makefile", "LICENSE", "README.md", "CHANGELOG.md", "systemd/install", ".requirements/setup.sh"} <= names
    assert any(name.startswith("tests/records/") for name in names)
    assert not any(name.endswith(".pyc") for name in names)


def test_the_version_is_written_in_one_place(described: Message) -> None:
    assert described["Version"] == __version__
    written = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    assert __version__ not in re.findall(r'version = "(.*)"', written)
    assert f"## {__version__}" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_description_is_the_readme_and_names_licences_but_no_address(described: Message) -> None:
    assert described.get_payload() == (PROJECT / "README.md").read_text(encoding="utf-8")
    assert described["Description-Content-Type"] == "text/markdown"
    assert described.get_all("License-File") == ["LICENSE", "display/fonts/LICENSE"]
    assert not {"Home-page", "Project-URL", "Author-email", "Maintainer-email"} & set(described.keys())


def test_the_licences_themselves_are_in_the_wheel(wheel: zipfile.ZipFile, described: Message) -> None:
    folder = f"tabletop_referee-{__version__}.dist-info/licenses"
    for name in described.get_all("License-File", []):
        assert wheel.read(f"{folder}/{name}") == (PROJECT / name).read_bytes()


def test_the_command_is_installed(wheel: zipfile.ZipFile) -> None:
    entry_points = wheel.read(f"tabletop_referee-{__version__}.dist-info/entry_points.txt").decode()
    assert "referee = referee.__main__:main" in entry_points
