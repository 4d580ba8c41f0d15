"""Whole matches of people who play by house rules, make mistakes, change their minds and take moves back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import Phase as Stage
from hypothesis import given, settings
from hypothesis import strategies as st

from display.sentences import AWARDS, REASONS, Words
from referee import telling, transcript, umpire, wire
from referee.games import Game, games
from referee.umpire import Record
from tests.walking import house_rules, walks

GAMES = sorted(games())
EXAMPLES = 12


@pytest.mark.parametrize("preset", GAMES)
def test_every_house_rule_has_values_to_try(preset: str) -> None:
    assert set(house_rules(games()[preset])) > {"target"}


@pytest.mark.parametrize("preset", GAMES)
@settings(max_examples=EXAMPLES, phases=(Stage.explicit, Stage.generate))  # a seed is made no simpler by a smaller one
@given(data=st.data())
def test_a_whole_match_holds_together_whatever_people_do(preset: str, data: st.DataObject) -> None:
    game = games()[preset]
    record = data.draw(walks(game)).play()
    assert umpire.fold(record.entries) == record
    check_words(game, record)
    text = transcript.of_entries(record.entries)
    assert transcript.read(str(text)) == text
    again, judged = transcript.played(transcript.read(str(text)))
    assert transcript.differences(text, judged) == ()
    assert again.state == record.state


def check_words(game: Game, record: Record) -> None:
    """Every ruling cites the sheet, can be said in a sentence, and survives the way to a screen."""
    sheet = {f"{game.id} §{clause}" for clause, _ in game.sheet(record.state.settings)}
    seats = tuple(wire.Seat(name, 0, 0, 0) for name in record.state.names)
    void = umpire.void(record)
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        told = telling.ruled(entry, ruling, entry.seq in void)
        assert msgspec.json.decode(msgspec.json.encode(told), type=wire.Ruled) == told
        assert REASONS[told.reason] in Words().ruling(seats, told)
        for award in told.awards:
            assert award.what in AWARDS
            assert str(abs(award.points)) in Words().awards(seats, told) or not award.points
        for proof in ruling.proven if ruling else ():
            assert REASONS[proof.reason]
        assert entry.seq == 1 or set(told.clauses) <= sheet
