"""The journal: entries fold into a record; undo, overrule and correct are entries too."""

from __future__ import annotations

import re

import pytest

from referee import notation, umpire
from referee.rulings import Reason
from referee.state import Phase, changed
from referee.umpire import Correct, Entry, Match, Record, Undo

OPENING = ["match ro-trimino/manufacturer A=Ana B=Bo C=Cy opening=any", "begin", "A lays 3-3-3 at 0,0,U"]
# A ring round a hole; 0,0,U then is the place of a bridge.
RING = [
    "match ro-trimino/manufacturer A=Ana B=Bo opening=any",
    "begin",
    "A lays 4-3-3 at 0,-1,D",
    "B lays 5-3-4 at 0,-1,U",
    "A lays 5-3-3 at -1,-1,D",
    "B lays 3-0-3 at -1,0,U",
    "A lays 3-0-0 at -2,0,D",
    "B lays 0-0-0 at -2,1,U",
    "A lays 0-0-1 at -2,1,D",
    "B lays 0-1-2 at -1,1,U",
]


CHAIN = ["0-0", "0-1", "1-1", "1-2", "2-2", "2-3", "3-3", "3-4", "4-4", "4-5", "5-5", "5-6", "6-6"]


def written(*lines: str, record: Record | None = None) -> Record:
    """A record with these lines appended."""
    for line in lines:
        act = notation.parse(line)
        seq = len(record.entries) + 1 if record else 1
        record = umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))
    assert record is not None
    return record


def reasons(record: Record) -> list[str | None]:
    return [ruling and ruling.reason.value for ruling in record.rulings]


