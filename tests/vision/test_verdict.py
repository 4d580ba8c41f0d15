"""Two readers and one verdict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tiles import rotations
from vision.kinds.verdict import NOT_A_TILE, Chances, clipped, verdict, washed_out

NUMBERS = 6
BLANK, NONE = NUMBERS, NUMBERS + 1


def sure(*classes: int, chance: float = 0.99) -> Chances:
    """A reader that gives the named class this chance in every part, the rest evenly to the others."""
    chances = np.full((len(classes), NUMBERS + 2), (1 - chance) / (NUMBERS + 1))
    for part, named in enumerate(classes):
        chances[part, named] = chance
    return chances


def test_two_readers_that_agree_are_as_sure_as_the_two_together() -> None:
    reading = verdict(sure(2, 3, chance=0.99), sure(2, 3, chance=0.9), 5)
    assert reading.agreed
    assert reading.values == (2, 3)
    assert 0.9**2 < reading.confidence < 0.99**2


def test_readers_that_disagree_about_one_part_are_not_sure() -> None:
    reading = verdict(sure(2, 3, chance=0.999), sure(2, 4, chance=0.999), 5)
    assert not reading.agreed
    assert reading.confidence < 0.6
    assert {reading.readings[0].values, reading.readings[1].values} == {(2, 3), (2, 4)}


def test_a_reader_that_is_not_sure_itself_vouches_for_nothing() -> None:
    reading = verdict(sure(2, 3, chance=0.9999), doubtful(2, 3, other=1, chance=0.53), 5)
    assert not reading.agreed
    assert reading.values == (2, 3)
    assert reading.confidence < 0.9


def test_readers_that_have_nothing_in_common_make_each_other_surer() -> None:
    one, other = sure(2, 3, chance=0.9), sure(2, 3, chance=0.9)
    alike, apart = verdict(one, other, 5), verdict(one, other, 5, apart=True)
    assert alike.agreed
    assert apart.agreed
    assert apart.values == alike.values == (2, 3)
    assert apart.confidence > 0.95 > alike.confidence


def test_readers_that_have_nothing_in_common_and_disagree_are_no_surer() -> None:
    reading = verdict(sure(2, 3, chance=0.999), sure(2, 4, chance=0.999), 5, apart=True)
    assert not reading.agreed
    assert reading.confidence < 0.6


def test_nothing_printed_anywhere_is_a_back() -> None:
    reading = verdict(sure(BLANK, BLANK, BLANK), sure(BLANK, BLANK, BLANK), 5)
    assert not reading.face_up
    assert reading.values == ()
    assert reading.confidence > 0.9


def test_parts_that_all_look_blank_vouch_for_each_other() -> None:
    one = verdict(sure(BLANK, chance=0.7), sure(BLANK, chance=0.7), 5)
    three = verdict(sure(BLANK, BLANK, BLANK, chance=0.7), sure(BLANK, BLANK, BLANK, chance=0.7), 5)
    assert one.confidence < 0.9 < three.confidence


def test_one_blank_corner_among_numbers_is_neither_a_back_nor_certain() -> None:
    reading = verdict(sure(1, BLANK, 2), sure(1, BLANK, 2), 5)
    assert reading.confidence < 0.5


def test_no_part_of_a_tile_is_not_a_tile() -> None:
    assert verdict(sure(NONE, NONE), sure(1, 2), 5) == NOT_A_TILE


@pytest.mark.parametrize("highest", [3, 5])
def test_a_clear_number_above_the_highest_stays(highest: int) -> None:
    reading = verdict(sure(5, 1, chance=0.9999), sure(5, 1, chance=0.9999), highest)
    assert reading.values == (5, 1)


@given(st.lists(st.floats(1e-3, 1), min_size=48, max_size=48), st.integers(0, 5))
def test_a_verdict_is_always_sound(weights: list[float], highest: int) -> None:
    both = np.array(weights).reshape(2, 3, 8)
    first, second = both / both.sum(axis=2, keepdims=True)
    reading = verdict(first, second, highest)
    assert 0 <= reading.confidence <= 1
    assert sum(each.probability for each in reading.readings) <= 1 + 1e-9
    assert (reading.values == ()) == (not reading.readings)
    assert reading.face_up or not reading.readings


ALL = {(low, middle, high): 1 for low in range(6) for middle in range(low, 6) for high in range(middle, 6)}


def doubtful(*classes: int, other: int, chance: float) -> Chances:
    """A reader that in the last part takes another number for more likely than the named one."""
    chances = sure(*classes, chance=0.999)
    chances[-1] = 1e-3
    chances[-1, other], chances[-1, classes[-1]] = 1 - chance, chance
    return chances / chances.sum(axis=1, keepdims=True)


def test_readers_that_disagree_are_reconciled_by_the_tiles_that_are_left() -> None:
    first, second = sure(1, 3, 5, chance=0.999), doubtful(1, 3, 5, other=2, chance=0.2)
    assert not verdict(first, second, 5).agreed
    reading = verdict(first, second, 5, ALL)  # no tile reads 1-3-2 clockwise
    assert reading.values == (1, 3, 5)
    assert reading.agreed
    assert reading.confidence > 0.9


def test_two_tiles_that_are_both_left_stay_in_doubt() -> None:
    first, second = sure(1, 3, 5, chance=0.999), doubtful(1, 3, 5, other=4, chance=0.2)
    reading = verdict(first, second, 5, ALL)
    assert not reading.agreed
    assert reading.confidence < 0.9


def test_a_clear_tile_of_which_none_is_left_keeps_its_numbers_and_is_asked_about() -> None:
    clear = sure(3, 5, 1, chance=0.9999)
    reading = verdict(clear, clear, 5, ALL | {(1, 3, 5): 0})
    assert reading.values == (3, 5, 1)
    assert reading.confidence <= 0.5


def test_the_tiles_left_never_replace_what_both_readers_name() -> None:
    named = doubtful(1, 3, 4, other=5, chance=0.7)
    reading = verdict(named, named, 5, {(1, 3, 5): 1})
    assert reading.values == (1, 3, 4)
    assert reading.confidence <= 0.5


def test_a_tile_that_is_left_is_believed_no_less_for_it() -> None:
    for chance in (0.7, 0.9, 0.99):
        clear = sure(0, 2, 4, chance=chance)
        assert verdict(clear, clear, 5, ALL).confidence >= verdict(clear, clear, 5).confidence - 1e-9


def test_a_back_is_a_back_whatever_is_left() -> None:
    bare = sure(BLANK, BLANK, BLANK)
    assert verdict(bare, bare, 5, ALL) == verdict(bare, bare, 5)


@given(
    st.lists(st.floats(1e-3, 1), min_size=48, max_size=48),
    st.sets(st.tuples(*[st.integers(0, 5)] * 3).map(lambda values: min(rotations(values))), max_size=40),
)
def test_a_verdict_with_a_set_is_sound_and_overturns_nothing_agreed(
    weights: list[float], left: set[tuple[int, ...]]
) -> None:
    both = np.array(weights).reshape(2, 3, 8)
    first, second = both / both.sum(axis=2, keepdims=True)
    alone, reading = (verdict(first, second, 5, unseen) for unseen in (None, dict.fromkeys(left, 1)))
    assert 0 <= reading.confidence <= 1
    assert sum(each.probability for each in reading.readings) <= 1 + 1e-9
    if alone.agreed:
        assert reading.values == alone.values
        assert reading.face_up == alone.face_up


def test_a_colour_is_lost_where_most_pixels_are_as_bright_as_can_be_in_it() -> None:
    yellow = np.full((90, 3), (60, 255, 255), np.uint8)
    assert clipped(yellow, 2) == pytest.approx(1)
    assert clipped(yellow, 3) == 0
    assert clipped(np.full((90, 3), (60, 200, 255), np.uint8), 2) == 0
    yellow[30:] = (40, 90, 90)
    assert clipped(yellow, 1) == 0  # a third does no harm


def test_white_beside_print_that_is_as_white_is_no_glare() -> None:
    white = np.full((90, 3), 255, np.uint8)
    printed, shaded = white.copy(), np.full((90, 3), 225, np.uint8)
    printed[:30] = shaded[:30] = 40
    assert washed_out(white, divider=0.1) == 1
    assert washed_out(white, divider=0.1, printed=printed) == 0
    assert washed_out(white, divider=0.1, printed=shaded) == 1
    assert washed_out(white, divider=0.9, printed=printed) == 1
