"""0-0-0 for which a triple must be shown: who is asked, what is withdrawn, and what is given back."""

from __future__ import annotations

import pytest

from referee.games import game
from referee.rulings import Award, Proof, Reason
from referee.state import Phase
from tests.referee.entering import last, ruled, written

UK = ("match uk-tridomino A=Ana B=Bo", "begin", "A lays 0-0-0 at 0,0,U")


def asked(*lines: str) -> list[tuple[str, str]]:
    """What is asked for after these lines: the answers and what they mean."""
    state = written(*lines).state
    return [(offer.what, str(getattr(offer.move, "tile", None))) for offer in game(state.game).asks(state)]


TRIPLES = [("shows-triple", f"{number}-{number}-{number}") for number in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize("preset", ["uk-tridomino", "official-pressman"])
def test_fixed_who_opens_with_0_0_0_is_asked_for_his_triple_until_play_goes_on(preset: str) -> None:
    opened = (f"match {preset} A=Ana B=Bo", *UK[1:])
    assert asked(*opened) == [*TRIPLES, ("is-highest", "0-0-0")]
    for answer in ("A announces 4-4-4", "A announces 0-0-0", "A exposes 1-1-1", "B draws 1", "B lays 0-0-1 at 0,0,D"):
        assert asked(*opened, answer) == []
    assert ruled(*opened, "A announces 0-0-0", "B draws 1").proven == ()
    assert asked(*opened[:2], "A lays 1-1-1 at 0,0,U") == []
    assert asked(*opened[:2], "A lays 0-0-0 at 0,0,U overruled") == []


def test_fixed_a_triple_that_cannot_be_his_is_no_answer() -> None:
    assert asked(UK[0], "stock shows 5-5-5", *UK[1:]) == [*TRIPLES[1:], ("is-highest", "0-0-0")]
    assert asked(*UK, "B announces 3-3-3") == [*TRIPLES[:2], *TRIPLES[3:], ("is-highest", "0-0-0")]


def test_fixed_0_0_0_by_choice_is_asked_about_in_other_presets_once_somebody_else_names_a_triple() -> None:
    opened = ("match ro-trimino/manufacturer A=Ana B=Bo", *UK[1:])
    assert asked(*opened) == []
    assert ("is-highest", "0-0-0") in asked(*opened, "B announces 4-4-4")


def test_fixed_an_opening_with_0_0_0_goes_to_the_true_holder_when_the_opener_says_that_it_is_his_highest() -> None:
    for said in (("B announces 4-4-4", "A announces 0-0-0"), ("A announces 0-0-0", "B announces 4-4-4")):
        record = written(*UK, *said)
        assert (record.state.scores, record.state.turn, record.state.layout) == ((0, 0), 1, ())
        assert written("B lays 4-4-4 at 0,0,U", record=record).state.scores == (0, 22)


def test_fixed_0_0_0_loses_its_thirty_once_however_much_is_drawn() -> None:
    record = written(*UK, "B draws 1", "B draws 1", "B draws 1")
    assert (record.state.scores[0], record.state.bonus) == (10, 10)


def test_fixed_0_0_0_that_has_been_seen_before_is_no_triple_that_was_shown() -> None:
    assert ruled(*UK[:2], "A exposes 0-0-0", UK[2], "B draws 1").proven[0].reason is Reason.TRIPLE_NOT_SHOWN


TWO_EACH = ("match uk-tridomino A=Ana B=Bo hands=2:2", *UK[1:])


def test_fixed_who_had_no_triple_to_show_gets_his_thirty_back_when_all_hands_lie_open() -> None:
    record = written(*TWO_EACH, "B lays 0-0-4 at 0,0,D", "A lays 0-4-5 at 1,0,U")
    assert record.state.scores == (10 + 9, 4)
    shown = last(written("B shows 1-1-2", record=record))
    assert Award(0, "opening", 30) in shown.awards
    assert shown.state.scores == (19 + 30 + 25 + 4, 4)


def test_fixed_who_kept_a_triple_back_gets_no_thirty_back_unless_he_may_have_drawn_it_since() -> None:
    begun, ended = (*TWO_EACH, "B lays 0-0-4 at 0,0,D"), ("turn B", "B lays 0-4-5 at 1,0,U")
    kept = ruled(*begun, *ended, "A shows 5-5-5")
    assert (kept.state.phase, kept.state.scores[0], kept.points(0)) == (Phase.CLEARING, 10, 0)
    drawn = ruled(*begun, "A draws 1", *ended, "A shows 5-5-5 1-1-2")
    assert (drawn.state.phase, drawn.state.scores[0], drawn.points(0)) == (Phase.CLEARING, 35, 30)


def test_fixed_who_says_that_0_0_0_is_his_highest_loses_the_thirty_when_his_triple_comes_to_light() -> None:
    opened = ("match uk-tridomino A=Ana B=Bo hands=2:3", *UK[1:], "A announces 0-0-0", "B lays 0-0-5 at 0,0,D")
    ruling = ruled(*opened, "A exposes 5-5-5")
    assert ruling.proven == (Proof(Reason.TRIPLE_NOT_SHOWN, 0, 3, ("5-5-5",)),)
    assert ruling.awards == (Award(0, "opening", -30),)
    assert ruled(*opened, "A draws 1", "A exposes 5-5-5").proven == ()
    honest = ("match uk-tridomino A=Ana B=Bo hands=2:3", *UK[1:], "A announces 4-4-4", "B lays 0-0-5 at 0,0,D")
    assert ruled(*honest, "A exposes 5-5-5").proven == ()
