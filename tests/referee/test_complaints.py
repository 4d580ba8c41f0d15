"""What players of other programs have complained of, each with the very scenario."""

from __future__ import annotations

import pytest

from referee import notation, views
from referee.games import game
from referee.moves import Place
from referee.placements import legal_placements
from referee.rulings import Cite, Reason
from referee.seen.memory import Memory
from referee.state import Phase
from referee.tiles import Shape
from referee.umpire import Record
from tests.referee.entering import last, ruled, written
from tests.referee.moonplay import after, does, tricks

# A ring round a hole; 0,0,U then is the place of a bridge, and A is to move.
RING = (
    *("match ro-trimino/manufacturer A=Ana B=Bo opening=any", "begin"),
    *("A lays 4-3-3 at 0,-1,D", "B lays 5-3-4 at 0,-1,U", "A lays 5-3-3 at -1,-1,D", "B lays 3-0-3 at -1,0,U"),
    *("A lays 3-0-0 at -2,0,D", "B lays 0-0-0 at -2,1,U", "A lays 0-0-1 at -2,1,D", "B lays 0-1-2 at -1,1,U"),
)
FOUR_TILES = "match ro-trimino/manufacturer A=Ana B=Bo C=Cy opening=any max_number=2 hands=3:3"


def plain(record: Record) -> tuple[str, int]:
    """A line that lays some tile of no special place for the seat to move, and the sum of its numbers."""
    state = record.state
    every = legal_placements(state, game(state.game).tiles)
    found = next(each for each in every if each.reason is Reason.OK_EDGE)
    assert state.turn is not None
    return notation.write(Place(state.turn, found.tile, found.spot)), found.tile.total


def test_a_bonus_that_was_refused_is_not_paid_for_the_next_ordinary_tiles() -> None:
    record = written(*RING)
    for repeat in range(3):
        assert record.state.turn is not None
        seat = record.state.turn
        record = written(f"{'AB'[seat]} lays 4-4-5 at 0,0,U", record=record)
        assert (last(record).reason, last(record).awards) == (Reason.EDGE_MISMATCH, ())
        line, total = plain(record)
        laid = written(line, record=record)
        assert [award.points for award in last(laid).awards] == [total]
        if repeat == 1:  # and with an undo between
            undone = written(f"undo {len(laid.entries)}", record=laid)
            assert undone.state == record.state
            laid = written(line, record=undone)
            assert [award.points for award in last(laid).awards] == [total]
        record = laid


def test_the_same_player_does_not_always_start_and_the_rule_says_why() -> None:
    lines = ["match ro-trimino/manufacturer A=Ana B=Bo C=Cy hands=3:1"]
    earned = []
    rounds = (
        ("B", "1-1-1 3-3-3 2-2-2", "2.1.4"),
        ("C", "0-0-1 2-2-3 0-0-0", "2.1.5"),
        ("A", "5-5-4 5-5-3 0-0-1", "2.1.6"),
    )
    for opener, held, paragraph in rounds:
        hands = dict(zip("ABC", held.split(), strict=True))
        lines += [f"{seat} announces {tile}" for seat, tile in hands.items()]
        lines.append("begin")
        state = written(*lines).state
        assert state.turn == "ABC".index(opener)
        wrong = next(seat for seat in hands if seat != opener)
        refused = ruled(*lines, f"{wrong} lays {hands[wrong]} at 0,0,U")
        assert (refused.reason, refused.awards) == (Reason.WRONG_OPENER, ())
        assert refused.cites == (Cite("ro-trimino/manufacturer §2.1.4"),)
        lines.append(f"{opener} lays {hands[opener]} at 0,0,U")
        opening = ruled(*lines)
        earned.append(sum(award.points for award in opening.awards if award.what in ("tile", "opening")))
        assert opening.cites[0] == Cite(f"ro-trimino/manufacturer §{paragraph}")
        lines += [f"{seat} shows {tile}" for seat, tile in hands.items() if seat != opener] + ["clear"]
    assert earned == [19, 40, 14]


def test_nobody_draws_without_limit_or_out_of_turn() -> None:
    begun = ("match official-goliath A=Ana B=Bo opening=any", "begin", "A lays 3-3-3 at 0,0,U")
    assert ruled(*begun, "B draws 1", "B draws 1", "B draws 1", "B draws 1").reason is Reason.DRAW_LIMIT
    assert ruled(*begun, "A draws 1").reason is Reason.OUT_OF_TURN


@pytest.mark.parametrize(
    ("match", "opening", "drawn"),
    [("fr-domino", "A lays 6-6 at left", 14), ("ro-trimino/manufacturer", "A lays 3-3-3 at 0,0,U", 38)],
)
def test_the_last_two_tiles_of_the_stock_are_drawn_only_where_the_house_lets_them_be(
    match: str, opening: str, drawn: int
) -> None:
    begun = (f"match {match} A=Ana B=Bo opening=any", "begin", opening)
    assert ruled(*begun, f"B draws {drawn - 2}", "B passes").reason is Reason.PASS_WITH_STOCK
    assert ruled(*begun, f"B draws {drawn - 2}", "B draws 2").reason is Reason.OK_DRAW
    kept = (f"{begun[0]} stock_floor=2", *begun[1:])
    assert ruled(*kept, f"B draws {drawn - 1}").reason is Reason.STOCK_EMPTY
    two_left = (*kept, f"B draws {drawn - 2}")
    assert written(*two_left).state.stock == 2
    assert ruled(*two_left, "B draws 1").reason is Reason.STOCK_EMPTY
    passed = ruled(*two_left, "B passes")
    assert (passed.reason, passed.state.turn) == (Reason.OK_PASS, 0)
    blocked = ruled(*two_left, "B passes", "A passes").state
    assert (blocked.phase, blocked.blocked, blocked.stock) == (Phase.SHOW_HANDS, True, 2)
    # what people find in a hand has been drawn, allowed or not
    assert ruled(*two_left, f"B holds {written(*two_left).state.hands[1] + 1}").reason is Reason.OK_RECOUNT


