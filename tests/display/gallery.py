"""Every page the screen can show, made from views that a table could send, with first names of each language.

`python -m tests.display.gallery FOLDER` draws them all into a folder, one for each language;
`python -m tests.display.gallery tests/display/references` draws the few anew that tests compare with.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pygame

from display import draw, languages, statistics, theme
from display.aside import Desk
from display.dialogue import LOCAL, Dialogue, tapped
from display.outlines import buttons
from display.pages import page
from display.sentences import AWARDS, GAMES, REASONS, Words
from display.widgets import Page
from referee.config import Places
from referee.outside.rights import CONSENT
from referee.state import State
from referee.umpire import Match, opened
from referee.wire import Answer, Award, Call, Option, Played, Question, Ruled, Seat, Tricks, View
from tests.display import asides, calibrations, test_history, zoned
from tests.display.conftest import ASKED, SCENES

NAMES = {
    "en": ("Anna", "Ben", "Clara", "Daniel", "Emma", "Frank"),
    "ro": ("Ioana", "Mihai", "Andreea", "Ștefan", "Elena", "Radu"),
    "cs": ("Jiřina", "Tomáš", "Anežka", "Ondřej", "Eliška", "Matěj"),
    "fr": ("Hélène", "Julien", "Chloé", "François", "Margaux", "Loïc"),
    "uk": ("Оксана", "Богдан", "Соломія", "Юрій", "Наталія", "Тарас"),
    "kk": ("Айгүл", "Ерлан", "Әсел", "Нұрлан", "Қарлығаш", "Бауыржан"),
}
REFERENCES = Path(__file__).resolve().parent / "references"
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
KEPT = Places(FIXTURES, FIXTURES)  # the pictures of a ruling
REFERRED = (
    *(("en", "hexagon"), ("ro", "dispute"), ("cs", "over"), ("fr", "which-tile"), ("uk", "moon-trump")),
    ("kk", "settings usual"),
)
HALF = (theme.WIDTH // 2, theme.HEIGHT // 2)
STRANGE_NAMES = ("six-players", "six-at-the-end", "over-missed")  # far longer than any first name
BY_HAND = ("by-touch", "deal", "dominoes", "show-hands", "who-opens")


def moon(step: str = "tricks", **fields: Any) -> View:
    """A deal of Moon: in the auction, at the exchange, naming trumps, or in the middle of a trick."""
    tricks = {
        "auction": Tricks(
            step="auction", first=0, bid=5, bidder=0, calls=(Call(0, 5), Call(1, 0)), choices=("6", "7", "21")
        ),
        "exchange": Tricks(step="exchange", first=0, bidder=0, bid=5),
        "trump": Tricks(step="trump", first=0, bidder=0, bid=5, choices=(*"0123456", "doubles", "none")),
        "tricks": Tricks("tricks", 0, (), 1, 5, "6", (1, 0, 2), (Played(2, "3-5"),), "5"),
        "lead": Tricks("tricks", 0, (), 0, 7, "doubles", (0, 0, 0), (), ""),
        "trumped": Tricks(
            "tricks",
            *(0, (), 1, 5, "6", (1, 1, 2), (Played(2, "3-5"), Played(0, "5-6"), Played(1, "2-5")), "5", 0),
            "highest-trump",
        ),
        "followed": Tricks(
            "tricks",
            *(0, (), 1, 21, "none", (1, 1, 2), (Played(2, "3-5"), Played(0, "4-5"), Played(1, "1-1")), "5", 0),
            "highest-of-suit",
        ),
    }[step]
    held = (4, 4, 3) if step in ("tricks", "lead", "trumped", "followed") else (7, 7, 7)
    seats = (Seat("Ana", 3, 0, held[0]), Seat("Bogdan", 5, 0, held[1]), Seat("Chiara", 0, 0, held[2]))
    view = View(epoch="e", seq=9, game="kk-moon", target=21, round=1, phase="play", seats=seats, turn=0, tricks=tricks)
    action = {"auction": "bids", "exchange": "discards", "trump": "names"}.get(step, "plays")
    return msgspec.structs.replace(view, actions=(action, "passes", "undo"), camera="none", **fields)


def views(language: str) -> dict[str, View]:
    """The views by name, with players whose names are common where the language is spoken."""
    steps = ("auction", "exchange", "trump", "lead", "tricks", "trumped", "followed")
    every = SCENES | {f"moon-{step}": moon(step) for step in steps}
    every["moon-first"] = msgspec.structs.replace(
        moon("auction"), turn=None, actions=("first",), tricks=Tricks("auction", choices=("4", "5", "6", "7", "21"))
    )
    firsts = (Option("answer q4 0", "tile", "3-5", 0, 0.98), Option("answer q4 1", "tile", "5-5", 0, 0.97))
    first = Question("q4", "which-first", (*firsts, Option("answer q4 2", "not-a-move")))
    every["moon-which-first"] = msgspec.structs.replace(moon("tricks"), camera="ok", questions=(first,))
    for status in ("lost", "frozen", "late"):
        every[f"camera-{status}"] = msgspec.structs.replace(SCENES["play"], camera=status, signals="gpio-failed")
    consent = (Option("answer w21-1 0", "grant", seat=2), Option("answer w21-1 1", "deny", seat=2))
    for what in CONSENT:
        wish = Question("w21-1", what, consent, about=SCENES["play"].last)
        every[what] = msgspec.structs.replace(SCENES["play"], questions=(wish,))
    crowded = tuple(
        msgspec.structs.replace(seat, score=1234, round_points=125, tiles=12) for seat in SCENES["play"].seats
    )
    every["crowded"] = msgspec.structs.replace(SCENES["play"], seats=crowded, stock=35)
    every |= zoned.scenes(SCENES)
    every["nobody-can-open"] = msgspec.structs.replace(SCENES["by-touch"], turn=None, log=(), last=None)
    return {name: view if name in STRANGE_NAMES else _named(view, NAMES[language]) for name, view in every.items()}


def _named(view: View, names: tuple[str, ...]) -> View:
    seats = (msgspec.structs.replace(seat, name=name) for seat, name in zip(view.seats, names, strict=False))
    return msgspec.structs.replace(view, seats=tuple(seats))


def gallery(words: Words) -> Iterator[tuple[str, Page]]:
    """Every page by its name."""
    known = views(words.language)
    yield "waiting", page(None, words=words)
    yield "old", page(known["play"], live=False, words=words)
    yield "notice", page(known["play"], words=words, notice=words.reason("draw-while-able"))
    yield "would-change", page(known["play"], words=words, asked=ASKED)
    yield "ways-out", page(known["play"], words=words, asked=_refused())
    for name, view in known.items():
        yield name, page(view, words=words)
    for name in BY_HAND:
        yield from _by_hand(name, known[name], None, words)
    yield from _by_hand("moon", known["moon-tricks"], _of_moon(), words)
    offers = ("12 ok-edge B lays 3-4-2 at 0,0,D", "52 ok-hexagon B lays 0-1-2 at 1,0,U")
    for name, found in (("places", offers), ("no-place", ()), ("many-places", offers * 4)):
        asked = Dialogue("lays", seat=1, tiles=("2-3-4",), offers=found)
        yield name, page(known["play"], words=words, dialogue=asked)
    yield from _of_the_eye(known, words)
    yield from asides.pages(words, NAMES[words.language])
    yield from test_history.pages(words)
    yield from calibrations.pages(words)
    careers = tuple(replace(test_history.CAREER, name=NAMES[words.language][0], game=game) for game in GAMES)
    yield "players-of-every-game", statistics.Players(careers).page(Desk(words=words))


def _of_the_eye(known: dict[str, View], words: Words) -> Iterator[tuple[str, Page]]:
    """What lies behind a dispute, a move and a question where a camera plays along."""
    disputed, more = known["dispute-pictured"], Dialogue("more")
    yield "pictures", page(disputed, words=words, dialogue=tapped(more, "@open pictures", disputed, None))
    moved = Dialogue("history", entry=disputed.last)
    yield "pictures-of-a-move", page(known["play"], words=words, dialogue=moved)
    yield "pictures-later", page(known["play"], words=words, dialogue=replace(moved, act="pictures"))
    asked = known["which-tile"]
    yield "any-tile", page(asked, words=words, dialogue=tapped(more, "@open any-tile", asked, None))


def _by_hand(name: str, view: View, state: State | None, words: Words) -> Iterator[tuple[str, Page]]:
    """Every page that can be reached with a few taps, one of each kind of key."""
    shown, new = set[str](), [Dialogue("more"), *(Dialogue("history", entry=ruled) for ruled in view.log[:1])]
    while new:
        now = new.pop()
        drawn = page(view, words=words, dialogue=now, state=state)
        given = (now.act, now.entry and "move", now.seat is not None and "who", len(now.tiles) or len(now.numbers))
        title = "-".join(str(each) for each in (name, *given) if each)
        if title not in shown:
            yield title, drawn
        shown.add(title)
        kinds: dict[str, str] = {}
        for word in (button.order for button in buttons(drawn)):
            if word.startswith("@open"):
                kinds[word] = word
            elif word.split(" ")[0] in ("@seat", "@number", "@tile", "@count", "@digit"):
                kinds.setdefault(word.split(" ")[0], word)
        if len(now.numbers) + len(now.tiles) + len(now.digits) < 3:
            after = (tapped(now, word, view, state) for word in kinds.values() if word.startswith(LOCAL))
            new += [each for each in after if each is not None]


def _of_moon() -> State:
    """A match of Moon in which the leader may ask for either number of a tile."""
    return opened(Match("kk-moon", ("Ana", "Bogdan", "Chiara"), (("leader_names_suit", "yes"),)))


def _refused() -> Answer:
    stays, stands = Option("C exposes 3-4-5 laid", "stays-open", seat=2), Option("overrule 21", "stands", seat=2)
    stands = msgspec.structs.replace(stands, awards=(Award(2, "tile", 12), Award(2, "hexagon", 50)))
    return Answer("id", "refused", "out-of-turn", options=(Option("", "take-back"), stays, stands))


def every_ruling(words: Words) -> Iterator[tuple[str, Page]]:
    """The page of the game with every reason there is: as a ruling, where it is legal, or as a dispute."""
    known = views(words.language)
    for reason in REASONS:
        ruled = Ruled(21, 1, "B lays 3-4-2 at -2,-1,D", reason, True, (Award(1, "tile", 9), Award(1, "hexagon", 50)))
        yield f"ruled-{reason}", page(msgspec.structs.replace(known["play"], last=ruled), words=words)
        about = known["dispute"].dispute
        assert about is not None
        dispute = msgspec.structs.replace(about, reason=reason)
        yield f"dispute-{reason}", page(msgspec.structs.replace(known["dispute"], dispute=dispute), words=words)
    for what in AWARDS:
        awards = (Award(1, "tile", 9), Award(1, what, -50))
        ruled = Ruled(21, 1, "B lays 3-4-2 at -2,-1,D", "ok-multi-hexagon", True, awards)
        yield f"award-{what}", page(msgspec.structs.replace(known["play"], last=ruled), words=words)


def picture(drawn: Page) -> pygame.Surface:
    """A page as the screen shows it."""
    return draw.draw(drawn, (theme.WIDTH, theme.HEIGHT), places=KEPT)


def reference(language: str, name: str) -> tuple[Path, pygame.Surface]:
    """Where the reference picture of a page lies, and what it would be now, at half its size."""
    pages = dict(gallery(Words(language)))
    return REFERENCES / f"{language}-{name.replace(' ', '-')}.png", pygame.transform.smoothscale(
        picture(pages[name]), HALF
    )


def main(folder: Path) -> None:
    """Draw every page in every language; or the reference pictures anew, where that folder is theirs."""
    pygame.font.init()
    if folder.resolve() == REFERENCES:
        for language, name in REFERRED:
            path, now = reference(language, name)
            pygame.image.save(now, str(path))
        return
    for language in languages.available():
        place = folder / language.code
        place.mkdir(parents=True, exist_ok=True)
        for name, drawn in gallery(Words(language.code)):
            file = re.sub(r"[^\w.-]+", "-", name) + ".png"
            pygame.image.save(picture(drawn), str(place / file))
        print(f"{language.name}: {len(list(place.glob('*.png')))} pages in {place}/")  # noqa: T201  # a program of its own


if __name__ == "__main__":
    main(Path(sys.argv[1]))
