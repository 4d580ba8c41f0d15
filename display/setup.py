"""Setting up a match: the game, who plays, where they sit, by which rules; and going on with one from before.

The steps are `game`, `players` (with `keyboard`) and `table`, from which the others branch off: `seats`, `rules` (with
`number`), `sheet` and `check`. Every step is a page; what has been chosen is a value.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from display import settings, setup_pages
from display.aside import Aside, Desk
from display.keyboard import CYRILLIC_LANGUAGES, EMPTY, Keyboard
from display.sentences import letter
from display.widgets import Page
from referee import houserules, notation
from referee.entries import Match
from referee.games import Game, games
from referee.houserules import MOST_PLAYERS
from referee.seen.zones import WATCHED
from referee.wire import Answer, View

IDLE = ("", "over")
TURN_DEG = 45
LONGEST_NUMBER = 40
_BEFORE = {
    "players": "game",
    "keyboard": "players",
    "table": "players",
    "seats": "table",
    "rules": "table",
    "number": "rules",
    "sheet": "table",
    "check": "table",
}


@dataclass(frozen=True, slots=True)
class Setup(Aside):
    """What has been chosen so far.

    `begun` are earlier matches, newest first. `seats_deg` has an angle for each name, clockwise from above, 90 at the
    near side. `options` are the house rules that differ, `zones` what is seen by camera in parts of the mat. `leaf`
    counts the pages of a list. `rule` is the one whose number is typed, as far as `typed`. `moving` is the seat that
    looks for another place. `was` is the phase of the match before.
    """

    step: str = "game"
    begun: tuple[Match, ...] = ()
    game: str = ""
    names: tuple[str, ...] = ()
    seats_deg: tuple[int, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    zones: tuple[str, ...] = ()
    keyboard: Keyboard = EMPTY
    leaf: int = 0
    rule: str = ""
    typed: str = ""
    is_wrong: bool = False
    moving: int | None = None
    was: str = ""

    @property
    def is_first(self) -> bool:
        """Whether there is no match to go back to."""
        return not self.was

    @property
    def preset(self) -> Game:
        """The game that was chosen."""
        return games()[self.game]

    @property
    def settings(self) -> object:
        """Its settings with the house rules."""
        return self.preset.vary(self.preset.settings, dict(self.options))

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players that can play it."""
        return tuple(sorted(houserules.deals(self.settings)))

    @property
    def known(self) -> tuple[str, ...]:
        """Names of earlier players that are not among those who play, newest first."""
        earlier = dict.fromkeys(name for match in self.begun for name in match.names)
        taken = set(map(_read, self.names))
        return tuple(name for name in earlier if _read(name) not in taken)

    def order(self, is_under_way: bool) -> str:
        """The line that begins the match, leaving the one that is under way as it is."""
        line = notation.write(Match(self.game, self.names, self.options, self.seats_deg, self.zones))
        return line.replace("match", "match!", 1) if is_under_way else line

    def page(self, desk: Desk) -> Page:
        """The page of the step."""
        return Page(tuple(setup_pages.page(self, desk)))

    def tapped(self, word: str, desk: Desk) -> Setup | None:
        """What follows a tap."""
        verb, _, rest = word.removeprefix("@").partition(" ")
        match verb:
            case "close":
                return None
            case "back":
                after = self._at(_BEFORE.get(self.step, "game"))
            case "go":
                after = replace(self._at(rest), keyboard=self.keyboard.cleared())
            case "further":
                after = replace(self, leaf=self.leaf + 1)
            case "likes":
                desk.remember(settings.turned_on(desk.preferences, rest))
                after = self
            case "game":
                after = self._of_game(rest)
            case _ if self.step in ("players", "keyboard"):
                after = self._named(verb, rest, desk)
            case _:
                after = self._ruled(verb, rest)
        return after

    def _at(self, step: str) -> Setup:
        return replace(self, step=step, leaf=0, moving=None, is_wrong=False)

    def _of_game(self, game: str) -> Setup:
        """The game is chosen, with the house rules that it was last played by; names are typed if none are known."""
        last = next((match for match in self.begun if match.game == game), Match(game, ()))
        fresh = replace(self, game=game, options=possible(game, last.options), zones=last.zones)
        kept = self.names[: max(fresh.counts)]
        is_known = bool(self.names or self.known)
        return replace(fresh, names=kept, step="players" if is_known else "keyboard")._seated(self.seats_deg)

    def _named(self, verb: str, rest: str, desk: Desk) -> Setup:
        """Who plays."""
        match verb:
            case "add":
                return self._with(self.known[int(rest)])
            case "remove":
                names = tuple(name for seat, name in enumerate(self.names) if seat != int(rest))
                return replace(self, names=names)._seated()
            case "nobody":
                return self._with("", desk)
            case "typed":
                return replace(self._with(self.keyboard.text, desk), keyboard=self.keyboard.cleared())
            case "done":
                after = self._with(self.keyboard.text, desk) if self.keyboard.text.strip() else self
                is_enough = len(after.names) in after.counts and not after.known
                return replace(after, step="table" if is_enough else "players", keyboard=self.keyboard.cleared())
        return replace(self, keyboard=self.keyboard.tapped(verb, rest))

    def _with(self, name: str, desk: Desk | None = None) -> Setup:
        """One player more, called by the letter of the seat if nobody said how, and told from others of the name."""
        if len(self.names) >= max(self.counts):
            return self
        text = " ".join(name.split())
        if not text and desk is not None:
            text = desk.words.say("Player {letter}").format(letter=letter(len(self.names)))
        taken = set(map(_read, self.names))
        others = (text, *(f"{text} {number}" for number in range(2, MOST_PLAYERS + 2)))
        return replace(self, names=(*self.names, next(each for each in others if _read(each) not in taken)))._seated()

    def _seated(self, seats_deg: tuple[int, ...] = ()) -> Setup:
        """With a place for each: those given if they fit, else evenly round the table in the order of turns."""
        fits = seats_deg if len(seats_deg) == len(self.names) else evenly(len(self.names))
        return replace(self, seats_deg=fits)

    def _ruled(self, verb: str, rest: str) -> Setup:
        """By which rules."""
        match verb:
            case "target":
                return self._by_rule("target", rest)
            case "rule":
                return self._turned_on(rest)
            case "zone":
                zones = tuple(each for each in WATCHED if (each in self.zones) != (each == rest))
                return replace(self, zones=zones)
            case "usual":
                return replace(self, options=(), zones=())._fitting()
            case "digit":
                return replace(self, typed=(self.typed + rest)[:LONGEST_NUMBER], is_wrong=False)
            case "erase":
                return replace(self, typed=self.typed[:-1], is_wrong=False)
            case "set":
                after = self._by_rule(self.rule, rest or self.typed)
                return replace(after, step="number" if after.is_wrong else "rules")
        return self._placed(verb, rest)

    def _placed(self, verb: str, rest: str) -> Setup:
        """Where they sit."""
        match verb:
            case "seat":
                return self._moved(int(rest))
            case "place" if self.moving is not None:
                changed = tuple(int(rest) if seat == self.moving else deg for seat, deg in enumerate(self.seats_deg))
                return replace(self, seats_deg=changed, moving=None)
            case "turn":
                return replace(self, seats_deg=tuple((deg + TURN_DEG) % 360 for deg in self.seats_deg))
        return self

    def _moved(self, seat: int) -> Setup:
        """A seat is picked up; with another in hand, the two change places."""
        if self.moving is None or self.moving == seat:
            return replace(self, moving=seat if self.moving is None else None)
        places = list(self.seats_deg)
        places[seat], places[self.moving] = places[self.moving], places[seat]
        return replace(self, seats_deg=tuple(places), moving=None)

    def _turned_on(self, rule: str) -> Setup:
        """The next that a house rule can be; a number is typed on a page of its own."""
        now = houserules.written(self.settings)[rule]
        if words := houserules.choices(self.settings)[rule]:
            return self._by_rule(rule, settings.following(words, now))
        return replace(self, step="number", rule=rule, typed="" if now == houserules.NONE else now, is_wrong=False)

    def _by_rule(self, rule: str, value: str) -> Setup:
        """With a house rule changed, unless it cannot be so beside the others."""
        preset, asked = self.preset, dict(self.options) | {rule: value}
        mode = {houserules.MODE: asked[houserules.MODE]} if houserules.MODE in asked and rule != houserules.MODE else {}
        if value == houserules.written(preset.vary(preset.settings, mode))[rule]:
            del asked[rule]
        options = tuple(sorted(asked.items()))
        try:
            preset.vary(preset.settings, asked)
        except ValueError:
            return replace(self, is_wrong=True)
        return replace(self, options=options, is_wrong=False)._fitting()

    def _fitting(self) -> Setup:
        """With no more players than the rules allow."""
        most = max(self.counts)
        return self if len(self.names) <= most else replace(self, names=self.names[:most])._seated()

    def done(self, answer: Answer, desk: Desk) -> Setup | None:  # noqa: ARG002  # as every aside
        """The match has begun."""
        return None

    def is_over(self, view: View) -> bool:
        """Whether somebody else has begun a match."""
        return self.was in IDLE and view.phase != self.was


