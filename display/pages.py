"""From a view to a page: what stands where, in which words, and what a tap would say.

The page is a grid: players and Undo on the left, the felt on the right, below it the ruling (or the
dispute) and the keys (or the question), the state of the house along the bottom.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from display import asking, choices, sentences, theme, tricks
from display.dialogue import MORE, Dialogue
from display.felt import felt, open_address
from display.keys import keys, undoable
from display.outlook import outlook, ways_out
from display.sentences import ACTIONS, GAMES, PHASES, Words, number, signed
from display.widgets import GAP, Badge, Button, Face, Label, Page, Panel, Rect, Widget, button_parts
from referee.games import games
from referee.state import State
from referee.wire import Answer, Ruled, View

ENGLISH = Words()
TOP = Rect(8, 0, 784, 38)
LEFT = Rect(8, 42, 248, 340)
UNDO = Rect(8, 386, 166, 66)
MORE_KEY = Rect(180, 386, 76, 66)
RIGHT = Rect(264, 42, 528, 410)
BOTTOM = Rect(8, 456, 784, 22)
STRIP, BANNER, LINE, KEYS = 34, 72, 24, 66
DISPUTE, SHORT_DISPUTE, QUESTION, LONG_QUESTION, SHORT_QUESTION = 212, 100, 146, 216, 80
MOST_ADVICE, CROWDED = 3, 4
MOST_KEYS = 6
TALLEST_SEAT = 92


def page(
    view: View | None,
    live: bool = True,
    words: Words = ENGLISH,
    notice: str = "",
    asked: Answer | None = None,
    dialogue: Dialogue | None = None,
    state: State | None = None,
    left_s: int | None = None,
) -> Page:
    """Lay out a view.

    Args:
        view: the newest view, None as long as there has been none.
        live: whether the table has been heard lately; an old page has no buttons and says that it is old.
        words: the language.
        notice: one line about an order that was not carried out.
        asked: an answer that tells what an order would change, to be shown before anything else.
        dialogue: what is being entered by hand, on a page of its own.
        state: the state that the view was made from, where it is known.
        left_s: seconds that are left for the turn, where there is a limit; negative when it is over.
    """
    if view is None:
        text = words.say("Waiting for the table …")
        middle = Rect(80, 180, 640, 120)
        return Page((Label(middle, text, 40, theme.ROOM, bold=True, align="centre"),), live)
    if live and asked is not None and asked.outlook is not None:
        return Page(tuple(outlook(view, asked, asked.outlook, words)))
    if live and asked is not None:
        return Page(tuple(ways_out(asked, words)))
    if live and dialogue is not None:
        return Page(tuple(choices.page(view, state, dialogue, words, notice)))
    widgets: list[Widget] = [*_top(view, words), *_seats(view, words, left_s), *_undo(view, words), *_more(view, words)]
    if not live:
        notice = words.say("Reconnecting … what you see is old")
    rest, strip = _strip(view, words, notice)
    rest, lower = _lower(view, state, rest, words)
    is_asked = bool(view.layout and (view.dispute or view.questions))  # of a tile that lies there: it is shown
    is_trick = view.tricks is not None and view.phase in ("play", "clearing") and not is_asked
    rest, pictures = asking.evidence(view, rest, words)
    lower += pictures
    table = tricks.table(view, rest, words) if is_trick else felt(view, rest, words)
    widgets += [*lower, *table, *_bottom(view, words)]
    if not live:
        return Page(tuple(_dead(widgets)), live=False, notice=tuple(strip))
    return Page((*widgets, *strip))


def _dead(widgets: list[Widget]) -> Iterator[Widget]:
    """The same page without anything to tap."""
    for widget in widgets:
        if isinstance(widget, Button):
            yield from button_parts(replace(widget, look=theme.CARD))
        else:
            yield widget


def _top(view: View, words: Words) -> Iterator[Widget]:
    """The game, the round and its target, the open ends, and what is left to draw."""
    y, h = TOP.y + 4, TOP.h - 8
    yield Label(Rect(12, y, 240, h), words.code(GAMES, view.game), 22, theme.ROOM, bold=True)
    if view.round:
        text = words.say("Round {round}").format(round=view.round)
        if view.rounds:
            text = words.say("Round {round} of {rounds}").format(round=view.round, rounds=view.rounds)
        if view.target:
            text += " · " + words.say("ends at {target}").format(target=view.target)
        yield Label(Rect(264, y, 240 if len(view.ends) <= 2 else 222, h), text, 18, theme.ROOM, soft=True)
    yield from _ends(view, words, Rect(508, y, 78, h))
    if view.phase == "play" and view.tricks is None:
        known = games().get(view.game)
        kind = view.layout[0].kind if view.layout else known.kind if known else "triomino"
        name = words.say("Boneyard") if kind == "domino" else words.say("Well")
        room = Rect(660, y, 132, h) if len(view.ends) <= 2 else Rect(694, y, 98, h)
        yield Label(room, f"{name} {view.stock}", 18, theme.ROOM, bold=True, align="right")


def _ends(view: View, words: Words, room: Rect) -> Iterator[Widget]:
    """The open ends, and what they count where that is played for; four of them beginning further to the left."""
    if not view.ends:
        return
    left, size, step = (room.x, room.h, 34.0) if len(view.ends) <= 2 else (room.x - 16, room.h - 4, 30.0)
    text = words.say("Ends")
    text = text if view.count is None else words.told(text, number(view.count))
    yield Label(Rect(left, room.y, room.w - 8, room.h), text, 18, theme.ROOM, soft=True, align="right")
    for index, end in enumerate(view.ends):
        yield Face(Rect(left + room.w + step * index, room.y + (room.h - size) / 2, size, size), (end,))


def _seats(view: View, words: Words, left_s: int | None) -> Iterator[Widget]:
    """One card for each player; the one to move has the light card, an arrow, and a word."""
    count = max(1, len(view.seats))
    height = min(TALLEST_SEAT, (LEFT.h - GAP * (count - 1)) / count)
    for index, seat in enumerate(view.seats):
        card = Rect(LEFT.x, LEFT.y + index * (height + GAP), LEFT.w, height)
        on_turn = index == view.turn
        look = theme.TURN if on_turn else theme.CARD
        big = min(38.0, height * 0.48)
        upper = Rect(card.x, card.y + height * 0.05, card.w, height * 0.53)
        lower = Rect(card.x + 12, upper.bottom, card.w - 22, height * 0.38)
        score = number(seat.score)
        score_width = min(110.0, big * 0.75 * len(score) + 4)
        yield Panel(card, look)
        if on_turn:
            yield Badge(Rect(card.x + 6, upper.y + upper.h / 2 - 13, 26, 26), "▶", look)
        name = Rect(card.x + 36, upper.y, card.w - 46 - score_width - 4, upper.h)
        yield Label(name, words.name(view.seats, index), min(24.0, height * 0.4), look, bold=True)
        right = Rect(card.right - 10 - score_width, upper.y, score_width, upper.h)
        yield Label(right, score, big, look, bold=True, align="right")
        yield Label(
            lower, " · ".join(_details(view, index, words, left_s)), min(17.0, height * 0.26), look, soft=True, lines=2
        )


def leaders(view: View) -> tuple[int, ...]:
    """The seats that lead, none while all are equal."""
    scores = [seat.score for seat in view.seats]
    if len(set(scores)) < 2:
        return ()
    best = min(scores) if view.lowest_wins else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def _details(view: View, index: int, words: Words, left_s: int | None) -> Iterator[str]:
    seat = view.seats[index]
    if index == view.turn:
        yield words.say("to play") if left_s is None else _time(left_s, words)
    if index in leaders(view):
        yield words.say("★ leads")
    if view.phase in ("play", "show-hands"):
        yield words.count(seat.tiles)
    if seat.round_points:
        # a line that is full ends before both words, not between them
        yield words.say("round {points}").format(points=signed(seat.round_points)).replace(" ", "\u00a0")


def _time(left_s: int, words: Words) -> str:
    """The time that is left for a turn, in minutes and seconds; nobody is punished for taking more."""
    if left_s < 0:
        return words.say("time is up")
    return words.say("to play: {minutes}:{seconds:02}").format(minutes=left_s // 60, seconds=left_s % 60)


def _undo(view: View, words: Words) -> Iterator[Widget]:
    """Undo has its own fixed place and says what it would take back."""
    target = undoable(view)
    if "undo" in view.actions and target is not None:
        tile = sentences.tile_in(target.line)
        name = words.brief(view.seats, target.seat)
        note = name if tile else " · ".join(filter(None, (name, words.act(target.line))))
        yield Button(UNDO, words.say(ACTIONS["undo"]), f"undo {target.entry}", theme.KEY, note, 22, tile)


def _more(view: View, words: Words) -> Iterator[Widget]:
    """Beside it the way to everything that is seldom said."""
    if view.game in games():
        yield Button(MORE_KEY, words.say("More") + " …", MORE, theme.KEY, size=20)


def _strip(view: View, words: Words, notice: str) -> tuple[Rect, list[Widget]]:
    """One line above the felt, when there is something to say: trouble first, then what to do now."""
    text, look = notice, theme.NOTE
    if not text and view.camera not in ("ok", "none"):
        text = words.code(sentences.CAMERA_TROUBLE, view.camera)
    if not text and not view.saved:
        text = words.say("The score cannot be saved: the card is full or broken")
    if not text:
        text, look = _what_now(view, words), theme.CARD
    if not text:
        return RIGHT, []
    strip = Rect(RIGHT.x, RIGHT.y, RIGHT.w, STRIP)
    rest = Rect(RIGHT.x, strip.bottom + GAP, RIGHT.w, RIGHT.h - STRIP - GAP)
    return rest, [Panel(strip, look), Label(strip.inset(12, 4), text, 18, look, bold=True)]


def _what_now(view: View, words: Words) -> str:
    if view.phase == "over" and view.ranking:
        names = [words.brief(view.seats, seat) for seat in view.ranking[0]]
        if len(names) == 1:
            return words.say("{name} wins the match!").format(name=names[0])
        return words.say("A shared win: {names}").format(names=", ".join(names))
    if view.tricks is not None and view.phase == "play":
        return tricks.what_now(view, words)
    if view.phase == "play" and view.dead:
        return words.say(sentences.NO_PLACE)
    if view.phase == "play":
        return words.say("Who holds the best opening tile? Lay it down.") if view.turn is None else ""
    if view.showing is not None and view.showing < len(view.seats):
        name = words.brief(view.seats, view.showing)
        return words.say("{name}: lay your hand, face up, into the show zone").format(name=name)
    return words.code(PHASES, view.phase)


def _lower(view: View, state: State | None, rest: Rect, words: Words) -> tuple[Rect, list[Widget]]:
    """The ruling or the dispute, and the keys or the question, cut from the foot of the page's right side."""
    widgets: list[Widget] = []

    def cut(height: float) -> Rect:
        nonlocal rest
        part = Rect(rest.x, rest.bottom - height, rest.w, height)
        rest = Rect(rest.x, rest.y, rest.w, rest.h - height - GAP)
        return part

    long_question = bool(view.questions) and not asking.is_short(view.questions[0])
    if long_question:  # to be answered before anything else
        height = LONG_QUESTION if asking.is_long(view.questions[0]) else QUESTION
        widgets += asking.question(view, cut(height), words)
    elif found := keys(view, state, words):
        rows = ceil(len(found) / MOST_KEYS)
        each = ceil(len(found) / rows)
        for row in reversed(range(rows)):
            part = found[row * each : (row + 1) * each]
            for cell, (text, order, look, note) in zip(cut(KEYS).columns(len(part), GAP), part, strict=True):
                widgets.append(Button(cell, text, order, look, note))
    if view.questions and not long_question:
        widgets += asking.short_question(view, cut(SHORT_QUESTION), words)
    if view.dispute and view.questions:
        widgets += asking.short_dispute(view, cut(SHORT_DISPUTE), words)
    elif view.dispute:
        widgets += asking.dispute(view, cut(DISPUTE), words, asking.clause_in_words(view, state, words))
    elif view.last and not view.questions:
        widgets += _ruling(view, view.last, cut(BANNER), words)
    if advice := _advice(view, words):
        widgets += _lines(cut(LINE * len(advice) + 8), advice)
    return rest, widgets


