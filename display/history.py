"""What was played: every move of a match, to be put right with a tap, and the matches of before.

The lists are fetched piece by piece as somebody leafs through them, the newest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from display import choices, dialogue, results, theme
from display.aside import Aside, Desk
from display.dialogue import Dialogue
from display.heading import BACK, BODY, heading
from display.sentences import GAMES, Words, number, tile_in
from display.widgets import GAP, Button, Label, Page, Panel, Rect, Widget
from referee.statistics import Past, Round
from referee.wire import Answer, Ruled, Seat, View

ROWS = 5  # in one leaf of a list
KEYS_W = 130.0
NEWER, OLDER = "@newer", "@older"
CHANGES = ("undo", "overrule", "correct")
NOBODY = View(epoch="", seq=0)
LINES = 5  # of a score sheet


@dataclass(frozen=True, slots=True)
class Moves(Aside):
    """All that was ruled in a match, newest first; in the one on the table (number 0) it can be changed.

    `seats` are the players; `moves` what has been fetched so far, `more` how many entries are older, `leaf` which part
    is shown. `about` is what is being put right.
    """

    match: int
    seats: tuple[Seat, ...]
    moves: tuple[Ruled, ...] = ()
    more: int = 0
    leaf: int = 0
    about: Dialogue | None = None

    def page(self, desk: Desk) -> Page:
        """A leaf of the list, or what can be done about one of the moves."""
        if self.about is not None:
            view = desk.view or NOBODY
            return Page(tuple(choices.page(view, desk.state, self.about, desk.words, desk.notice)))
        return Page((*self._heading(desk), *self._rows(desk.words)))

    def _heading(self, desk: Desk) -> Iterator[Widget]:
        words = desk.words
        keys = () if self.match else ((words.say("Score sheet"), "@sheet"), (words.say("Past games"), "@games"))
        title = words.say("All moves") if self.match else words.say("Tap a move to put it right")
        return heading(words, title, desk.notice, keys)

    def _rows(self, words: Words) -> Iterator[Widget]:
        shown = self.moves[self.leaf * ROWS :][:ROWS]
        for row, ruled in zip(_list().rows(ROWS, GAP), shown, strict=False):
            text = f"{ruled.entry}  {words.ruling(self.seats, ruled)}"
            note = words.say("undone") if ruled.void else words.awards(self.seats, ruled) or words.act(ruled.line)
            can_change = not self.match and not ruled.line.startswith(CHANGES)
            tile = tile_in(ruled.line)
            if can_change:
                yield Button(row, text, f"@entry {ruled.entry}", theme.KEY, note, 20, tile)
            else:
                yield from _still(row, text, note)
        yield from _leafing(words, self.leaf > 0, bool(self.more) or len(self.moves) > (self.leaf + 1) * ROWS)

    def tapped(self, word: str, desk: Desk) -> Moves | None:
        """Leaf, pick a move, or one more tap of what is being put right."""
        if self.about is not None:
            return replace(self, about=_one_more(self.about, word, desk))
        verb, _, rest = word.removeprefix("@").partition(" ")
        match verb:
            case "newer":
                return replace(self, leaf=max(0, self.leaf - 1))
            case "older":
                after = replace(self, leaf=self.leaf + 1)
                is_there = len(self.moves) > after.leaf * ROWS or not self.more
                return after if is_there else after.longer(desk)
            case "entry":
                ruled = next((each for each in self.moves if each.entry == int(rest)), None)
                return self if ruled is None else replace(self, about=Dialogue("history", entry=ruled))
        return None

    def longer(self, desk: Desk) -> Moves:
        """With the moves before the oldest that is known."""
        before = (str(self.moves[-1].entry),) if self.moves else ()
        told = desk.ask("moves", str(self.match), *before)
        return replace(self, moves=(*self.moves, *told.moves), more=told.more)

    def done(self, answer: Answer, desk: Desk) -> Moves | None:  # noqa: ARG002  # as every aside
        """Something was put right: the list begins anew, since rulings may be others now."""
        return Moves(self.match, self.seats).longer(desk)


@dataclass(frozen=True, slots=True)
class Games(Aside):
    """What was played, newest first; one of them open with its score sheet, its moves, or what a round's points were.

    `past` is what has been fetched so far, `more` how many there are besides. `opened` is the match that is looked at
    with its `sheet`, `number` the round of it, `moves` its moves. `is_sure` after the first tap on the key that
    deletes it. `is_alone` when the score sheet was opened by itself, without the list.
    """

    past: tuple[Past, ...] = ()
    more: int = 0
    leaf: int = 0
    opened: Past | None = None
    sheet: tuple[Round, ...] = ()
    number: int = 0
    moves: Moves | None = None
    is_sure: bool = False
    is_alone: bool = False

    def page(self, desk: Desk) -> Page:
        """The list, a match, or what is opened of it."""
        if self.moves is not None:
            return self.moves.page(desk)
        if self.opened is None:
            return Page((*self._heading(desk), *self._rows(desk.words)))
        return Page(tuple(self._match(self.opened, desk)))

    def _heading(self, desk: Desk) -> Iterator[Widget]:
        title = desk.words.say("Past games") if self.past else desk.words.say("No game has been played yet")
        return heading(desk.words, title, desk.notice, ((desk.words.say("Players"), "@players"),))

    def _rows(self, words: Words) -> Iterator[Widget]:
        shown = self.past[self.leaf * ROWS :][:ROWS]
        for row, each in zip(_list().rows(ROWS, GAP), shown, strict=False):
            yield Button(row, scores(each, words), f"@match {each.number}", theme.KEY, headline(each, words), 22)
        yield from _leafing(words, self.leaf > 0, bool(self.more) or len(self.past) > (self.leaf + 1) * ROWS)

    def _match(self, past: Past, desk: Desk) -> Iterator[Widget]:
        words, seats = desk.words, seats_of(past)
        line = next((each for each in self.sheet if each.number == self.number), None)
        keys: list[tuple[str, str]] = [] if line else [(words.say("Moves"), "@list")]
        if not past.is_here and line is None:
            keys.append((words.say("Really delete?"), f"forget {past.number}") if self.is_sure else _delete(words))
        sure = words.say("Tap again to delete this game for good") if self.is_sure else ""
        yield from heading(words, headline(past, words), desk.notice or sure, keys, BACK)
        if line is not None:
            bar = Rect(BODY.x, BODY.y, BODY.w, 40)
            text = words.say("Round {round}").format(round=line.number)
            yield Label(bar, words.told(text, results.ending(line, seats, words)), 22, theme.ROOM, bold=True)
            height = min(BODY.h - 46, len(seats) * 70.0)
            yield from results.breakdown(Rect(BODY.x, BODY.y + 46, BODY.w, height), seats, line, words)
            return
        yield from results.score_sheet(_list(), seats, self._lines(), words)
        yield from _leafing(words, self._first() + LINES < len(self.sheet), self._first() > 0)

    def _first(self) -> int:
        """The first round that is shown: the newest are on the first leaf."""
        return max(0, len(self.sheet) - LINES * (self.leaf + 1))

    def _lines(self) -> tuple[Round, ...]:
        return self.sheet[self._first() :][:LINES]

    def tapped(self, word: str, desk: Desk) -> Games | None:
        """Leaf, open a match or a round of it, or go back."""
        if self.moves is not None:
            return replace(self, moves=self.moves.tapped(word, desk))
        verb, _, rest = word.removeprefix("@").partition(" ")
        match verb:
            case "newer":
                return replace(self, leaf=max(0, self.leaf - 1), is_sure=False)
            case "older":
                return self._older(desk)
            case "match":
                return replace(self, leaf=0)._with_sheet(rest, desk)
            case "round":
                return replace(self, number=int(rest), is_sure=False)
            case "delete":
                return replace(self, is_sure=True)
            case "list" if self.opened is not None:
                match = 0 if self.opened.is_here else self.opened.number
                return replace(self, moves=Moves(match, seats_of(self.opened)).longer(desk), is_sure=False)
        return self._back()

    def _back(self) -> Games | None:
        """One step back; None from where it began."""
        if self.number:
            return replace(self, number=0)
        if self.opened is None or self.is_alone:
            return None
        return replace(self, opened=None, sheet=(), leaf=0, is_sure=False)

    def _older(self, desk: Desk) -> Games:
        after = replace(self, leaf=self.leaf + 1, is_sure=False)
        is_there = self.opened is not None or len(self.past) > after.leaf * ROWS or not self.more
        return after if is_there else after.longer(desk)

    def longer(self, desk: Desk) -> Games:
        """With matches before the oldest that is known."""
        before = (str(self.past[-1].number),) if self.past else ()
        told = desk.ask("matches", *before)
        return replace(self, past=(*self.past, *told.matches), more=told.more)

    def _with_sheet(self, match: str, desk: Desk) -> Games:
        told = desk.ask("sheet", match)
        return replace(self, opened=told.matches[0], sheet=told.sheet) if told.matches else self

    def done(self, answer: Answer, desk: Desk) -> Games | None:
        """A match was deleted, or a move put right: what was known is asked for again."""
        if self.moves is not None:
            return replace(self, moves=self.moves.done(answer, desk))
        return Games().longer(desk)


def all_moves(desk: Desk) -> Moves:
    """The moves of the match on the table."""
    return Moves(0, desk.view.seats if desk.view else ()).longer(desk)


def games(desk: Desk) -> Games:
    """All that was played."""
    return Games().longer(desk)


def sheet(desk: Desk) -> Games:
    """The score sheet of the match on the table."""
    return Games(is_alone=True)._with_sheet("0", desk)


def seats_of(past: Past) -> tuple[Seat, ...]:
    """The players of a match as a view tells of them."""
    return tuple(Seat(name, score, 0, 0) for name, score in zip(past.summary.names, past.summary.scores, strict=True))


def scores(past: Past, words: Words) -> str:
    """The players with their scores, the winner first."""
    seats = seats_of(past)
    order = [seat for group in past.summary.ranking for seat in group] or range(len(seats))
    return "  ·  ".join(f"{words.brief(seats, seat)} {number(seats[seat].score)}" for seat in order)


def headline(past: Past, words: Words) -> str:
    """When it was played, what, and how it ended."""
    seats, ranking = seats_of(past), past.summary.ranking
    if not ranking:
        end = words.say("being played") if past.is_here else words.say("not finished")
    elif len(ranking[0]) == 1:
        end = words.say("won by {name}").format(name=words.brief(seats, ranking[0][0]))
    else:
        names = words.all_of(tuple(words.brief(seats, seat) for seat in ranking[0]))
        end = words.say("A shared win: {names}").format(names=names)
    return " · ".join((day(past.begun_ms, words), words.code(GAMES, past.summary.game), end))


def day(utc_ms: int | None, words: Words) -> str:
    """A day of the calendar where this screen stands."""
    if utc_ms is None:
        return words.say("date unknown")
    when = datetime.fromtimestamp(utc_ms / 1000)  # people read it at this table: its own time
    return words.date(when.year, when.month, when.day)


def _one_more(about: Dialogue, word: str, desk: Desk) -> Dialogue | None:
    """What is being put right after one more tap; where only a place is missing, the places are asked for."""
    view = desk.view or NOBODY
    after = dialogue.tapped(about, word, view, desk.state)
    if after is not None and after.offers is None and dialogue.need(after, view, desk.state) == "place":
        return dialogue.with_places(after, desk.ask)[0]
    return after


def _delete(words: Words) -> tuple[str, str]:
    return (words.say("Delete"), "@delete")


def _list() -> Rect:
    return Rect(BODY.x, BODY.y, BODY.w - KEYS_W - GAP, BODY.h)


def _leafing(words: Words, is_newer: bool, is_older: bool) -> Iterator[Widget]:
    """The keys to the parts of a list that are not shown."""
    up, down = Rect(BODY.right - KEYS_W, BODY.y, KEYS_W, BODY.h).rows(2, GAP)
    if is_newer:
        yield Button(up, words.say("Newer"), NEWER, theme.KEY)
    if is_older:
        yield Button(down, words.say("Older"), OLDER, theme.KEY)


def _still(row: Rect, text: str, note: str) -> Iterator[Widget]:
    """A line of a list that cannot be tapped."""
    yield Panel(row, theme.CARD)
    upper = Rect(row.x + 14, row.y + 4, row.w - 28, row.h * 0.5)
    yield Label(upper, text, 20, theme.CARD, bold=True)
    yield Label(Rect(upper.x, upper.bottom, upper.w, row.h * 0.36), note, 15, theme.CARD, soft=True)
