"""Prints one line per ruling, from the views that everybody gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.notation import SEATS
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
        self._told: dict[int, Ruled] = {}
        self._asked: set[str] = set()
        self._advised: set[str] = set()
        self.rulings: list[Ruled] = []

    def hear(self, view: View) -> None:
        """Print what is new in a view."""
        for ruled in view.log:
            known = self._told.get(ruled.entry)
            self._told[ruled.entry] = ruled
            if known is None:
                self.rulings.append(ruled)
                self._say(line(ruled, view))
                for text in _words().proven(view.seats, ruled):
                    self._say(f"    !  {text}")
            elif (known.reason, known.awards, known.void) != (ruled.reason, ruled.awards, ruled.void):
                self._say("    ~  " + (f"{ruled.entry} undone" if ruled.void else f"now {line(ruled, view).strip()}"))
        for question in view.questions:
            if question.id in self._asked:
                continue
            self._asked.add(question.id)
            self._say(f"    ?  {ask(question.what)} ({question_tile(view, question.id)})")
        for text in advice(view):
            if text not in self._advised:
                self._advised.add(text)
                self._say(f"    *  {text}")


def advice(view: View) -> list[str]:
    """What could have been played in the round that is over, in training with the last tile; or that nothing can be."""
    from display.sentences import NO_PLACE

    missed = [f"{_words().missed(view.seats, each)} (entry {each.entry})" for each in view.missed]
    better = [f"{_words().better(view.better)} (entry {view.better.entry})"] if view.better else []
    dead = [f"{_words().say(NO_PLACE)} (round {view.round})"] if view.dead else []
    return [*dead, *missed, *better]


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
    letter, name = SEATS[ruled.seat], view.seats[ruled.seat].name
    return " ".join(name if word == letter else word for word in ruled.line.split(" "))


def ask(what: str) -> str:
    """A question in words."""
    from display.sentences import QUESTIONS

    return _words().code(QUESTIONS, what)


def _words() -> Words:
    from display.sentences import Words

    return Words()


def question_tile(view: View, question_id: str) -> str:
    """The tile a question is about, or the entry with its ruling."""
    question = next(question for question in view.questions if question.id == question_id)
    if question.about is not None:
        return _words().about(view.seats, question.about)
    return "-".join(map(str, question.tile.values)) if question.tile and question.tile.values else "tile"


def standing(view: View) -> str:
    """The scores in one line; after the match the ranking."""
    order = [seat for group in view.ranking for seat in group] or range(len(view.seats))
    return ", ".join(f"{view.seats[seat].name} {view.seats[seat].score}" for seat in order)