def test_a_match_begins_with_its_names_and_house_rules() -> None:
    state = umpire.opened(Match("fr-domino", ("Ana", "Bo"), (("target", "50"),)))
    assert (state.game, state.names, state.settings.target, state.phase) == ("fr-domino", ("Ana", "Bo"), 50, Phase.DEAL)


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (Match("chess", ("A", "B")), "expected a game"),
        (Match("fr-domino", ("A",)), "expected 2 to 4 players"),
        (Match("fr-domino", ("A", "B"), (("target", "x"),)), "house rule target"),
    ],
)
def test_a_match_that_cannot_be_opened_is_refused_in_words(match: Match, message: str) -> None:
    for attempt in (umpire.opened, lambda asked: umpire.judge(None, asked)):
        with pytest.raises(ValueError, match=message):
            attempt(match)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Ana", "B\no"), "U+000A in 'B\\no'"),
        (("Ana", "B\u202eo"), "U+202E"),
        (("Ana", "Bo\u200b"), "U+200B"),
        (("Ana", "\x1b[2J"), "U+001B"),
        (("Ana", "\u3164"), "U+3164"),
        (("Ana", "B\u2028o"), "U+2028"),
        (("Ana", "ANA"), "names that differ, got 'Ana' and 'ANA'"),
        (("Ana", " Ana"), "names that differ"),
        (("Ana Maria", "Ana\u00a0 Maria"), "names that differ"),
        (("Zo\u00eb", "zoe\u0308"), "names that differ"),
        (("\uff21na", "Ana"), "names that differ"),
        (("Stra\u00dfe", "STRASSE"), "names that differ"),
        (("Ana", " "), "names of 1 to 60"),
        (("Ana", "B" * 61), "names of 1 to 60"),
    ],
)
def test_fixed_names_that_nobody_could_tell_apart_or_read_open_no_match(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        umpire.opened(Match("fr-domino", names))


def test_names_in_any_script_open_a_match() -> None:
    names = ("C\u00e9lia O'Neil-3", "\u0411\u043e\u0433\u0434\u0430\u043d", "\u674e", "\u0639\u0644\u064a")
    assert umpire.opened(Match("fr-domino", names)).names == names


def test_nothing_comes_before_the_first_match() -> None:
    with pytest.raises(ValueError, match="expected a match to begin"):
        umpire.judge(None, Undo(1))
    with pytest.raises(ValueError, match="at least one entry"):
        umpire.fold(())


def test_entries_follow_each_other() -> None:
    record = written(*OPENING)
    with pytest.raises(ValueError, match="expected entry 4, got entry 6"):
        umpire.append(record, Entry(6, 0, "people", None, Undo(3), Reason.OK_UNDO))


def test_another_match_begins_only_when_the_last_is_over() -> None:
    record = written(*OPENING, "match fr-domino A=Ana B=Bo")
    assert reasons(record)[-1] == "not-now"
    assert record.state.game == "ro-trimino/manufacturer"


def test_an_illegal_placement_is_an_entry_without_effect() -> None:
    record = written(*OPENING)
    illegal = written("B lays 0-1-2 at 0,0,D", record=record)
    assert reasons(illegal)[-1] == "edge-mismatch"
    assert illegal.state is record.state


def test_tiles_and_claims_carry_the_number_of_their_entry() -> None:
    record = written(*OPENING, "B lays 0-1-2 at 0,0,D", "B draws 1", "B lays 3-3-5 at 0,0,D")
    assert [placed.entry for placed in record.state.layout] == [3, 6]
    assert [claim.entry for claim in record.state.claims] == [5]


def test_undo_gives_back_turn_score_stock_and_hand() -> None:
    record = written(*OPENING)
    for line in ("B draws 2", "B lays 3-3-5 at 0,0,D"):
        more = written(line, record=record)
        undone = written(f"undo {len(more.entries)}", record=more)
        assert undone.state == record.state
        assert undone.rulings[len(more.entries) - 1] is None
        record = more


def test_undoing_the_last_pass_steps_the_counter_back() -> None:
    record = written(*OPENING, "B draws 35", "B passes", "C passes")
    assert record.state.stuck == 2
    assert written("undo 6", record=record).state.stuck == 1


def test_undoing_the_tile_that_ended_the_round_or_the_match_reopens_it() -> None:
    lines = ["match fr-domino A=Ana B=Bo opening=any target=1", "begin"]
    lines += [f"{'AB'[n % 2]} lays {tile} at right" for n, tile in enumerate(CHAIN)]
    over = written(*lines, "B shows 0-6")
    assert (over.state.phase, over.state.ranking) == (Phase.OVER, ((0,), (1,)))
    assert reasons(written("undo 16", record=over))[-1] == "needs-confirming"
    hands_shown = written("undo! 16", record=over)
    assert (hands_shown.state.phase, hands_shown.state.ranking) == (Phase.SHOW_HANDS, ())
    assert (hands_shown.state.scores, hands_shown.state.shown) == ((0, 0), ((), None))
    in_play = written("undo 15", record=hands_shown)
    assert (in_play.state.phase, in_play.state.turn, in_play.state.out) == (Phase.PLAY, 0, None)
    assert written("match fr-domino A=Ana B=Bo", record=over).state.names == ("Ana", "Bo")


def test_an_undo_can_be_undone() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D")
    again = written("undo 4", "undo 5", record=record)
    assert again.state == record.state
    assert reasons(again)[3:] == ["ok-edge", None, "ok-undo"]


def test_a_bonus_undone_is_not_paid_later() -> None:
    ring = written(*RING)
    bridge = written("A lays 3-2-3 at 0,0,U", record=ring)
    assert bridge.state.scores[0] - ring.state.scores[0] == 48
    plain = written("undo 11", "A lays 2-1-1 at -1,1,D", record=bridge)
    assert plain.state.scores[0] - ring.state.scores[0] == 4
    refused = written("A lays 3-4-3 at 0,0,U", "A lays 2-1-1 at -1,1,D", record=ring)
    assert refused.state.scores == plain.state.scores


def test_only_an_entry_that_counts_can_be_undone() -> None:
    record = written(*OPENING, "B lays 0-1-2 at 0,0,D")
    for line in ("undo 1", "undo 4", "undo 0", "undo 9"):
        assert reasons(written(line, record=record))[-1] == "no-such-entry"
    assert reasons(written("undo 3", "undo 3", record=record))[-1] == "no-such-entry"


def test_an_illegal_placement_can_be_let_stand_and_that_can_be_undone() -> None:
    record = written(*OPENING, "B lays 0-1-2 at 0,0,D", "overrule 4")
    assert reasons(record)[3:] == ["ok-overruled", "ok-overruled"]
    assert (record.state.scores, record.state.turn, record.state.hands) == ((9, 3, 0), 2, (6, 6, 7))
    assert record.state.layout[-1].overruled
    back = written("undo 5", record=record)
    assert reasons(back)[3] == "edge-mismatch"
    assert back.state == written(*OPENING).state


def test_only_an_illegal_placement_that_could_lie_there_can_be_let_stand() -> None:
    record = written(*OPENING, "B passes", "B lays 3-3-3 at 0,0,D", "B lays 0-1-2 at 0,0,D", "overrule 6")
    for line, reason in (
        ("overrule 3", "no-such-entry"),
        ("overrule 4", "no-such-entry"),
        ("overrule 5", "tile-already-played"),
        ("overrule 6", "no-such-entry"),
    ):
        refused = written(line, record=record)
        assert reasons(refused)[-1] == reason
        assert refused.state is record.state


def test_a_correction_is_judged_like_a_new_move_and_later_scores_follow() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-4-5 at 1,0,U")
    assert reasons(record)[-1] == "edge-mismatch"
    corrected = written("correct 4: B lays 3-3-4 at 0,0,D", record=record)
    assert corrected.state.scores == (9, 10, 12)
    assert [placed.entry for placed in corrected.state.layout] == [3, 4, 5]
    refused = written("correct 4: B lays 3-4-4 at 0,0,D", record=record)
    assert reasons(refused)[-1] == "edge-mismatch"
    assert refused.state is record.state


def test_a_tile_refused_and_taken_back_does_not_come_to_life_once_play_has_gone_on() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-4-5 at 1,0,U", "C lays 1-3-3 at 0,-1,D")
    corrected = written("correct 4: B lays 3-3-4 at 0,0,D", record=record)
    assert reasons(corrected)[3:] == ["ok-edge", "edge-mismatch", "ok-edge", "ok-correct"]
    assert corrected.state.scores == (9, 10, 7)


def test_a_tile_revived_by_a_correction_stays_when_play_goes_on() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-4-5 at 1,0,U")
    record = written("correct 4: B lays 3-3-4 at 0,0,D", "A lays 1-3-3 at 0,-1,D", record=record)
    assert record.state.scores == (16, 10, 12)
    assert written("undo 6", "undo 8", record=record).state == record.state


def test_what_becomes_illegal_by_an_undo_says_so_and_comes_back_with_it() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U")
    assert reasons(record)[-1] == "ok-edge"
    undone = written("undo 4", record=record)
    assert reasons(undone)[3:] == [None, "out-of-turn", "ok-undo"]
    assert written("undo 6", record=undone).state == record.state


def test_the_last_correction_counts() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "correct 4: B lays 3-3-4 at 0,0,D")
    again = written("correct 4: B lays 1-3-3 at 0,-1,D", record=record)
    assert again.state.scores == (9, 7, 0)
    assert written("undo 6", record=again).state == record.state
    assert written("undo 5", record=again).state == again.state


