"""Score sheets and statistics: what matches amount to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee import statistics, transcript, umpire
from referee.rulings import Award
from referee.statistics import Best
from referee.umpire import Record
from tests.referee.entering import written

RECORDS = [
    path
    for kind in ("fr-domino", "kk-moon", "ro-trimino", "cs-triomino")
    for path in sorted((Path(__file__).parent.parent / "records").glob(f"{kind}-[!c]*.txt"))
    if "club" not in path.name
]
GOAT = ("match fr-domino A=Ana B=Bo rounds=2 hands=2:1", "begin", "A lays 0-0 at left", "B shows 5-6")


def played(path: Path) -> Record:
    """A match that is written down."""
    return transcript.played(transcript.read(path.read_text(encoding="utf-8")))[0]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_score_sheet_adds_up_to_the_scores_line_by_line(path: Path) -> None:
    record = played(path)
    lines = statistics.sheet(record)
    totals = (0,) * record.state.players
    for line in lines:
        totals = tuple(total + points for total, points in zip(totals, line.points, strict=True))
        assert line.scores == totals
        for seat, points in enumerate(line.points):
            assert sum(item.points for item in line.items if item.seat == seat) == points
    assert totals == record.state.scores
    assert len({line.number for line in lines}) == len(lines)


def test_a_line_tells_who_opened_how_it_ended_and_what_the_points_were_for() -> None:
    (line,) = statistics.sheet(written(*GOAT))
    assert (line.number, line.opener, line.end, line.out) == (1, 0, "out", 0)
    assert line.points == (0, 11)
    assert line.items == (Award(1, "hand", 11),)


def test_what_is_undone_or_dealt_again_has_opened_and_earned_nothing() -> None:
    begun = ("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A announces 5-5-5", "B announces 0-0-1")
    record = written(*begun, "A lays 5-5-5 at 0,0,U", "undo 5")
    assert (statistics.sheet(record)[0].opener, statistics.sheet(record)[0].points) == (None, (0, 0))
    record = written(*begun, "A lays 5-5-5 at 0,0,U", "redeal")
    line = statistics.sheet(record)[-1]
    assert (line.opener, line.points, line.end) == (None, (0, 0), "")


def test_a_refused_tile_counts_as_illegal_until_it_is_undone_or_let_stand() -> None:
    begun = (*GOAT[:2], "A lays 0-0 at left")
    refused = written(GOAT[0].replace("2:1", "2:2"), *begun[1:], "B lays 5-6 at left")
    assert statistics.summary(refused).illegal == (0, 1)
    assert statistics.summary(written("overrule 4", record=refused)).illegal == (0, 0)


def test_the_best_move_is_the_tile_that_earned_most() -> None:
    begun = ("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A announces 5-5-5", "B announces 0-0-1")
    assert statistics.summary(written(*begun, "A lays 5-5-5 at 0,0,U")).best == (Best("5-5-5", 25), None)


def test_careers_count_only_what_was_played_to_its_end_and_lowest_wins_is_best() -> None:
    over = statistics.summary(written(GOAT[0].replace("rounds=2", "rounds=1"), *GOAT[1:]))
    going_on = statistics.summary(written(*GOAT))
    worse = replace(over, scores=(7, 20))
    ana, bo = statistics.careers([over, going_on, worse])
    assert (ana.name, ana.games, ana.wins, ana.shared, ana.total, ana.top, ana.average) == ("Ana", 2, 2, 0, 7, 0, 3.5)
    assert (bo.name, bo.wins, bo.top, bo.best) == ("Bo", 0, 11, None)


def test_a_shared_win_is_a_win_of_each_and_names_count_as_entered() -> None:
    over = statistics.summary(written(GOAT[0].replace("rounds=2", "rounds=1"), *GOAT[1:]))
    tie = replace(over, ranking=((0, 1),), names=("Ana", "ana"))
    assert [(each.name, each.wins, each.shared) for each in statistics.careers([tie])] == [("Ana", 1, 1), ("ana", 1, 1)]


def test_each_game_is_counted_by_itself() -> None:
    over = statistics.summary(written(GOAT[0].replace("rounds=2", "rounds=1"), *GOAT[1:]))
    other = replace(over, game="kk-moon", lowest_wins=False, best=(Best("1-2", 3), None))
    found = statistics.careers([over, other, replace(other, best=(Best("1-1", 5), None))])
    assert [(each.name, each.game, each.games) for each in found] == [
        *(("Ana", "fr-domino", 1), ("Ana", "kk-moon", 2), ("Bo", "fr-domino", 1), ("Bo", "kk-moon", 2)),
    ]
    assert found[1].best == Best("1-1", 5)


def test_the_sheet_of_a_match_has_no_rounds_of_the_one_before_it_in_the_same_record() -> None:
    over = written(GOAT[0].replace("rounds=2", "rounds=1"), *GOAT[1:])
    again = written(GOAT[0], record=over)
    assert [line.points for line in statistics.sheet(again)] == [(0, 0)]
    assert umpire.void(again) == frozenset()
