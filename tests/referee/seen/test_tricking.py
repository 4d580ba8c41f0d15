"""Moon under the camera: what is a play, whose it is, what is taken up, and what means nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import wire
from referee.games import game
from referee.games import moon as moon_rules
from referee.journal import Journal
from referee.moves import FirstBidder
from referee.sighting import Reading, SeenTile
from referee.table import Table
from referee.tiles import Tile
from referee.tricks.trick import TrickState
from referee.umpire import Match
from tests.referee.seeing import Camera, Lamp, say

NAMES = ("Ana", "Bo", "Cy")
SEATS = (90, 210, 330)
MIDDLE = ((270.0, 215.0, 40.0), (300.0, 180.0, 100.0), (330.0, 215.0, -20.0))


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


class AnasTurn(random.Random):
    """The lot falls on the first seat."""

    def choice(self, lots):  # type: ignore[no-untyped-def]  # of one kind here
        assert isinstance(lots[0], FirstBidder)
        return lots[0]


def tile(text: str, place: int = 0, **fields: object) -> SeenTile:
    """A tile in the middle: the place of a seat, or further ones beside them."""
    x_mm, y_mm, angle_deg = MIDDLE[place % 3]
    seen = SeenTile("domino", Tile.parse(text).values, x_mm + 80.0 * (place // 3), y_mm, angle_deg)
    return replace(seen, **fields)  # type: ignore[arg-type]  # fields of the tile


def back(x_mm: float, y_mm: float = 60.0) -> SeenTile:
    return SeenTile("domino", (), x_mm, y_mm, 0.0, face_up=False)


def called(journal: Journal, lamp: Lamp, *options: str, seats: bool = False) -> tuple[Table, Camera]:
    """A table at which Ana is about to lead: she has bid four, and names sixes."""
    rules = tuple(tuple(each.split("=")) for each in options)
    table = Table(journal, lamp, "one", chance=AnasTurn())
    table.begin(Match("kk-moon", NAMES, rules, SEATS if seats else ()))  # type: ignore[arg-type]  # pairs
    camera = Camera(table)
    camera.rest()
    for line in ("A bids 4", "B passes", "C passes", "A discards hidden", "A names 6"):
        assert say(table, line).status == "done", line
    return table, camera


@pytest.fixture
def moon(journal: Journal, lamp: Lamp) -> tuple[Table, Camera]:
    return called(journal, lamp)


def plays(view: wire.View) -> list[tuple[str, int | None, bool]]:
    """The tiles that were ruled on: which, whose, and whether they stand."""
    words = [(ruled, ruled.line.split()) for ruled in view.log]
    return [(said[2], ruled.seat, ruled.legal) for ruled, said in words if said[1:2] in (["lays"], ["plays"])]


def asked(view: wire.View) -> list[str]:
    return [question.what for question in view.questions]


def answer(table: Table, what: str, shown: str | None = None, seat: int | None = None) -> None:
    (question,) = table.view.questions
    fitting = [o for o in question.options if o.what == what and shown in (None, o.tile) and seat in (None, o.seat)]
    said = say(table, fitting[0].line)
    assert said.status == "done" or (said.outlook and say(table, said.outlook.line).status == "done")


def tricks(view: wire.View) -> tuple[int, ...]:
    assert view.tricks is not None
    return view.tricks.taken


# --- a trick ------------------------------------------------------------------------------------------


def test_each_tile_that_comes_is_the_play_of_the_seat_to_move(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    _, camera = moon
    led = tile("5-5", 0)
    assert camera.rest(led).turn == 1
    assert camera.rest(led, tile("4-5", 1)).turn == 2
    view = camera.rest(led, tile("4-5", 1), tile("1-6", 2))
    assert plays(view) == [("5-5", 0, True), ("4-5", 1, True), ("1-6", 2, True)]
    assert (tricks(view), view.turn, view.questions, lamp.buzzes) == ((0, 0, 1), 2, (), 0)


def three(camera: Camera, *names: str) -> list[SeenTile]:
    """A whole trick, tile by tile."""
    tiles: list[SeenTile] = []
    for place, name in enumerate(names or ("5-5", "4-5", "1-6")):
        tiles.append(tile(name, place))
        camera.rest(*tiles)
    return tiles


@pytest.mark.parametrize("order", [(), (0,), (2, 0), (1, 0, 2)])
def test_a_trick_that_is_over_is_taken_up_at_once_or_tile_by_tile_without_a_word(
    moon: tuple[Table, Camera], lamp: Lamp, order: tuple[int, ...]
) -> None:
    _, camera = moon
    tiles = three(camera)
    before = camera.table.view
    left = list(tiles)
    for index in order:
        left.remove(tiles[index])
        assert camera.rest(*left).questions == ()
    view = camera.rest()
    assert (view.log, view.questions, view.turn, lamp.buzzes) == (before.log, (), 2, 0)
    view = camera.rest(tile("3-3"))
    assert plays(view)[3:] == [("3-3", 2, True)]


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_the_next_lead_may_come_while_the_last_trick_still_lies_there_or_is_half_taken_up(
    moon: tuple[Table, Camera], lamp: Lamp, left: int
) -> None:
    _, camera = moon
    tiles = three(camera)[:left]
    led = tile("3-3", 3)
    camera.rest(*tiles, led)
    view = camera.rest(*tiles, led, tile("3-4", 4))
    view = camera.rest(led, tile("3-4", 4))
    view = camera.rest(led, tile("3-4", 4), tile("1-3", 5))
    assert plays(view)[3:] == [("3-3", 2, True), ("3-4", 0, True), ("1-3", 1, True)]
    assert (view.questions, lamp.buzzes, tricks(view)) == ((), 0, (0, 0, 2))


def test_a_lead_in_the_very_place_of_a_tile_that_was_taken_up_with_it_is_a_lead(moon: tuple[Table, Camera]) -> None:
    _, camera = moon
    three(camera)
    view = camera.rest(tile("3-3", 0))
    assert (plays(view)[3:], view.questions) == ([("3-3", 2, True)], ())


def test_a_late_tile_after_the_trick_was_taken_up_too_early_still_belongs_to_it(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    _, camera = moon
    camera.rest(tile("5-5", 0))
    camera.rest(tile("5-5", 0), tile("4-5", 1))
    assert asked(camera.rest(tile("5-5", 0))) == ["missing"], "one that goes may have been taken back"
    assert camera.rest().questions == ()
    view = camera.rest(tile("3-5", 2))
    assert plays(view)[2:] == [("3-5", 2, True)]
    assert (tricks(view), view.turn, view.questions, lamp.buzzes) == ((1, 0, 0), 0, (), 0)
    assert camera.rest().questions == ()


def test_a_heap_of_tiles_won_may_lie_open_and_change_and_is_never_a_play(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    _, camera = moon
    tiles = three(camera)
    heap = [replace(each, x_mm=520.0 + 3 * n, y_mm=90.0 + 28 * n) for n, each in enumerate(tiles)]
    before = camera.rest(*heap)
    assert (len(plays(before)), before.questions) == (3, ())
    camera.rest(heap[2])
    camera.rest()
    view = camera.rest(*heap)
    led = tile("3-3", 0)
    view = camera.rest(*heap, led)
    view = camera.rest(*reversed(heap), led, tile("3-4", 1))
    view = camera.rest(heap[0], led, tile("3-4", 1), tile("1-3", 2))
    assert (len(plays(view)), view.questions, tricks(view), lamp.buzzes) == (6, (), (0, 0, 2), 0)


def test_tiles_gathered_so_that_nobody_can_read_them_mean_nothing(moon: tuple[Table, Camera]) -> None:
    _, camera = moon
    tiles = three(camera)
    blurred = replace(tiles[0], values=(), x_mm=500.0, confidence=0.3, readings=())
    likely = replace(tiles[1], x_mm=540.0, confidence=0.5, readings=(Reading((4, 5), 0.5), Reading((3, 5), 0.4)))
    view = camera.rest(blurred, likely)
    assert (view.questions, len(plays(view))) == ((), 3)


def test_a_heap_put_down_later_of_which_one_tile_cannot_be_read_means_nothing(moon: tuple[Table, Camera]) -> None:
    _, camera = moon
    heap = [replace(each, x_mm=520.0, y_mm=90.0 + 40 * n) for n, each in enumerate(three(camera))]
    camera.rest()
    readings = (Reading((4, 5), 0.6), Reading((2, 5), 0.3))
    view = camera.rest(heap[0], replace(heap[1], confidence=0.6, readings=readings), heap[2])
    assert (view.questions, len(plays(view))) == ((), 3)


def test_a_tile_of_an_earlier_trick_that_turns_up_alone_is_rather_misread_and_asked_about(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    three(camera)
    camera.rest()
    camera.rest(*three(camera, "3-3", "3-4", "1-3"))
    camera.rest()
    view = camera.rest(tile("4-5"))
    assert (asked(view), lamp.buzzes, view.turn) == (["already-laid"], 0, 2)
    answer(table, "not-a-tile")
    assert (table.view.questions, table.view.turn) == ((), 2)


def test_the_tiles_of_a_trick_are_followed_wherever_they_are_pushed(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    _, camera = moon
    camera.rest(tile("5-5", 0))
    away = tile("5-5", 0, x_mm=420.0, y_mm=300.0, angle_deg=170.0)
    view = camera.rest(away)
    assert (view.questions, view.turn, len(plays(view))) == ((), 1, 1)
    view = camera.rest(away, tile("4-5", 0))
    assert (plays(view)[1:], view.questions, lamp.buzzes) == ([("4-5", 1, True)], (), 0)


# --- one that does not stand ---------------------------------------------------------------------------


def test_a_revoke_that_all_can_see_buzzes_once_and_is_lit_until_it_is_taken_back(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    assert say(table, "B exposes 4-5").status == "done"
    led = tile("5-5", 0)
    camera.rest(led)
    view = camera.rest(led, tile("2-3", 1))
    assert (view.log[-1].reason, view.turn, lamp.buzzes, lamp.lit) == ("revoke", 1, 1, True)
    view = camera.rest(led, tile("2-3", 4))
    assert (len(view.log), lamp.buzzes, lamp.lit) == (len(table.view.log), 1, True), "pushed about it is the same tile"
    view = camera.rest(led)
    assert (view.dispute, lamp.lit, view.questions) == (None, False, ())
    view = camera.rest(led, tile("4-5", 1))
    assert (plays(view)[-1], lamp.buzzes, lamp.lit) == (("4-5", 1, True), 1, False)


def test_a_revoke_that_was_let_stand_is_played(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    table, camera = moon
    say(table, "B exposes 4-5")
    led = tile("5-5", 0)
    camera.rest(led)
    view = camera.rest(led, tile("2-3", 1))
    assert view.dispute is not None
    stands = next(option.line for option in view.dispute.options if option.what == "stands")
    assert say(table, stands).status == "done"
    view = camera.rest(led, tile("2-3", 1), tile("1-5", 2))
    assert (plays(view)[-1], tricks(view), lamp.lit, lamp.buzzes) == (("1-5", 2, True), (1, 0, 0), False, 1)


def test_a_revoke_proven_while_its_trick_lies_there_is_put_right_and_the_tiles_are_changed_without_a_word(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    led = tile("5-5", 0)
    camera.rest(led)
    camera.rest(led, tile("2-3", 1))
    assert say(table, "B exposes 4-5").status == "done"
    assert asked(table.view) == ["open-revoke"]
    answer(table, "put-right")
    assert table.view.questions == ()
    view = camera.rest(led)
    assert (view.questions, view.turn) == ((), 2)
    view = camera.rest(led, tile("4-5", 1))
    assert (view.questions, view.turn, lamp.buzzes, len(plays(view))) == ((), 2, 0, 2)
    view = camera.rest(led, tile("4-5", 1), tile("2-3", 2))
    assert plays(view)[-1] == ("2-3", 2, True), "the tile that was taken back can be played by whoever holds it"


def test_a_tile_from_the_wrong_side_is_out_of_turn_and_taken_back(journal: Journal, lamp: Lamp) -> None:
    _, camera = called(journal, lamp, seats=True)
    camera.reached(SEATS[0])
    led = tile("5-5", 0)
    assert camera.rest(led).turn == 1
    camera.reached(SEATS[2])
    view = camera.rest(led, tile("1-5", 2))
    assert (view.log[-1].reason, view.log[-1].seat, view.turn, lamp.lit) == ("out-of-turn", 2, 1, True)
    camera.reached(SEATS[2])
    assert camera.rest(led).dispute is None
    camera.reached(SEATS[1])
    view = camera.rest(led, tile("4-5", 1))
    assert (plays(view)[-1], lamp.buzzes, lamp.lit) == (("4-5", 1, True), 1, False)


def test_a_hand_from_between_two_seats_is_asked_about_and_the_next_tile_waits_for_the_answer(
    journal: Journal, lamp: Lamp
) -> None:
    table, camera = called(journal, lamp, seats=True)
    camera.reached(163.0)
    led = tile("5-5", 0)
    assert asked(camera.rest(led)) == ["who-played"]
    camera.reached(SEATS[1])
    assert len(plays(camera.rest(led, tile("4-5", 1)))) == 0
    answer(table, "plays", seat=0)
    assert plays(table.view) == [("5-5", 0, True), ("4-5", 1, True)]
    assert lamp.buzzes == 0


# --- what is asked --------------------------------------------------------------------------------------


def test_of_two_tiles_at_once_it_is_asked_which_was_first(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    table, camera = moon
    view = camera.rest(tile("5-5", 0), tile("4-5", 1))
    assert (asked(view), plays(view), lamp.buzzes) == (["which-first"], [], 0)
    assert [option.tile for option in view.questions[0].options] == ["5-5", "4-5", None]
    answer(table, "tile", "4-5")
    assert plays(table.view) == [("4-5", 0, True), ("5-5", 1, True)]
    assert (table.view.questions, [each.status for each in table.view.layout]) == ((), ["placed", "placed"])
    view = camera.rest(tile("5-5", 0), tile("4-5", 1))
    assert (view.questions, len(plays(view))) == ((), 2)


def test_of_two_tiles_at_once_that_are_dismissed_neither_is_a_play(moon: tuple[Table, Camera]) -> None:
    table, camera = moon
    camera.rest(tile("5-5", 0), tile("4-5", 1))
    answer(table, "not-a-move")
    assert (table.view.questions, plays(table.view), table.view.turn) == ((), [], 0)


def test_of_two_tiles_at_once_the_only_order_by_the_rules_is_taken(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    table, camera = moon
    say(table, "B exposes 4-5")
    view = camera.rest(tile("4-5", 1), tile("5-5", 0))
    assert (plays(view), view.questions, lamp.buzzes) == ([("5-5", 0, True), ("4-5", 1, True)], (), 0)


def test_what_cannot_be_read_is_asked_and_those_after_it_wait_for_the_answer(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    unread = tile("5-5", 0, confidence=0.5, readings=(Reading((5, 5), 0.5), Reading((4, 5), 0.4)))
    assert asked(camera.rest(unread)) == ["which-tile"]
    view = camera.rest(unread, tile("1-5", 1))
    assert (asked(view), plays(view)) == (["which-tile"], [])
    view = camera.rest(unread, tile("1-5", 1), tile("3-5", 2))
    answer(table, "tile", "5-5")
    assert plays(table.view) == [("5-5", 0, True), ("1-5", 1, True), ("3-5", 2, True)]
    assert (table.view.questions, lamp.buzzes) == ((), 0)


def test_a_tile_asked_about_may_be_entered_by_hand_instead(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    table, camera = moon
    unread = tile("5-5", 0, values=(), confidence=0.2)
    assert asked(camera.rest(unread)) == ["which-tile"]
    camera.rest(unread, tile("4-5", 1))
    assert say(table, "A plays 5-5").status == "done"
    assert (table.view.questions, table.view.turn, lamp.buzzes) == ((), 2, 0)
    view = camera.rest(tile("5-5", 0), tile("4-5", 1), tile("3-5", 2))
    assert (view.questions, tricks(view)) == ((), (1, 0, 0))


def test_a_tile_entered_by_hand_before_the_camera_has_seen_it_is_the_same_play(moon: tuple[Table, Camera]) -> None:
    table, camera = moon
    say(table, "A plays 5-5")
    view = camera.rest(tile("5-5", 0))
    assert (view.turn, view.questions, plays(view)) == (1, (), [("5-5", 0, True)])


def test_a_play_taken_back_by_its_player_is_asked_about_and_another_tile_is_his(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    camera.rest(tile("5-5", 0))
    assert asked(camera.rest()) == ["missing"]
    view = camera.rest(tile("2-2", 1))
    assert (asked(view), len(plays(view))) == (["missing"], 1)
    answer(table, "take-back")
    assert [each for each in plays(table.view) if each[0] == "2-2"] == [("2-2", 0, True)]
    assert (table.view.turn, table.view.questions, lamp.buzzes) == (1, (), 0)


def test_a_play_changed_for_another_in_one_go_can_be_corrected_to_it(moon: tuple[Table, Camera], lamp: Lamp) -> None:
    table, camera = moon
    camera.rest(tile("5-5", 0))
    assert asked(camera.rest(tile("2-2", 0))) == ["another-tile"]
    answer(table, "tile")
    assert (table.view.turn, table.view.questions, lamp.buzzes) == (1, (), 0)
    view = camera.rest(tile("2-2", 0), tile("2-3", 1))
    assert (view.turn, view.questions) == (2, ())


def test_plays_undone_and_left_lying_are_no_plays_until_they_have_been_taken_away(
    moon: tuple[Table, Camera], lamp: Lamp
) -> None:
    table, camera = moon
    tiles = three(camera)
    assert table.record is not None
    for placed in reversed(table.record.state.layout):
        assert say(table, f"undo {placed.entry}").status == "done"
    assert [each.status for each in table.view.layout] == ["removal"] * 3
    count = len(table.view.log)
    view = camera.rest(tiles[1], tiles[2], replace(tiles[0], x_mm=100.0))
    assert (view.turn, len(view.log), lamp.buzzes, lamp.lit) == (0, count, 0, False)
    for left in ((tiles[1], tiles[2]), (tiles[2],), ()):
        view = camera.rest(*left)
    assert (view.questions, len(view.log)) == ((), count)
    assert camera.rest(tiles[0]).turn == 1


def test_the_last_tile_of_a_trick_undone_leaves_the_others_played(moon: tuple[Table, Camera]) -> None:
    table, camera = moon
    tiles = three(camera)
    camera.rest(*tiles)
    assert table.record is not None
    say(table, f"undo {table.record.state.layout[-1].entry}")
    assert [each.status for each in table.view.layout] == ["placed", "placed", "removal"]
    view = camera.rest(*tiles[:2])
    view = camera.rest(*tiles[:2], tile("1-5", 2))
    assert (plays(view)[-1], tricks(view)) == (("1-5", 2, True), (1, 0, 0))


# --- before play, between deals, after a restart ----------------------------------------------------------


def test_hands_and_centre_tile_on_the_table_before_the_first_lead_are_no_plays(journal: Journal, lamp: Lamp) -> None:
    table = Table(journal, lamp, "one", chance=AnasTurn())
    table.begin(Match("kk-moon", NAMES))
    camera = Camera(table)
    hands = [back(60.0 + 30.0 * n, 370.0) for n in range(7)]
    centre = back(300.0, 200.0)
    view = camera.rest(*hands, centre)
    assert (view.phase, view.log[0].reason) == ("play", "ok-begin")
    for line in ("A bids 4", "B passes", "C passes"):
        say(table, line)
    turned_over = SeenTile("domino", (2, 4), 300.0, 200.0, 0.0)
    view = camera.rest(*hands, turned_over)
    assert (view.questions, plays(view), lamp.buzzes) == ((), [], 0)
    camera.rest(*hands)
    camera.rest(*hands, back(310.0, 195.0))
    say(table, "A discards hidden")
    say(table, "A names 6")
    view = camera.rest(*hands[1:], back(310.0, 195.0), tile("5-5", 0))
    assert (plays(view), view.questions, view.turn) == ([("5-5", 0, True)], (), 1)


def test_a_tile_that_was_laid_before_trumps_were_named_is_asked_about_when_they_are(
    journal: Journal, lamp: Lamp
) -> None:
    table = Table(journal, lamp, "one", chance=AnasTurn())
    table.begin(Match("kk-moon", NAMES))
    camera = Camera(table)
    camera.rest()
    for line in ("A bids 4", "B passes", "C passes", "A discards hidden"):
        say(table, line)
    view = camera.rest(tile("5-5", 0))
    assert (view.questions, plays(view), lamp.buzzes) == ((), [], 0)
    say(table, "A names 6")
    assert asked(table.view) == ["not-in-record"]
    answer(table, "stands")
    assert (plays(table.view), table.view.turn, lamp.buzzes) == ([("5-5", 0, True)], 1, 0)


def whole_deal(camera: Camera, seed: int) -> None:
    """Seven tricks, each cleared away or left to lie for a while."""
    chance = random.Random(seed)
    state = camera.table.record.state if camera.table.record else None
    assert isinstance(state, TrickState)
    tiles = sorted(game("kk-moon").tiles)
    chance.shuffle(tiles)
    hands = [tiles[7 * seat : 7 * seat + 7] for seat in range(3)]
    lying: list[SeenTile] = []
    for number in range(21):
        record = camera.table.record
        assert record is not None
        seat = record.state.turn
        assert seat is not None
        legal = [move.tile for move in moon_rules.plays(record.state, hands[seat])]
        played = chance.choice(legal)
        hands[seat].remove(played)
        if number % 3 == 0:
            lying = chance.sample(lying, chance.randint(0, len(lying))) if chance.random() < 0.5 else []
            camera.rest(*lying)
        lying = [*lying[-6:], tile(str(played), number % 6)]
        camera.rest(*lying)
    camera.rest()


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_deal_is_followed_from_the_first_lead_to_the_next_auction(
    moon: tuple[Table, Camera], lamp: Lamp, seed: int
) -> None:
    table, camera = moon
    whole_deal(camera, seed)
    view = table.view
    assert (view.phase, view.round, view.questions, lamp.buzzes) == ("deal", 2, (), 0)
    assert camera.rest().phase == "play"


def test_after_a_restart_in_the_middle_of_a_trick_what_lies_there_is_known(
    moon: tuple[Table, Camera], journal: Journal, tmp_path: Path
) -> None:
    _, camera = moon
    three(camera)
    camera.rest()
    led = tile("3-3", 0)
    camera.rest(led)
    other = Journal(tmp_path / "journal.sqlite3")
    lamp = Lamp()
    again = Camera(Table(other, lamp, "two"), "another eye")
    view = again.rest(led)
    assert (view.questions, view.turn, [each.status for each in view.layout]) == ((), 0, ["placed"])
    view = again.rest(led, tile("3-4", 1))
    assert (plays(view)[-1], lamp.buzzes) == (("3-4", 0, True), 0)
    other.close()


def test_after_a_restart_a_trick_that_is_over_may_lie_there_or_not(moon: tuple[Table, Camera], tmp_path: Path) -> None:
    _, camera = moon
    tiles = three(camera)
    for number, lying in enumerate((tiles, tiles[1:], [])):
        other = Journal(tmp_path / "journal.sqlite3")
        again = Camera(Table(other, Lamp(), f"again {number}"), f"another eye {number}")
        view = again.rest(*lying)
        assert (view.questions, view.turn, len(plays(view))) == ((), 2, 3)
        other.close()


def test_fixed_after_a_restart_nothing_is_asked_about_tiles_taken_up_with_a_trick_that_was_undone_in_part(
    moon: tuple[Table, Camera], tmp_path: Path
) -> None:
    table, camera = moon
    three(camera)
    camera.rest()
    assert table.record is not None
    for placed in table.record.state.layout[:0:-1]:
        assert say(table, f"undo {placed.entry}").status == "done"
    assert table.view.questions == ()
    other = Journal(tmp_path / "journal.sqlite3")
    again = Camera(Table(other, Lamp(), "two"), "another eye")
    view = again.rest()
    assert (view.questions, view.turn) == ((), 1)
    for name, place in (("3-5", 1), ("1-5", 2)):
        view = again.rest(tile(name, place))
        assert (plays(view)[-1], view.questions) == ((name, place, True), ())
    assert tricks(view) == (1, 0, 0)
    other.close()
