"""From a view to a page: what stands where, in which words, and what a tap would say.

The page is a grid: players and Undo on the left, the felt on the right, below it the ruling (or the
dispute) and the keys (or the question), the state of the house along the bottom.
"""

from __future__ import annotations

from collections.abc import Iterator

from display import sentences, theme
from display.felt import felt, open_address
from display.outlook import outlook
from display.sentences import ACTIONS, GAMES, OPTIONS, PHASES, QUESTIONS, Words, number, signed
from display.widgets import GAP, Badge, Button, Face, Label, Page, Panel, Rect, Widget
from referee.wire import Answer, Option, Question, Ruled, View

ENGLISH = Words()
TOP = Rect(8, 0, 784, 38)
LEFT = Rect(8, 42, 248, 340)
UNDO = Rect(8, 386, 248, 66)
RIGHT = Rect(264, 42, 528, 410)
BOTTOM = Rect(8, 456, 784, 22)
STRIP, BANNER, DISPUTE, KEYS, QUESTION, SHORT_QUESTION, LINE = 34, 72, 100, 66, 146, 80, 24
MOST_ADVICE = 3
TALLEST_SEAT = 92


def page(
    view: View | None, live: bool = True, words: Words = ENGLISH, notice: str = "", asked: Answer | None = None
) -> Page:
    """Lay out a view.

    Args:
        view: the newest view, None as long as there has been none.
        live: whether the table has been heard lately; an old page has no buttons and says that it is old.
        words: the language.
        notice: one line about an order that was not carried out.
        asked: an answer that tells what an order would change, to be shown before anything else.
    """
    if view is None:
        text = words.say("Waiting for the table") + " …"
        middle = Rect(80, 180, 640, 120)
        return Page((Label(middle, text, 40, theme.ROOM, bold=True, align="centre"),), live)
    if live and asked is not None and asked.outlook is not None:
        return Page(tuple(outlook(view, asked, asked.outlook, words)))
    widgets: list[Widget] = [*_top(view, words), *_seats(view, words), *_undo(view, words)]
    if not live:
        notice = words.say("Reconnecting") + " … " + words.say("what you see is old")
    rest, strip = _strip(view, words, notice)
    rest, lower = _lower(view, rest, words)
    widgets += [*lower, *felt(view, rest, words), *_bottom(view, words)]
    if not live:
        return Page(tuple(_dead(widgets)), live=False, notice=tuple(strip))
    return Page((*widgets, *strip))


def _dead(widgets: list[Widget]) -> Iterator[Widget]:
    """The same page without anything to tap."""
    for widget in widgets:
        if isinstance(widget, Button):
            yield Panel(widget.rect, theme.CARD)
            yield Label(widget.rect.inset(8, 8), widget.text, widget.size, theme.CARD, soft=True, align="centre")
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
        yield Label(Rect(264, y, 240, h), text, 18, theme.ROOM, soft=True)
    if len(view.ends) == 2:
        yield Label(Rect(508, y, 70, h), words.say("Ends"), 18, theme.ROOM, soft=True, align="right")
        for index, end in enumerate(view.ends):
            yield Face(Rect(586 + 34 * index, y, h, h), (end,))
    if view.phase == "play":
        kind = view.layout[0].kind if view.layout else "domino" if "domino" in view.game.split("-") else "triomino"
        name = words.say("Boneyard") if kind == "domino" else words.say("Well")
        yield Label(Rect(660, y, 132, h), f"{name} {view.stock}", 18, theme.ROOM, bold=True, align="right")


def _seats(view: View, words: Words) -> Iterator[Widget]:
    """One card for each player; the one to move has the light card, an arrow, and a word."""
    count = max(1, len(view.seats))
    height = min(TALLEST_SEAT, (LEFT.h - GAP * (count - 1)) / count)
    for index, seat in enumerate(view.seats):
        card = Rect(LEFT.x, LEFT.y + index * (height + GAP), LEFT.w, height)
        on_turn = index == view.turn
        look = theme.TURN if on_turn else theme.CARD
        big = min(38.0, height * 0.48)
        upper = Rect(card.x, card.y + height * 0.08, card.w, height * 0.54)
        lower = Rect(card.x + 12, upper.bottom, card.w - 22, height * 0.3)
        score = number(seat.score)
        score_width = min(110.0, big * 0.75 * len(score) + 4)
        yield Panel(card, look)
        if on_turn:
            yield Badge(Rect(card.x + 6, upper.y + upper.h / 2 - 13, 26, 26), "▶", look)
        name = Rect(card.x + 36, upper.y, card.w - 46 - score_width - 4, upper.h)
        yield Label(name, words.name(view.seats, index), min(24.0, height * 0.4), look, bold=True)
        right = Rect(card.right - 10 - score_width, upper.y, score_width, upper.h)
        yield Label(right, score, big, look, bold=True, align="right")
        yield Label(lower, " · ".join(_details(view, index, words)), min(17.0, height * 0.26), look, soft=True)


