"""The catalogues as files: gathered from the source, brought up to date, compiled. Not needed to run anything.

hatchling calls the hook before every wheel, editable ones too. `python -m display.languages.catalogues` gathers new
texts into every catalogue, where a translator finds them empty, and compiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path(__file__).resolve().parent
ROOM = FOLDER.parent
PRINTED = (ROOM.parent / "calibration" / "sheets.py",)  # what people read that is not on a screen
KEYWORDS = {"N_": None, "say": None, "plural": (1, 2)}
WIDTH = 120
NO_DATE = datetime.fromtimestamp(0, UTC)  # compiled twice, a catalogue is the same file


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling looks for in this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's own signature
        """Compile before anything is packed."""
        compile_all()


def sources() -> tuple[Path, ...]:
    """The catalogues that people write."""
    return tuple(sorted(FOLDER.glob("*.po")))


def read(source: Path) -> Catalog:
    """A catalogue as people have written it."""
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.stem, abort_invalid=True)
    catalogue.creation_date = catalogue.revision_date = NO_DATE
    return catalogue


def compile_all() -> None:
    """Compile every catalogue, leaving out what is not translated or marked as fuzzy."""
    for source in sources():
        unfinished = source.with_suffix(".mo.new")
        with unfinished.open("wb") as file:
            write_mo(file, read(source))
        unfinished.replace(source.with_suffix(".mo"))


def extracted() -> Catalog:
    """Every text that the source marks for translation, with the files that say it."""
    found = Catalog(fuzzy=False)
    for path in sorted([*ROOM.rglob("*.py"), *PRINTED]):
        for text, comments in _marked(path):
            found.add(text, locations=[(path.relative_to(ROOM.parent).as_posix(), 0)], auto_comments=comments)
    return found


def _marked(path: Path) -> Iterator[tuple[Any, list[str]]]:
    for _, text, comments, _ in extract_from_file("python", path, KEYWORDS, ["Translators:"]):
        if text and text != ("", ""):
            yield text, comments


def update(source: Path, texts: Catalog) -> None:
    """Give a catalogue the texts that it lacks, empty, and take out those that nothing says any more."""
    catalogue = read(source)
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    write(source, catalogue)


def write(source: Path, catalogue: Catalog) -> None:
    """Write a catalogue below the head that its file has."""
    head, blank, _ = source.read_text(encoding="utf-8").partition("\n\n")
    body = BytesIO()
    write_po(body, catalogue, width=WIDTH, omit_header=True, include_lineno=False, sort_by_file=True)
    source.write_bytes((head + blank).encode() + body.getvalue().lstrip())


if __name__ == "__main__":
    marked = extracted()
    for each in sources():
        update(each, marked)
    compile_all()
