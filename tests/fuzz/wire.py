"""Throws bytes at the wire decoder, and at the notation behind it, guided by what they reach: `make fuzz SECONDS=60`.

Nothing but a refusal in words may come of them. It runs in an environment of its own, with atheris in it; what it
has found worth keeping lies in `.fuzz/corpus`, and a failure leaves the bytes in `.fuzz/crash-*`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["referee"]):
    from referee import notation
    from referee.outside import guests, rights
    from referee.sighting import Facts, Sighting
    from referee.wire import Answer, Ask, Beat, Order, Told, View, WireError, decode, encode

KINDS: tuple[Any, ...] = (guests.Request, Order | Ask, Answer | Told, View, Sighting, Facts, Beat)
MOST_LINES = 300  # of recorded matches, to begin with
PAGE = Path(__file__).parents[2] / "display" / "PROTOCOL.md"


def one(data: bytes) -> None:
    """Read bytes as each kind of message, and the line of an order as notation."""
    for kind in KINDS:
        try:
            message = decode(data, kind)
        except WireError:
            continue
        assert decode(encode(message), kind) == message
        if isinstance(message, Order):
            _say(message.line)
    _say(data.decode(errors="replace"))


def _say(line: str) -> None:
    try:
        act = notation.parse(line)
    except ValueError:
        return
    assert notation.parse(notation.write(act)) == act
    rights.of_player(line, 0, ())


def main() -> None:
    """Fuzz as long as the command line says (`-max_total_time=60`)."""
    folder = Path(".fuzz/corpus")
    folder.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)):
        (folder / f"example-{number}").write_text(example, encoding="utf-8")
    records = (record.read_text(encoding="utf-8") for record in Path("tests/records").glob("*.txt"))
    lines = {line for record in records for line in re.findall(r"^ *\d+  (.+?) *(?:#.*)?$", record, re.MULTILINE)}
    for number, line in enumerate(sorted(lines, key=len)[:MOST_LINES]):
        (folder / f"line-{number}").write_text(line, encoding="utf-8")
    atheris.Setup([*sys.argv, "-artifact_prefix=.fuzz/", str(folder)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