def _advice(view: View, words: Words) -> list[str]:
    """What has been proven; what could have been played in the round that is over, in training with the last tile."""
    proven = words.proven(view.seats, view.last) if view.last and not view.questions else []
    if view.missed:
        most = sorted(view.missed, key=lambda each: each.earned - each.points)
        is_crowded = view.phase == "over" and len(view.seats) > CROWDED  # their places must be read, too
        return [*proven, *(words.missed(view.seats, each) for each in most)][: 1 if is_crowded else MOST_ADVICE]
    better = [words.better(view.better)] if view.better and not view.questions else []
    return [*proven, *better][:MOST_ADVICE]


def _lines(rect: Rect, texts: list[str]) -> Iterator[Widget]:
    """A panel with a line for each text."""
    yield Panel(rect, theme.CARD)
    for row, text in zip(rect.inset(12, 4).rows(len(texts), 0), texts, strict=True):
        yield Label(row, text, 17, theme.CARD)


def _ruling(view: View, last: Ruled, rect: Rect, words: Words) -> Iterator[Widget]:
    """The last ruling: sign, tile, words, and the points item by item with their sum."""
    yield Panel(rect, theme.CARD)
    look = theme.GOOD if last.legal else theme.ALARM
    yield Badge(Rect(rect.x + 10, rect.y + 14, 44, 44), "✓" if last.legal else "✗", look)
    x, right = rect.x + 64, rect.right - 12
    tile = sentences.tile_in(last.line)
    if tile:
        yield Face(Rect(x, rect.y + 8, 56, 56), tile)
        x += 66
    own = [award.points for award in last.awards if award.seat == last.seat]
    if own:
        total = signed(sum(own))
        width = 26 * len(total)
        points = Rect(right - width, rect.y + 8, width, rect.h - 16)
        yield Label(points, total, 36, theme.CARD, bold=True, align="right")
        right -= width + 8
    text = words.ruling(view.seats, last)
    if last.void:
        text += " (" + words.say("undone") + ")"
    plain = [award.what for award in last.awards if award.points] == ["tile"]  # the sum on the right says it all
    small = ("" if plain else words.awards(view.seats, last)) or words.clauses(last.clauses)
    if small:
        yield Label(Rect(x, rect.y + 3, right - x, 42), text, 24, theme.CARD, bold=True, lines=2)
        yield Label(Rect(x, rect.y + 45, right - x, 24), small, 19, theme.CARD, soft=True)
    else:
        yield Label(Rect(x, rect.y + 8, right - x, rect.h - 16), text, 24, theme.CARD, bold=True, lines=2)


def _bottom(view: View, words: Words) -> Iterator[Widget]:
    """The state of the house: camera, buzzer, and where the phone page is served."""
    camera = words.code(sentences.CAMERA, view.camera)
    if view.camera == "ok" and view.busy:
        camera = words.say("a hand is over the table")
    signals = words.code(sentences.SIGNALS, view.signals)
    cells = (
        (Rect(BOTTOM.x, BOTTOM.y, 190, BOTTOM.h), camera, view.camera in ("ok", "none")),
        (Rect(BOTTOM.x + 196, BOTTOM.y, 190, BOTTOM.h), signals, view.signals == "ok"),
    )
    for rect, text, good in cells:
        look = theme.ROOM if good else theme.NOTE
        if not good:
            yield Panel(rect, look, radius=6)
        yield Label(rect.inset(6, 1), ("● " if good else "⚠ ") + text, 14, look, soft=good)
    yield Label(Rect(400, BOTTOM.y, 386, BOTTOM.h), _phones(view, words), 14, theme.ROOM, soft=True, align="right")


def _phones(view: View, words: Words) -> str:
    if not view.phones:
        return words.say("no phone page")
    reach = words.say("whole network") if open_address(view.phones) else words.say("this machine only")
    return f"{view.phones} ({reach})"