def _details(view: View, index: int, words: Words) -> Iterator[str]:
    seat = view.seats[index]
    if index == view.turn:
        yield words.say("to play")
    if view.phase in ("play", "show-hands"):
        yield words.count(seat.tiles)
    if seat.round_points:
        yield words.say("round {points}").format(points=signed(seat.round_points))


def _undo(view: View, words: Words) -> Iterator[Widget]:
    """Undo has its own fixed place and says what it would take back."""
    target = undoable(view)
    if "undo" in view.actions and target is not None:
        note = words.ruling(view.seats, target)
        tile = sentences.tile_in(target.line)
        yield Button(UNDO, words.say(ACTIONS["undo"]), f"undo {target.entry}", theme.KEY, note, 22, tile)


def undoable(view: View) -> Ruled | None:
    """The newest move that stands, or has cost something, and has not been undone."""
    rulings = [
        ruled
        for ruled in _rulings(view)
        if (ruled.legal or ruled.awards)
        and not ruled.void
        and ruled.line.split(" ", 1)[0] not in ("undo", "overrule", "correct")
    ]
    return max(rulings, key=lambda ruled: ruled.entry, default=None)


def _rulings(view: View) -> tuple[Ruled, ...]:
    return (*view.log, view.last) if view.last else view.log


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
    if view.phase == "play" and view.dead:
        return words.say(sentences.NO_PLACE)
    if view.phase == "play":
        return words.say("Who holds the best opening tile? Lay it down.") if view.turn is None else ""
    return words.code(PHASES, view.phase)


def _lower(view: View, rest: Rect, words: Words) -> tuple[Rect, list[Widget]]:
    """The ruling or the dispute, and the keys or the question, cut from the foot of the page's right side."""
    widgets: list[Widget] = []

    def cut(height: float) -> Rect:
        nonlocal rest
        part = Rect(rest.x, rest.bottom - height, rest.w, height)
        rest = Rect(rest.x, rest.y, rest.w, rest.h - height - GAP)
        return part

    long_question = bool(view.questions) and not _is_short(view.questions[0])
    if long_question:  # to be answered before anything else
        widgets += _question(view, cut(QUESTION), words)
    elif keys := _keys(view, words):
        row = cut(KEYS)
        for cell, (text, order, look, note) in zip(row.columns(len(keys), GAP), keys, strict=True):
            widgets.append(Button(cell, text, order, look, note))
    if view.questions and not long_question:
        widgets += _short_question(view, cut(SHORT_QUESTION), words)
    if view.dispute:
        widgets += _dispute(view, cut(DISPUTE), words)
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
        return [*proven, *(words.missed(view.seats, each) for each in most)][:MOST_ADVICE]
    better = [words.better(view.better)] if view.better and not view.questions else []
    return [*proven, *better][:MOST_ADVICE]


def _lines(rect: Rect, texts: list[str]) -> Iterator[Widget]:
    """A panel with a line for each text."""
    yield Panel(rect, theme.CARD)
    for row, text in zip(rect.inset(12, 4).rows(len(texts), 0), texts, strict=True):
        yield Label(row, text, 17, theme.CARD)


def _keys(view: View, words: Words) -> list[tuple[str, str, theme.Look, str]]:
    """The keys that make sense now: text, order, look, small print."""
    keys: list[tuple[str, str, theme.Look, str]] = []
    if view.turn is not None:
        who = sentences.letter(view.turn)
        if "draws" in view.actions:
            drawn = words.say("{count} drawn in this turn").format(count=view.drawn)
            note = drawn if view.drawn else words.say("one tile a tap")
            keys.append((words.say(ACTIONS["draws"]), f"{who} draws 1", theme.MAIN_KEY, note))
        if "passes" in view.actions:
            keys.append((words.say(ACTIONS["passes"]), f"{who} passes", theme.KEY, ""))
    phases = [action for action in ("begin", "clear") if action in view.actions]
    keys += [(words.say(ACTIONS[action]), action, theme.MAIN_KEY, "") for action in phases]
    if "shows" in view.actions:
        keys += _hands(view, words)
    return keys


def _hands(view: View, words: Words) -> list[tuple[str, str, theme.Look, str]]:
    """A key for each hand that the camera sees whole, naming the tiles it would count."""
    counted = [ruled.line for ruled in _rulings(view) if ruled.reason == "ok-show-hand" and not ruled.void]
    keys = []
    for index, seat in enumerate(view.seats):
        tiles = [
            "-".join(map(str, laid.values))
            for laid in view.layout
            if laid.status == "seen" and laid.face_up and laid.values and laid.seat in (None, index)
        ]
        tiles = [tile for tile in tiles if not any(tile in line.split() for line in counted)]
        if not seat.shown and 0 < seat.tiles == len(tiles):
            text = words.say("{name}'s hand is shown").format(name=words.brief(view.seats, index))
            order = f"{sentences.letter(index)} shows {' '.join(tiles)}"
            keys.append((text, order, theme.MAIN_KEY, "  ".join(tiles)))
    return keys


