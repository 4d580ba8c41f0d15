"""The pages on which one of several things is chosen: an act, a player, a place, an earlier move and its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from display import asking, keypad, theme
from display.dialogue import ACTS, FURTHER, LOCAL, Dialogue, need, said, suits
from display.heading import heading
from display.keypad import BODY, head
from display.sentences import ACTIONS, N_, OPTIONS, Words, signed, tile_in
from display.widgets import GAP, Button, Label, Panel, Photograph, Piece, Rect, Table, Widget
from referee.state import State
from referee.wire import View

FELT = Rect(8, 80, 540, 392)
SIDE = Rect(556, 80, 236, 392)
PLACES, MOST_ROWS = 5, 4
PICTURE_H, CAPTION_H = 292.0, 28.0
BESIDE = {N_("Phones"): "@phones", N_("New match"): "@setup", N_("Settings"): "@settings"}


def page(view: View, state: State | None, dialogue: Dialogue, words: Words, notice: str = "") -> Iterator[Widget]:
    """The page for what a dialogue still needs."""
    wanted = need(dialogue, view, state)
    title = _title(view, dialogue, wanted, words)
    if wanted == "more":
        beside = tuple((words.say(text), word) for text, word in BESIDE.items())
        yield from heading(words, title, notice, beside)
    else:
        yield from head(view, dialogue, title, words, notice)
    if wanted in ("tile", "tiles"):
        yield from keypad.tile(view, state, dialogue, words, wanted == "tiles")
    elif wanted == "seat":
        yield from _seats(view, state, dialogue, words)
    elif wanted == "place":
        yield from _places(view, dialogue, words)
    elif wanted == "count":
        yield from keypad.count(view, state, dialogue, words)
    elif wanted == "points":
        yield from keypad.points(dialogue, words)
    elif wanted == "pictures":
        yield from _pictures(view, dialogue, words)
    else:
        yield from _grid(view, state, dialogue, _keys(view, state, dialogue, wanted, words))


def _title(view: View, dialogue: Dialogue, wanted: str, words: Words) -> str:
    if dialogue.entry is not None:
        return words.about(view.seats, dialogue.entry)
    if wanted == "seat" and len(ACTS[dialogue.act].needs) > 1:
        return words.say("{act}: who?").format(act=words.say(ACTS[dialogue.act].key))
    texts = {
        "more": N_("What has happened?"),
        "place": N_("Where does it lie?"),
        "suit": N_("Which number is asked for?"),
    }
    return words.say(texts.get(wanted, dialogue.title))


def _keys(view: View, state: State | None, dialogue: Dialogue, wanted: str, words: Words) -> list[tuple[str, str]]:
    """Texts and words of the keys of a page that is nothing but keys."""
    if wanted == "more":
        return [(words.say(ACTS[act].key), f"@open {act}" if act != "history" else "@moves") for act in offered(view)]
    if wanted == "suit":
        return [(str(suit), f"@suit {suit}") for suit in suits(dialogue, view, state)]
    if wanted == "change":
        return _changes(dialogue, words)
    return [(words.say(ACTS[dialogue.act].key), ACTS[dialogue.act].line)]


def offered(view: View) -> tuple[str, ...]:
    """The acts that make sense now, besides those that have keys of their own on the game's page."""
    phase, in_tricks = view.phase, view.tricks is not None
    is_playing, is_showing = phase == "play", phase == "show-hands"
    wanted = {
        "lays": is_playing and not in_tricks,
        "draws": is_playing and not in_tricks and view.stock > 0 and (view.turn is None or "draws" in view.actions),
        "announces": "announces" in view.actions,
        "plays": "plays" in view.actions,
        "discards": "discards" in view.actions,
        "first": "first" in view.actions,
        "shows": is_showing or (in_tricks and phase == "clearing" and any(seat.tiles for seat in view.seats)),
        "exposes": is_playing,
        "stock-shows": not in_tricks and phase in ("deal", "play") and view.stock > 0,
        "holds": phase in ("deal", "play", "show-hands") or (in_tricks and phase == "clearing"),
        "stock": phase in ("play", "show-hands", "clearing"),
        "says": not in_tricks and (is_playing or is_showing),
        "dealt": not in_tricks and phase in ("deal", "play", "show-hands"),
        "claims": "claims" in view.actions,
        "calls": not in_tricks and (is_playing or is_showing),
        "turn": is_playing,
        "gets": phase not in ("", "over"),
        "redeal": is_playing or is_showing,
        "history": bool(view.log),
    }
    return tuple(act for act, is_wanted in wanted.items() if is_wanted)


def _grid(view: View, state: State | None, dialogue: Dialogue, keys: list[tuple[str, str]]) -> Iterator[Widget]:
    """A key for each of a few things."""
    columns = 3 if len(keys) > 8 else 2 if len(keys) > 1 else 1
    rows = max(1, ceil(len(keys) / columns))
    height = min(96.0, (BODY.h - GAP * (rows - 1)) / rows)
    block = Rect(BODY.x, BODY.y, BODY.w, rows * height + (rows - 1) * GAP)
    cells = [cell for row in block.rows(rows, GAP) for cell in row.columns(columns, GAP)]
    for cell, (text, word) in zip(cells, keys, strict=False):
        is_local = word.startswith(LOCAL)
        look = theme.MAIN_KEY if not is_local else theme.KEY
        yield Button(cell, text, said(dialogue, word, view, state) if is_local else word, look)


