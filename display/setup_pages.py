"""The pages on which a match is set up, each a page of data."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, cos, radians, sin
from typing import TYPE_CHECKING

from display import keyboard, rulenames, theme
from display.aside import Desk
from display.felt import open_address
from display.heading import BACK, BODY, CLOSE, HEAD, Key, card, grid, heading
from display.sentences import CAMERA, EDITIONS, GAMES, N_, SIGNALS, Words, number, sheets
from display.settings import SOUNDS, turn_time
from display.widgets import GAP, TARGET, Badge, Button, Code, Label, Panel, Rect, Widget
from referee import houserules
from referee.games import Game, games
from referee.seen.zones import DRAWS, HANDS
from referee.tiles import DOMINO
from referee.wire import View

if TYPE_CHECKING:
    from display.setup import Setup

CHECK_CAMERA: dict[str, str] = {
    "ok": N_("The camera sees the table."),
    "none": N_("There is no camera in this game: lay your tiles, and enter them here by touch."),
    "lost": N_("No camera is found. Put in its cable; it is tried again by itself. Until then enter the tiles here."),
    "frozen": N_("The camera shows no new pictures. Pull its cable out and put it in again."),
    "late": N_("The camera is slow. Please lay one tile at a time."),
    "moved": N_("The camera does not see the whole mat. Put the mat straight under the camera."),
}
CHECK_SIGNALS: dict[str, str] = {
    "ok": N_("The buzzer and the light tell of an illegal tile."),
    "no-gpio": N_("There is no buzzer. The screen flashes when a tile is illegal."),
    "no-gpiozero": N_("The software of the buzzer is missing. The screen flashes when a tile is illegal."),
    "pin-in-use": N_("Another program uses the buzzer. The screen flashes when a tile is illegal."),
    "gpio-failed": N_("The buzzer does not answer. The screen flashes when a tile is illegal."),
}
ZONES: dict[str, str] = {DRAWS: N_("Draws are seen by camera"), HANDS: N_("Shown hands are seen by camera")}
NAMES_SHOWN, RULES_SHOWN = 8, 8
FOOT = 72.0
JOIN_W = 136.0
ROUND_THE_TABLE = tuple(range(0, 360, 45))
NEAR_DEG = 36


def page(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """The page of the step."""
    return {
        "game": _games,
        "players": _players,
        "keyboard": _keyboard,
        "table": _table,
        "seats": _seats,
        "rules": _rules,
        "number": _number,
        "sheet": _sheet,
        "check": _check,
    }[setup.step](setup, desk)


def go_on(desk: Desk) -> Iterator[Widget]:
    """The match from before as it stands, and a key for it and for a new one."""
    view, words = desk.view, desk.words
    assert view is not None
    yield from heading(words, words.say("Welcome back! A match is not over yet."), desk.notice, back="")
    keys = Rect(BODY.x, BODY.bottom - 110, BODY.w, 110)
    yield Panel(Rect(BODY.x, BODY.y, BODY.w, keys.y - BODY.y - GAP), theme.FELT)
    room = Rect(BODY.x + 20, BODY.y + 12, BODY.w - 40, keys.y - BODY.y - GAP - 24)
    title = Rect(room.x, room.y, room.w, 40)
    yield Label(title, words.code(GAMES, view.game), 28, theme.FELT, bold=True)
    for row, (index, seat) in zip(
        Rect(room.x, title.bottom + 4, room.w, room.bottom - title.bottom - 4).rows(max(4, len(view.seats)), 2),
        enumerate(view.seats),
        strict=False,
    ):
        yield Label(Rect(row.x, row.y, row.w - 140, row.h), words.name(view.seats, index), 24, theme.FELT)
        score = Rect(row.right - 130, row.y, 130, row.h)
        yield Label(score, number(seat.score), 26, theme.FELT, bold=True, align="right")
    left, right = Rect(keys.x, keys.y, 500, keys.h), Rect(keys.x + 506, keys.y, keys.w - 506, keys.h)
    yield Button(left, words.say("Go on playing"), CLOSE, theme.TURN, size=32)
    yield Button(right, words.say("New match"), "@setup", theme.KEY)


def _games(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """A key for each game."""
    words = desk.words
    keys = ((words.say("Past games"), "@games"), (words.say("Settings"), "@settings"))
    yield from heading(words, words.say("What do you play?"), desk.notice, keys, "" if setup.is_first else CLOSE)
    for cell, game in zip(grid(BODY, 2, max(4, ceil(len(games()) / 2))), games().values(), strict=False):
        note = words.code(EDITIONS, game.id)
        look = theme.MAIN_KEY if game.id == setup.game else theme.KEY
        face = (6, 5) if game.kind == DOMINO else (3, 4, 5)
        yield Button(cell, words.code(GAMES, game.id), f"@game {game.id}", look, note, 26, face)


def _counts(game_settings: object, words: Words) -> str:
    """How many can play."""
    counts = sorted(houserules.deals(game_settings))
    if len(counts) == 1:
        return words.plural("{count} player", "{count} players", counts[0])
    return words.say("{low} to {high} players").format(low=counts[0], high=counts[-1])


def _players(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """Who plays, in the order of turns, and beside them who has played before."""
    words = desk.words
    yield from heading(words, words.say("Who plays? Tap the names in the order of turns."), desk.notice, back=BACK)
    foot = Rect(BODY.x, BODY.bottom - FOOT, BODY.w, FOOT)
    room = Rect(BODY.x, BODY.y, BODY.w, foot.y - BODY.y - GAP)
    left, right = Rect(room.x, room.y, 389, room.h), Rect(room.x + 395, room.y, 389, room.h)
    most = max(setup.counts)
    for seat, cell in enumerate(grid(left, 2, 3)[:most]):
        if seat < len(setup.names):
            yield Button(cell, setup.names[seat], f"@remove {seat}", theme.TURN, f"{seat + 1}  ✕", 24)
        else:
            yield Panel(cell, theme.CARD)
            yield Label(cell.inset(12, 8), str(seat + 1), 26, theme.CARD, soft=True, align="centre")
    is_full = len(setup.names) >= most
    yield from () if is_full else _known(setup, right, words)
    cells = foot.columns(3, GAP)
    if not is_full:
        yield Button(cells[0], words.say("New name"), "@go keyboard", theme.MAIN_KEY if not setup.names else theme.KEY)
        yield Button(cells[1], words.say("Player without a name"), "@nobody", theme.KEY, size=20)
    if len(setup.names) in setup.counts:
        yield Button(cells[2], words.say("Next"), "@go table", theme.TURN, size=28)
    else:
        yield Panel(cells[2], theme.ROOM)
        yield Label(cells[2].inset(8, 8), _counts(setup.settings, words), 20, theme.ROOM, soft=True, align="centre")


def _known(setup: Setup, room: Rect, words: Words) -> Iterator[Widget]:
    """Names of earlier players, a page of them at a time."""
    known = setup.known
    shown = NAMES_SHOWN if len(known) <= NAMES_SHOWN else NAMES_SHOWN - 1
    first = setup.leaf % max(1, ceil(len(known) / shown)) * shown
    cells = grid(room, 2, NAMES_SHOWN // 2)
    for index, cell in zip(range(first, min(first + shown, len(known))), cells, strict=False):
        yield Button(cell, known[index], f"@add {index}", theme.KEY)
    if shown < len(known):
        yield Button(cells[-1], words.say("More names"), "@further", theme.KEY, size=20)


def _keyboard(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """The name so far, and the keys."""
    words, typed = desk.words, setup.keyboard.text
    title = words.say("Name of player {number}").format(number=len(setup.names) + 1)
    bar = Rect(HEAD.x, HEAD.y - 4, HEAD.w - 138, 64)
    yield Panel(bar, theme.ASK)
    yield Label(Rect(bar.x + 14, bar.y + 6, 130, bar.h - 12), title, 18, theme.ASK, soft=True, lines=2)
    yield Label(Rect(bar.x + 152, bar.y + 6, bar.w - 160, bar.h - 12), f"{typed}▏", 28, theme.ASK, bold=True)
    yield Button(Rect(bar.right + GAP, bar.y, 132, bar.h), words.say("Back"), BACK, theme.KEY, size=20)
    is_last = len(setup.names) + 1 >= max(setup.counts)
    more = () if is_last else ((words.say("Next name"), "@typed"),)
    yield from keyboard.keys(setup.keyboard, words, (*more, (words.say("Ready"), "@done")))


def _table(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """All that holds, to be looked over: who sits where, the rules, the time, what is missing; and the start."""
    view, words, likes = desk.view, desk.words, desk.preferences
    keys: tuple[Key, ...] = ((words.say("Settings"), "@settings"),)
    title = words.told(words.code(GAMES, setup.game), _counts_now(setup, words))
    yield from heading(words, title, desk.notice, keys, BACK)
    foot = Rect(BODY.x, BODY.bottom - FOOT, BODY.w, FOOT)
    room = Rect(BODY.x, BODY.y, BODY.w, foot.y - BODY.y - GAP)
    left = Rect(room.x, room.y, 389, room.h)
    yield from _picture(setup, left)
    yield Button(
        Rect(left.x + 8, left.bottom - 72, left.w - 16, 64), words.say("Change the seats"), "@go seats", theme.KEY
    )
    rows = Rect(room.x + 395, room.y, 389, room.h).rows(4, GAP)
    yield from _target(setup, rows[0], words)
    half = rows[1].columns(2, GAP)
    yield Button(half[0], words.say("The rules"), "@go sheet", theme.KEY)
    count = len(setup.options) + len(setup.zones)
    changed = words.plural("{count} changed", "{count} changed", count) if count else ""
    yield Button(half[1], words.say("House rules"), "@go rules", theme.KEY, changed)
    half = rows[2].columns(2, GAP)
    yield card(half[0], turn_time(likes.turn_s, words), words.say("Time for a turn"), "@likes turn_s")
    yield card(half[1], words.say(SOUNDS[likes.sounds]), words.say("Sounds"), "@likes sounds")
    yield Button(rows[3], _missing(view, words), "@go check", theme.KEY, words.say("Camera, buzzer and phones"), 20)
    if len(setup.names) in setup.counts:
        is_under_way = view is not None and view.phase not in ("", "over")
        note = words.say("The match that is not over yet ends here") if is_under_way else ""
        yield Button(foot, words.say("Start"), setup.order(is_under_way), theme.TURN, note, 34)
    else:
        yield Panel(foot, theme.CARD)
        yield Label(foot.inset(14, 8), _counts(setup.settings, words), 24, theme.CARD, soft=True, align="centre")


def _counts_now(setup: Setup, words: Words) -> str:
    return words.plural("{count} player", "{count} players", len(setup.names))


def _target(setup: Setup, row: Rect, words: Words) -> Iterator[Widget]:
    """Where the match ends, with less and more; a number of rounds is a house rule, changed there."""
    now, usual = houserules.written(setup.settings), houserules.written(setup.preset.settings)
    rounds = now.get("rounds", houserules.NONE)
    text = words.say("Ends at {target}").format(target=now["target"])
    middle = row
    if rounds == houserules.NONE:
        step = 50 if int(usual["target"]) >= 100 else max(1, int(usual["target"]) // 3)
        less, more = max(1, int(now["target"]) - step), int(now["target"]) + step
        yield Button(Rect(row.x, row.y, 84, row.h), "−", f"@target {less}", theme.KEY, size=34)
        yield Button(Rect(row.right - 84, row.y, 84, row.h), "+", f"@target {more}", theme.KEY, size=34)
        middle = Rect(row.x + 90, row.y, row.w - 180, row.h)
    else:
        text = words.plural("Ends after {count} round", "Ends after {count} rounds", int(rounds))
    yield Panel(middle, theme.CARD)
    yield Label(middle.inset(10, 8), text, 24, theme.CARD, bold=True, align="centre", lines=2)


def _missing(view: View | None, words: Words) -> str:
    """What the house has, in a line."""
    camera, signals = (view.camera, view.signals) if view else ("lost", "no-gpio")
    signs = (f"{'✓' if camera in ('ok', 'none') else '⚠'} {words.code(CAMERA, camera)}",)
    return " · ".join((*signs, f"{'✓' if signals == 'ok' else '⚠'} {words.code(SIGNALS, signals)}"))


def _place(room: Rect, deg: float) -> tuple[float, float]:
    """A point beside the table for an angle as seen from its middle."""
    reach_x, reach_y = room.w / 2 - 78, room.h / 2 - 38
    return room.x + room.w / 2 + reach_x * cos(radians(deg)), room.y + room.h / 2 + reach_y * sin(radians(deg))


def _picture(setup: Setup, room: Rect) -> Iterator[Widget]:
    """The table from above with the names round it, this screen at the near side."""
    yield Panel(room, theme.CARD)
    upper = Rect(room.x, room.y, room.w, room.h - 72)
    cloth = Rect(upper.x + upper.w / 2 - 60, upper.y + upper.h / 2 - 30, 120, 60)
    yield Panel(cloth, theme.FELT)
    for seat, (name, deg) in enumerate(zip(setup.names, setup.seats_deg, strict=False)):
        x, y = _place(upper.inset(0, -14), deg)
        box = Rect(x - 70, y - 20, 140, 40)
        yield Label(box, f"{seat + 1} {name}", 18, theme.CARD, bold=True, align="centre")


def _seats(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """The table from above: a name is tapped, then its new place or whom it changes places with."""
    words = desk.words
    title = words.say("Who sits where? Tap a name, then its new place.")
    yield from heading(words, title, desk.notice, ((words.say("Turn the table"), "@turn"),), BACK)
    yield Panel(BODY, theme.CARD)
    room = BODY.inset(8, 6)
    cloth = Rect(room.x + room.w / 2 - 170, room.y + room.h / 2 - 70, 340, 140)
    yield Panel(cloth, theme.FELT)
    near = Rect(cloth.x + 10, cloth.bottom - 56, cloth.w - 20, 50)
    yield Label(near, words.say("The screen is at this side"), 18, theme.FELT, align="centre", lines=2)
    for seat, (name, deg) in enumerate(zip(setup.names, setup.seats_deg, strict=True)):
        x, y = _place(room, deg)
        look = theme.MAIN_KEY if seat == setup.moving else theme.TURN
        yield Button(Rect(x - 76, y - TARGET / 2, 152, TARGET), name, f"@seat {seat}", look, str(seat + 1), 20)
    if setup.moving is None:
        return
    for deg in ROUND_THE_TABLE:
        if all(_apart(deg, other) >= NEAR_DEG for other in setup.seats_deg):
            x, y = _place(room, deg)
            yield Button(Rect(x - 45, y - TARGET / 2, 90, TARGET), "•", f"@place {deg}", theme.KEY)


def _apart(one: float, other: float) -> float:
    """The angle between two directions."""
    return abs((one - other + 180) % 360 - 180)


def _rules(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """The house rules, a page of them at a time; what differs from the game's own is light and has a mark."""
    words = desk.words
    cards = [*_zones(setup, desk), *_house_rules(setup, words)]
    leaves = ceil(len(cards) / RULES_SHOWN)
    leaf = setup.leaf % leaves
    keys = [(words.say("More rules"), "@further")]
    if setup.options or setup.zones:
        keys.insert(0, (words.say("All as usual"), "@usual"))
    notice = desk.notice or (words.say("That cannot be so beside the other rules") if setup.is_wrong else "")
    title = words.say("House rules, page {page} of {pages}").format(page=leaf + 1, pages=leaves)
    yield from heading(words, title, notice, keys, BACK)
    for cell, (name, value, order, is_changed) in zip(
        grid(BODY, 2, RULES_SHOWN // 2), cards[leaf * RULES_SHOWN :], strict=False
    ):
        mark, look = ("● ", theme.MAIN_KEY) if is_changed else ("", theme.KEY)
        yield card(cell, mark + rulenames.value(value, words), name, order, look)


def _house_rules(setup: Setup, words: Words) -> Iterator[tuple[str, str, str, bool]]:
    """Name, value, and what a tap says, of every house rule, and whether it differs from the game's own."""
    now, changed = houserules.written(setup.settings), dict(setup.options)
    for rule in sorted(houserules.options(setup.settings), key=list(rulenames.NAMES).index):
        yield rulenames.name(rule, words), now[rule], f"@rule {rule}", rule in changed


def _zones(setup: Setup, desk: Desk) -> Iterator[tuple[str, str, str, bool]]:
    """The same for what may be seen by camera besides the tiles that are laid, where there is a camera."""
    if setup.preset.in_tricks or (desk.view is not None and desk.view.camera == "none"):
        return
    for zone, text in ZONES.items():
        is_seen = zone in setup.zones
        yield desk.words.say(text), "yes" if is_seen else "no", f"@zone {zone}", is_seen


def _number(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """Digits for a house rule that is a number, or several."""
    words = desk.words
    notice = desk.notice or (words.say("That cannot be so beside the other rules") if setup.is_wrong else "")
    yield from heading(words, rulenames.name(setup.rule, words), notice, back=BACK)
    shown = Rect(BODY.x, BODY.y, 500, 72)
    yield Panel(shown, theme.CARD)
    yield Label(shown.inset(14, 6), f"{setup.typed}▏", 34, theme.CARD, bold=True)
    usual = houserules.written(setup.settings)[setup.rule]
    signs = [sign for sign in ",:-" if sign in usual]
    pad = Rect(BODY.x, shown.bottom + GAP, shown.w, BODY.bottom - shown.bottom - GAP)
    keys = [
        *((str(digit), f"@digit {digit}") for digit in (*range(1, 10), 0)),
        *((sign, f"@digit {sign}") for sign in signs),
    ]
    for cell, (text, order) in zip(grid(pad, 4, 4), [*keys, ("⌫", "@erase")], strict=False):
        yield Button(cell, text, order, theme.KEY if order == "@erase" else theme.MAIN_KEY, size=30)
    side = Rect(shown.right + 2 * GAP, BODY.y, BODY.right - shown.right - 2 * GAP, BODY.h).rows(5, GAP)
    if setup.typed:
        yield Button(side[0], words.say("Do it"), "@set", theme.TURN)
    if houserules.NONE in houserules.options(setup.settings)[setup.rule]:
        yield Button(side[1], words.say(rulenames.VALUES[houserules.NONE]), f"@set {houserules.NONE}", theme.KEY)


def _sheet(setup: Setup, desk: Desk) -> Iterator[Widget]:
    """The rules in words with the numbers that hold, a page at a time."""
    words, leaves = desk.words, sheet_leaves(setup.preset, setup.settings, desk.words)
    leaf = setup.leaf % len(leaves)
    title = words.say("{game}: the rules, page {page} of {pages}")
    title = title.format(game=words.code(GAMES, setup.game), page=leaf + 1, pages=len(leaves))
    yield from heading(words, title, desk.notice, ((words.say("Further"), "@further"),), BACK)
    yield Panel(BODY, theme.MAIN_KEY)
    room, lines = BODY.inset(14, 8), sum(need for *_, need in leaves[leaf])
    y = room.y
    for clause, sentence, need in leaves[leaf]:
        height = min(room.h * need / lines, need * 27.0 + 6)
        yield Label(Rect(room.x, y, 76, height), f"§{clause}", 15, theme.MAIN_KEY, soft=True)
        yield Label(Rect(room.x + 80, y, room.w - 80, height), sentence, 19, theme.MAIN_KEY, lines=need)
        y += height


def sheet_leaves(game: Game, game_settings: object, words: Words) -> list[list[tuple[str, str, int]]]:
    """The sheet cut into pages: paragraph, text, and the lines that it needs; only a long paragraph is cut, too."""
    most, longest, width = 14, 6, 64
    leaves: list[list[tuple[str, str, int]]] = [[]]
    for clause, paragraph in game.sheet(game_settings):
        whole = words.sheet(paragraph)
        is_long = len(whole) > longest * width
        begun = ""
        for text in map(words.sheet, sheets.sentences(paragraph)) if is_long else (whole,):
            longer = f"{begun} {text}" if begun else text
            before = leaves[-1][:-1] if begun else leaves[-1]
            if leaves[-1] and sum(each for *_, each in before) + ceil(len(longer) / width) > most:
                leaves.append([])
                before, longer = [], text
            leaves[-1] = [*before, (clause, longer, ceil(len(longer) / width))]
            begun = longer
    return leaves


def _check(setup: Setup, desk: Desk) -> Iterator[Widget]:  # noqa: ARG001  # every page is called alike
    """Camera, buzzer and phones: whether each is there, and what helps if not."""
    view, words = desk.view, desk.words
    keys = ((words.say("Measure the camera"), "@calibrate"),)
    yield from heading(words, words.say("Is everything there?"), desk.notice, keys, BACK)
    camera, signals, phones = (view.camera, view.signals, view.phones) if view else ("lost", "no-gpio", "")
    address = open_address(phones)
    if address:
        told = words.say("Phones in your network find the game at {address}").format(address=address)
    elif phones:
        told = words.say("Phones cannot look: the page is for this machine only. Start with --lan to let them in.")
    else:
        told = words.say("The page for phones is not running.")
    rows = BODY.rows(3, GAP)
    cards = (
        (camera in ("ok", "none"), words.say("Camera"), words.code(CHECK_CAMERA, camera)),
        (signals == "ok", words.say("Buzzer and light"), words.code(CHECK_SIGNALS, signals)),
        (bool(address), words.say("Phones"), told),
    )
    for row, (is_good, title, text) in zip(rows, cards, strict=True):
        yield Panel(row, theme.CARD)
        yield Badge(
            Rect(row.x + 14, row.y + 34, 52, 52), "✓" if is_good else "!", theme.GOOD if is_good else theme.NOTE
        )
        width = row.w - 96 - (row.h + JOIN_W if address and title == cards[2][1] else 0)
        yield Label(Rect(row.x + 84, row.y + 8, width, 32), title, 22, theme.CARD, bold=True)
        yield Label(Rect(row.x + 84, row.y + 42, width, row.h - 52), text, 20, theme.CARD, lines=3)
    if address:
        side = rows[2].h - 8
        code = Rect(rows[2].right - side - 4, rows[2].y + 4, side, side)
        yield Code(code, address)
        key = Rect(code.x - JOIN_W, code.y + 20, JOIN_W - 8, side - 40)
        yield Button(key, words.say("Join"), "@phones", theme.KEY, size=17)
