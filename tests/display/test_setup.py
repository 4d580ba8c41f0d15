"""Setting a match up by touch: what each page offers, what a tap makes of it, and what begins in the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import draw, lettering, rulenames, setup, theme
from display.aside import Desk
from display.sentences import Words
from display.widgets import Button, Label, Panel
from referee import houserules, notation, umpire
from referee.entries import Match
from referee.games import games
from referee.wire import Told
from tests.display.asides import IDLE, NAMES, UNDER_WAY, desk, pages, steps
from tests.display.test_pages import PAGE_RECT, Longer, buttons, inside, overlap, texts

EVERY = list(pages(Words()))
LONGER = [each for each in pages(Words("en", Longer())) if "sheet" not in each[0]]


def tapped(step: setup.Setup, at: Desk, *taps: str) -> setup.Setup:
    """After taps on buttons that are there."""
    for word in taps:
        assert word in buttons(step.page(at)), (word, step)
        after = step.tapped(word, at)
        assert after is not None
        step = after
    return step


def start(step: setup.Setup, at: Desk) -> str:
    """The line of the key that begins the match."""
    return next(order for order in buttons(step.page(at)) if order.startswith("match"))


def test_nothing_overlaps_or_leaves_a_page_and_every_key_is_large_enough() -> None:
    for name, page in (*EVERY, *LONGER):
        parts = list(draw.parts(page))
        assert all(inside(part.rect, PAGE_RECT) for part in parts), name
        leaves = [part for part in parts if not isinstance(part, Panel)]
        for one, other in combinations(leaves, 2):
            assert not overlap(one.rect, other.rect), (name, one, other)
        keys = [widget for widget in page.widgets if isinstance(widget, Button)]
        for one, other in combinations(keys, 2):
            assert not overlap(one.rect, other.rect), (name, one, other)
        assert all(min(key.rect.w, key.rect.h) >= theme.LEAST_TARGET - 0.01 for key in keys), name
        assert len({key.order for key in keys}) == len(keys), name


def test_every_text_of_our_own_fits_its_box_uncut() -> None:
    for name, page in EVERY:
        for part in draw.parts(page):
            if isinstance(part, Label) and part.text and not any(each in part.text for each in NAMES):
                assert not any(line.endswith("…") for line in lettering.fit(part.text, part)[1]), (name, part)


def test_every_page_has_a_way_back_or_on() -> None:
    assert all(buttons(page) for _, page in EVERY)


def test_a_game_is_chosen_then_the_players_then_it_starts() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo"), (), (0, 180)))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table")
    assert start(step, at) == "match fr-domino A=Ana B=Bo seats=0,180"


def test_the_first_time_names_are_typed_one_after_another() -> None:
    at = desk()
    step = tapped(setup.fresh(at), at, "@game cs-triomino")
    assert step.step == "keyboard"
    step = tapped(step, at, "@key j", "@key i", "@key r", "@instead ř", "@key i", "@instead í", "@typed")
    assert step.names == ("Jiří",)
    step = tapped(step, at, "@script", "@key ә", "@key с", "@key е", "@key л", "@done")
    assert step.names == ("Jiří", "Әсел")
    assert step.step == "table"
    umpire.opened(_match(start(step, at)))


@pytest.mark.parametrize(("language", "letter"), [("kk", "ә"), ("uk", "ї"), ("ro", "q")])
def test_the_keys_are_those_of_the_language_at_first(language: str, letter: str) -> None:
    at = desk(words=Words(language))
    assert f"@key {letter}" in buttons(tapped(setup.fresh(at), at, "@game fr-domino").page(at))


def test_players_without_names_can_begin_too() -> None:
    at = desk()
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@typed", "@typed", "@done")
    assert step.names == ("Player A", "Player B")


def test_two_of_the_same_name_are_told_apart() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo")))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go keyboard", "@key a", "@key n", "@key a", "@done")
    assert step.names == ("Ana", "Bo", "Ana 2")


def test_earlier_names_are_offered_and_those_who_play_are_not() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo")), Match("kk-moon", ("Eve", "ana", "Gus")))
    step = tapped(setup.fresh(at), at, "@game fr-domino")
    assert step.known == ("Eve", "Gus")
    step = tapped(step, at, "@remove 0", "@add 1")
    assert step.names == ("Bo", "Eve")
    assert step.known[0] == "Ana"


def test_more_names_than_a_page_holds_are_found_on_the_next() -> None:
    at = desk(*(Match("fr-domino", (f"N{index}", "Bo")) for index in range(20)))
    step = tapped(setup.fresh(at), at, "@game fr-domino")
    shown = set()
    for _ in range(4):
        shown |= {key.text for key in buttons(step.page(at)).values() if key.order.startswith("@add")}
        step = tapped(step, at, "@further")
    assert shown == set(step.known)


def test_no_more_players_than_the_game_allows_and_no_start_with_fewer() -> None:
    at = desk(Match("ro-trimino/manufacturer", NAMES))
    step = tapped(setup.fresh(at), at, "@game kk-moon")
    assert step.names == NAMES[:3]
    assert not any(order.startswith("@add") for order in buttons(step.page(at)))
    step = tapped(step, at, "@remove 2")
    assert "@go table" not in buttons(step.page(at))
    assert "3 players" in texts(step.page(at))


def test_places_are_even_and_clockwise_from_the_near_side_until_somebody_moves() -> None:
    assert [setup.evenly(count) for count in (2, 3, 4)] == [(90, 270), (90, 210, 330), (90, 180, 270, 0)]
    at = desk(Match("fr-domino", ("Ana", "Bo", "Cy")))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table", "@go seats", "@seat 1", "@place 270")
    assert step.seats_deg == (90, 270, 330)
    step = tapped(step, at, "@seat 0", "@seat 2")
    assert step.seats_deg == (330, 270, 90)
    step = tapped(step, at, "@turn", "@back")
    assert start(step, at) == "match fr-domino A=Ana B=Bo C=Cy seats=15,315,135"


def test_a_place_where_somebody_sits_is_not_offered() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo")))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table", "@go seats", "@seat 0")
    offered = {order for order in buttons(step.page(at)) if order.startswith("@place")}
    assert offered == {f"@place {deg}" for deg in (0, 45, 135, 180, 225, 315)}


def test_the_end_is_moved_in_steps_and_back_is_no_house_rule() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo")))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table", "@target 151", "@target 201")
    assert dict(step.options) == {"target": "201"}
    assert tapped(step, at, "@target 151", "@target 101").options == ()


def test_a_match_of_so_many_rounds_says_so() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo"), (("rounds", "3"),)))
    page = tapped(setup.fresh(at), at, "@game fr-domino", "@go table").page(at)
    assert "Ends after 3 rounds" in texts(page)
    assert not any(order.startswith("@target") for order in buttons(page))


def test_house_rules_are_turned_on_with_a_tap_and_numbers_are_typed() -> None:
    at = desk(Match("uk-tridomino", ("Ana", "Bo")))
    step = tapped(setup.fresh(at), at, "@game uk-tridomino", "@go table", "@go rules")
    usual = houserules.written(step.settings)
    flag = "voluntary_pass"
    step = step.tapped(f"@rule {flag}", at) or step
    assert dict(step.options) == {flag: "no" if usual[flag] == "yes" else "yes"}
    step = step.tapped("@rule hexagon", at) or step
    assert (step.step, step.typed) == ("number", usual["hexagon"])
    erase = ["@erase"] * len(step.typed)
    step = tapped(step, at, *erase, "@digit 5", "@digit 0", "@set")
    assert step.is_wrong
    assert step.step == "number"
    assert "That cannot be so" in texts(step.page(at))
    step = tapped(step, at, "@digit ,", "@digit 6", "@digit ,", "@digit 7", "@set")
    assert dict(step.options)["hexagon"] == "50,6,7"
    assert tapped(step, at, "@usual").options == ()


def test_what_is_seen_by_camera_is_turned_on_with_a_tap_and_remembered() -> None:
    at = desk(Match("uk-tridomino", ("Ana", "Bo")))
    step = tapped(setup.fresh(at), at, "@game uk-tridomino", "@go table", "@go rules", "@zone hands", "@zone draws")
    assert " zones=draws,hands" in step.order(False)
    assert "2 changed" in texts(tapped(step, at, "@back").page(at))
    assert " zones=draws" in tapped(step, at, "@zone hands").order(False)
    assert tapped(step, at, "@usual").zones == ()
    later = desk(Match("uk-tridomino", ("Ana", "Bo"), zones=("hands",)))
    assert setup.again(later).zones == ("hands",)
    assert tapped(setup.fresh(later), later, "@game uk-tridomino").zones == ("hands",)
    assert tapped(setup.fresh(later), later, "@game fr-domino").zones == ()


def test_without_a_camera_or_a_boneyard_nothing_is_offered_to_be_seen_by_camera() -> None:
    blind = desk(Match("uk-tridomino", ("Ana", "Bo")))
    blind = replace(blind, view=msgspec.structs.replace(IDLE, camera="none"))
    for at, game in ((blind, "uk-tridomino"), (desk(Match("kk-moon", ("Ana", "Bo", "Chiara"))), "kk-moon")):
        step = tapped(setup.fresh(at), at, f"@game {game}", "@go table", "@go rules")
        assert not any(order.startswith("@zone") for order in buttons(step.page(at)))


def test_every_house_rule_has_a_name_and_a_tap_on_it_does_something() -> None:
    at = desk()
    for game in games().values():
        step = replace(setup.Setup("rules", game=game.id, names=NAMES[: game.max_players]))
        for rule in houserules.options(game.settings):
            after = step.tapped(f"@rule {rule}", at)
            assert after is not None
            assert after != step, rule
            assert rule in rulenames.NAMES
            assert set(houserules.choices(game.settings)[rule]) <= rulenames.VALUES.keys()
    shown = {key.order for name, page in EVERY if "rules" in name for key in buttons(page).values()}
    every = {f"@rule {rule}" for game in games().values() for rule in houserules.options(game.settings)}
    assert every <= shown


def test_a_rule_that_allows_fewer_players_leaves_only_so_many() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo", "Cy", "Di")))
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table")
    step = replace(step, step="number", rule="players", typed="2-2").tapped("@set", at) or step
    assert step.names == ("Ana", "Bo")


def test_a_game_is_offered_with_the_house_rules_of_the_last_time() -> None:
    at = desk(Match("kk-moon", NAMES[:3]), Match("fr-domino", ("Ana", "Bo"), (("target", "51"),)))
    assert tapped(setup.fresh(at), at, "@game fr-domino").options == (("target", "51"),)
    gone = desk(Match("fr-domino", ("Ana", "Bo"), (("no_such_rule", "51"),)))
    assert tapped(setup.fresh(gone), gone, "@game fr-domino").options == ()


def test_again_is_the_same_match_with_one_tap_to_begin() -> None:
    last = Match("fr-domino", ("Ana", "Bo"), (("target", "51"),), (0, 180))
    at = desk(last)
    assert _match(start(setup.again(at), at)) == last
    assert setup.again(desk()).step == "game"
    assert setup.again(desk(Match("a-game-of-tomorrow", ("Ana", "Bo")))).step == "game"


def test_a_match_under_way_is_left_only_by_an_order_that_says_so() -> None:
    at = desk(Match("fr-domino", ("Ana", "Bo")), view=UNDER_WAY)
    step = tapped(setup.fresh(at), at, "@game fr-domino", "@go table")
    assert start(step, at).startswith("match! fr-domino A=Ana")
    assert "The match that is not over yet ends here" in texts(step.page(at))
    assert not step.is_over(UNDER_WAY)
    assert step.tapped("@close", at) is None


def test_the_first_set_up_closes_when_somebody_else_begins() -> None:
    step = setup.fresh(desk())
    assert "@close" not in buttons(step.page(desk()))
    assert not step.is_over(IDLE)
    assert step.is_over(UNDER_WAY)


def test_lines_of_a_newer_table_are_passed_over() -> None:
    at = replace(desk(), ask=lambda what, *_args: setup_told(what))
    assert setup.fresh(at).names == ("Ana", "Bo")


def setup_told(what: str) -> Told:
    """Earlier matches with a line that nobody here can read."""
    return Told("", (f"{what} of tomorrow", "match fr-domino A=Ana B=Bo"))


def test_what_is_missing_is_told_in_plain_words() -> None:
    told = texts(setup.Setup("check").page(desk()))
    assert "Put in its cable" in told
    assert "The screen flashes when a tile is illegal" in told
    assert "http://192.168.1.23:8420/" in told


def test_going_on_shows_how_the_match_stands() -> None:
    at = desk(view=UNDER_WAY)
    page = setup.GoOn().page(at)
    assert {"@close", "@setup"} == buttons(page).keys()
    assert "Bogdan" in texts(page)
    assert setup.GoOn().tapped("@close", at) is None


@given(names=st.lists(st.text(max_size=70), max_size=6), taps=st.data())
def test_whatever_is_tapped_the_set_up_stays_sound(names: list[str], taps: st.DataObject) -> None:
    """Also where earlier players had names that nobody could type here."""
    at = desk()
    step = setup.Setup(begun=(Match("fr-domino", tuple(names)),), names=tuple(names))
    for _ in range(12):
        page = step.page(at)
        draw.draw(page, (800, 480))
        words = [order for order in buttons(page) if order.startswith("@") and order not in ("@settings", "@games")]
        after = step.tapped(taps.draw(st.sampled_from(words)), at)
        step = after if after is not None else step
        assert len(step.seats_deg) in (0, len(step.names))


def _match(line: str) -> Match:
    act = notation.parse(line)
    assert isinstance(act, Match)
    return act


@pytest.mark.parametrize("count", range(1, 7))
def test_every_number_of_players_has_places_of_its_own(count: int) -> None:
    assert len(set(setup.evenly(count))) == count


def test_the_steps_are_all_there() -> None:
    assert {step.step for _, step in steps()} == {
        *("game", "players", "keyboard", "table", "seats", "rules", "number", "sheet", "check")
    }
