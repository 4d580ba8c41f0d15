"""Recorded matches as text, read with nothing but string methods: numbers, words, and what was said of each line.

A tile is the tuple of its numbers, turned so that the smallest reading comes first; a seat is its letter's place.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from urllib.parse import unquote

Tile = tuple[int, ...]
Award = tuple[int, str]
Proof = tuple[str, int, int | None]

LETTERS = "ABCDEF"


@dataclass(frozen=True)
class Act:
    """What one line says was done: the verb, who did it, and whatever the verb is about."""

    verb: str
    seat: int = -1
    tiles: tuple[Tile, ...] = ()
    numbers: Tile = ()  # as they lie, clockwise from the first corner of the cell
    place: str = ""  # a cell, an end of the line, or `loose`
    inner: int | None = None  # the half that faces the line
    number: int | None = None
    word: str = ""
    is_overruled: bool = False
    is_laid: bool = False
    is_confirmed: bool = False
    entry: int = 0
    instead: Act | None = None
    names: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One line of a record: the act, and what was said of it."""

    seq: int
    act: Act
    reason: str
    awards: Counter[Award]
    proofs: Counter[Proof]
    evidence: tuple[tuple[Proof, tuple[Tile, ...]], ...]
    scores: tuple[int, ...] | None


def tile(text: str) -> Tile:
    """A tile by any of its readings."""
    numbers = tuple(int(part) for part in text.split("-"))
    return min(numbers[start:] + numbers[:start] for start in range(len(numbers)))


def lines(text: str) -> list[Line]:
    """All lines of a record that are no remarks."""
    return [line(row) for row in text.splitlines() if row.strip() and not row.startswith("#")]


def ranking(text: str) -> list[set[int]]:
    """How a record says the match ended: seats from first to last, equals together."""
    (last,) = [row for row in text.splitlines() if row.startswith("# over: ")]
    return [{LETTERS.index(letter) for letter in group.split("=")} for group in last[8:].split(" before ")]


def line(row: str) -> Line:
    """One line of a record."""
    written, said = re.split(r" +# ", row, maxsplit=1)
    number, words = written.strip().split(None, 1)
    reason, *parts = said.split(", ")
    awards: Counter[Award] = Counter()
    evidence = []
    scores = None
    for part in parts:
        first, *others = part.split()
        if first == "scores":
            scores = tuple(map(int, others))
        elif first == "proven":
            name, letter, entry, *tiles = others
            seat = -1 if letter == "-" else LETTERS.index(letter)
            proof = (name, seat, None if entry in ("-", "None") else int(entry))
            evidence.append((proof, tuple(tile(each) if "-" in each else (int(each),) for each in tiles)))
        else:
            what, points = others
            awards[LETTERS.index(first), what] += int(points)
    proofs = Counter(proof for proof, _ in evidence)
    return Line(int(number), act(words.split()), reason, nonzero(awards), proofs, tuple(evidence), scores)


def nonzero(awards: Counter[Award]) -> Counter[Award]:
    """The same points without those that are none."""
    return Counter({key: points for key, points in awards.items() if points})


def act(words: list[str]) -> Act:
    """What the words of a line say was done."""
    first, *rest = words
    if first == "match":
        return match(rest)
    if first in ("begin", "clear", "redeal"):
        return Act(first)
    if first == "stock" and rest[0] == "shows":
        return Act("uncovers", tiles=(tile(rest[1]),))
    if first in ("stock", "stock!"):
        return Act("stock", number=int(rest[0]), is_confirmed=first.endswith("!"))
    if first == "turn":
        return Act("turn", LETTERS.index(rest[0]))
    if first == "first":
        return Act("first", LETTERS.index(rest[1]))
    if first.rstrip("!") in ("undo", "overrule", "correct"):
        instead = act(rest[1:]) if len(rest) > 1 else None
        entry = int(rest[0].rstrip(":"))
        return Act(first.rstrip("!"), entry=entry, instead=instead, is_confirmed=first.endswith("!"))
    return by_seat(LETTERS.index(first), rest[0], rest[1:])


def match(words: list[str]) -> Act:
    """The preset, who plays, and the house rules."""
    pairs = [pair.partition("=")[::2] for pair in words[1:]]
    names = tuple(unquote(value) for key, value in pairs if key in LETTERS)
    return Act("match", word=words[0], names=names, options={key: value for key, value in pairs if key not in LETTERS})


def by_seat(seat: int, verb: str, words: list[str]) -> Act:
    """What a seat did."""
    if verb == "holds!":
        return Act("holds", seat, number=int(words[0]), is_confirmed=True)
    if verb in ("draws", "bids", "holds", "gets", "says", "dealt", "claims"):
        return Act(verb, seat, number=int(words[0]))
    if verb == "names":
        return Act(verb, seat, word=words[0])
    if verb not in ("lays", "plays"):
        tiles = tuple(tile(word) for word in words if re.fullmatch(r"\d+(-\d+)+", word))
        return Act(verb, seat, tiles, word="" if tiles else " ".join(words), is_laid="laid" in words)
    done = Act(verb, seat, (tile(words[0]),), tuple(map(int, words[0].split("-"))), is_overruled="overruled" in words)
    for key, value in pairwise(words):
        if key == "at":
            done = replace(done, place=value)
        elif key in ("by", "as"):
            done = replace(done, inner=int(value))
    return replace(done, place="loose") if "loose" in words else done