def _dispute(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """An illegal tile: whose, which, why, by which clause, and the way to let it stand."""
    assert view.dispute is not None
    dispute, look = view.dispute, theme.ALARM
    yield Panel(rect, look)
    yield Badge(Rect(rect.x + 10, rect.y + 26, 48, 48), "✗", look)
    right = rect.right - 10
    for option in (option for option in reversed(dispute.options) if option.line):
        key = Rect(right - 116, rect.y + 10, 116, rect.h - 20)
        right = key.x - 8
        text = words.say(ACTIONS["overrule"]) if option.what == "stands" else words.code(OPTIONS, option.what)
        yield Button(key, text, option.line, theme.ALARM_KEY, _points(option), 18)
    x = rect.x + 70
    yield Label(Rect(x, rect.y + 6, right - x, 30), words.dispute(view.seats, dispute), 22, look, bold=True)
    yield Label(Rect(x, rect.y + 36, right - x, 40), words.reason(dispute.reason), 18, look, lines=2)
    is_to_go = any(not option.line for option in dispute.options)
    small = " · ".join(filter(None, (words.say("Take it back") if is_to_go else "", words.clauses(dispute.clauses))))
    yield Label(Rect(x, rect.y + 76, right - x, 19), small, 15, look, soft=True)


def _points(option: Option) -> str:
    """What an answer would earn the seat that it is about."""
    points = sum(award.points for award in option.awards if award.seat == option.seat)
    return signed(points) if points else ""


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
        yield Label(Rect(x, rect.y + 6, right - x, 32), text, 24, theme.CARD, bold=True)
        yield Label(Rect(x, rect.y + 38, right - x, 28), small, 19, theme.CARD, soft=True)
    else:
        yield Label(Rect(x, rect.y + 8, right - x, rect.h - 16), text, 24, theme.CARD, bold=True, lines=2)


def _is_short(question: Question) -> bool:
    """A yes or no that can wait while play goes on; candidates and names cannot."""
    is_plain = len(question.options) <= 2 and question.about is None
    return is_plain and not any(option.what in ("tile", "opens") for option in question.options)


def _question(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A doubt and its answers, drawn as tiles where they are tiles."""
    question = view.questions[0]
    yield Panel(rect, theme.ASK)
    yield Badge(Rect(rect.x + 8, rect.y + 8, 34, 34), "?", theme.ASK)
    more = _more(view, words)
    text = Rect(rect.x + 50, rect.y + 8, rect.w - 60 - (90 if more else 0), 34)
    yield Label(text, words.code(QUESTIONS, question.what), 21, theme.ASK, bold=True)
    if more:
        yield Label(Rect(rect.right - 94, rect.y + 8, 84, 34), more, 15, theme.ASK, soft=True, align="right")
    row = Rect(rect.x + 8, rect.y + 48, rect.w - 16, rect.h - 56)
    if question.about is not None:
        line = Rect(text.x, text.bottom, rect.right - 10 - text.x, 24)
        yield Label(line, words.about(view.seats, question.about), 17, theme.ASK)
        row = Rect(row.x, line.bottom + 6, row.w, rect.bottom - line.bottom - 14)
    for cell, option in zip(row.columns(max(1, len(question.options)), GAP), question.options, strict=False):
        yield _option(view, cell, option, words)


def _short_question(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A doubt with one or two plain answers, in one row."""
    question = view.questions[0]
    yield Panel(rect, theme.ASK)
    yield Badge(Rect(rect.x + 8, rect.y + 23, 34, 34), "?", theme.ASK)
    keys = Rect(rect.right - 136 * len(question.options) - 2, rect.y + 8, 136 * len(question.options) - 6, rect.h - 16)
    more = _more(view, words)
    text = Rect(rect.x + 50, rect.y + 8, keys.x - rect.x - 58, rect.h - 16 - (20 if more else 0))
    yield Label(text, words.code(QUESTIONS, question.what), 20, theme.ASK, bold=True, lines=2)
    if more:
        yield Label(Rect(text.x, text.bottom, text.w, 20), more, 14, theme.ASK, soft=True)
    if question.options:
        for cell, option in zip(keys.columns(len(question.options), GAP), question.options, strict=True):
            yield _option(view, cell, option, words)


def _more(view: View, words: Words) -> str:
    waiting = len(view.questions) - 1 + view.unasked
    return words.say("{count} more").format(count=waiting) if waiting else ""


def _option(view: View, rect: Rect, option: Option, words: Words) -> Button:
    label = words.name(view.seats, option.seat) if option.what == "opens" else words.code(OPTIONS, option.what)
    chance = f"{option.probability:.0%}" if option.probability is not None else _points(option)
    tile = sentences.tile_in(option.tile or "")
    if tile and option.what == "tile":
        label = option.tile or ""
    return Button(rect, label, option.line, theme.ASK_KEY, chance, 18, tile)


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
