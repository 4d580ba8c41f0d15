"""Names that are written from right to left: the shapes of joined letters, and the order in which they are drawn.

What draws text for us sets letter after letter from left to right. This covers names and short phrases within a line
that runs from left to right; it is no whole bidirectional algorithm.

Source: The Unicode Standard, chapter 9.2 (joining of Arabic letters) and annex 9 (rules W, N and L, simplified).
"""

from __future__ import annotations

import unicodedata
from functools import cache

_RIGHT_TO_LEFT = ("R", "AL")
_FORMS = range(0xFE70, 0xFEFD)  # the shapes of single Arabic letters
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def shaped(text: str) -> str:
    """The text with Arabic letters in the shapes that they have beside each other, as many letters as before."""
    forms = _forms()
    if not any(letter in forms for letter in text):
        return text
    bare = [index for index, letter in enumerate(text) if unicodedata.bidirectional(letter) != "NSM"]
    letters = list(text)
    for place, index in enumerate(bare):
        own = forms.get(text[index])
        if own is None:
            continue
        before = place > 0 and "initial" in forms.get(text[bare[place - 1]], {}) and "final" in own
        after = place + 1 < len(bare) and "final" in forms.get(text[bare[place + 1]], {}) and "initial" in own
        name = {(True, True): "medial", (True, False): "final", (False, True): "initial"}.get(
            (before, after), "isolated"
        )
        letters[index] = own.get(name, text[index])
    return "".join(letters)


def in_drawn_order(line: str) -> str:
    """The letters of a line as they stand from left to right."""
    kinds = [unicodedata.bidirectional(letter) for letter in line]
    if not any(kind in _RIGHT_TO_LEFT for kind in kinds):
        return line
    drawn, start = "", 0
    while start < len(line):
        if kinds[start] not in _RIGHT_TO_LEFT:
            drawn, start = drawn + line[start], start + 1
            continue
        end = next((index for index in range(start, len(line)) if kinds[index] in ("L", "EN")), len(line))
        while kinds[end - 1] not in (*_RIGHT_TO_LEFT, "NSM"):
            end -= 1
        drawn, start = drawn + _turned(line[start:end]), end
    return drawn


def _turned(run: str) -> str:
    """A run the other way round; marks stay with their letters, digits in their order, brackets open as they did."""
    pieces: list[str] = []
    for letter in run:
        kind = unicodedata.bidirectional(letter)
        is_number = kind == "AN" and bool(pieces) and unicodedata.bidirectional(pieces[-1][0]) == "AN"
        if pieces and (kind == "NSM" or is_number):
            pieces[-1] += letter
        else:
            pieces.append(letter.translate(_MIRRORED))
    return "".join(reversed(pieces))


@cache
def _forms() -> dict[str, dict[str, str]]:
    """The shapes of each Arabic letter by where it stands: isolated, initial, medial and final."""
    forms: dict[str, dict[str, str]] = {}
    for code in _FORMS:
        name, _, of = unicodedata.decomposition(chr(code)).partition(" ")
        if len(of) == 4:
            forms.setdefault(chr(int(of, 16)), {})[name.strip("<>")] = chr(code)
    return forms
