"""Before camera and table are measured: which camera, how large the tiles and the mat are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from display import theme
from display.heading import BODY, grid
from display.sentences import N_, Words
from display.widgets import GAP, TARGET, Button, Label, Panel, Rect, Widget
from referee.tiles import DOMINO, TRIOMINO

CHOOSE, LOOK, LESS, MORE, KIND, MEASURE, KEEP = "@choose", "@look", "@less", "@more", "@kind", "@measure", "@keep"
FOOT = 72.0
SIZES = {
    "side": N_("Side of a triomino"),
    "length": N_("Length of a domino"),
    "width": N_("Width of a domino"),
    "thickness": N_("Thickness of a tile"),
    "across": N_("Mat, from left to right"),
    "down": N_("Mat, from far to near"),
    "line": N_("The printed line of 100 mm"),
}
KINDS = {TRIOMINO: N_("Triominoes"), DOMINO: N_("Dominoes")}
PI = N_("Ribbon camera")
NO_CAMERA = N_("No camera is found. Put in its cable, then look again.")


@dataclass(frozen=True, slots=True)
class Size:
    """One length that is asked for: its name among `SIZES`, and how many millimetres it is."""

    name: str
    mm: float


def cameras(names: Sequence[str], words: Words) -> Iterator[Widget]:
    """A key for each camera that was found, and one to look again."""
    cells = grid(Rect(BODY.x, BODY.y, BODY.w, BODY.h - FOOT - GAP), 1, 4)
    if not names:
        yield Panel(cells[0], theme.NOTE)
        yield Label(cells[0].inset(14, 8), words.say(NO_CAMERA), 24, theme.NOTE, lines=2)
    for cell, name in zip(cells, names, strict=False):
        yield Button(cell, named(name, words), f"{CHOOSE} {name}", theme.MAIN_KEY)
    yield Button(_foot()[0], words.say("Look again"), LOOK, theme.KEY)


def named(camera: str, words: Words) -> str:
    """A camera as people call it: what its maker wrote into it, without what is the same for all."""
    if camera == "pi":
        return words.say(PI)
    name = camera.removeprefix("usb:").removeprefix("usb-").removesuffix("-video-index0")
    return " ".join(name.replace("_", " ").split())


def sizes(asked: Sequence[Size], kind: str, is_kept: bool, is_left: bool, words: Words) -> Iterator[Widget]:
    """A length in each cell with keys for less and more.

    Args:
        kind: of tile, that can be changed; empty where the set of tiles is known.
        is_kept: whether there is a lens that can be kept.
        is_left: whether the match under way is played with other tiles.
    """
    for cell, size in zip(grid(Rect(BODY.x, BODY.y, BODY.w, BODY.h - FOOT - GAP), 2, 3), asked, strict=False):
        yield Panel(cell, theme.CARD)
        high = Rect(cell.x, cell.y + (cell.h - TARGET) / 2, cell.w, TARGET)
        yield Button(Rect(high.x + GAP, high.y, TARGET, TARGET), "−", f"{LESS} {size.name}", theme.KEY, size=34)
        yield Button(
            Rect(high.right - GAP - TARGET, high.y, TARGET, TARGET), "+", f"{MORE} {size.name}", theme.KEY, size=34
        )
        inner = Rect(cell.x + TARGET + 2 * GAP, high.y - GAP, cell.w - 2 * TARGET - 4 * GAP, TARGET + 2 * GAP)
        told = words.say("{length} mm").format(length=words.decimal(size.mm))
        yield Label(Rect(inner.x, inner.y, inner.w, 34), told, 24, theme.CARD, bold=True, align="centre")
        text = Rect(inner.x, inner.y + 34, inner.w, inner.h - 34)
        yield Label(text, words.say(SIZES[size.name]), 17, theme.CARD, soft=True, align="centre", lines=2)
    first, second, third = _foot()
    if kind:
        note = words.say("The match is left then") if is_left else words.say("Kind of tile")
        yield Button(first, words.say(KINDS[kind]), KIND, theme.NOTE if is_left else theme.KEY, note, 22)
    if is_kept:
        yield Button(second, words.say("Keep the lens"), KEEP, theme.TURN, words.say("Only the camera was moved"), 22)
    note = words.say("For a new camera or lens")
    yield Button(third, words.say("Measure all"), MEASURE, theme.KEY if is_kept else theme.TURN, note, 22)


def _foot() -> tuple[Rect, ...]:
    return Rect(BODY.x, BODY.bottom - FOOT, BODY.w, FOOT).columns(3, GAP)
