"""Every page beside the game that this screen has of its own: setting up, going on, the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from display import joining, settings, setup
from display.aside import Desk
from display.keyboard import Keyboard
from display.preferences import USUAL
from display.sentences import Words
from display.widgets import Page
from referee import notation
from referee.entries import Match
from referee.games import games
from referee.wire import Guest, Invitation, Seat, Told, View

NAMES = ("Ana", "Bogdan", "Chiara", "Дмитро", "Әсел", "Łukasz Wolfeschlegels")
LAN = "http://192.168.1.23:8420/"
IDLE = View(epoch="e", seq=1, camera="lost", signals="no-gpio", phones=LAN)
UNDER_WAY = View(
    epoch="e",
    seq=1,
    game="fr-domino",
    target=101,
    round=2,
    phase="play",
    seats=tuple(Seat(name, 12 * index, 0, 4) for index, name in enumerate(NAMES)),
    resumed=True,
)


def desk(*begun: Match, words: Words | None = None, view: View | None = IDLE) -> Desk:
    """A desk at a table where these matches were played, the newest first."""
    lines = tuple(map(notation.write, begun))
    return Desk(
        view, None, words or Words(), USUAL, ask=lambda what, *_args: Told("", lines if what == "begun" else ())
    )


def steps(names: tuple[str, ...] = NAMES, words: Words | None = None) -> Iterator[tuple[str, setup.Setup]]:
    """Every step of setting a match up, for each of the games."""
    earlier = [Match("fr-domino", (f"Name {number}", "Eve")) for number in range(12)]
    at = desk(Match("ro-trimino/manufacturer", names[:3]), *earlier, words=words)
    start = setup.fresh(at)
    yield "games", start
    for game in games().values():
        players = names[: min(game.max_players, len(names))]
        last = Match(game.id, players, (("target", "7"), ("tile_missing_remedy", "void")))
        fitting = replace(setup.fresh(desk(last, *earlier, words=words)))
        chosen = _tapped(fitting, at, f"@game {game.id}")
        yield f"players {game.id}", chosen
        table = _tapped(chosen, at, "@go table")
        yield f"table {game.id}", table
        sheet = rules = _tapped(table, at, "@go rules")
        for leaf in range(8):
            yield f"rules {leaf} {game.id}", rules
            rules = _tapped(rules, at, "@further")
        sheet = _tapped(table, at, "@go sheet")
        for leaf in range(6):
            yield f"sheet {leaf} {game.id}", sheet
            sheet = _tapped(sheet, at, "@further")
    yield "nobody", replace(_tapped(start, at, "@game kk-moon"), names=(), seats_deg=())
    yield "seats", _tapped(start, at, "@game uk-tridomino", "@go table", "@go seats")
    yield "seats moving", _tapped(start, at, "@game uk-tridomino", "@go table", "@go seats", "@seat 1")
    yield "check", _tapped(start, at, "@game uk-tridomino", "@go table", "@go check")
    number = _tapped(start, at, "@game uk-tridomino", "@go table", "@go rules", "@rule hands")
    yield "number", number
    yield "number wrong", _tapped(number, at, "@set")
    keys = _tapped(start, at, "@game uk-tridomino", "@go keyboard")
    for text in ("", "e", "Jiř", "W" * 20):
        for is_cyrillic in (False, True):
            yield f"keyboard {text} {is_cyrillic}", replace(keys, keyboard=Keyboard(text, is_cyrillic, not text))


def pages(words: Words, names: tuple[str, ...] = NAMES) -> Iterator[tuple[str, Page]]:
    """All pages by name."""
    at = desk(words=words)
    for name, step in steps(names, words):
        yield f"setup {name}", step.page(at)
    under_way = replace(at, view=UNDER_WAY)
    table = _tapped(setup.fresh(under_way), under_way, "@game uk-tridomino")
    yield "setup table under way", replace(table, step="table", names=names[:3])._seated().page(under_way)
    rounds = desk(Match("fr-domino", names[:2], (("rounds", "12"),)), words=words)
    yield "setup table rounds", setup.again(rounds).page(rounds)
    for camera in ("ok", "none", "frozen", "late", "moved"):
        view = msgspec.structs.replace(IDLE, camera=camera, phones="" if camera == "ok" else "http://127.0.0.1:8420/")
        yield f"check {camera}", setup.Setup("check").page(replace(at, view=view))
    for signals in ("ok", "no-gpiozero", "pin-in-use", "gpio-failed"):
        view = msgspec.structs.replace(IDLE, signals=signals)
        yield f"check {signals}", setup.Setup("check").page(replace(at, view=view))
    seats = tuple(msgspec.structs.replace(seat, name=name) for seat, name in zip(UNDER_WAY.seats, names, strict=False))
    yield "go on", setup.GoOn().page(replace(at, view=msgspec.structs.replace(UNDER_WAY, seats=seats)))
    for name, likes in (
        ("usual", USUAL),
        ("other", msgspec.structs.replace(USUAL, sounds="illegal", is_large=True, dark_after_min=0, turn_s=120)),
        ("silent", msgspec.structs.replace(USUAL, sounds="none", rotate_deg=270, turn_s=30)),
    ):
        yield f"settings {name}", settings.Settings().page(replace(at, preferences=likes))
    yield from phones(words, names)
    yield "languages", settings.Settings(is_languages=True).page(at)


def phones(words: Words, names: tuple[str, ...] = NAMES) -> Iterator[tuple[str, Page]]:
    """The way in for phones: nobody there, a few of every kind, many; and where there is no way in."""
    seats = tuple(msgspec.structs.replace(seat, name=name) for seat, name in zip(UNDER_WAY.seats, names, strict=False))
    view = msgspec.structs.replace(UNDER_WAY, seats=seats, phones=LAN, phones_named="http://raspberrypi.local:8420/")
    page = joining.Joining(Invitation("482913"), tuple(seat.name for seat in seats))
    some = (
        Guest("g1", "Google Pixel 7 (blue)", "player", 0),
        Guest("g2", "iPhone", "host", here=False),
        Guest("g3", "Galaxy Tab Active 4", "player", 5),
        Guest("p1", "Android"),
    )
    for name, guests in (("nobody", ()), ("some", some), ("many", some * 3)):
        at = replace(desk(words=words), view=msgspec.structs.replace(view, guests=guests))
        yield f"phones {name}", page.page(at)
    inside = msgspec.structs.replace(view, phones="http://127.0.0.1:8420/", guests=some[-1:])
    yield "phones of this machine", page.page(replace(desk(words=words), view=inside))
    yield "phones off", replace(page, invitation=None).page(replace(desk(words=words), view=UNDER_WAY))


def _tapped(step: setup.Setup, at: Desk, *taps: str) -> setup.Setup:
    for word in taps:
        after = step.tapped(word, at)
        assert after is not None
        step = after
    return step
