"""What `make matrix` runs: few legs, and yet every pair of what this project has to run on."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def matrix() -> ModuleType:
    specification = importlib.util.spec_from_file_location("matrix", PROJECT / ".ci" / "matrix.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["matrix"] = module  # dataclasses look there
    specification.loader.exec_module(module)
    del sys.modules["matrix"]
    return module


def asked(matrix: ModuleType, name: str) -> dict[str, str]:
    """What a leg asks for, by the name of the package."""
    leg = next(leg for leg in matrix.LEGS if leg.name == name)
    return {re.split("[<>=]", each)[0]: each for each in matrix.requirements(leg)}


def test_every_pair_of_python_opencv_and_drawing_library_is_tried(matrix: ModuleType) -> None:
    tried = set()
    for leg in matrix.LEGS:
        packages = asked(matrix, leg.name)
        is_old = "==4" in packages["opencv-python"] or packages["opencv-python"].endswith("<5")
        tried.add((leg.python, "4" if is_old else "5", "ce" if "pygame-ce" in packages else "pygame"))
    for one, other in itertools.combinations(range(3), 2):
        assert len({(leg[one], leg[other]) for leg in tried}) == 4


def test_the_lowest_leg_takes_the_lowest_version_of_all_that_is_declared(matrix: ModuleType) -> None:
    lowest = asked(matrix, "3.11-lowest")
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for each in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
        name, low = re.fullmatch(r"([a-z0-9-]+)>=([^,]+),<.+", each).groups()  # type: ignore[union-attr]  # that is how all are written
        assert lowest[name] == f"{name}=={low}"


def test_a_python_that_is_not_there_is_told_with_what_would_help(
    matrix: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYTHONS", sys.executable)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert matrix.interpreter(version) == sys.executable
    with pytest.raises(FileNotFoundError, match=r"make matrix PYTHONS=/path/to/python2\.0"):
        matrix.interpreter("2.0")


def test_a_leg_that_does_not_exist_is_refused_with_those_that_do(
    matrix: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert matrix.main(["2.7-oldest"]) == 64
    told = capsys.readouterr().err
    assert all(leg.name in told for leg in matrix.LEGS)
