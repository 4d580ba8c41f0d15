"""What a phone is told that it may say: keys for its own seat, and the answers that are its to give."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from display.phone.seat import mine
from referee import notation
from referee.outside.rights import Right, of_player
from referee.wire import Guest, Option, Question, View
from tests.display.conftest import ARMS, DISPUTE, PLAY, WHICH_TILE, WHO_OPENS
from tests.display.gallery import moon

WISH = Question(
    "w20-1", "undo-asked", (Option("answer w20-1 0", "grant", seat=2), Option("answer w20-1 1", "deny", seat=2))
)


def lines(view: View, seat: int | None, role: str = "player") -> tuple[str, ...]:
    """The keys of a guest."""
    return tuple(act.line for act in mine(view, Guest("g1", "phone", role, seat)).acts)


def test_who_has_not_joined_has_no_part() -> None:
    part = mine(PLAY, None)
    assert (part.guest, part.role, part.acts, part.may) == ("", "watcher", (), ())


def test_the_seat_to_move_draws_and_passes_and_the_others_do_not() -> None:
    assert lines(PLAY, 1) == ("B draws 1", "B passes")
    assert lines(PLAY, 0) == ()
    assert lines(PLAY, None, "watcher") == ()


def test_a_player_asks_to_undo_what_is_his_own() -> None:
    assert lines(PLAY, 2) == ("undo 20",)
    part = mine(PLAY, Guest("g1", "phone", "player", 2))
    assert [act.asks for act in part.acts] == [True]
    assert [act.asks for act in mine(PLAY, Guest("g1", "phone", "host")).acts if act.what == "undo"] == [False]


def test_a_host_moves_for_everybody() -> None:
    assert lines(PLAY, None, "host") == ("B draws 1", "B passes", "undo 20")


def test_where_points_go_to_whoever_names_them_every_player_may_at_any_time() -> None:
    claims = tuple(f"A claims {points}" for points in range(5, 40, 5))
    assert lines(ARMS, 0) == ("A draws 1", "A passes", *claims)
    assert lines(ARMS, 1)[-8:-1] == tuple(line.replace("A ", "B ") for line in claims)
    assert all(of_player(line, 0, ()) is Right.YES for line in claims)
    assert of_player("B claims 5", 0, ()) is Right.NOT_YOURS
    assert lines(ARMS, None, "watcher") == ()


def test_in_tricks_a_seat_bids_names_trumps_and_plays() -> None:
    assert lines(moon("auction"), 0) == ("A bids 6", "A bids 7", "A bids 21", "A passes")
    assert lines(moon("trump"), 0)[-2:] == ("A names doubles", "A names none")
    assert lines(moon("exchange"), 0) == ("A discards hidden",)
    assert lines(moon("tricks"), 0) == ("A plays {tile}",)
    assert lines(moon("tricks"), 1) == ()


def test_the_tiles_that_can_be_picked_are_those_of_the_game() -> None:
    assert (mine(PLAY, Guest("g", "")).kind, mine(PLAY, Guest("g", "")).highest) == ("triomino", 5)
    assert (mine(moon(), Guest("g", "")).kind, mine(moon(), Guest("g", "")).highest) == ("domino", 6)
    assert mine(replace(PLAY, game="of a newer table"), Guest("g", "")).kind == ""


@pytest.mark.parametrize(
    ("view", "seat", "may"),
    [
        (WHICH_TILE, 1, [f"answer q1 {number}" for number in (*range(5), "is", 5)]),
        (WHICH_TILE, 0, []),
        (WHO_OPENS, 2, ["answer q1 2", "answer q1 3"]),
        (DISPUTE, 1, ["overrule 21"]),
        (DISPUTE, 0, []),
        (replace(PLAY, questions=(WISH,)), 2, ["answer w20-1 1"]),
        (replace(PLAY, questions=(WISH,)), 0, ["answer w20-1 0", "answer w20-1 1"]),
    ],
)
def test_a_phone_may_give_the_answers_that_are_its_own(view: View, seat: int, may: list[str]) -> None:
    assert list(mine(view, Guest("g1", "phone", "player", seat)).may) == may


def test_letting_a_tile_stand_is_a_wish_of_a_player_and_the_word_of_a_host() -> None:
    assert mine(DISPUTE, Guest("g1", "phone", "player", 1)).wishes == ("overrule 21",)
    host = mine(DISPUTE, Guest("g1", "phone", "host"))
    assert (host.may, host.wishes) == (("overrule 21",), ())


def test_every_key_says_what_the_table_lets_its_player_say(scene: View) -> None:
    for seat in range(len(scene.seats)):
        for act in mine(scene, Guest("g1", "phone", "player", seat)).acts:
            line = act.line.replace("{tile}", "1-2-3" if "omino" in scene.game else "1-2")
            notation.parse(line)
            assert of_player(line, seat, scene.questions) is (Right.WISH if act.asks else Right.YES)
