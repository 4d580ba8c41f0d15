"""What the house asks: about an illegal tile that lies there, and about what it cannot tell by itself."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from display import sentences, theme
from display.sentences import ACTIONS, OPTIONS, QUESTIONS, Words, sheets, signed
from display.widgets import GAP, TARGET, Badge, Button, Face, Label, Panel, Photograph, Rect, Widget
from referee.games import game, games
from referee.state import State
from referee.wire import Dispute, Option, Question, View

_LONGEST_CLAUSE = 140  # letters of the English text
WHO = ("opens", "plays", "drew", "shows")  # answered by a player's name
BESIDES = ("any-tile", "not-a-tile", "not-a-move", "missed-one")  # said besides what was read
MOST_IN_A_ROW = 3


def dispute(view: View, rect: Rect, words: Words, clause: str = "") -> Iterator[Widget]:
    """An illegal tile: the tile, whose it is, why, what the rules say, and the ways out."""
    assert view.dispute is not None
    about, look = view.dispute, theme.ALARM
    yield Panel(rect, look)
    inner = rect.inset(10, 8)
    keys = Rect(inner.x, inner.bottom - TARGET, inner.w, TARGET)
    upper = Rect(inner.x, inner.y, inner.w, inner.h - TARGET - GAP)
    yield Badge(Rect(inner.x, inner.y, 34, 34), "✗", look)
    x = inner.x + 42
    if tile := sentences.tile_in(about.tile):
        yield Face(Rect(x, inner.y, upper.h, upper.h), tile)
        x += upper.h + 12
    room = Rect(x, inner.y, inner.right - x, upper.h)
    yield Label(Rect(room.x, room.y, room.w, 28), words.dispute(view.seats, about), 22, look, bold=True)
    yield Label(Rect(room.x, room.y + 28, room.w, 42), words.reason(about.reason), 19, look, bold=True, lines=2)
    rule = words.told(words.clauses(about.clauses), clause) if clause else words.clauses(about.clauses)
    yield Label(Rect(room.x, room.y + 70, room.w, room.h - 70), rule, 16, look, soft=True, lines=3)
    yield from ways_out(view, about, keys, words)


def ways_out(view: View, about: Dispute, row: Rect, words: Words) -> Iterator[Widget]:
    """A key for each way out of a dispute; what is done on the table is only said."""
    options = [option for option in about.options if option.what == "take-back" or _said(view, option)]
    for cell, option in zip(row.columns(max(1, len(options)), GAP), options, strict=False):
        if order := _said(view, option):
            yield Button(cell, _way_out(option, words), order, theme.ALARM_KEY, _points(option), 20)
        else:
            yield Label(cell, words.say("Take it back"), 22, theme.ALARM, bold=True, align="centre")


def evidence(view: View, felt: Rect, words: Words) -> tuple[Rect, list[Widget]]:
    """The picture of the tile in dispute or in doubt beside the felt, where there is room, and what is left of that.

    A tap on that of a dispute shows both of its pictures.
    """
    name, order = view.dispute.evidence if view.dispute else "", "@open pictures"
    if not name and view.questions and not is_short(view.questions[0]):
        name, order = view.questions[0].evidence, ""
    if not name or felt.h < TARGET:
        return felt, []
    width = min(felt.h * 4 / 3, felt.w / 2)
    box = Rect(felt.right - width, felt.y, width, felt.h)
    rest = Rect(felt.x, felt.y, felt.w - width - GAP, felt.h)
    return rest, [Photograph(box, name, "after", words.say("Pictures"), order)]


def short_dispute(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """The same where there is a question besides: whose tile, why, and the ways out, in one row."""
    assert view.dispute is not None
    about, look = view.dispute, theme.ALARM
    yield Panel(rect, look)
    yield Badge(Rect(rect.x + 10, rect.y + 26, 48, 48), "✗", look)
    right = rect.right - 10
    for option in (option for option in reversed(about.options) if option.line):  # for another there is no room
        key = Rect(right - 116, rect.y + 10, 116, rect.h - 20)
        right = key.x - 8
        yield Button(key, _way_out(option, words), option.line, theme.ALARM_KEY, _points(option), 18)
    x = rect.x + 70
    yield Label(Rect(x, rect.y + 2, right - x, 39), words.dispute(view.seats, about), 22, look, bold=True, lines=2)
    yield Label(Rect(x, rect.y + 41, right - x, 38), words.reason(about.reason), 18, look, lines=2)
    is_to_go = any(option.what == "take-back" for option in about.options)
    small = " · ".join(filter(None, (words.say("Take it back") if is_to_go else "", words.clauses(about.clauses))))
    yield Label(Rect(x, rect.y + 79, right - x, 18), small, 15, look, soft=True)


def _way_out(option: Option, words: Words) -> str:
    return words.say(ACTIONS["overrule"]) if option.what == "stands" else words.code(OPTIONS, option.what)


def clause_in_words(view: View, state: State | None, words: Words) -> str:
    """What the first clause behind a dispute says, with the house rules that are played, where they are known.

    Of a long clause it is what comes first, in whole sentences.
    """
    if view.dispute is None or state is None or state.game not in games():
        return ""
    sheet = dict(game(state.game).sheet(state.settings))
    cited = (clause.rpartition("§")[2] for clause in view.dispute.clauses)
    said, *more = sheets.sentences(next((sheet[clause] for clause in cited if clause in sheet), ""))
    for sentence in more:
        if len(said) + len(sentence) > _LONGEST_CLAUSE:
            break
        said += f" {sentence}"
    return words.sheet(said) if said else ""


def _points(option: Option) -> str:
    """What an answer would earn the seat that it is about."""
    points = sum(award.points for award in option.awards if award.seat == option.seat)
    return signed(points) if points else ""


def is_short(asked: Question) -> bool:
    """A yes or no that can wait while play goes on; candidates and names cannot."""
    is_plain = len(asked.options) <= 2 and asked.about is None
    return is_plain and not any(option.what in ("tile", *WHO) for option in asked.options)


def question(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A doubt and its answers, drawn as tiles where they are tiles."""
    asked = view.questions[0]
    yield Panel(rect, theme.ASK)
    yield Badge(Rect(rect.x + 8, rect.y + 8, 34, 34), "?", theme.ASK)
    more = _more(view, words)
    text = Rect(rect.x + 50, rect.y + 8, rect.w - 60 - (90 if more else 0), 34)
    yield Label(text, words.code(QUESTIONS, asked.what), 21, theme.ASK, bold=True)
    if more:
        yield Label(Rect(rect.right - 94, rect.y + 8, 84, 34), more, 15, theme.ASK, soft=True, align="right")
    row = Rect(rect.x + 8, rect.y + 48, rect.w - 16, rect.h - 56)
    if asked.about is not None:
        line = Rect(text.x, text.bottom, rect.right - 10 - text.x, 24)
        yield Label(line, words.about(view.seats, asked.about), 17, theme.ASK)
        row = Rect(row.x, line.bottom + 6, row.w, rect.bottom - line.bottom - 14)
    offered = tuple(option for option in asked.options if _said(view, option))
    for cells, options in _rows(structs.replace(asked, options=offered), row):
        for cell, option in zip(cells.columns(max(1, len(options)), GAP), options, strict=True):
            yield _option(view, cell, option, words)


