"""The felt: the tiles as they lie, or what there is to show when none do."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from display import results, theme
from display.sentences import STATUSES, Words, number, signed, tile_in
from display.widgets import GAP, Code, Face, Label, Panel, Piece, Rect, Table, Widget
from referee.wire import LaidTile, View

_LINES = 5
_SIZES_MM = {"triomino": (40.0, 34.64), "domino": (48.0, 24.0)}


def felt(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """The table as it lies and is judged; between games the result, or the way in for phones."""
    yield Panel(rect, theme.FELT)
    inner = rect.inset(10, 8)
    if view.phase == "over" and view.ranking:
        yield from _result(view, inner, words)
    elif view.sheet:
        yield from _round(view, inner, words)
    elif view.phase == "show-hands" and not any(laid.status in ("seen", "doubt") for laid in view.layout):
        yield from _shown(view, inner, words)
    elif view.phase == "deal" and view.seats and not view.layout:
        yield from _deal(view, inner, words)
    elif view.layout:
        pieces = tuple(_piece(view, laid, words) for laid in view.layout)
        size = view.tile_mm if min(view.tile_mm) > 0 else _SIZES_MM.get(pieces[0].kind, _SIZES_MM["domino"])
        yield Table(rect.inset(4, 4), pieces, size)
    elif view.phase == "play" and view.log:
        yield from _history(view, inner, words)
    elif address := open_address(view.phones):
        upper, foot = Rect(inner.x, inner.y, inner.w, inner.h - 28), Rect(inner.x, inner.bottom - 22, inner.w - 12, 22)
        side = min(upper.h, 190.0)
        code = Rect(upper.right - side - 12, upper.y + (upper.h - side) / 2, side, side)
        yield Code(code, address)
        yield Label(foot, address, 15, theme.FELT, align="right")
        text = words.say("Follow the game on your phone")
        yield Label(Rect(upper.x + 20, upper.y, code.x - upper.x - 40, upper.h), text, 26, theme.FELT, True, lines=3)
    else:
        text = words.say("No tiles in sight")
        middle = Rect(inner.x, inner.y + inner.h / 2 - 24, inner.w, 48)
        yield Label(middle, text, 24, theme.FELT, soft=True, align="centre")


def _code(view: View, rect: Rect) -> Iterator[Widget]:
    """The way in for phones, at the right."""
    address, side = open_address(view.phones), min(rect.h - 30, 190.0)
    code = Rect(rect.right - side - 12, rect.y + (rect.h - side - 26) / 2, side, side)
    yield Code(code, address)
    yield Label(Rect(code.x - 20, code.bottom + 4, side + 32, 22), address, 15, theme.FELT, align="centre")


def _beside_code(rect: Rect) -> Rect:
    return Rect(rect.x + 20, rect.y, rect.w - min(rect.h - 30, 190.0) - 80, rect.h)


def _deal(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """How many tiles each player takes, and how many stay."""
    address = open_address(view.phones)
    room = _beside_code(rect) if address else rect.inset(20, 0)
    hands = {seat.tiles for seat in view.seats}
    texts = []
    if len(hands) == 1 and (each := hands.pop()):
        texts.append(words.plural("Each player takes {count} tile", "Each player takes {count} tiles", each))
    if view.stock:
        texts.append(words.plural("{count} tile stays", "{count} tiles stay", view.stock))
    block = Rect(room.x, room.y + room.h / 2 - 45 * len(texts), room.w, 90.0 * len(texts))
    for index, (row, text) in enumerate(zip(block.rows(max(1, len(texts)), 6), texts, strict=True)):
        yield Label(row, text, 22 if index else 30, theme.FELT, bold=not index, soft=bool(index), lines=2)
    if address:
        yield from _code(view, rect)


def _round(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """How the round has ended, and what it has brought everybody."""
    line = view.sheet[-1]
    text = results.ending(line, view.seats, words)
    head = 32.0 if text and rect.h > 150 else 0.0
    if head:
        yield Label(Rect(rect.x + 4, rect.y, rect.w - 8, head - 4), text, 22, theme.FELT, bold=True)
    most = 64.0 * len(view.seats)
    room = Rect(rect.x, rect.y + head, rect.w, min(rect.h - head, most))
    yield from results.breakdown(room, view.seats, line, words)


def _shown(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A row for each player: the hand that was shown, or how many tiles are still to be shown."""
    rows = Rect(rect.x, rect.y, rect.w, min(rect.h, 64.0 * len(view.seats))).rows(max(1, len(view.seats)), GAP)
    for index, (row, seat) in enumerate(zip(rows, view.seats, strict=True)):
        yield Panel(row, theme.CARD)
        sign = "✓ " if seat.shown else ""
        name = Rect(row.x + 12, row.y + 2, row.w * 0.3, row.h - 4)
        yield Label(name, sign + words.name(view.seats, index), 20, theme.CARD, bold=True)
        rest = Rect(name.right + 8, row.y + 2, row.right - name.right - 20, row.h - 4)
        if not seat.shown:
            text = words.plural("{count} tile to show", "{count} tiles to show", seat.tiles)
            yield Label(rest, text, 18, theme.CARD, soft=True)
            continue
        width = min(rest.h, rest.w / max(1, len(seat.hand)))
        for place, tile in enumerate(seat.hand):
            yield Face(Rect(rest.x + place * width, rest.y, width - 3, rest.h), tile_in(tile))
        if not seat.hand:
            yield Label(rest, words.say("no tiles left"), 18, theme.CARD, soft=True)