@pytest.mark.parametrize("preset", ["fr-domino", "ro-trimino/manufacturer", "cs-triomino", "uk-tridomino"])
def test_the_rule_sheet_says_how_many_tiles_stay_in_the_stock(preset: str) -> None:
    chosen = game(preset)
    words = " ".join(text for _, text in chosen.sheet(chosen.vary(chosen.settings, {"stock_floor": "2"})))
    assert "he last 2 tiles of the stock are not drawn" in words
    assert "With at most 2 tiles in the stock whoever cannot play passes" in words
    assert "not drawn" not in " ".join(text for _, text in chosen.sheet(chosen.settings))


def test_the_count_of_passes_does_not_survive_a_tile_a_new_round_or_an_undo() -> None:
    lines = [FOUR_TILES, "begin", "A lays 0-0-0 at 0,0,U", "B draws 1", "B passes", "C passes"]
    lines += ["A lays 0-0-1 at 0,0,D", "B passes", "C passes"]
    record = written(*lines)
    assert (record.state.phase, record.state.stuck) == (Phase.PLAY, 2)
    assert written(f"undo {len(lines)}", record=record).state.stuck == 1
    blocked = written("A passes", record=record)
    assert (blocked.state.phase, blocked.state.blocked) == (Phase.SHOW_HANDS, True)
    hands = ["A shows 1-1-1", "B shows 1-1-2 1-2-2 2-2-2 0-2-2", "C shows 0-1-1 0-1-2 0-0-2"]
    again = written(*hands, "clear", "begin", "A lays 0-0-0 at 0,0,U", "B draws 1", "B passes", record=blocked)
    assert (again.state.phase, again.state.round, again.state.stuck) == (Phase.PLAY, 2, 1)


def test_a_correction_bypasses_no_rule_and_leaves_no_impossible_score() -> None:
    record = written(*RING)
    refused = written("correct 10: B lays 4-4-5 at -1,1,U", record=record)
    assert (last(refused).reason.is_legal, refused.state.scores) == (False, record.state.scores)
    asked = written("correct 10: B lays 0-1-1 at -1,1,U", record=record)
    played = written(*RING[:-1], "B lays 0-1-1 at -1,1,U")
    assert (last(asked).reason, asked.state.scores) == (Reason.OK_CORRECT, played.state.scores)


@pytest.mark.parametrize(
    ("preset", "count", "doubles", "total"),
    [("ro-trimino/manufacturer", 56, 6, 420), ("fr-domino", 28, 7, 168), ("kk-moon", 22, 7, 147)],
)
def test_every_set_has_the_tiles_and_the_sum_that_it_has_in_the_box(
    preset: str, count: int, doubles: int, total: int
) -> None:
    tiles = game(preset).tiles
    assert (len(set(tiles)), sum(tile.is_uniform for tile in tiles)) == (count, doubles)
    assert sum(tile.total for tile in tiles) == total


def test_a_tile_that_lies_already_is_refused_by_name_and_a_wrong_sum_asks_before_scoring() -> None:
    begun = ("match fr-domino A=Ana B=Bo opening=any hands=2:2", "begin", "A lays 6-6 at left")
    assert ruled(*begun, "B lays 6-6 at right").reason is Reason.TILE_ALREADY_PLAYED
    ended = (*begun, "B draws 1", "B lays 5-6 at right", "A lays 5-5 at right")
    assert written(*ended).state.phase is Phase.SHOW_HANDS
    for hand, reason in (("6-6 1-1", Reason.TILE_ALREADY_PLAYED), ("1-1", Reason.HAND_COUNT_WRONG)):
        asked = ruled(*ended, f"B shows {hand}")
        assert (asked.reason, asked.state.phase, asked.awards) == (reason, Phase.SHOW_HANDS, ())


@pytest.mark.parametrize(
    ("lines", "winner", "clause", "why"),
    [
        (("A plays 6-6", "B plays 2-1", "C plays 6-5"), 1, "4.12.1", "highest-trump"),
        (("A plays 2-1", "B plays 2-2", "C plays 6-6"), 1, "4.12.1", "highest-trump"),
        (("A plays 3-1", "B plays 6-6", "C plays 3-4"), 2, "4.12.2", "highest-of-suit"),
    ],
)
def test_a_trump_beats_the_suit_that_was_led_and_each_trick_says_in_one_line_why(
    lines: tuple[str, ...], winner: int, clause: str, why: str
) -> None:
    ruling = does(after(tricks("2"), *lines[:-1]), lines[-1])
    assert ruling.state.turn == winner
    assert [cite.clause for cite in ruling.cites if "4.12" in cite.clause] == [f"kk-moon §{clause}"]
    deal = ("match kk-moon A=Ana B=Bo C=Cy", "begin", "first bidder A", "A bids 4", "B passes", "C passes")
    record = written(*deal, "A discards hidden", "A names 2", *lines)
    seen = views.view(record, Memory(), Shape.domino(), views.Circumstances(), "epoch", 1).tricks
    assert seen is not None
    assert (seen.winner, seen.why) == (winner, why)
