"""Everything the screen and the phones say: words for codes, sentences made of them, and the rules in words.

The English texts are the message ids; a catalogue in another language translates them. Codes that are
not known (from a newer table, say) are shown as they are, never as an error.
"""

from __future__ import annotations

from display.sentences.codes import (
    ACTIONS,
    ANSWERS,
    AWARDS,
    CAMERA,
    CAMERA_TROUBLE,
    EDITIONS,
    GAMES,
    KEPT,
    N_,
    NO_PLACE,
    OPTIONS,
    PHASES,
    QUESTIONS,
    REASONS,
    SIGNALS,
    STATUSES,
    TRICKS,
)
from display.sentences.words import MINUS, Words, letter, number, signed, tile_in

__all__ = [
    "ACTIONS",
    "ANSWERS",
    "AWARDS",
    "CAMERA",
    "CAMERA_TROUBLE",
    "EDITIONS",
    "GAMES",
    "KEPT",
    "MINUS",
    "NO_PLACE",
    "N_",
    "OPTIONS",
    "PHASES",
    "QUESTIONS",
    "REASONS",
    "SIGNALS",
    "STATUSES",
    "TRICKS",
    "Words",
    "letter",
    "number",
    "signed",
    "tile_in",
]