def _piece(view: View, laid: LaidTile, words: Words) -> Piece:
    last = view.last is not None and laid.entry is not None and laid.entry == view.last.entry
    word = words.code(STATUSES, laid.status)
    pose = (laid.x_mm, laid.y_mm, laid.angle_deg)
    return Piece(laid.kind, laid.values, *pose, laid.status, word, last, laid.face_up, open=laid.open)


def _history(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """What was ruled of late, newest first, where no camera shows the tiles."""
    rulings = [ruled for ruled in reversed(view.log) if ruled.legal and not ruled.void][:_LINES]
    for row, ruled in zip(rect.rows(_LINES, GAP), rulings, strict=False):
        x = row.x
        if tile := tile_in(ruled.line):
            yield Face(Rect(x + 4, row.y, 40, row.h), tile)
        points = [award.points for award in ruled.awards if award.seat == ruled.seat]
        text = Rect(x + 54, row.y, row.w - 154, row.h)
        yield Label(text, words.ruling(view.seats, ruled), 20, theme.FELT)
        if any(points):
            sums = Rect(row.right - 90, row.y, 82, row.h)
            yield Label(sums, signed(sum(points)), 22, theme.FELT, bold=True, align="right")


def _result(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """The ranking, one line for each player, equal places sharing their number."""
    lines = [(place, seat) for place, seats in _places(view) for seat in seats if seat < len(view.seats)]
    count = max(1, len(lines))
    height = min(56.0, (rect.h - GAP * (count - 1)) / count)
    total = count * height + (count - 1) * GAP
    rows = Rect(rect.x, rect.y + (rect.h - total) / 2, rect.w, total).rows(count, GAP)
    for card, (place, seat) in zip(rows, lines, strict=False):
        look = theme.TURN if place == 1 else theme.CARD
        yield Panel(card, look)
        size = min(28.0, height * 0.6)
        yield Label(Rect(card.x + 14, card.y + 2, 48, height - 4), f"{place}.", size, look, bold=True)
        name = Rect(card.x + 66, card.y + 2, card.w - 66 - 130, height - 4)
        yield Label(name, words.name(view.seats, seat), size, look, bold=place == 1)
        score = Rect(card.right - 124, card.y + 2, 110, height - 4)
        yield Label(score, number(view.seats[seat].score), size, look, bold=True, align="right")


def _places(view: View) -> Iterator[tuple[int, tuple[int, ...]]]:
    place = 1
    for seats in view.ranking:
        yield place, seats
        place += len(seats)


def open_address(phones: str) -> str:
    """The phone page's address when other machines can reach it, else an empty string."""
    host = urlsplit(phones).hostname
    if not host or host == "localhost":
        return ""
    try:
        return "" if ipaddress.ip_address(host).is_loopback else phones
    except ValueError:
        return phones  # a name
