"""What the reader remembers of a table: the tiles that lie there, what is thought of each, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.seen.following import Found
from referee.sighting import SeenTile
from referee.umpire import Act

ASKED_IN_TURN = ("missing", "moved", "another-tile", "not-in-record")
READ_IN_DOUBT = ("which-tile", "already-laid", "not-in-set")  # people may say which tile it is
JUDGED_AGAIN = (*READ_IN_DOUBT, "unclear-place")  # when it is laid anew, or something is said of other tiles


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a doubt: what would be done, `None` for nothing (it is no move)."""

    act: Act | None
    what: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question for the people. `what`: `which-tile`, `already-laid`, `not-in-set`, `unclear-place`,
    `who-opens`, `who-played`, `two-at-once`, `which-first`, `missing`, `moved`, `another-tile`, `not-in-record` or
    `awaiting-removal`."""

    id: str
    what: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile on the table and what is thought of it.

    `status` is `new` (not dealt with yet; with an entry: taken back, then moved), `found` (lay there when the eye
    began to look, and is asked about in its turn), `placed`, `illegal`, `doubt`, `removal` (taken back but still
    there), `missing` (accepted but no longer there) or `seen` (means nothing). `elsewhere` is where a missing tile
    lies now, or what lies in its place. `answered`: people know that it is missing. In doubt with an entry but no
    doubt of its own is a tile whose move does not stand any more (`umpire.unsettled`). Seen with an entry is a tile
    of a trick that is over. `rest` counts the rests before it came. A new tile with a doubt was asked about and is
    judged again. `misread` is how it was read where people have said that it is another tile.
    """

    seen: SeenTile
    status: str
    entry: int | None = None
    doubt: Doubt | None = None
    answered: bool = False
    elsewhere: Found | None = None
    rest: int = 0
    misread: SeenTile | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What the reader remembers between sightings.

    `tiles` is what the last one told, `visit` the number of the last hand's visit, `reach_deg` the side that it came
    from if it laid a single tile, None where that is not clear or there was more than one since the last rest.
    """

    lying: tuple[Lying, ...] = ()
    epoch: str = ""
    settle: int = -1
    tiles: tuple[SeenTile, ...] = ()
    rest: int = 0
    begun_rest: int = -1
    questions: int = 0
    visit: int = 0
    reach_deg: float | None = None


def asked(memory: Memory, item: Lying, doubt: Doubt | None) -> Memory:
    """The memory with a tile asked about; without a doubt it means nothing.

    One that was judged again and is as doubtful as before is asked about as before.
    """
    if doubt is None:
        return changed(memory, item, replace(item, status="seen", doubt=None))
    if item.doubt is not None and replace(doubt, id=item.doubt.id) == item.doubt:
        return changed(memory, item, replace(item, status="doubt"))
    number = memory.questions + 1
    about = replace(item, status="doubt", doubt=replace(doubt, id=f"q{number}"))
    return replace(changed(memory, item, about), questions=number)


def changed(memory: Memory, old: Lying, new: Lying) -> Memory:
    """The memory with one tile's standing changed."""
    return replace(memory, lying=tuple(new if item is old else item for item in memory.lying))
