"""Prints one line per ruling, from the views that everybody gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.wire import Ruled, View

if TYPE_CHECKING:
    from display.sentences import Words


class Narrator:
    """Tells a match in lines of text.

    Args:
        say: where a line goes.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._told: set[int] = set()
        self._asked: set[str] = set()
        self.rulings: list[Ruled] = []

    def hear(self, view: View) -> None:
        """Print what is new in a view."""
        for ruled in view.log:
            if ruled.entry in self._told:
                continue
            self._told.add(ruled.entry)
            self.rulings.append(ruled)
            self._say(line(ruled, view))
        for question in view.questions:
            if question.id in self._asked:
                continue
            self._asked.add(question.id)
            self._say(f"    ?  {ask(question.what)} ({question_tile(view, question.id)})")


def line(ruled: Ruled, view: View) -> str:
    """One ruling as a line: number, what was done, the verdict in words, the points item by item."""
    mark = " " if ruled.legal else "!"
    clauses = "" if ruled.legal or not ruled.clauses else f" ({', '.join(ruled.clauses)})"
    points = _words().awards(view.seats, ruled)
    said = f"{ruled.entry:5d} {mark} {named(ruled, view):<44} {_words().reason(ruled.reason)}{clauses}"
    return f"{said}  {points}" if points else said


def named(ruled: Ruled, view: View) -> str:
    """The line of notation with the player's name in place of his letter."""
    if ruled.seat is None:
        return ruled.line
    return view.seats[ruled.seat].name + ruled.line[1:]


def ask(what: str) -> str:
    """A question in words."""
    from display.sentences import QUESTIONS

    return _words().code(QUESTIONS, what)


def _words() -> Words:
    from display.sentences import Words

    return Words()


def question_tile(view: View, question_id: str) -> str:
    """The tile a question is about."""
    question = next(question for question in view.questions if question.id == question_id)
    return "-".join(map(str, question.tile.values)) if question.tile and question.tile.values else "tile"


def standing(view: View) -> str:
    """The scores in one line; after the match the ranking."""
    order = [seat for group in view.ranking for seat in group] or range(len(view.seats))
    return ", ".join(f"{view.seats[seat].name} {view.seats[seat].score}" for seat in order)