def _seats(view: View, state: State | None, dialogue: Dialogue, words: Words) -> Iterator[Widget]:
    """A key for each player; who has been heard already is marked."""
    columns = 1 if len(view.seats) <= MOST_ROWS else 2
    cells = [cell for row in BODY.rows(MOST_ROWS, GAP) for cell in row.columns(columns, GAP)]
    before = dialogue.entry.seat if dialogue.entry is not None else None
    others = ((index, seat) for index, seat in enumerate(view.seats) if index != before)
    for cell, (index, seat) in zip(cells, others, strict=False):
        is_done = dialogue.act == "shows" and seat.shown
        is_done |= dialogue.act == "announces" and state is not None and state.heard[index]
        order = said(dialogue, f"@seat {index}", view, state)
        text = ("✓ " if is_done else "") + words.name(view.seats, index)
        note = words.count(seat.tiles) if view.phase in ("play", "show-hands") else ""
        yield Button(cell, text, order, theme.KEY if is_done else theme.MAIN_KEY, note, 26)


def _places(view: View, dialogue: Dialogue, words: Words) -> Iterator[Widget]:
    """The layout with every place for the tile in light, and a list of them, best first; either can be tapped."""
    offers = dialogue.offers or ()
    shown = PLACES if len(offers) <= PLACES else PLACES - 1
    first = dialogue.page * shown % max(1, len(offers))
    marks = _marks(offers)
    yield Panel(FELT, theme.FELT)
    pieces = [
        Piece(each.kind, each.values, each.x_mm, each.y_mm, each.angle_deg, each.status)
        for each in view.layout
        if each.status in ("placed", "missing")
    ]
    for mark, offer, ghost in zip(marks, offers, (*dialogue.ghosts, *[None] * len(offers)), strict=False):
        if ghost is not None:
            pose = ghost.x_mm, ghost.y_mm, ghost.angle_deg
            pieces.append(Piece(ghost.kind, (), *pose, "offer", mark, order=_order(dialogue, offer)))
    if pieces:
        yield Table(FELT.inset(4, 4), tuple(pieces), view.tile_mm)
    rows = SIDE.rows(PLACES, GAP)
    for row, mark, offer in zip(rows, marks[first : first + shown], offers[first : first + shown], strict=False):
        _, reason, _ = offer.split(" ", 2)
        order = _order(dialogue, offer)
        yield Button(row, mark, order, theme.MAIN_KEY, _where(order, reason, words), 26)
    if shown < len(offers):
        yield Button(rows[-1], words.say("More places"), FURTHER, theme.KEY)
    if not offers:
        yield Panel(SIDE, theme.CARD)
        text = words.say("This tile can be laid nowhere")
        yield Label(SIDE.inset(16, 40), text, 26, theme.CARD, bold=True, align="centre", lines=5)


def _order(dialogue: Dialogue, offer: str) -> str:
    """What a tap on a place says: the move, or that an earlier one was this."""
    move = offer.split(" ", 2)[2]
    return move if dialogue.entry is None else f"correct {dialogue.entry.entry}: {move}"


def _marks(offers: tuple[str, ...]) -> list[str]:
    """A number for each place, with its points in games where places earn any."""
    points = [int(offer.split(" ", 1)[0]) for offer in offers]
    if not any(points):
        return [str(index + 1) for index in range(len(offers))]
    return [f"{index + 1}: {signed(each)}" for index, each in enumerate(points)]


def _where(order: str, reason: str, words: Words) -> str:
    """The end of a line, or what kind of place it is."""
    end = order.partition(" at ")[2].partition(" ")[0]
    known = f"place-{end}" in OPTIONS
    return words.code(OPTIONS, f"place-{end}") if known else words.reason(reason)


def _pictures(view: View, dialogue: Dialogue, words: Words) -> Iterator[Widget]:
    """The place of a tile before it came and after, and the ways out where it is the one in dispute."""
    assert dialogue.entry is not None
    left, right = Rect(BODY.x, BODY.y, BODY.w, PICTURE_H + CAPTION_H).columns(2, GAP)
    for column, side, text in ((left, "before", words.say("Before")), (right, "after", words.say("After"))):
        yield Label(Rect(column.x, column.y, column.w, CAPTION_H), text, 18, theme.ROOM, bold=True, align="centre")
        picture = Rect(column.x, column.y + CAPTION_H, column.w, PICTURE_H)
        yield Photograph(picture, dialogue.entry.evidence, side, words.say("There is no picture any more"))
    if view.dispute is not None and view.dispute.entry == dialogue.entry.entry:
        row = Rect(BODY.x, left.bottom + GAP, BODY.w, BODY.bottom - left.bottom - GAP)
        yield from asking.ways_out(view, view.dispute, row, words)


def _changes(dialogue: Dialogue, words: Words) -> list[tuple[str, str]]:
    """What can be done about an entry."""
    ruled = dialogue.entry
    assert ruled is not None
    verb = ruled.line.split(" ")[1] if ruled.seat is not None else ""
    keys = []
    if not ruled.void:
        keys.append((words.say("Undo it"), f"undo {ruled.entry}"))
    if not ruled.legal and verb in ("lays", "plays"):
        keys.append((words.say(ACTIONS["overrule"]), f"overrule {ruled.entry}"))
    if ruled.seat is not None:
        keys.append((words.say(ACTS["other-seat"].key), "@open other-seat"))
    if tile_in(ruled.line):
        keys.append((words.say(ACTS["other-tile"].key), "@open other-tile"))
    if verb == "lays":
        keys.append((words.say(ACTS["other-place"].key), "@open other-place"))
    if ruled.seat is not None:
        keys.append((words.say(ACTS["gets"].key), "@open gets"))
    if verb == "draws":
        keys.append((words.say(ACTS["other-count"].key), "@open other-count"))
    if ruled.evidence:
        keys.append((words.say(ACTS["pictures"].key), "@open pictures"))
    return keys
