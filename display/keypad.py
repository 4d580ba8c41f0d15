"""The pages on which a tile is picked by its numbers, a hand tile by tile, and a number digit by digit."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from display import theme
from display.dialogue import CLOSE, ERASE, NOTHING, Dialogue, kind, line, matching, said, unseen, whole_set
from display.sentences import Words, tile_in
from display.widgets import GAP, Button, Face, Label, Panel, Rect, Widget
from referee.state import State
from referee.tiles import DOMINO, Tile
from referee.wire import View

HEAD = Rect(8, 8, 784, 64)
BODY = Rect(8, 80, 784, 392)
LEFT = Rect(8, 80, 224, 392)
RIGHT = Rect(240, 80, 552, 392)
COLUMNS, ROWS = 7, 5
ROW = 72.0
COUNTS = 28


def head(view: View, dialogue: Dialogue, title: str, words: Words, notice: str) -> Iterator[Widget]:
    """Who and what is asked, or why the last order was refused, and the way back."""
    look = theme.NOTE if notice else theme.ASK
    bar, back = Rect(HEAD.x, HEAD.y, HEAD.w - 140 - GAP, HEAD.h), Rect(HEAD.right - 140, HEAD.y, 140, HEAD.h)
    yield Panel(bar, look)
    name = "" if dialogue.entry is not None else words.brief(view.seats, dialogue.seat)
    text = notice or words.told(name, title)
    inner = bar.inset(14, 8)
    if dialogue.offers is not None:
        yield Face(Rect(inner.x, inner.y - 2, 56, inner.h + 4), tile_in(dialogue.tiles[0]))
        inner = Rect(inner.x + 70, inner.y, inner.w - 70, inner.h)
    yield Label(inner, text, 24, look, bold=True, lines=2)
    yield Button(back, words.say("Back"), CLOSE, theme.KEY)


def tile(view: View, state: State | None, dialogue: Dialogue, words: Words, is_hand: bool) -> Iterator[Widget]:
    """Number keys, greyed where no tile left has such a number too, and beside them the tiles that are left."""
    fitting = matching(unseen(dialogue, view, state), dialogue.numbers)
    yield from _picked(view, state, dialogue, words, is_hand)
    highest = max(number for each in whole_set(view, state) for number in each.values)
    cells = _cells(Rect(LEFT.x, LEFT.y + ROW + GAP, LEFT.w, LEFT.h - ROW - GAP), highest + 2, 3, ROW)
    for number, cell in enumerate(cells[:-1]):
        if matching(fitting, (*dialogue.numbers, number)):
            order = said(dialogue, f"@number {number}", view, state)
            yield Button(cell, str(number), order, theme.MAIN_KEY, size=32)
        else:
            yield from dead(cell, str(number))
    if dialogue.numbers or dialogue.tiles:
        yield Button(cells[-1], "⌫", ERASE, theme.KEY, size=28)
    room = RIGHT
    if is_hand or dialogue.act == "announces":
        room = Rect(RIGHT.x, RIGHT.y, RIGHT.w, RIGHT.h - ROW - GAP)
        yield from _foot(view, state, dialogue, words, Rect(RIGHT.x, room.bottom + GAP, RIGHT.w, ROW), is_hand)
    yield from _faces(view, state, dialogue, words, room, fitting)


def _faces(
    view: View, state: State | None, dialogue: Dialogue, words: Words, room: Rect, fitting: tuple[Tile, ...]
) -> Iterator[Widget]:
    """The tiles that are left, as pictures to tap, as soon as all of them have room."""
    rows = int((room.h + GAP) // (ROW + GAP))
    if len(fitting) > COLUMNS * rows:
        yield Panel(room, theme.CARD)
        text = words.say("Tap the numbers of the tile; any order will do")
        yield Label(room.inset(40, 60), text, 26, theme.CARD, soft=True, align="centre", lines=3)
        return
    cells = _cells(room, COLUMNS * rows, COLUMNS, ROW)
    for each, cell in zip(fitting, cells, strict=False):
        order = said(dialogue, f"@tile {each}", view, state)
        yield Button(cell, str(each), order, theme.KEY, size=15, face=each.values)


def _picked(view: View, state: State | None, dialogue: Dialogue, words: Words, is_hand: bool) -> Iterator[Widget]:
    """The numbers tapped so far of this tile; of a hand, how many tiles it has and how many it should have."""
    box = Rect(LEFT.x, LEFT.y, LEFT.w, ROW)
    yield Panel(box, theme.CARD)
    count = 2 if kind(view, state) == DOMINO else 3
    shown = "  ".join([*map(str, dialogue.numbers), *["–"] * (count - len(dialogue.numbers))])
    if not is_hand:
        yield Label(box.inset(10, 6), shown, 34, theme.CARD, bold=True, align="centre")
        return
    half = box.columns(2, GAP)
    yield Label(half[0].inset(8, 6), shown, 24, theme.CARD, bold=True, align="centre")
    expected = view.seats[dialogue.seat].tiles if dialogue.seat is not None else 0
    text = words.say("{count} of {expected}").format(count=len(dialogue.tiles), expected=expected)
    yield Label(half[1].inset(8, 6), text, 24, theme.CARD, align="centre")


def _foot(
    view: View, state: State | None, dialogue: Dialogue, words: Words, foot: Rect, is_hand: bool
) -> Iterator[Widget]:
    """The tiles of the hand so far with the key that ends it; or the key that names none."""
    done = Rect(foot.right - 152, foot.y, 152, foot.h)
    if not is_hand:
        order = said(dialogue, f"@tile {NOTHING}", view, state)
        yield Button(foot, words.say("Holds none"), order, theme.KEY)
        return
    expected = view.seats[dialogue.seat].tiles if dialogue.seat is not None else 0
    is_whole = len(dialogue.tiles) == expected
    yield Button(done, words.say("That is all"), line(dialogue), theme.MAIN_KEY if is_whole else theme.KEY, size=20)
    strip = Rect(foot.x, foot.y, foot.w - done.w - GAP, foot.h)
    yield Panel(strip, theme.FELT)
    inner = strip.inset(6, 6)
    width = min(inner.h, inner.w / max(1, len(dialogue.tiles)))
    for index, each in enumerate(dialogue.tiles):
        values = Tile.parse(each).values
        yield Face(Rect(inner.x + index * width, inner.y, width - 2, inner.h), values)


def count(view: View, state: State | None, dialogue: Dialogue, words: Words) -> Iterator[Widget]:
    """A key for each number of tiles, the one that the record expects in light."""
    expected = _expected(view, dialogue)
    first = dialogue.page * COUNTS
    cells = _cells(BODY, COLUMNS * ROWS, COLUMNS, ROW + 2)
    for number, cell in zip(range(first, first + COUNTS), cells, strict=False):
        order = said(dialogue, f"@count {number}", view, state)
        look = theme.MAIN_KEY if number == expected else theme.KEY
        yield Button(cell, str(number), order, look, size=28)
    row = Rect(BODY.x, cells[COUNTS].y, BODY.w, cells[COUNTS].h)
    more = words.say("More than {count}").format(count=first + COUNTS - 1)
    yield Button(Rect(row.right - 250, row.y, 250, row.h), more, "@further", theme.KEY)
    if expected is not None:
        text = words.say("The record says {count}").format(count=expected)
        yield Label(Rect(row.x + 8, row.y, row.w - 270, row.h), text, 20, theme.ROOM, soft=True)


def _expected(view: View, dialogue: Dialogue) -> int | None:
    if dialogue.act == "stock":
        return view.stock
    if dialogue.act == "holds" and dialogue.seat is not None:
        return view.seats[dialogue.seat].tiles
    return None


def points(dialogue: Dialogue, words: Words) -> Iterator[Widget]:
    """Digits, the sign, and the key that ends the number."""
    shown = Rect(BODY.x, BODY.y, 380, ROW)
    yield Panel(shown, theme.CARD)
    sign, digits = ("−", dialogue.digits[1:]) if dialogue.digits.startswith("-") else ("+", dialogue.digits)
    yield Label(shown.inset(14, 6), sign + digits, 38, theme.CARD, bold=True, align="right")
    keys = [*((str(digit), f"@digit {digit}") for digit in (*range(1, 10), 0)), ("+/−", "@sign"), ("⌫", ERASE)]
    pad = Rect(BODY.x, shown.bottom + GAP, shown.w, BODY.h - ROW - GAP)
    for (text, order), cell in zip(keys, _cells(pad, len(keys), 3, ROW), strict=True):
        yield Button(cell, text, order, theme.KEY if order in ("@sign", ERASE) else theme.MAIN_KEY, size=30)
    if digits.strip("0"):
        ok = Rect(shown.right + 2 * GAP, BODY.y, BODY.right - shown.right - 2 * GAP, ROW)
        yield Button(ok, words.say("Do it"), line(dialogue), theme.MAIN_KEY)


def dead(rect: Rect, text: str) -> Iterator[Widget]:
    """A key that cannot be tapped."""
    yield Panel(rect, theme.ROOM)
    yield Label(rect.inset(8, 8), text, 28, theme.CARD, soft=True, align="centre")


def _cells(room: Rect, count: int, columns: int, height: float) -> tuple[Rect, ...]:
    """So many cells in rows of this height, lower ones where there are too many."""
    rows = ceil(count / columns)
    height = min(height, (room.h - GAP * (rows - 1)) / rows)
    block = Rect(room.x, room.y, room.w, rows * height + (rows - 1) * GAP)
    return tuple(cell for row in block.rows(rows, GAP) for cell in row.columns(columns, GAP))[:count]
