"""A second judge of a domino line: it writes the numbers of all halves in a row and looks which of them touch."""

from __future__ import annotations

from itertools import combinations_with_replacement

Halves = tuple[int, int]

SET: tuple[Halves, ...] = tuple(combinations_with_replacement(range(7), 2))


def judge(row: list[int], tile: Halves, end: str, inner: int | None) -> str:
    """The code of a tile at the `left` or `right` end of a row of halves; `inner` is the half that touches."""
    if tuple(sorted(tile)) not in SET:
        return "no-such-tile"
    laid = [tuple(sorted(row[at : at + 2])) for at in range(0, len(row), 2)]
    if tuple(sorted(tile)) in laid:
        return "tile-already-played"
    if not any(touching_halves_agree(longer) for longer in rows_with(row, tile, end, inner)):
        return "end-mismatch"
    return "ok-place"


def rows_with(row: list[int], tile: Halves, end: str, inner: int | None) -> list[list[int]]:
    """The row with the tile at an end, either way round, or only the way that `inner` says."""
    both = [list(tile), [tile[1], tile[0]]]
    if end == "left":
        return [turned + row for turned in both if inner in (None, turned[1])]
    return [row + turned for turned in both if inner in (None, turned[0])]


def touching_halves_agree(row: list[int]) -> bool:
    """Whether each tile touches the next one with equal halves."""
    return all(row[at] == row[at + 1] for at in range(1, len(row) - 1, 2))


def nobody_can_move(row: list[int]) -> bool:
    """Whether no tile of the whole set that is not in the row fits at either end."""
    return not any(judge(row, tile, end, None) == "ok-place" for tile in SET for end in ("left", "right"))
