"""Whole matches with hidden hands: every attested variant from the deal to the end, and proofs that are never wrong."""

from __future__ import annotations

import pytest

from referee.games import games
from referee.rulings import Reason
from referee.state import Phase
from tests.referee.playing import Party, party

LAYOUT_GAMES = {preset: (each.min_players, each.max_players) for preset, each in games().items() if not each.in_tricks}
MANY = [(preset, players) for preset, (low, high) in LAYOUT_GAMES.items() for players in range(low, high + 1)]


def awards(played: Party) -> list[int]:
    """What all awards of a match come to, by seat."""
    rulings = [ruling for ruling in played.record.rulings if ruling is not None]
    return [sum(ruling.points(seat) for ruling in rulings) for seat in range(played.state.players)]


@pytest.mark.parametrize(("preset", "players"), MANY)
def test_every_preset_is_played_from_the_deal_to_the_end_of_the_match_by_any_number(preset: str, players: int) -> None:
    played = party(preset, players)
    state = played.play(40).state
    assert state.phase is Phase.OVER
    assert awards(played) == list(state.scores)
    assert sorted(seat for group in state.ranking for seat in group) == list(range(players))
    # nobody has cheated
    assert {proof.reason for proof, _ in played.proofs} <= {Reason.TRIPLE_NOT_SHOWN}


VARIANTS = {
    "five hundred, each loses his own on a block": (
        "official-pressman",
        4,
        "target=500 blocked_points=each_loses_own draw_limit=0",
    ),
    "differences paid pairwise on a block": ("official-goliath", 3, "blocked_points=pairwise draw_limit=0"),
    "seventy-six tiles with the mirror images": ("ro-trimino/manufacturer", 3, "mirrored=yes"),
    "eighty-four tiles, numbers up to six": ("uk-tridomino", 6, "max_number=6"),
    "seven tiles each for two": ("uk-tridomino", 2, "hands=2:7"),
    "rising the other way": ("cs-triomino", 2, "ascending=no"),
    "private stocks": ("ro-trimino/club", 3, "private_stock=yes"),
    "the winner opens": ("official-goliath", 3, "next_opener=winner"),
    "any tile opens": ("official-pressman", 2, "opening=any"),
    "the encyclopedia's three draws": ("official-pressman", 3, "draw_limit=3 limit_extra=10"),
    "two modes": ("ro-trimino/manufacturer", 2, "mode=club"),
    "at once": ("uk-tridomino", 3, "end=at_once"),
    "lowest hand wins the fish, literal fish": ("fr-domino", 2, "fish_winner=lowest_hand fish_with_stock=no"),
    "heavy double blank": ("fr-domino", 3, "double_blank_pips=25"),
    "draw": ("block", 2, "drawing=yes stock_floor=2"),
    "block in differences, the winner opens": ("block", 3, "blocked_points=differences next_opener=winner"),
    "muggins proper": ("all-fives", 2, "spinner=no end=at_once target=150"),
    "fives for four, rounded up": ("all-fives", 4, "rounding=up target=250"),
    "double nine": ("fr-domino", 4, "max_number=9"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_attested_variant_is_played_from_the_deal_to_the_end(variant: str) -> None:
    preset, players, options = VARIANTS[variant]
    played = party(preset, players, options)
    state = played.play(60).state
    assert state.phase is Phase.OVER
    assert awards(played) == list(state.scores)
    assert max(state.scores) >= state.settings.target


@pytest.mark.parametrize("preset", LAYOUT_GAMES)
def test_a_match_of_a_fixed_number_of_rounds_ends_after_them_whatever_the_target(preset: str) -> None:
    played = party(preset, 2, "rounds=3 target=1")
    state = played.play(20).state
    assert (state.phase, state.round) == (Phase.OVER, 3)
    best = min(state.scores) if state.settings.lowest_wins else max(state.scores)
    assert state.scores[state.ranking[0][0]] == best


@pytest.mark.parametrize("preset", LAYOUT_GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_proven_of_hidden_hands_did_happen(preset: str, seed: int) -> None:
    played = party(preset, 2 + seed % 3, "target=1000000", seed, mischief=0.15)
    played.play(2)
    assert [proof for proof, is_so in played.proofs if not is_so] == []


def test_what_is_proven_of_hidden_hands_is_of_every_kind() -> None:
    found = set()
    for preset, seed in (("uk-tridomino", 0), ("fr-domino", 1), ("fr-domino", 2), ("ro-trimino/manufacturer", 2)):
        played = party(preset, 4, "target=1000000", seed, mischief=0.3)
        played.play(3)
        found |= {proof.reason for proof, _ in played.proofs}
    assert found >= {Reason.FALSE_PASS_PROVEN, Reason.FALSE_DRAW_PROVEN, Reason.WRONG_OPENER_PROVEN}
