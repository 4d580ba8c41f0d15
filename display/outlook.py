"""The pages that come before an order is carried out: what it would change, or what can be done where it is refused."""

from __future__ import annotations

from collections.abc import Iterator

from display import theme
from display.sentences import OPTIONS, Words, number, signed, tile_in
from display.widgets import GAP, Badge, Button, Face, Label, Panel, Rect, Widget
from referee.wire import Answer, Change, Outlook, Ruled, View

LEAVE = ""  # the order of the key that leaves everything as it is
HEAD = Rect(8, 8, 784, 48)
LIST = Rect(8, 62, 784, 282)
SCORES = Rect(8, 350, 784, 44)
KEYS = Rect(8, 400, 784, 72)
ROWS = 6


def outlook(view: View, asked: Answer, told: Outlook, words: Words) -> Iterator[Widget]:
    """What would change, entry by entry, then the scores, then two keys: do it, or leave it."""
    yield Panel(HEAD, theme.ASK)
    yield Badge(Rect(HEAD.x + 8, HEAD.y + 7, 34, 34), "?", theme.ASK)
    yield Label(Rect(HEAD.x + 52, HEAD.y + 7, HEAD.w - 60, 34), words.answer(asked), 24, theme.ASK, bold=True)
    yield Panel(LIST, theme.CARD)
    rows = LIST.inset(8, 6).rows(ROWS, 2)
    hidden = told.more + max(len(told.changes) - ROWS, 0)
    shown = told.changes[: ROWS - 1] if hidden else told.changes
    for row, change in zip(rows, shown, strict=False):
        yield from _row(view, change, row, words)
    if hidden:
        text = words.say("and {count} more").format(count=len(told.changes) - len(shown) + told.more)
        yield Label(rows[-1], text, 18, theme.CARD, soft=True)
    yield Panel(SCORES, theme.CARD)
    yield Label(SCORES.inset(12, 6), _scores(view, told, words), 20, theme.CARD, bold=True)
    do, leave = KEYS.columns(2, GAP)
    yield Button(do, words.say("Do it"), told.line, theme.MAIN_KEY)
    yield Button(leave, words.say("Leave it as it is"), LEAVE, theme.KEY)


def ways_out(refused: Answer, words: Words) -> Iterator[Widget]:
    """Why an order was refused, what the rules offer instead, and the key that leaves everything as it is."""
    yield Panel(HEAD, theme.NOTE)
    yield Badge(Rect(HEAD.x + 8, HEAD.y + 7, 34, 34), "✗", theme.ALARM)
    yield Label(Rect(HEAD.x + 52, HEAD.y + 7, HEAD.w - 60, 34), words.answer(refused), 24, theme.NOTE, bold=True)
    offered = [option for option in refused.options if option.line]
    keys = Rect(KEYS.x, LIST.y + 8, KEYS.w, KEYS.h * len(offered) + GAP * (len(offered) - 1))
    for row, option in zip(keys.rows(len(offered), GAP), offered, strict=True):
        points = sum(award.points for award in option.awards if award.seat == option.seat)
        note = signed(points) if points else ""
        yield Button(row, words.code(OPTIONS, option.what), option.line, theme.MAIN_KEY, note)
    yield Button(KEYS, words.say("Leave it as it is"), LEAVE, theme.KEY)


def _row(view: View, change: Change, row: Rect, words: Words) -> Iterator[Widget]:
    """An entry: its number, its tile, whose it is, and the ruling as it is and as it would be."""
    yield Label(Rect(row.x, row.y, 44, row.h), str(change.before.entry), 17, theme.CARD, soft=True, align="right")
    x = row.x + 52
    tile = tile_in(change.after.line)
    if tile:
        yield Face(Rect(x, row.y + 2, row.h - 4, row.h - 4), tile)
        x += row.h + 4
    name = Rect(x, row.y, LIST.x + 232 - x, row.h)
    yield Label(name, _who(view, change.after, words), 18, theme.CARD, bold=True, lines=2)
    each = (row.right - name.right - 8 - 40) / 2
    before = Rect(name.right + 8, row.y, each, row.h)
    yield Label(before, _verdict(view, change.before, words), 17, theme.CARD, soft=True, lines=2)
    yield Label(Rect(before.right, row.y, 40, row.h), "→", 20, theme.CARD, align="centre")
    after = Rect(before.right + 40, row.y, each, row.h)
    yield Label(after, _verdict(view, change.after, words), 17, theme.CARD, bold=change.asked, lines=2)


def _who(view: View, ruled: Ruled, words: Words) -> str:
    """Whose entry it is, and what it says where no tile does."""
    name = words.brief(view.seats, ruled.seat)
    return name if tile_in(ruled.line) else words.told(name, words.act(ruled.line))


def _verdict(view: View, ruled: Ruled, words: Words) -> str:
    """A ruling and its points in a few words."""
    if ruled.void:
        return words.say("undone")
    points = words.awards(view.seats, ruled)
    verdict = f"{words.reason(ruled.reason)} ({points})" if points else words.reason(ruled.reason)
    return " · ".join((verdict, *(words.reason(each.reason) for each in ruled.proven)))


def _scores(view: View, told: Outlook, words: Words) -> str:
    """The scores that would change."""
    changed = [
        f"{words.brief(view.seats, seat)} {number(old)} → {number(new)} ({signed(new - old)})"
        for seat, (old, new) in enumerate(zip(told.scores, told.becomes, strict=False))
        if old != new
    ]
    return " · ".join(changed) or words.say("No score changes")
