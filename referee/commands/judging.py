"""The tiles of one photograph judged: which touch, whether every join is legal, what cannot be told; pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations

from referee.laying.contact import CORNER, UNCLEAR, domino_join, triomino_touch
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.tiles import DOMINO, Shape, Tile

SIDES = 4  # of a domino
LEGAL, ILLEGAL, CANNOT_TELL = "legal", "illegal", "cannot tell"


@dataclass(frozen=True, slots=True)
class Judged:
    """A tile to be judged: its number in the photograph, what was seen, and whether the reading is sure."""

    id: int
    seen: SeenTile
    sure: bool

    @property
    def is_read(self) -> bool:
        """Whether its numbers may be held against it."""
        return self.sure and bool(self.seen.values)

    def __str__(self) -> str:
        numbers = "-".join(map(str, self.seen.values)) if self.seen.values else "?"
        return f"tile {self.id} ({numbers})"


@dataclass(frozen=True, slots=True)
class Join:
    """Two tiles that touch where a rule speaks of it.

    `values` are the numbers that meet: (of a, of b) for dominoes, such a pair per common corner for
    triominoes. `legal` and `reason` are None when that cannot be told.
    """

    a: int
    b: int
    values: tuple[tuple[int, int], ...]
    legal: bool | None
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that cannot be told, about these tiles."""

    tiles: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer. `groups` are the touching tiles, each group judged by itself; `aside` the loose ones."""

    verdict: str
    joins: tuple[Join, ...]
    groups: tuple[tuple[int, ...], ...]
    aside: tuple[int, ...]
    unclear: tuple[Unclear, ...]


@dataclass(frozen=True, slots=True)
class _Touch:
    """Two tiles that touch; `corners` index into `values`, and an end or side counts as used by `use`."""

    a: Judged
    b: Judged
    corners: tuple[tuple[int, int], ...]
    clear: bool
    loose: bool = False  # a contact that does not connect tiles by itself
    meets: tuple[tuple[int, int], ...] = ()

    @property
    def ids(self) -> tuple[int, int]:
        return (self.a.id, self.b.id)


def judge(tiles: Collection[Judged], shape: Shape, known: Collection[Tile], has_spinner: bool = False) -> Judgement:
    """Judge a layout.

    Args:
        tiles: all that were found.
        shape: their size, in the unit of their poses.
        known: the set that is played with; no tile exists twice.
        has_spinner: tiles may join one double at all four sides.
    """
    tiles, unclear = _doubt_impossible(tiles, known)
    touching = _domino_touches if shape.kind == DOMINO else _triomino_touches
    touches = touching(tiles, shape)
    groups = _groups(tiles, [touch for touch in touches if not touch.loose])
    grouped = {tile: group for group in groups for tile in group}
    joins: list[Join] = []
    twice = _used_twice(touches, has_spinner) if shape.kind == DOMINO else set()
    for touch in touches:
        if touch.loose and grouped.get(touch.a.id) != grouped.get(touch.b.id, ()):
            unclear.append(Unclear(touch.ids, f"{touch.a} and {touch.b} touch by a corner only"))
        elif not touch.clear:
            seam = _across_seam(touch, touches)
            if seam:
                joins.append(seam)
            else:
                unclear.append(Unclear(touch.ids, f"{touch.a} and {touch.b} touch, but not as a join"))
        else:
            join = _join(touch, shape.kind)
            if any((one.id, half) in twice for one, half in zip((touch.a, touch.b), touch.corners[0], strict=True)):
                unclear.append(Unclear(touch.ids, f"{touch.a} and {touch.b} meet at a half that meets two tiles"))
                join = replace(join, legal=None, reason=None)
            elif join.legal is None:
                unclear.append(Unclear(touch.ids, f"the numbers where {touch.a} and {touch.b} meet"))
            joins.append(join)
    in_group = {tile for group in groups for tile in group}
    involved = in_group | {tile for touch in touches for tile in touch.ids}
    unclear = [one for one in unclear if len(one.tiles) > 1 or set(one.tiles) & involved]
    aside = tuple(tile.id for tile in tiles if tile.id not in in_group)
    if not joins and not unclear:
        unclear.append(Unclear((), "no two tiles touch" if tiles else "no tiles were found"))
    return Judgement(_verdict(joins, unclear), tuple(joins), groups, aside, tuple(unclear))


def _verdict(joins: list[Join], unclear: list[Unclear]) -> str:
    if any(join.legal is False for join in joins):
        return ILLEGAL
    return CANNOT_TELL if unclear or not joins else LEGAL


def _doubt_impossible(tiles: Collection[Judged], known: Collection[Tile]) -> tuple[list[Judged], list[Unclear]]:
    """Tiles that are not in the set, or that lie there twice, are more often misread than real."""
    faces = {one.id: Tile(one.seen.values) for one in tiles if one.seen.face_up and one.seen.values}
    result, unclear = [], []
    for one in tiles:
        face = faces.get(one.id)
        if face is not None and one.sure:
            if face not in known:
                unclear.append(Unclear((one.id,), f"{one} is not in the set"))
                one = replace(one, sure=False)  # noqa: PLW2901  # the doubted copy takes its place
            elif any(other != one.id and twin == face for other, twin in faces.items()):
                unclear.append(Unclear((one.id,), f"{one} was seen more than once"))
                one = replace(one, sure=False)  # noqa: PLW2901
        result.append(one)
    return result, unclear


def _domino_touches(tiles: Collection[Judged], shape: Shape) -> list[_Touch]:
    touches = []
    for a, b in combinations(tiles, 2):
        join = domino_join(a.seen, b.seen, shape)
        if join is not None:
            # At the middle of its long side a double shows the same number with either half.
            halves = (_half(join.a_half), _half(join.b_half))
            clear = join.form != UNCLEAR
            touches.append(_Touch(a, b, (halves,) if clear else (), clear, meets=join.meets))
    return touches


def _half(half: int | None) -> int:
    return 0 if half is None else half


def _triomino_touches(tiles: Collection[Judged], shape: Shape) -> list[_Touch]:
    touches = []
    for a, b in combinations(tiles, 2):
        touch = triomino_touch(a.seen, b.seen, shape)
        if touch is not None:
            touches.append(_Touch(a, b, touch.pairs, touch.form != UNCLEAR, loose=touch.form == CORNER))
    return touches


def _groups(tiles: Collection[Judged], touches: list[_Touch]) -> tuple[tuple[int, ...], ...]:
    """The ids of tiles that hang together, in the order of the photograph; loose tiles in none."""
    group = {tile.id: {tile.id} for tile in tiles}
    for touch in touches:
        merged = group[touch.a.id] | group[touch.b.id]
        for tile in merged:
            group[tile] = merged
    return tuple(sorted({tuple(sorted(members)) for members in group.values() if len(members) > 1}))


def _used_twice(touches: list[_Touch], has_spinner: bool) -> set[tuple[int, int]]:
    """(tile, half) that two other tiles are joined to: a line of dominoes does not branch, but for one spinner.

    A double that lies crosswise is met at both its long sides, so only its third join is one too many.
    """
    used: dict[tuple[int, int], int] = {}
    for touch in touches:
        if touch.clear:
            for one, half in zip((touch.a, touch.b), touch.corners[0], strict=True):
                used[one.id, half] = used.get((one.id, half), 0) + 1
    doubles = {one.id for touch in touches for one in (touch.a, touch.b) if len(set(one.seen.values)) == 1}
    joined = {tile: sum(count for (owner, _), count in used.items() if owner == tile) for tile in doubles}
    crowded = {tile for tile, count in joined.items() if count > 2}
    if has_spinner and len(crowded) == 1 and joined[min(crowded)] <= SIDES:
        crowded = set()
    return {(tile, half) for (tile, half), count in used.items() if (tile in crowded if tile in doubles else count > 1)}


def _join(touch: _Touch, kind: str) -> Join:
    a, b = touch.a, touch.b
    pairs = touch.corners
    numbers = tuple((_number(a, i), _number(b, j)) for i, j in pairs)
    if not (a.is_read and b.is_read):
        return Join(a.id, b.id, numbers, None, None)
    legal = all(one == other for one, other in numbers)
    if kind == DOMINO:
        reason = Reason.OK_PLACE if legal else Reason.END_MISMATCH
    elif legal:
        reason = Reason.OK_EDGE
    else:
        reason = Reason.CORNER_MISMATCH if touch.loose else Reason.EDGE_MISMATCH
    return Join(a.id, b.id, numbers, legal, reason)


def _number(tile: Judged, index: int) -> int:
    """The number at a half or corner; -1 where nothing was read."""
    return tile.seen.values[index] if tile.seen.values else -1


def _across_seam(touch: _Touch, touches: list[_Touch]) -> Join | None:
    """A domino whose end lies across a seam, unlike all the halves that it lies against, is illegal there.

    Only when nothing else holds it: otherwise it was laid elsewhere and merely came to lie here.
    """
    for one in (0, 1):
        ending = (touch.a, touch.b)[one]
        own = [other for other in touches if ending.id in other.ids]
        if len(own) < 2 or any(other.clear or not other.meets for other in own):
            continue
        met = [_seen_from(ending, other) for other in own]
        halves = {mine for _, pairs in met for mine, _ in pairs}
        sure = ending.is_read and all(who.is_read for who, _ in met)
        differs = all(_number(ending, mine) != _number(who, its) for who, pairs in met for mine, its in pairs)
        if len(halves) == 1 and sure and differs:
            numbers = tuple((_number(touch.a, i), _number(touch.b, j)) for i, j in touch.meets)
            return Join(*touch.ids, numbers[:1], False, Reason.END_MISMATCH)
    return None


def _seen_from(tile: Judged, touch: _Touch) -> tuple[Judged, tuple[tuple[int, int], ...]]:
    if touch.a.id == tile.id:
        return touch.b, touch.meets
    return touch.a, tuple((other, one) for one, other in touch.meets)
