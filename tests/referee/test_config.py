"""The directories of a running referee, and what is said when they cannot be had."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from referee.config import AlreadyRunningError, ConfigurationError, Places, held


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REFEREE_STATE", "STATE_DIRECTORY", "REFEREE_RUNTIME", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)


def test_what_is_named_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_STATE", "/somewhere")
    monkeypatch.setenv("REFEREE_RUNTIME", "/elsewhere")
    assert Places.from_environment(Path("/here")) == Places(Path("/here"), Path("/elsewhere"))


def nobody() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_a_user_without_a_home_is_told_to_name_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(ConfigurationError, match="--state"):
        Places.from_environment()


def test_a_user_without_a_home_needs_none_where_the_state_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", nobody)
    assert Places.from_environment(Path("/here")).state == Path("/here")


def test_a_state_that_is_a_file_is_said_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"file \(File exists\); name another with --state"):
        Places(tmp_path / "file", tmp_path / "run").make()


def test_a_directory_that_cannot_be_made_is_said_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--runtime"):
        Places(tmp_path / "state", Path("/proc/referee")).make()


def test_a_runtime_directory_that_cannot_be_written_to_is_said_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, needed: not (path == tmp_path / "run" and needed & os.W_OK))
    with pytest.raises(ConfigurationError, match=r"cannot write to .*run; give it to this user"):
        Places(tmp_path / "state", tmp_path / "run").make()


def test_a_state_directory_that_can_only_be_looked_into_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, needed: not (path == tmp_path / "state" and needed & os.W_OK))
    assert Places(tmp_path / "state", tmp_path / "run").make().state.is_dir()
    monkeypatch.setattr("os.access", lambda path, _needed: path != tmp_path / "state")
    with pytest.raises(ConfigurationError, match=r"cannot look into .*state; give it to this user"):
        Places(tmp_path / "state", tmp_path / "run").make()


def test_a_runtime_directory_too_long_for_sockets_is_said_before_anything_is_made(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with pytest.raises(ConfigurationError, match="too long a path for sockets; name a shorter --runtime"):
        Places(state, tmp_path / ("r" * 98)).make()
    assert not state.exists()


def test_the_longest_runtime_directory_still_takes_sockets(tmp_path: Path) -> None:
    zmq = pytest.importorskip("zmq")
    room = 107 - len("/sightings") - len(str(tmp_path)) - 1
    places = Places(tmp_path / "state", tmp_path / ("r" * max(1, room))).make()
    with zmq.Context() as context, context.socket(zmq.PULL) as socket:
        socket.bind(places.endpoint("sightings"))


def test_a_lock_is_held_once_and_free_again_afterwards(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with held(lock), pytest.raises(AlreadyRunningError), held(lock):
        pass
    with held(lock):
        pass


@pytest.mark.parametrize("is_there", [True, False])
def test_on_a_disk_that_takes_nothing_a_lock_is_held_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    if is_there:
        (tmp_path / "lock").touch()
    really = os.open

    def read_only(path: Path, flags: int, *mode: int) -> int:
        if flags & os.O_WRONLY:
            raise OSError(errno.EROFS, "Read-only file system")
        return really(path, flags, *mode)

    monkeypatch.setattr("os.open", read_only)
    with held(tmp_path / "lock"), pytest.raises(AlreadyRunningError), held(tmp_path / "lock"):
        pass
    with held(tmp_path / "lock"):
        pass


def test_a_lock_that_is_a_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="Is a directory"), held(tmp_path):
        pass