def test_the_entries_that_count_are_those_not_undone_as_they_were_corrected() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "correct 4: B lays 3-3-4 at 0,0,D", "C draws 1", "undo 6")
    assert [notation.write(entry.what) for entry in umpire.effective(record)][2:] == [
        "A lays 3-3-3 at 0,0,U",
        "B lays 3-3-4 at 0,0,D",
    ]
    assert umpire.void(record) == {6}


def test_judging_changes_nothing_and_tells_the_state_to_come() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D")
    judged = umpire.judge(record, Undo(4))
    assert judged.state == written("undo 4", record=record).state
    assert len(record.entries) == 4


def test_a_second_sighting_of_a_tile_that_lies_is_refused_by_name() -> None:
    record = written(*OPENING, "B lays 3-3-3 at 0,0,D")
    assert reasons(record)[-1] == "tile-already-played"


def test_a_match_that_is_over_asks_before_it_is_changed() -> None:
    lines = ["match fr-domino A=Ana B=Bo opening=any target=1", "begin"]
    lines += [f"{'AB'[n % 2]} lays {tile} at right" for n, tile in enumerate(CHAIN)]
    over = written(*lines, "B shows 0-6")
    for line in ("undo 16", "correct 16: B shows 0-5"):
        asked = written(line, record=over)
        assert reasons(asked)[-1] == "needs-confirming"
        assert asked.state is over.state
    corrected = written("correct! 16: B shows 0-5", record=over)
    assert (corrected.state.phase, corrected.state.scores) == (Phase.OVER, (0, 5))
    assert reasons(written("undo 99", record=over))[-1] == "no-such-entry"


