"""The whole test suite on the oldest and the newest of what this project runs on: `make matrix`.

A few legs cover every pair of Python, OpenCV and drawing library. Each has an environment of its own in .matrix. A leg
that has passed is not run again as long as nothing changes, so a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = PROJECT / ".matrix"
TOLD = ("opencv-python", "pygame", "pygame-ce", "numpy")
ASK = """
import json, platform
from importlib import metadata
found = {each.name: each.version for each in metadata.distributions()}
print(json.dumps({"python": platform.python_version(), **{name: found.get(name, "") for name in %r}}))
"""


@dataclass(frozen=True, slots=True)
class Leg:
    """One combination; `instead` are requirements that take the place of the project's own."""

    name: str
    python: str
    what: str
    lowest: bool = False
    instead: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> Path:
        """Its environment."""
        return FOLDER / self.name


LEGS = (
    Leg("3.11-lowest", "3.11", "the lowest version of everything that pyproject.toml allows", lowest=True),
    Leg("3.11-ce", "3.11", "pygame-ce, the rest newest", instead=(("pygame", "pygame-ce"),)),
    Leg(
        "3.13-four-ce",
        "3.13",
        "OpenCV 4 and pygame-ce, the rest newest",
        instead=(("opencv-python", "opencv-python<5"), ("pygame", "pygame-ce")),
    ),
    Leg("3.13-newest", "3.13", "the newest of everything"),
)


def requirements(leg: Leg) -> tuple[str, ...]:
    """What pip shall install for a leg: all that runs, tests and builds the project."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    build = (PROJECT / ".requirements" / "build.in").read_text(encoding="utf-8").splitlines()
    asked = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    asked += [line for line in build if line and not line.startswith("#")]
    instead = dict(leg.instead)
    named = {re.split(r"[<>=]", each)[0]: each for each in asked}
    if leg.lowest:
        return tuple(re.sub(r">=([^,]+),.*", r"==\1", each) for each in named.values())
    return tuple(instead.get(name, each) for name, each in named.items())


def interpreter(version: str) -> str:
    """A Python of this version: one of PYTHONS, or on the path, or one that uv knows.

    Raises:
        FileNotFoundError: if there is none.
    """
    candidates = [*os.environ.get("PYTHONS", "").split(), f"python{version}", "python3"]
    if uv := shutil.which("uv"):
        found = subprocess.run([uv, "python", "find", version], capture_output=True, text=True, check=False)
        candidates.append(found.stdout.strip())
    for candidate in filter(None, map(shutil.which, filter(None, candidates))):
        question = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(question, capture_output=True, text=True, check=False).stdout.strip() == version:
            return candidate
    raise FileNotFoundError(
        f"No Python {version} on the path, and uv knows none. Name one: make matrix PYTHONS=/path/to/python{version}"
    )


def prepared(leg: Leg) -> None:
    """Make a leg's environment, unless it is there already and nothing else is asked for."""
    asked = requirements(leg)
    note = leg.place / "asked.json"
    if note.exists() and json.loads(note.read_text(encoding="utf-8")) == list(asked):
        return
    subprocess.run([interpreter(leg.python), "-m", "venv", "--clear", leg.place], check=True)
    pip = [str(leg.place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, "--prefer-binary", *asked], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(PROJECT)], check=True)
    note.write_text(json.dumps(asked), encoding="utf-8")


def sources() -> Iterator[Path]:
    """Every file that a result depends on."""
    for folder in ("referee", "vision", "display", "hardware", "calibration", "systemd", "tests", ".github"):
        yield from (path for path in (PROJECT / folder).rglob("*") if path.suffix not in {".pyc", ".mo"})
    yield from PROJECT.glob("*.*")
    yield PROJECT / "Makefile"


def state(leg: Leg) -> str:
    """What tells this source and this environment from any other."""
    digest = hashlib.sha256(repr(requirements(leg)).encode())
    for path in sorted(path for path in sources() if path.is_file()):
        digest.update(f"\n{path.relative_to(PROJECT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def tested(leg: Leg) -> dict[str, str]:
    """Run the whole suite on a leg, or tell what it came to if it has passed on just this source."""
    note = leg.place / "result.json"
    known = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    begun = state(leg)
    if known.get("state") == begun and known["passed"]:
        return known
    started = time.monotonic()
    python = str(leg.place / "bin" / "python")
    log = leg.place / "log.txt"
    command = [python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider"]
    with (
        log.open("w", encoding="utf-8") as file,
        subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running,
    ):
        assert running.stdout is not None
        for line in running.stdout:
            file.write(line)
            sys.stdout.write(line)
            sys.stdout.flush()
    lines = log.read_text(encoding="utf-8").splitlines()
    versions = subprocess.run([python, "-c", ASK % (TOLD,)], capture_output=True, text=True, check=True).stdout
    result = {
        **json.loads(versions),
        "state": begun,
        "passed": "yes" if running.returncode == 0 else "",
        "tests": re.sub(r" in [0-9.]+s.*", "", lines[-1]).strip("= ") if lines else "nothing was printed",
        "minutes": f"{(time.monotonic() - started) / 60:.1f}",
    }
    note.write_text(json.dumps(result), encoding="utf-8")
    return result


def table(results: dict[str, dict[str, str]]) -> str:
    """What came of each leg, in Markdown."""
    rows = [
        "| leg | Python | OpenCV | drawn by | numpy | tests | minutes |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, told in results.items():
        drawn = f"pygame-ce {told['pygame-ce']}" if told["pygame-ce"] else f"pygame {told['pygame']}"
        cells = (name, told["python"], told["opencv-python"], drawn, told["numpy"], told["tests"], told["minutes"])
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def main(names: list[str]) -> int:
    """Run the legs that are named, all without a name; 1 if one fails, 64 if there is no such leg."""
    known = {leg.name: leg for leg in LEGS}
    if unknown := set(names) - set(known):
        told = "\n".join(f"  {leg.name:14} Python {leg.python}: {leg.what}" for leg in LEGS)
        sys.stderr.write(f"There is no leg {', '.join(sorted(unknown))}. LEGS may name some of these:\n{told}\n")
        return 64
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / ".gitignore").write_text("*\n", encoding="utf-8")
    results: dict[str, dict[str, str]] = {}
    for name in names or known:
        leg = known[name]
        print(f"== {name}: Python {leg.python}, {leg.what}", flush=True)
        try:
            prepared(leg)
        except FileNotFoundError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        results[name] = tested(leg)
    print(f"\n{table(results)}")
    return 0 if all(told["passed"] for told in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