def short_question(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A doubt with one or two plain answers, in one row."""
    asked = view.questions[0]
    yield Panel(rect, theme.ASK)
    yield Badge(Rect(rect.x + 8, rect.y + 23, 34, 34), "?", theme.ASK)
    width = 136 * len(asked.options) if len(asked.options) != 1 else 172  # a lone key has room for its tile and words
    keys = Rect(rect.right - width - 2, rect.y + 8, width - 6, rect.h - 16)
    more = _more(view, words)
    text = Rect(rect.x + 50, rect.y + 8, keys.x - rect.x - 58, rect.h - 16 - (20 if more else 0))
    yield Label(text, words.code(QUESTIONS, asked.what), 20, theme.ASK, bold=True, lines=2)
    if more:
        yield Label(Rect(text.x, text.bottom, text.w, 20), more, 14, theme.ASK, soft=True)
    if asked.options:
        for cell, option in zip(keys.columns(len(asked.options), GAP), asked.options, strict=True):
            yield _option(view, cell, option, words)


def is_long(asked: Question) -> bool:
    """A question with so many answers that they stand in two rows."""
    return len(_rows(asked, Rect(0, 0, 0, 0))) > 1


def _rows(asked: Question, room: Rect) -> tuple[tuple[Rect, tuple[Option, ...]], ...]:
    """The rows of answers: what was read, and where that makes too many, below it what else may be said."""
    besides = tuple(option for option in asked.options if option.what in BESIDES)
    read = tuple(option for option in asked.options if option.what not in BESIDES)
    if len(asked.options) <= MOST_IN_A_ROW or not (read and besides):
        return ((room, asked.options),)
    lower = Rect(room.x, room.bottom - TARGET, room.w, TARGET)
    return ((Rect(room.x, room.y, room.w, room.h - TARGET - GAP), read), (lower, besides))


def _more(view: View, words: Words) -> str:
    waiting = len(view.questions) - 1 + view.unasked
    return words.say("{count} more").format(count=waiting) if waiting else ""


def _option(view: View, rect: Rect, option: Option, words: Words) -> Button:
    label = words.name(view.seats, option.seat) if option.what in WHO else words.code(OPTIONS, option.what)
    if option.what == "put-back":
        label = words.told(words.name(view.seats, option.seat), label)
    chance = words.percent(option.probability) if option.probability is not None else _points(option)
    tile = sentences.tile_in(option.tile or "")
    if tile and option.what == "tile":
        label = option.tile or ""
    return Button(rect, label, _said(view, option), theme.ASK_KEY, chance, 18, tile)


def _said(view: View, option: Option) -> str:
    """What a tap on an answer says; a tile that is yet to be named is asked for first, in games that are known here."""
    local = {"any-tile": "@open any-tile", "missed-one": "@open plays" if view.tricks is not None else "@open lays"}
    if option.what in local:
        return local[option.what] if view.game in games() else ""
    return option.line
