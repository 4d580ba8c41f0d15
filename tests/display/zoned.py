"""Views in which the boneyard and shown hands are seen by camera."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.wire import LaidTile, Option, Question, View


def scenes(known: Mapping[str, View]) -> dict[str, View]:
    """What is asked about them, by name, made from views in which nothing is."""
    play, showing = known["play"], msgspec.structs.replace(known["show-hands"], showing=1, boneyard=12, layout=())
    drew = tuple(Option(f"answer z1 {number}", "drew", seat=seat) for number, seat in enumerate((1, 0, 2)))
    back = Option("answer z2 0", "take-back", seat=1), Option("answer z2 1", "put-back", seat=2)
    whose = tuple(Option(f"answer z3 {seat}", "shows", seat=seat) for seat in (1, 2))
    counted = (Option("answer z4 0", "holds", seat=1), Option("answer z4 1", "dealt", seat=1))
    tile = LaidTile("triomino", (1, 1, 2), 540, 120, 20, "doubt")
    doubtful = (
        *(Option(f"answer z5 {n}", "tile", text, None, 0.6 - n / 8) for n, text in enumerate(("1-1-2", "1-1-3"))),
        Option("answer z5 is", "any-tile"),
        Option("answer z5 2", "not-a-tile"),
    )
    asked = {
        "who-drew": (play, Question("z1", "who-drew", (*drew, Option("answer z1 3", "elsewhere")))),
        "stock-short": (play, Question("z1", "stock-short", (*drew, Option("answer z1 3", "elsewhere")))),
        "stock-over": (play, Question("z2", "stock-over", (*back, Option("answer z2 2", "miscounted")))),
        "whose-hand": (showing, Question("z3", "whose-hand", whose)),
        "hand-count": (showing, Question("z4", "hand-count", counted)),
        "hand-tile": (showing, Question("z5", "which-tile", doubtful, tile)),
    }
    found = {name: msgspec.structs.replace(view, questions=(question,)) for name, (view, question) in asked.items()}
    return {"show-zone": showing, **found}
