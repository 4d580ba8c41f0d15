"""A word that is nearly one that is known is taken for a slip."""

import pytest

from referee.nearest import meant

GAMES = ("fr-domino", "kk-moon", "cs-triomino", "uk-tridomino")


@pytest.mark.parametrize(
    ("word", "known"),
    [("fr-dominos", "fr-domino"), ("FR-DOMINO", "fr-domino"), ("moon", "kk-moon"), ("tridomino", "uk-tridomino")],
)
def test_a_slip_or_a_part_is_known(word: str, known: str) -> None:
    assert meant(word, GAMES) == f"; did you mean {known}?"


@pytest.mark.parametrize("word", ["", "x", "chess", "-" * 100_000])
def test_nothing_is_suggested_where_nothing_is_near(word: str) -> None:
    assert meant(word, GAMES) == ""
    assert meant(word, ()) == ""
