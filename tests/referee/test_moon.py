"""Moon by the rules of `kk-moon`: auction, exchange, tricks, revokes, scores, the end of a match."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games import moon
from referee.moves import Begin, Clear, FirstBidder, LineSpot, Move, Place, Play
from referee.rulings import Cite, Reason
from referee.state import Phase
from referee.tiles import Tile
from referee.tricks.trick import Step, TrickState
from tests.referee.moonplay import GAME, after, auction, does, known, scored, started, tricks

# --- deal and auction -----------------------------------------------------------------------------------


def test_the_set_has_no_blanks_but_the_double_and_leaves_one_tile_in_the_centre() -> None:
    assert len(GAME.tiles) == 22
    assert [str(tile) for tile in GAME.tiles if 0 in tile.values] == ["0-0"]
    assert (started().hands, started().stock) == ((7, 7, 7), 1)


@pytest.mark.parametrize("names", [("A", "B"), ("A", "B", "C", "D")])
def test_moon_is_for_three(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="expected 3 players"):
        GAME.start(GAME, names, GAME.settings)


def test_nobody_bids_before_it_is_known_who_bids_first() -> None:
    state = after(started(), "begin")
    assert moon.lots(state) == tuple(FirstBidder(seat) for seat in range(3))
    assert does(state, "A bids 4").reason is Reason.NOT_NOW
    assert after(state, "first bidder C").turn == 2


def test_the_people_may_set_the_first_bidder_until_somebody_has_called() -> None:
    state = after(started(), "first bidder B", "begin")
    assert (state.turn, moon.lots(state)) == (1, ())
    state = after(state, "first bidder C", "C bids 4")
    assert does(state, "first bidder A").reason is Reason.NOT_NOW


def test_with_an_open_start_whoever_calls_first_is_the_first_bidder() -> None:
    state = after(started(opening="any"), "begin")
    assert moon.lots(state) == ()
    assert after(state, "B passes").first == 1


@pytest.mark.parametrize(
    ("calls", "line", "reason"),
    [
        ("", "A bids 3", Reason.BID_RANGE),
        ("", "A bids 8", Reason.BID_RANGE),
        ("", "A bids 0", Reason.BID_RANGE),
        ("", "A bids 4", Reason.OK_BID),
        ("A bids 5", "B bids 5", Reason.BID_TOO_LOW),
        ("A bids 5", "C bids 6", Reason.OUT_OF_TURN),
        ("A bids 5", "A bids 6", Reason.OUT_OF_TURN),
        ("A bids 7", "B bids 21", Reason.OK_BID),
        ("A bids 21", "B passes", Reason.BID_CLOSED),
        ("A bids 5/B passes/C passes", "B bids 6", Reason.BID_CLOSED),
    ],
)
def test_each_call_is_higher_than_the_last_and_in_its_turn(calls: str, line: str, reason: Reason) -> None:
    state = after(auction(), *filter(None, calls.split("/")))
    assert does(state, line).reason is reason


def test_twenty_one_ends_the_auction_and_the_bidder_takes_the_centre_tile() -> None:
    state = after(auction(), "A passes", "B bids 21")
    assert (state.step, state.bidder, state.turn, state.hands, state.stock) == (Step.EXCHANGE, 1, 1, (7, 8, 7), 0)


def test_when_all_pass_the_tiles_are_dealt_again_and_the_first_bid_moves_on() -> None:
    ruling = does(after(auction(), "A passes", "B passes"), "C passes")
    assert (ruling.reason, ruling.state.phase, ruling.state.turn) == (Reason.ALL_PASS_REDEAL, Phase.DEAL, 1)


def test_the_last_bidder_can_be_forced_to_the_lowest_bid() -> None:
    ruling = does(after(auction(**{"all_pass": "forced"}), "A passes", "B passes"), "C passes")
    assert isinstance(ruling.state, TrickState)
    assert (ruling.reason, ruling.state.bidder, ruling.state.bid) == (Reason.OK_FORCED_BID, 2, 4)


# --- exchange and trumps --------------------------------------------------------------------------------


def test_the_bidder_discards_before_he_names_trumps_or_leads() -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes")
    assert does(state, "A names 6").reason is Reason.MUST_DISCARD
    assert does(state, "A plays 6-6").reason is Reason.MUST_DISCARD
    assert does(state, "B discards hidden").reason is Reason.OUT_OF_TURN
    assert does(state, "A discards 0-3").reason is Reason.NO_SUCH_TILE
    state = after(state, "A discards hidden")
    assert (state.hands, state.stock, state.step) == ((7, 7, 7), 1, Step.TRUMP)


def test_a_discard_that_is_known_cannot_be_played_any_more() -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes", "A discards 1-2", "A names 6")
    assert does(state, "A plays 1-2").reason is Reason.NOT_IN_HAND


def test_nothing_is_known_of_a_hand_after_a_hidden_discard() -> None:
    state = known(after(auction(), "A bids 4", "B passes", "C passes"), 0, "1-2 3-4")
    assert after(state, "A discards hidden").known[0] is None
    assert after(state, "A discards 1-2").known[0] == (Tile((3, 4)),)


def test_trumps_can_be_named_before_the_centre_tile_is_taken() -> None:
    state = after(auction(trump_before_widow="yes"), "A bids 4", "B passes", "C passes")
    assert (state.step, state.hands) == (Step.TRUMP, (7, 7, 7))
    state = after(state, "A names doubles")
    assert (state.step, state.hands) == (Step.EXCHANGE, (8, 7, 7))


def test_trumps_are_a_number_doubles_or_none() -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes", "A discards hidden")
    assert does(state, "A names 7").reason is Reason.NO_SUCH_TRUMP
    assert does(state, "B names 6").reason is Reason.OUT_OF_TURN
    assert all(does(state, f"A names {trump}").is_legal for trump in ("0", "6", "doubles", "none"))


# --- tricks ---------------------------------------------------------------------------------------------


def test_the_bidder_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    state = tricks("2")
    assert does(state, "B plays 6-6").reason is Reason.OUT_OF_TURN
    state = after(state, "A plays 6-6", "B plays 1-2", "C plays 5-6")
    assert (state.won, state.turn, state.hands) == ((1,), 1, (6, 6, 6))


@pytest.mark.parametrize(
    ("trump", "lines", "clause"),
    [
        ("2", "A plays 6-6/B plays 1-2/C plays 5-6", "4.12.1"),
        ("2", "A plays 1-6/B plays 5-6/C plays 4-6", "4.12.2"),
        ("2", "A plays 1-6/B plays 5-5/C plays 3-4", "4.12.3"),
    ],
)
def test_the_ruling_on_the_last_tile_says_by_one_clause_why_the_trick_was_won(
    trump: str, lines: str, clause: str
) -> None:
    *first, last = lines.split("/")
    ruling = does(after(tricks(trump), *first), last)
    assert [cite for cite in ruling.cites if "4.12" in cite.clause] == [Cite(f"kk-moon §{clause}")]


def test_a_tile_of_another_suit_is_refused_when_one_that_follows_is_known_to_be_in_hand() -> None:
    state = known(after(tricks("4"), "A plays 5-6"), 1, "4-6 1-6 1-3")
    assert does(state, "B plays 4-6").reason is Reason.REVOKE
    assert does(state, "B plays 1-6").reason is Reason.OK_PLAY
    assert moon.plays(state, map(Tile.parse, ("4-6", "1-6", "1-3"))) == (Play(1, Tile((1, 6))),)


def test_the_lower_number_may_be_asked_for_only_by_house_rule() -> None:
    assert does(tricks("6"), "A plays 2-4 as 2").reason is Reason.NO_SUCH_SUIT
    assert does(tricks("6"), "A plays 2-4 as 4").reason is Reason.OK_PLAY
    free = tricks("6", leader_names_suit="yes")
    assert does(free, "A plays 2-6 as 2").reason is Reason.NO_SUCH_SUIT
    state = known(after(free, "A plays 2-4 as 2"), 1, "2-2 1-4")
    assert does(state, "B plays 1-4").reason is Reason.REVOKE
    assert does(state, "B plays 2-2 as 2").reason is Reason.NO_SUCH_SUIT
    assert Play(0, Tile((2, 4)), 2) in moon.plays(free, [Tile((2, 4))])


def test_a_tile_the_camera_sees_in_a_trick_is_played_wherever_it_lies() -> None:
    ruling = GAME.rule(tricks("6"), Place(0, Tile((2, 4)), LineSpot("left")))
    assert ruling == GAME.rule(tricks("6"), Play(0, Tile((2, 4))))


def test_a_tile_is_played_once_and_belongs_to_the_set() -> None:
    state = after(tricks("6"), "A plays 2-4")
    assert does(state, "B plays 2-4").reason is Reason.TILE_ALREADY_PLAYED
    assert does(state, "B plays 0-4").reason is Reason.NO_SUCH_TILE
    assert does(state, "A plays 1-1").reason is Reason.OUT_OF_TURN


def test_what_the_people_let_stand_is_played_and_the_others_follow_in_order() -> None:
    state = after(tricks("6"), "B plays 2-4 overruled")
    assert state.turn == 2
    state = after(state, "C plays 1-4", "A plays 3-4")
    assert (state.won, state.turn) == ((0,), 0)


def test_nobody_plays_twice_to_a_trick_whatever_the_people_say() -> None:
    state = after(tricks("6"), "A plays 2-4")
    assert does(state, "A plays 3-4 overruled").reason is Reason.OUT_OF_TURN


# --- score and end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "won", "points"),
    [
        (5, "AAAAAAB", (5, 1, 0)),
        (6, "AAAAABC", (-6, 1, 1)),
        (7, "AAAAAAA", (7, 0, 0)),
        (4, "ABBCCCB", (-4, 3, 3)),
        (21, "AAAAAAB", (-21, 1, 0)),
    ],
)
def test_the_bidder_scores_his_bid_or_loses_it_and_the_others_score_their_tricks(
    bid: int, won: str, points: tuple[int, ...]
) -> None:
    ruling = scored(bid, won)
    assert tuple(ruling.points(seat) for seat in range(3)) == points
    assert ruling.state.scores == points
    assert ruling.state.phase is Phase.CLEARING


def test_all_tricks_bid_and_made_win_the_match_whatever_the_score() -> None:
    ruling = scored(21, "AAAAAAA", (-10, 19, 3))
    assert (ruling.state.phase, ruling.state.ranking) == (Phase.OVER, ((0,), (1,), (2,)))


def test_all_tricks_bid_and_made_can_be_points_only() -> None:
    ruling = scored(21, "AAAAAAA", (-10, 19, 3), moon_made="points")
    assert (ruling.state.phase, ruling.state.scores) == (Phase.CLEARING, (11, 19, 3))


@pytest.mark.parametrize(
    ("before", "options", "ranking"),
    [
        ((18, 20, 8), {}, ((0,), (1,), (2,))),  # 22 21 9
        ((17, 20, 8), {}, ()),  # 21 21 9
        ((17, 21, 8), {}, ((1,), (0,), (2,))),  # 21 22 9
        ((17, 21, 8), {"bidder_goes_out": "yes"}, ((0,), (1,), (2,))),
        ((16, 20, 20), {}, ()),  # 20 21 21: a tie above the bidder
        ((16, 4, 4), {"bidder_goes_out": "yes"}, ()),  # 20 5 5
        ((18, 4, 4), {"target": "22"}, ((0,), (1, 2))),
    ],
)
def test_the_match_ends_when_one_player_is_above_all_others_at_the_target(
    before: tuple[int, int, int], options: dict[str, Any], ranking: tuple[tuple[int, ...], ...]
) -> None:
    ruling = scored(4, "AAAAABC", before, **options)
    assert (ruling.state.ranking, ruling.state.phase is Phase.OVER) == (ranking, bool(ranking))


def test_the_first_bid_moves_clockwise_with_every_deal() -> None:
    ruling = scored(4, "AAAAABC")
    moves: tuple[Move, ...] = (Clear(), Begin())
    state = ruling.state
    for move in moves:
        state = GAME.rule(state, move).state
    assert isinstance(state, TrickState)
    assert (state.first, state.turn, moon.lots(state), state.round) == (1, 1, (), 2)
