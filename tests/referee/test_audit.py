"""What tiles shown later prove about passes, draws and openings."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import transcript, umpire
from referee.audit import false_claims, newly_proven, tile_count
from referee.games import game, goat, triomino
from referee.moves import Begin, Draw, LineSpot, Move, Pass, Place, Recount, ShowHand
from referee.rulings import Proof, Reason, Ruling
from referee.slots import without_slot
from referee.tiles import Tile
from tests.referee.entering import ruled

GAME = game("fr-domino")


def lay(seat: int, name: str, end: str = "right") -> Place:
    return Place(seat, Tile.parse(name), LineSpot(end))


def played(players: int, *moves: Move, settings: goat.Settings = GAME.settings) -> list[Ruling]:
    """Rule on moves from the deal on; the first counts as entry 1."""
    state = GAME.rule(GAME.start(GAME, tuple("ABCD"[:players]), settings), Begin()).state
    rulings = []
    for number, move in enumerate(moves, start=1):
        rulings.append(umpire.stamped(GAME.rule(state, move), number))
        assert rulings[-1].is_legal, (move, rulings[-1].reason)
        state = rulings[-1].state
    return rulings


FALSE_DRAW = (lay(0, "0-0", "left"), lay(1, "0-3"), Draw(0), lay(0, "3-5"), lay(1, "5-6"), lay(0, "0-4", "left"))


def test_two_tiles_that_fitted_and_one_draw_prove_a_needless_draw() -> None:
    rulings = played(2, *FALSE_DRAW)
    assert [ruling.proven for ruling in rulings[:-1]] == [()] * 5
    assert rulings[-1].proven == (Proof(Reason.FALSE_DRAW_PROVEN, 0, 3, ("3-5", "0-4")),)


def test_the_ruling_cites_the_entry_of_the_false_claim() -> None:
    assert [(cite.clause, cite.entry) for cite in played(2, *FALSE_DRAW)[-1].cites] == [
        ("fr-domino §3.4", None),
        ("fr-domino §3.6", 3),
    ]


def test_what_has_been_proven_is_not_proven_again() -> None:
    rulings = played(2, *FALSE_DRAW, lay(1, "6-6"), lay(0, "3-4", "left"))
    assert rulings[-1].proven == ()


def test_a_tile_that_the_draw_may_have_brought_proves_nothing() -> None:
    assert not any(ruling.proven for ruling in played(2, *FALSE_DRAW[:4], lay(1, "5-6"), lay(0, "6-6")))


def test_of_several_draws_only_the_last_may_have_brought_a_fitting_tile() -> None:
    moves = (lay(0, "0-0", "left"), lay(1, "0-3"), Draw(0, 3), lay(0, "3-5"), lay(1, "5-6"), lay(0, "0-4", "left"))
    assert [proof.reason for proof in played(2, *moves)[-1].proven] == [Reason.FALSE_DRAW_PROVEN]


def test_without_a_stock_one_fitting_tile_proves_a_false_pass() -> None:
    moves = [lay(0, "0-0", "left"), lay(1, "0-3"), Pass(2), lay(3, "0-6", "left"), lay(0, "6-6", "left")]
    rulings = played(4, *moves, lay(1, "3-4"), lay(2, "3-6", "left"))
    assert rulings[-1].proven == (Proof(Reason.FALSE_PASS_PROVEN, 2, 3, ("3-6",)),)


def test_a_tile_laid_before_the_pass_proves_nothing() -> None:
    line = [lay(0, "0-0", "left"), lay(1, "0-3"), lay(2, "3-5"), lay(3, "0-1", "left"), lay(0, "1-2", "left")]
    later = [lay(3, "4-6", "left"), lay(0, "6-6", "left"), lay(1, "1-6", "left"), lay(2, "1-1", "left")]
    rulings = played(4, *line, lay(1, "2-4", "left"), Pass(2), *later)
    assert not any(ruling.proven for ruling in rulings)


def test_a_hand_shown_at_the_end_of_a_round_proves_what_was_claimed_in_it() -> None:
    moves = (lay(0, "0-0", "left"), lay(1, "0-3"), *(Pass(seat) for seat in (2, 3, 0, 1)))
    hand = tuple(map(Tile.parse, ("1-1", "1-2", "1-4", "1-5", "1-6", "2-2", "2-3")))
    rulings = played(4, *moves, ShowHand(2, hand))
    assert rulings[-1].proven == (Proof(Reason.FALSE_PASS_PROVEN, 2, 3, ("2-3",)),)


def test_a_double_from_the_deal_that_outranks_the_opening_proves_a_wrong_opener() -> None:
    line = (lay(0, "4-4", "left"), lay(1, "4-6"), lay(0, "1-4", "left"))
    assert played(2, *line, lay(1, "1-1", "left"))[-1].proven == ()
    assert played(2, *line, lay(1, "6-6"))[-1].proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 1, ("6-6",)),)


def test_a_double_that_may_have_been_drawn_proves_no_wrong_opener() -> None:
    rulings = played(2, lay(0, "4-4", "left"), Draw(1), lay(1, "4-6"), lay(0, "1-4", "left"), lay(1, "6-6"))
    assert Reason.WRONG_OPENER_PROVEN not in [proof.reason for proof in rulings[-1].proven]


def test_an_opener_who_held_a_better_tile_has_opened_with_the_wrong_one() -> None:
    rulings = played(2, lay(0, "4-4", "left"), lay(1, "4-6"), lay(0, "6-6"))
    assert rulings[-1].proven == (Proof(Reason.WRONG_OPENING_TILE, 0, 1, ("6-6",)),)


def test_fixed_a_tile_that_was_seen_in_the_stock_proves_by_being_drawn_that_a_better_one_was_dealt() -> None:
    begun = ("match fr-domino A=Ana B=Bo C=Cy", "begin", "A lays 3-3 at left", "stock shows 0-6", "B lays 3-4 at right")
    drawn = (*begun, "C draws 1", "C lays 4-4 at right")
    assert ruled(*drawn).proven == ()  # 4-4 may be what was drawn
    ruling = ruled(*drawn, "A lays 4-6 at right", "B lays 3-5 at left", "C lays 0-6 at right")
    assert ruling.proven == (
        Proof(Reason.FALSE_DRAW_PROVEN, 2, 6, ("4-4", "0-6")),
        Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("4-4",)),
    )


def test_tiles_that_do_not_add_up_to_the_set_are_counted() -> None:
    assert tile_count(56, 20, 26, (5, 5)) is None
    assert tile_count(56, 20, 26, (5, 4)) == Proof(Reason.TILE_COUNT_WRONG, -1, None, ("56", "55"))


@pytest.mark.parametrize("name", ["ro-trimino-manufacturer-irregularities", "uk-tridomino-irregularities"])
def test_what_is_known_of_a_round_has_been_told_once_when_the_tile_came_that_settled_it(name: str) -> None:
    path = Path(__file__).parents[1] / "records" / f"{name}.txt"
    record = transcript.played(transcript.read(path.read_text(encoding="utf-8")))[0]
    states = [ruling.state for ruling in record.rulings if ruling is not None and ruling.is_legal]
    course = triomino._course(record.state.settings)
    how = (course.fitting, course.drawing_claims)
    found = 0
    for before, after in pairwise(states):
        if len(after.layout) <= len(before.layout) or not before.layout or after.claims != before.claims:
            continue
        told = newly_proven(before, after, *how, (course.rank, course.choices, course.tiles)).told
        known = [proof for seat in range(after.players) for proof in false_claims(after, seat, *how)]
        claims = [proof for proof in told if "pass" in proof.reason or "draw" in proof.reason]
        assert set(claims) <= set(known)
        assert not set(claims) & {proof for seat in range(after.players) for proof in false_claims(before, seat, *how)}
        found += len(told)
    assert found > 0


# The first draw barred zeros and threes, the second fives and sixes; each of them may have been true.
TWO_DRAWS = (
    *(lay(0, "0-0", "left"), lay(1, "0-3"), Draw(0), lay(0, "3-5"), lay(1, "0-6", "left")),
    *(Draw(0), lay(0, "6-6", "left")),
)


def test_two_draws_that_cannot_both_be_true_are_told_before_it_is_known_which_is_false() -> None:
    rulings = played(2, *TWO_DRAWS, lay(1, "1-5"), lay(0, "1-3"))
    assert rulings[-1].proven == (Proof(Reason.FALSE_DRAW_PROVEN, 0, None, ("3-5", "6-6", "1-3")),)


def test_one_falsehood_is_charged_once_though_it_is_told_twice_as_it_was_not_before() -> None:
    settings = GAME.vary(GAME.settings, {"needless_draw_penalty": "7"})
    moves = (*TWO_DRAWS, lay(1, "1-5"), lay(0, "1-3"), lay(1, "3-3"), lay(0, "2-6", "left"))
    rulings = played(2, *moves, settings=settings)
    assert [proof.entry for ruling in rulings for proof in ruling.proven] == [None, 6]
    assert rulings[-1].state.scores == (7, 0)


def test_a_true_pass_is_not_blamed_for_two_draws_that_contradict_each_other_as_it_was_before() -> None:
    settings = GAME.vary(GAME.settings, {"hands": "2:13"})
    line = (*TWO_DRAWS, lay(1, "4-5"), Pass(0), lay(1, "1-4"), lay(0, "1-3"))
    assert [(proof.reason, proof.entry) for proof in played(2, *line, settings=settings)[-1].proven] == [
        (Reason.FALSE_DRAW_PROVEN, None)
    ]


def test_a_tile_that_was_found_is_one_slot_and_not_one_for_each_moment_as_it_was_before() -> None:
    early, late = [(10, 13)] * 4, [(14, 15)] * 2
    assert without_slot([*early, *late]) == 2
    assert without_slot(early) == without_slot(late) == 1


def test_what_has_been_told_is_not_told_again_after_a_tile_was_found_as_it_was_before() -> None:
    moves = (*FALSE_DRAW, lay(1, "4-6", "left"), Recount(0, 6), lay(0, "6-6"), lay(1, "2-6"), lay(0, "0-2"))
    told = [proof.entry for ruling in played(2, *moves) for proof in ruling.proven]
    assert told == [3]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=5))
def test_as_many_tiles_get_a_slot_each_as_in_the_best_order_of_slots(ranges: list[tuple[int, int]]) -> None:
    best = max(
        sum(low <= slot < high for (low, high), slot in zip(ranges, order, strict=True))
        for order in permutations(range(5), len(ranges))
    )
    assert without_slot(ranges) == len(ranges) - best
