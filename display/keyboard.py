"""The keys on which a name is typed: Latin with the variants of the last letter, Cyrillic with all its letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from display import theme
from display.sentences import Words
from display.widgets import Button, Label, Panel, Rect, Widget

LONGEST = 20
COLUMNS = 11
SPACE = 4.0
ROOM = Rect(8, 74, 784, 404)
LATIN = ("qwertyuiop-", "asdfghjkl'.", "zxcvbnm")
CYRILLIC = ("йцукенгшщзх", "фывапролджэ", "ячсмитьбюъё", "іїєґәғқңөұү", "һ-'")
CYRILLIC_LANGUAGES = ("uk", "kk")
VARIANTS = {
    "a": "ăâáàäąåæã",
    "c": "çčć",
    "d": "ďđð",
    "e": "éèêëěęė",
    "g": "ğģ",
    "i": "îíïìıį",
    "l": "łľĺļ",
    "n": "ňñńņ",
    "o": "óôöőøœõò",
    "r": "řŕ",
    "s": "șšśşß",
    "t": "țťţ",
    "u": "úůûùüűūų",
    "y": "ýÿ",
    "z": "žźż",
}


@dataclass(frozen=True, slots=True)
class Keyboard:
    """What has been typed, in which script the keys are, and whether the next letter is a capital."""

    text: str = ""
    is_cyrillic: bool = False
    is_capital: bool = True

    def tapped(self, verb: str, rest: str) -> Keyboard:
        """After a tap on a key."""
        match verb:
            case "key":
                return self._with(self.text + self._cased(rest))
            case "instead":
                last = self.text[-1:]
                return self._with(
                    self.text[:-1] + (rest.upper() if last.isupper() and len(rest.upper()) == 1 else rest)
                )
            case "space":
                return self._with(self.text + " ")
            case "erase":
                return self._with(self.text[:-1])
            case "capital":
                return replace(self, is_capital=not self.is_capital)
            case "script":
                return replace(self, is_cyrillic=not self.is_cyrillic)
        return self

    def cleared(self) -> Keyboard:
        """For the next name, in the same script."""
        return Keyboard(is_cyrillic=self.is_cyrillic)

    def _cased(self, letter: str) -> str:
        return letter.upper() if self.is_capital else letter

    def _with(self, text: str) -> Keyboard:
        text = text.lstrip()[:LONGEST]
        return replace(self, text=text, is_capital=not text or text[-1] in " -.")

    def variants(self) -> str:
        """The letters that the last one could have been meant as."""
        last = self.text[-1:].lower()
        return next((base + others for base, others in VARIANTS.items() if last and last in base + others), "")


EMPTY = Keyboard()


def keys(keyboard: Keyboard, words: Words, ends: tuple[tuple[str, str], ...]) -> Iterator[Widget]:
    """The keys, and at the right of the last row those that end the name, by text and order."""
    rows = CYRILLIC if keyboard.is_cyrillic else LATIN
    count = len(CYRILLIC) + 1 if keyboard.is_cyrillic else len(LATIN) + 2
    lines = ROOM.rows(count, SPACE)
    if not keyboard.is_cyrillic:
        yield from _variants(keyboard, words, lines[0])
        lines = lines[1:]
    for line, letters in zip(lines, rows, strict=False):
        cells = line.columns(COLUMNS, SPACE)
        for cell, letter in zip(cells[(COLUMNS - len(letters)) // 2 :], letters, strict=False):
            shown = letter.upper() if keyboard.is_capital else letter
            yield Button(cell, shown, f"@key {letter}", theme.MAIN_KEY, size=28)
    last = lines[-1].columns(COLUMNS, SPACE)
    script = "abc" if keyboard.is_cyrillic else "абв"
    capital = theme.TURN if keyboard.is_capital else theme.KEY
    yield Button(last[0], "⇧", "@capital", capital, size=28)
    yield Button(last[1], script, "@script", theme.KEY, size=20)
    yield Button(_across(last[2], last[4]), words.say("Space"), "@space", theme.MAIN_KEY, size=18)
    yield Button(last[5], "⌫", "@erase", theme.KEY, size=28)
    room = _across(last[6], last[10])
    for index, (cell, (text, order)) in enumerate(zip(room.columns(len(ends), SPACE), ends, strict=True)):
        yield Button(cell, text, order, theme.KEY if index + 1 < len(ends) else theme.TURN, size=20)


def _variants(keyboard: Keyboard, words: Words, line: Rect) -> Iterator[Widget]:
    found = keyboard.variants()
    last = keyboard.text[-1:]
    if not found:
        yield Panel(line, theme.ROOM)
        yield Label(line.inset(12, 8), words.say("Type a letter to see its accents here"), 18, theme.ROOM, soft=True)
        return
    for cell, letter in zip(line.columns(COLUMNS, SPACE), found, strict=False):
        upper = letter.upper()
        shown = upper if last.isupper() and len(upper) == 1 else letter
        yield Button(cell, shown, f"@instead {letter}", theme.TURN if shown == last else theme.KEY, size=26)


def _across(first: Rect, last: Rect) -> Rect:
    return Rect(first.x, first.y, last.right - first.x, first.h)
