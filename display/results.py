"""Score sheets: a line for each round with what it brought everybody, and what one round's points were for."""

from __future__ import annotations

from collections.abc import Iterator

from display import theme
from display.sentences import AWARDS, N_, Words, number, signed
from display.theme import Look
from display.widgets import Button, Label, Panel, Rect, Widget
from referee.statistics import BLOCKED, OUT, Round
from referee.wire import Seat

ROW = 68.0
HEAD = 34.0
FIRST = 92.0
ENDS = {BLOCKED: N_("Blocked: nobody can play any more"), OUT: N_("{name} goes out")}


def ending(line: Round, seats: tuple[Seat, ...], words: Words) -> str:
    """How a round has ended, empty while it goes on or where that needs no words."""
    return words.say(ENDS[line.end]).format(name=words.brief(seats, line.out)) if line.end in ENDS else ""


def score_sheet(
    rect: Rect, seats: tuple[Seat, ...], lines: tuple[Round, ...], words: Words, look: Look = theme.CARD
) -> Iterator[Widget]:
    """A row for each round: what it brought each player, and after it the score; a tap on a row tells what for."""
    yield Panel(rect, look)
    inner = rect.inset(8, 4)
    columns = Rect(inner.x + FIRST, inner.y, inner.w - FIRST, HEAD).columns(max(1, len(seats)), 6)
    for seat, cell in enumerate(columns):
        yield Label(cell, words.name(seats, seat), 18, look, bold=True, align="right")
    for index, line in enumerate(lines):
        row = Rect(inner.x, inner.y + HEAD + index * ROW, inner.w, ROW)
        key = Rect(row.x, row.y + 2, FIRST - 8, ROW - 4)
        yield Button(
            key, words.say("Round {round}").format(round=line.number), f"@round {line.number}", theme.KEY, size=15
        )
        for seat, cell in enumerate(columns):
            opens = "▸ " if seat == line.opener else ""
            half = Rect(cell.x, row.y, cell.w * 0.5, ROW), Rect(cell.x + cell.w * 0.5, row.y, cell.w * 0.5, ROW)
            yield Label(half[0], opens + signed(line.points[seat]), 16, look, soft=True, align="right")
            yield Label(half[1], number(line.scores[seat]), 22, look, bold=True, align="right")


def breakdown(
    rect: Rect, seats: tuple[Seat, ...], line: Round, words: Words, look: Look = theme.CARD
) -> Iterator[Widget]:
    """A row for each player: what the points of a round were for, their sum, and the score after it."""
    rows = rect.rows(max(1, len(seats)), 4)
    for seat, row in enumerate(rows):
        yield Panel(row, look)
        inner = row.inset(10, 3)
        name = Rect(inner.x, inner.y, inner.w * 0.22, inner.h)
        total = Rect(inner.right - 62, inner.y, 62, inner.h)
        points = Rect(total.x - 66, inner.y, 62, inner.h)
        items = Rect(name.right + 8, inner.y, points.x - name.right - 14, inner.h)
        yield Label(name, ("▸ " if seat == line.opener else "") + words.name(seats, seat), 19, look, bold=True)
        yield Label(items, _items(line, seat, words), 16, look, soft=True, lines=2 if inner.h > 36 else 1)
        yield Label(points, signed(line.points[seat]), min(22.0, inner.h * 0.7), look, align="right")
        yield Label(total, number(line.scores[seat]), min(26.0, inner.h * 0.75), look, bold=True, align="right")


def _items(line: Round, seat: int, words: Words) -> str:
    """What a player's points were for, what was gained before what was lost."""
    own = sorted((each for each in line.items if each.seat == seat), key=lambda each: each.points < 0)
    return "  ".join(f"{signed(each.points)} {words.code(AWARDS, each.what)}".rstrip() for each in own)
