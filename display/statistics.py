"""How everybody has fared: a line for each player and game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from display import theme
from display.aside import Aside, Desk
from display.heading import BODY, heading
from display.sentences import GAMES, Words, number, signed
from display.widgets import GAP, Button, Label, Page, Panel, Rect, Widget
from referee.statistics import Career

LINES = 8
HEAD = 40.0
FOOT = 66.0
WIDTHS = (176.0, 160.0, 66.0, 76.0, 92.0, 116.0, 74.0)
MOST_ASKED = 5  # times before somebody is told that not all is counted


@dataclass(frozen=True, slots=True)
class Players(Aside):
    """The statistics of all players; `more` matches are not counted yet, `leaf` is the part that is shown."""

    careers: tuple[Career, ...] = ()
    more: int = 0
    leaf: int = 0

    def page(self, desk: Desk) -> Page:
        """A table with a line for each player and game."""
        words = desk.words
        title = words.say("Players") if self.careers else words.say("No game has been finished yet")
        return Page((*heading(words, title, desk.notice), *self._table(words), *self._foot(words)))

    def _table(self, words: Words) -> Iterator[Widget]:
        titles = (
            *(words.say("Player"), words.say("Game"), words.say("Games"), words.say("Wins"), words.say("Average")),
            *(words.say("Best move"), words.say("Illegal")),
        )
        if not self.careers:
            return
        room = Rect(BODY.x, BODY.y, BODY.w, BODY.h - FOOT - GAP)
        yield Panel(room, theme.CARD)
        for cell, title in zip(_cells(Rect(room.x + 8, room.y + 2, room.w - 16, HEAD)), titles, strict=True):
            yield Label(cell, title, 15, theme.CARD, soft=True, align=_align(cell, room), lines=2)
        height = (room.h - HEAD - 6) / LINES
        first = self.leaf * LINES
        name = ""
        for index, each in enumerate(self.careers[first : first + LINES]):
            row = Rect(room.x + 8, room.y + HEAD + index * height, room.w - 16, height)
            for cell, text in zip(_cells(row), _texts(each, each.name != name, words), strict=True):
                yield Label(cell, text, 18, theme.CARD, bold=cell.x == row.x, align=_align(cell, room), lines=2)
            name = each.name

    def _foot(self, words: Words) -> Iterator[Widget]:
        foot = Rect(BODY.x, BODY.bottom - FOOT, BODY.w, FOOT)
        keys = []
        if self.leaf:
            keys.append((words.say("Back to the top"), "@top"))
        if len(self.careers) > (self.leaf + 1) * LINES:
            keys.append((words.say("More players"), "@further"))
        if self.more:
            text = words.plural("{count} more game to count", "{count} more games to count", self.more)
            keys.append((text, "@count"))
        for index, (text, order) in enumerate(keys):
            yield Button(
                Rect(foot.right - (index + 1) * (184 + GAP) + GAP, foot.y, 184, foot.h), text, order, theme.KEY
            )
        if any(each.lowest_wins for each in self.careers):
            left = Rect(foot.x + 8, foot.y, foot.w - len(keys) * (184 + GAP) - 16, foot.h)
            text = words.say("↓ The fewest points win this game: a low average is good.")
            yield Label(left, text, 16, theme.ROOM, soft=True, lines=2)

    def tapped(self, word: str, desk: Desk) -> Players | None:
        """Leaf, or count on."""
        match word:
            case "@further":
                return replace(self, leaf=self.leaf + 1)
            case "@top":
                return replace(self, leaf=0)
            case "@count":
                return opened(desk)
        return None


def opened(desk: Desk) -> Players:
    """The statistics, as far as they are quickly counted."""
    told = desk.ask("players")
    for _ in range(MOST_ASKED):
        if not told.more or told.error:
            break
        told = desk.ask("players")
    return Players(told.players, told.more)


def _texts(each: Career, is_first: bool, words: Words) -> tuple[str, ...]:
    """What stands in the columns; the name only in a player's first line."""
    name = " ".join(each.name.split())
    best = f"{each.best.tile} {signed(each.best.points)}" if each.best else "–"
    wins = number(each.wins) + (f" ({each.shared}=)" if each.shared else "")
    average = ("↓ " if each.lowest_wins else "") + words.decimal(each.average)
    return (
        *(name if is_first else "", words.code(GAMES, each.game), number(each.games), wins),
        *(average, best, number(each.illegal)),
    )


def _cells(row: Rect) -> Iterator[Rect]:
    x = row.x
    for width in WIDTHS:
        yield Rect(x, row.y, width - 6, row.h)
        x += width


def _align(cell: Rect, room: Rect) -> str:
    """Words to the left, numbers to the right."""
    return "left" if cell.x < room.x + WIDTHS[0] + WIDTHS[1] else "right"