def test_a_correction_may_change_the_place_the_player_or_the_hand() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C draws 2")
    assert written("correct 4: B lays 5-3-3 at 0,-1,D", record=record).state.scores == (9, 11, -10)
    assert written("correct 5: C draws 3", record=record).state.scores == (9, 11, -15)
    other = written("turn C", "correct 4: C lays 3-3-5 at 0,0,D", record=written(*OPENING, "B lays 3-3-5 at 0,0,D"))
    assert reasons(other)[-1] == "out-of-turn"
    player = written("undo 4", "turn C", "C lays 3-3-5 at 0,0,D", record=record)
    assert player.state.scores[2] == 11


def test_what_a_change_would_bring_about_is_listed_and_nothing_is_decided() -> None:
    record = written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    change = Correct(4, notation.parse("B lays 3-3-4 at 0,0,D"))  # type: ignore[arg-type]  # a move
    listed = umpire.consequences(record, change)
    assert [(each.entry, each.is_question) for each in listed] == [(4, False), (5, True), (6, True)]
    assert [each.after and each.after.reason.value for each in listed] == ["ok-edge", "edge-mismatch", "out-of-turn"]
    assert record == written(*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    assert umpire.consequences(record, Undo(99)) == ()


SHIFTED = [*OPENING, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D"]


def test_a_change_reaches_far_when_it_touches_more_than_the_entry_that_it_is_about() -> None:
    record = written(*SHIFTED)
    for line, far in (
        ("undo 6", False),
        ("undo 5", True),
        ("correct 6: A lays 1-3-3 at 0,-1,D", False),
        ("correct 4: B lays 3-3-4 at 0,0,D", True),
        ("correct! 4: B lays 3-3-4 at 0,0,D", True),
        ("correct 4: B lays 3-4-4 at 0,0,D", False),  # refused anyway
        ("undo 99", False),
    ):
        assert umpire.reaches_far(record, notation.parse(line)) is far, line  # type: ignore[arg-type]  # a change
    assert not umpire.reaches_far(written("undo 6", record=record), Undo(7)), "one tap gives back what one tap took"
    corrected = written("correct 4: B lays 3-3-4 at 0,0,D", record=record)
    assert umpire.reaches_far(corrected, Undo(7))


def test_a_move_that_stood_and_became_illegal_is_unsettled_until_somebody_settles_it() -> None:
    record = written(*SHIFTED, "correct 4: B lays 3-3-4 at 0,0,D")
    assert umpire.unsettled(record) == (5, 6)
    assert umpire.unsettled(umpire.fold(record.entries)) == (5, 6), "it is asked after a restart as well"
    assert [placed.entry for placed in record.state.layout] == [3, 4], "it does not count meanwhile"
    assert umpire.unsettled(written("overrule 5", record=record)) == ()
    assert umpire.unsettled(written("correct 5: C lays 3-4-4 at 1,0,U", record=record)) == ()
    assert umpire.unsettled(written("undo 7", record=record)) == ()
    taken_out = written("undo 5", record=record)
    assert umpire.unsettled(taken_out) == (6,)
    assert umpire.unsettled(written("undo 6", record=taken_out)) == ()
    assert umpire.unsettled(written("undo 8", record=taken_out)) == (5, 6), "taken out by mistake, it is asked again"


def test_a_tile_that_never_stood_is_not_unsettled() -> None:
    assert umpire.unsettled(written(*OPENING, "B lays 0-1-2 at 0,0,D")) == ()
    assert umpire.unsettled(written(*OPENING, "B lays 0-1-2 at 0,0,D", "overrule 4", "undo 5")) == ()
    let_stand = written(*OPENING, "B lays 0-1-2 at 0,0,D", "overrule 4", "C draws 1")
    assert umpire.unsettled(written("undo 5", record=let_stand)) == (6,), "C's draw stood, B's tile did not"


CORRECTIONS = {
    "the tile's value": ([], "correct 3: A lays 3-3-5 at 0,0,U", (11, 0, 0)),
    "its place": (["B lays 3-3-5 at 0,0,D"], "correct 4: B lays 5-3-3 at 0,-1,D", (9, 11, 0)),
    "its player": (["B lays 3-3-5 at 0,0,D"], "correct 4: C lays 3-3-5 at 0,0,D overruled", (9, 0, 11)),
    "how many tiles were drawn": (["B draws 1"], "correct 4: B draws 3", (9, -15, 0)),
    "what was done": (["B draws 1"], "correct 4: B lays 3-3-5 at 0,0,D", (9, 11, 0)),
    "who was given points": (["A gets -20"], "correct 4: C gets -20", (9, 0, -20)),
    "how many points": (["A gets -20"], "correct 4: A gets 30", (39, 0, 0)),
    "whose turn it is": (["turn C", "C draws 1"], "correct 4: turn A", (9, 0, 0)),
    "a corrected entry": (["B draws 1", "correct 4: B draws 2"], "correct 4: B draws 3", (9, -15, 0)),
    "a tile that was refused": (["B lays 0-1-2 at 0,0,D"], "correct 4: B lays 3-3-5 at 0,0,D", (9, 11, 0)),
}


@pytest.mark.parametrize(("before", "line", "scores"), CORRECTIONS.values(), ids=CORRECTIONS)
def test_any_entry_can_be_corrected_in_any_respect(before: list[str], line: str, scores: tuple[int, ...]) -> None:
    record = written(*OPENING, *before)
    corrected = written(line, record=record)
    assert reasons(corrected)[-1] == "ok-correct"
    assert corrected.state.scores == scores
    assert written(f"undo {len(corrected.entries)}", record=corrected).state == record.state


PENALTY = ["match ro-trimino/manufacturer A=Ana B=Bo C=Cy opening=any wrong_tile_penalty=20", *OPENING[1:]]


def test_a_wrong_tile_that_costs_points_gives_them_back_when_it_is_undone_overruled_or_corrected() -> None:
    record = written(*PENALTY, "B lays 0-1-2 at 0,0,D")
    assert (reasons(record)[-1], record.state.scores) == ("edge-mismatch", (9, -20, 0))
    for line, scores in (
        ("undo 4", (9, 0, 0)),
        ("overrule 4", (9, 3, 0)),
        ("correct 4: B lays 3-3-5 at 0,0,D", (9, 11, 0)),
    ):
        changed = written(line, record=record)
        assert changed.state.scores == scores
        assert umpire.fold(changed.entries) == changed
        assert written("undo 5", record=changed).state == record.state
    played_on = written("B lays 3-3-5 at 0,0,D", "C draws 1", record=record)
    assert played_on.state.scores == (9, -9, -5)
    assert written("undo 4", record=played_on).state.scores == (9, 11, -5)
    assert [entry.seq for entry in umpire.effective(played_on)] == [1, 2, 3, 4, 5, 6]


def test_a_refused_correction_costs_nothing() -> None:
    record = written(*PENALTY, "B lays 3-3-5 at 0,0,D", "correct 4: B lays 0-1-2 at 0,0,D")
    assert reasons(record)[-1] == "edge-mismatch"
    assert record.state.scores == (9, 11, 0)
    assert record.rulings[-1] is not None
    assert record.rulings[-1].awards == ()


def test_a_move_that_a_correction_makes_illegal_costs_nothing_while_it_is_asked_about() -> None:
    lines = [*PENALTY, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U"]
    record = written(*lines, "correct 4: B lays 3-3-4 at 0,0,D")
    assert (umpire.unsettled(record), record.state.scores) == ((5,), (9, 10, 0))


def test_a_tile_that_was_right_after_all_costs_nothing() -> None:
    record = written(*PENALTY, "B lays 3-3-5 at 0,0,D", "C lays 3-4-5 at 1,0,U", "C lays 1-3-3 at 0,-1,D")
    assert record.state.scores == (9, 11, -13)
    corrected = written("correct 4: B lays 3-3-4 at 0,0,D", record=record)
    assert (reasons(corrected)[4], corrected.state.scores) == ("edge-mismatch", (9, 10, 7))


def test_changed_points_are_listed_as_well() -> None:
    record = written(*OPENING, "B draws 1", "B lays 3-3-5 at 0,0,D")
    listed = umpire.consequences(record, notation.parse("correct 4: B draws 3"))  # type: ignore[arg-type]  # a correction
    assert [
        (each.entry, each.before and each.before.points(1), each.after and each.after.points(1)) for each in listed
    ] == [(4, -5, -15)]


def test_a_changed_state_is_another_one_of_the_same_kind_with_no_other_fields() -> None:
    state = written(*OPENING).state
    more = changed(state, turn=2, drawn=1)
    assert (more.turn, more.drawn, more.layout, type(more)) == (2, 1, state.layout, type(state))
    assert (state.turn, state.drawn) == (1, 0)
    assert changed(more, turn=1, drawn=0) == state
    with pytest.raises(TypeError, match="expected fields of a state, got turns"):
        changed(state, turns=2)
