"""Past games, all moves and statistics: what stands on the pages and what their keys do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from display import draw, history, results, statistics, theme
from display.aside import Aside, Desk
from display.outlines import buttons
from display.sentences import Words
from display.widgets import Label, Page
from referee.rulings import Award
from referee.statistics import Best, Career, Past, Round, Summary
from referee.wire import Answer, Ruled, Told, View
from tests.display.conftest import SCENES

NOON_MS = 1_700_000_000_000  # 14 November 2023, all over the world but in the far east and west
OVER = Summary(
    "ro-trimino/manufacturer", ("Ana", "Bogdan"), (212, 87), ((0,), (1,)), 2, False, (Best("5-5-5", 25), None), (3, 0)
)
SHEET = tuple(
    Round(number, (12, 7), (12 * number, 7 * number), 1, (Award(0, "tile", 17), Award(0, "draws", -5)), "out", 0)
    for number in range(1, 13)
)
CAREER = Career("Ana", "fr-domino", 4, 2, 1, 50, 7, None, 3, lowest_wins=True)
MOVES = tuple(
    Ruled(n, n % 3, f"{'ABC'[n % 3]} draws 1", "ok-draw", True, (Award(n % 3, "draws", -5),)) for n in range(2, 30)
)


class Table:
    """A table that has seen some matches, and remembers what it was asked."""

    def __init__(self, matches: int = 12, players: int = 12) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.past = [Past(n, NOON_MS, OVER, n == matches) for n in range(matches, 0, -1)]
        self.players = tuple(replace(CAREER, name=f"Player {n}") for n in range(players))

    def __call__(self, what: str, *args: str) -> Told:
        self.asked.append((what, *args))
        before = int(args[-1]) if args else 0
        if what == "matches":
            found = tuple(each for each in self.past if not before or each.number < before)
            return Told("", matches=found[:5], more=len(found[5:]))
        if what == "sheet":
            return Told(
                "", matches=tuple(each for each in self.past if each.number == before or not before)[:1], sheet=SHEET
            )
        if what == "moves":
            found = tuple(each for each in reversed(MOVES) if len(args) < 2 or each.entry < before)
            return Told("", moves=found[:20], more=len(found[20:]))
        return Told("", players=self.players)


def desk(table: Table | None = None, view: View = SCENES["play"]) -> Desk:
    """A desk at such a table."""
    return Desk(view, None, Words(), ask=table or Table())


def texts(drawn: Page) -> str:
    """All texts of a page, a line each."""
    return "\n".join(part.text for part in draw.parts(drawn) if isinstance(part, Label))


def keys(aside: Aside, at: Desk) -> set[str]:
    """What the keys of a page say."""
    return {button.order for button in buttons(aside.page(at))}


def tapped(aside: Aside, at: Desk, *words: str) -> Aside:
    """The page after taps on keys that are there."""
    for word in words:
        assert word in keys(aside, at), word
        after = aside.tapped(word, at)
        assert after is not None
        aside = after
    return aside


def pages(words: Words) -> Iterator[tuple[str, Page]]:
    """Every page of these by name."""
    at = Desk(SCENES["play"], None, words, ask=Table())
    listed = history.games(at)
    yield "past-games", listed.page(at)
    yield "no-past-games", history.games(replace(at, ask=Table(matches=0))).page(at)
    opened = tapped(listed, at, "@match 11")
    yield "score-sheet", opened.page(at)
    yield "score-sheet-older", tapped(opened, at, "@older").page(at)
    yield "delete", tapped(opened, at, "@delete").page(at)
    yield "round", tapped(opened, at, "@round 12").page(at)
    yield "past-moves", tapped(opened, at, "@list").page(at)
    moves = history.all_moves(at)
    yield "all-moves", moves.page(at)
    yield "put-right", tapped(moves, at, "@entry 29").page(at)
    yield "players", statistics.opened(at).page(at)
    yield "more-players", replace(statistics.opened(at), more=3).page(at)
    yield "no-players", statistics.opened(replace(at, ask=Table(players=0))).page(at)


@pytest.mark.parametrize(("name", "drawn"), list(pages(Words())))
def test_every_key_is_large_enough_for_a_fingertip(name: str, drawn: Page) -> None:
    for button in buttons(drawn):
        assert min(button.rect.w, button.rect.h) >= theme.LEAST_TARGET - 0.01, (name, button)


def test_a_game_tells_its_day_its_players_and_who_won() -> None:
    drawn = texts(history.games(desk()).page(desk()))
    assert "Ana 212  ·  Bogdan 87" in drawn
    assert "14/11/2023 · Trimino · won by Ana" in drawn


def test_a_clock_that_was_never_set_and_a_match_without_an_end_are_told_so() -> None:
    past = Past(3, None, replace(OVER, ranking=()))
    assert history.headline(past, Words()) == "date unknown · Trimino · not finished"
    assert history.headline(replace(past, is_here=True), Words()).endswith("being played")
    shared = replace(past, summary=replace(OVER, ranking=((0, 1),)))
    assert history.headline(shared, Words()).endswith("A shared win: Ana and Bogdan")


def test_all_games_can_be_leafed_through_and_are_asked_for_as_they_are_needed() -> None:
    table = Table()
    at = desk(table)
    aside: Aside = history.games(at)
    seen = {word for word in keys(aside, at) if word.startswith("@match")}
    while "@older" in keys(aside, at):
        aside = tapped(aside, at, "@older")
        seen |= {word for word in keys(aside, at) if word.startswith("@match")}
    assert seen == {f"@match {number}" for number in range(1, 13)}
    assert table.asked == [("matches",), ("matches", "8"), ("matches", "3")]
    while "@newer" in keys(aside, at):
        aside = tapped(aside, at, "@newer")
    assert "@match 12" in keys(aside, at)


def test_a_past_game_is_deleted_only_by_a_second_tap() -> None:
    at = desk()
    opened = tapped(history.games(at), at, "@match 11")
    assert "forget 11" not in keys(opened, at)
    sure = tapped(opened, at, "@delete")
    assert "forget 11" in keys(sure, at)
    assert "forget 11" not in keys(tapped(sure, at, "@older"), at), "any other tap takes it back"
    after = sure.done(Answer("1", "done"), at)
    assert after is not None
    assert "@match 12" in keys(after, at)


def test_the_game_on_the_table_has_no_key_that_deletes_it() -> None:
    at = desk()
    assert "@delete" not in keys(tapped(history.games(at), at, "@match 12"), at)
    assert "@delete" not in keys(history.sheet(at), at)


def test_a_score_sheet_has_a_line_for_each_round_and_a_round_tells_what_for() -> None:
    at = desk()
    opened = tapped(history.games(at), at, "@match 11")
    rounds = keys(opened, at)
    while "@older" in keys(opened, at):
        opened = tapped(opened, at, "@older")
        rounds |= keys(opened, at)
    assert {f"@round {number}" for number in range(1, 13)} <= rounds
    told = texts(tapped(opened, at, "@round 1").page(at))
    assert "Round 1: Ana goes out" in told
    assert "+17  −5 drawing" in told


def test_back_leads_one_step_back() -> None:
    at = desk()
    round_ = tapped(history.games(at), at, "@match 11", "@round 12")
    assert "@round 12" in keys(tapped(round_, at, "@back"), at)
    assert "@match 11" in keys(tapped(round_, at, "@back", "@back"), at)
    assert history.sheet(at).tapped("@back", at) is None


def test_all_moves_of_the_game_are_listed_and_each_can_be_put_right() -> None:
    at = desk()
    aside: Aside = history.all_moves(at)
    seen = keys(aside, at)
    while "@older" in keys(aside, at):
        aside = tapped(aside, at, "@older")
        seen |= keys(aside, at)
    assert {f"@entry {number}" for number in range(2, 30)} <= seen
    about = tapped(aside, at, "@entry 2")
    assert {"undo 2", "@open other-seat", "@open other-count", "@open gets"} <= keys(about, at)
    assert "correct 2: C draws 3" in keys(tapped(about, at, "@open other-count"), at)
    assert "@entry 2" in keys(tapped(about, at, "@close"), at)


def test_the_moves_of_a_past_game_are_only_to_be_read() -> None:
    at = desk()
    listed = tapped(history.games(at), at, "@match 11", "@list")
    assert "28  Bogdan: Draws from the stock" in texts(listed.page(at))
    assert keys(listed, at) == {"@close", "@older"}


def test_a_move_that_was_put_right_is_asked_for_again() -> None:
    table = Table()
    at = desk(table)
    about = tapped(history.all_moves(at), at, "@entry 29")
    after = about.done(Answer("1", "done"), at)
    assert after is not None
    assert "@entry 29" in keys(after, at)
    assert table.asked == [("moves", "0")] * 2


def test_statistics_say_what_a_low_average_means_and_who_shared_a_win() -> None:
    told = texts(statistics.opened(desk(Table(players=1))).page(desk()))
    for text in ("Player 0", "Dominoes", "2 (1=)", "↓ 12.5", "The fewest points win"):
        assert text in told


def test_a_blocked_round_says_so() -> None:
    line = replace(SHEET[0], end="blocked", out=None)
    assert results.ending(line, SCENES["play"].seats, Words()) == "Blocked: nobody can play any more"
    assert not results.ending(replace(line, end=""), SCENES["play"].seats, Words())