@dataclass(frozen=True, slots=True)
class GoOn(Aside):
    """A match from before is under way: go on with it, or begin another."""

    def page(self, desk: Desk) -> Page:
        """Both, and how the match stands."""
        return Page(tuple(setup_pages.go_on(desk)))

    def tapped(self, word: str, desk: Desk) -> GoOn | None:  # noqa: ARG002  # as every aside
        """To go on is to close it."""
        return None

    def done(self, answer: Answer, desk: Desk) -> GoOn | None:  # noqa: ARG002  # as every aside
        """A new match has begun."""
        return None

    def is_over(self, view: View) -> bool:
        """Whether somebody has gone on with it already."""
        return not view.resumed


def fresh(desk: Desk) -> Setup:
    """A match to be set up, with the players of the last one."""
    begun = _begun(desk)
    keyboard = Keyboard(is_cyrillic=desk.words.language in CYRILLIC_LANGUAGES)
    setup = Setup(begun=begun, keyboard=keyboard, was=desk.view.phase if desk.view else "")
    return replace(setup, names=begun[0].names)._seated(begun[0].seats_deg) if begun else setup


def again(desk: Desk) -> Setup:
    """The same match once more, to be looked over and begun."""
    setup = fresh(desk)
    if not setup.begun or setup.begun[0].game not in games():
        return setup
    last = setup.begun[0]
    setup = replace(setup, game=last.game, options=possible(last.game, last.options), zones=last.zones)
    return replace(setup, step="table" if len(setup.names) in setup.counts else "players")


def possible(game: str, options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The house rules of an earlier match, none if they cannot be any more."""
    preset = games()[game]
    try:
        preset.vary(preset.settings, dict(options))
    except ValueError:
        return ()
    return options


def evenly(count: int) -> tuple[int, ...]:
    """Places round the table for so many, clockwise from the near side."""
    return tuple(round(90 + 360 * seat / count) % 360 for seat in range(count))


def _begun(desk: Desk) -> tuple[Match, ...]:
    found = []
    for line in desk.ask("begun").lines:
        try:
            act = notation.parse(line)
        except ValueError:  # a newer table has words that are not known here
            continue
        if isinstance(act, Match):
            found.append(act)
    return tuple(found)


def _read(name: str) -> str:
    """A name as people read it: capitals, and other forms of the same letters, make no other name."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
