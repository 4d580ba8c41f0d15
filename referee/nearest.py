"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CLOSE = 0.6  # of 1, as `difflib` measures it


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean fr-domino?`, or nothing where no known word is close."""
    whole = {each.lower(): each for each in known}
    near = get_close_matches(word.lower()[:80], whole, n=1, cutoff=CLOSE)
    if not near and len(word) >= 3:
        near = [each for each in whole if word.lower() in each][:1]
    return f"; did you mean {whole[near[0]]}?" if near else ""
