"""Moon at the table: the lot, what is shown, and what the recorded matches hold."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from display.sentences import AWARDS, TRICKS, Words
from referee import notation, transcript, wire
from referee.games import game, moon
from referee.journal import Journal
from referee.moves import Begin, FirstBidder
from referee.rulings import Reason
from referee.table import Table
from referee.tiles import Tile
from referee.tricks.trick import Step, TrickState, Why
from referee.umpire import Match

RECORDS = Path(__file__).parent.parent / "records"


class Dark:
    """Neither buzzer nor lamp."""

    status = "ok"

    def buzz(self) -> None:
        """Sound nothing."""

    def led(self, on: bool) -> None:
        """Light nothing."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


def seated(journal: Journal, seed: int = 1) -> Table:
    table = Table(journal, Dark(), "one", chance=random.Random(seed))
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
    return table


def say(table: Table, *lines: str) -> wire.View:
    for line in lines:
        view = table.view
        order = wire.Order(id=f"{view.seq} {line}", epoch=view.epoch, seq=view.seq, by="screen", line=line)
        answer = table.order(order)
        assert answer.status == "done", (line, answer)
    return table.view


def test_the_first_bidder_is_drawn_when_play_begins_and_written_down(journal: Journal) -> None:
    table = seated(journal)
    view = say(table, "begin")
    entry = journal.entries()[-1]
    assert (entry.by, entry.reason) == ("referee", Reason.OK_FIRST_BIDDER)
    assert isinstance(entry.what, FirstBidder)
    assert view.turn == entry.what.seat


def test_the_lot_is_the_chance_that_was_passed_in(tmp_path: Path) -> None:
    drawn = set()
    for seed in range(12):
        journal = Journal(tmp_path / f"{seed}.sqlite3")
        drawn.add((say(seated(journal, seed), "begin").turn, random.Random(seed).choice((0, 1, 2))))
        journal.close()
    assert drawn == {(0, 0), (1, 1), (2, 2)}


def test_a_lot_that_is_undone_is_not_drawn_again_and_the_people_decide(journal: Journal) -> None:
    table = seated(journal)
    number = len(say(table, "begin").log) + 1
    view = say(table, f"undo {number}")
    assert view.turn is None
    assert "first" in view.actions
    assert say(table, "first bidder C").turn == 2


def test_a_first_bidder_who_was_set_by_hand_is_not_drawn(journal: Journal) -> None:
    view = say(seated(journal), "first bidder B", "begin")
    assert (view.turn, len(journal.entries())) == (1, 3)


def test_a_lot_that_could_not_be_drawn_before_a_restart_is_drawn_after_it(journal: Journal) -> None:
    journal.append(Match("kk-moon", ("Ana", "Bo", "Cy")), Reason.OK_MATCH, "screen", None)
    journal.append(Begin(), Reason.OK_BEGIN, "screen", None)
    table = Table(journal, Dark(), "two", chance=random.Random(1))
    assert table.view.turn == random.Random(1).choice((0, 1, 2))


def test_the_view_tells_the_auction_the_trumps_and_the_tricks(journal: Journal) -> None:
    table = seated(journal)
    view = say(table, "first bidder A", "begin")
    assert {"bids", "passes", "first"} <= set(view.actions)
    view = say(table, "A bids 5", "B passes")
    assert view.tricks is not None
    assert view.tricks.calls == (wire.Call(0, 5), wire.Call(1, 0))
    view = say(table, "C passes")
    assert (view.actions[0], view.seats[0].tiles, view.stock) == ("discards", 8, 0)
    assert say(table, "A discards hidden").actions[0] == "names"
    view = say(table, "A names 2", "A plays 6-6")
    assert view.tricks == wire.Tricks(
        step="tricks",
        first=0,
        calls=(wire.Call(0, 5), wire.Call(1, 0), wire.Call(2, 0)),
        bidder=0,
        bid=5,
        trump="2",
        taken=(0, 0, 0),
        trick=(wire.Played(0, "6-6"),),
        suit="6",
    )
    assert (view.actions[0], view.turn) == ("plays", 1)


def test_fixed_what_can_be_called_follows_the_house_rules_also_on_a_phone(journal: Journal) -> None:
    table = Table(journal, Dark(), "one")
    options = (("hands", "3:12"), ("least_bid", "5"), ("max_number", "8"), ("opening", "any"))
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy"), tuple(sorted(options))))
    view = say(table, "first bidder A", "begin")
    assert view.tricks is not None
    assert view.tricks.choices == ("5", "6", "7", "8", "9", "10", "11", "12", "21")
    view = say(table, "A bids 11")
    assert view.tricks is not None
    assert view.tricks.choices == ("12", "21")
    view = say(table, "B passes", "C passes", "A discards hidden")
    assert view.tricks is not None
    assert view.tricks.choices == (*"012345678", "doubles", "none")


def refused(table: Table, line: str) -> str:
    """The reason why a line is refused."""
    view = table.view
    answer = table.order(wire.Order(id=f"{view.seq} {line}", epoch=view.epoch, seq=view.seq, by="screen", line=line))
    assert answer.status == "refused"
    return answer.reason


def next_line(state: TrickState, hands: list[list[Tile]], centre: list[Tile], chance: random.Random) -> str:
    """What the seat to move says or plays, by the rules and from its own hand."""
    seat = state.turn
    assert seat is not None
    hand, letter = hands[seat], "ABC"[seat]
    if state.step is Step.AUCTION:
        bid = chance.choice((0, 0, 4, 5))
        return f"{letter} bids {bid}" if bid > state.bid else f"{letter} passes"
    if state.step is Step.EXCHANGE:
        hand += centre
        discard = hand.pop(chance.randrange(8))
        return f"{letter} discards {chance.choice(('hidden', discard))}"
    if state.step is Step.TRUMP:
        return f"{letter} names {chance.choice((0, 1, 2, 3, 4, 5, 6, 'doubles', 'none'))}"
    play = chance.choice(moon.plays(state, hand))
    hand.remove(play.tile)
    return notation.write(play)


def play_a_deal(table: Table, chance: random.Random) -> int:
    """Tiles are dealt, and all do what they may until the deal is scored or dealt again; who has bid first."""
    tiles = chance.sample(game("kk-moon").tiles, 22)
    hands = [tiles[0:7], tiles[7:14], tiles[14:21]]
    first = say(table, "begin").turn
    assert first is not None
    while table.view.phase == "play":
        assert table.record is not None
        assert isinstance(table.record.state, TrickState)
        say(table, next_line(table.record.state, hands, tiles[21:], chance))
    return first


def test_a_whole_match_is_dealt_bid_played_and_scored_to_its_end_by_text_alone(journal: Journal) -> None:
    chance, table = random.Random(1), seated(journal)
    firsts = [play_a_deal(table, chance)]
    while table.view.phase != "over":
        if table.view.phase == "clearing":
            say(table, "clear")
        firsts.append(play_a_deal(table, chance))
    assert firsts == [(firsts[0] + deal) % 3 for deal in range(len(firsts))]
    view, entries = table.view, journal.entries()
    assert sorted(seat for group in view.ranking for seat in group) == [0, 1, 2]
    assert view.seats[view.ranking[0][0]].score >= 21
    assert [entry.by for entry in entries].count("referee") == 2  # the match, and the lot
    # played once more from the journal it comes out the same, line by line
    text = transcript.of_entries(entries)
    record, judged = transcript.played(transcript.read(str(text)))
    assert transcript.differences(text, judged) == ()
    assert table.record is not None
    assert record.state == table.record.state


def test_after_all_have_passed_the_first_bid_moves_on_and_no_lot_is_drawn(journal: Journal) -> None:
    table = seated(journal)
    first = say(table, "begin").turn
    assert first is not None
    seats = [(first + step) % 3 for step in range(3)]
    view = say(table, *(f"{'ABC'[seat]} passes" for seat in seats))
    assert (view.phase, view.turn, view.last and view.last.reason) == ("deal", seats[1], "all-pass-redeal")
    view = say(table, "begin")
    assert (view.turn, view.round) == (seats[1], 1)
    assert [entry.by for entry in journal.entries()].count("referee") == 2


def test_a_redealt_first_deal_may_be_given_to_another_first_bidder_by_hand(journal: Journal) -> None:
    table = seated(journal)
    say(table, "first bidder A", "begin", "A passes", "B passes", "C passes")
    assert say(table, "first bidder A", "begin").turn == 0


def test_what_is_refused_leaves_no_trace_and_says_why(journal: Journal) -> None:
    table = seated(journal)
    say(table, "first bidder A", "begin", "A bids 5")
    before = journal.entries()
    assert refused(table, "C bids 6") == "out-of-turn"
    assert refused(table, "B bids 4") == "bid-too-low"
    assert refused(table, "A bids 6") == "out-of-turn"
    assert refused(table, "B plays 6-6") == "not-now"
    assert refused(table, "B bids six") == "notation"
    assert journal.entries() == before


def test_a_bid_out_of_turn_stands_when_the_turn_is_given_to_its_seat(journal: Journal) -> None:
    table = seated(journal)
    say(table, "first bidder A", "begin")
    assert refused(table, "B bids 5") == "out-of-turn"
    view = say(table, "turn B", "B bids 5", "C passes", "A passes")
    assert view.tricks is not None
    assert (view.tricks.bidder, view.tricks.bid, view.actions[0]) == (1, 5, "discards")


LED = ("A bids 4", "B passes", "C passes", "A discards hidden", "A names 2", "A plays 5-6", "B plays 1-3")


def test_a_revoke_seen_in_the_open_trick_is_corrected_and_the_trick_goes_on(journal: Journal) -> None:
    table = seated(journal)
    say(table, "first bidder A", "begin", *LED)
    number = len(journal.entries())
    view = say(table, "B exposes 4-6", f"correct! {number}: B plays 4-6", "C plays 1-6")
    assert view.tricks is not None
    assert (view.phase, view.tricks.taken) == ("play", (1, 0, 0))
    assert say(table, "A plays 4-4", "B plays 1-3").phase == "play"


def test_the_table_goes_on_in_the_middle_of_a_trick_after_a_restart(journal: Journal) -> None:
    table = seated(journal)
    before = say(table, "first bidder A", "begin", *LED)
    again = Table(journal, Dark(), "two")
    assert (again.view.tricks, again.view.turn, again.view.seats) == (before.tricks, before.turn, before.seats)
    view = say(again, "C plays 1-6", "A plays 4-4", "B plays 4-6")
    assert (view.phase, view.seats[0].score) == ("clearing", 4)


def test_one_line_says_who_took_the_trick_and_why(journal: Journal) -> None:
    table = seated(journal)
    lines = ("A bids 5", "B passes", "C passes", "A discards hidden", "A names 2", "A plays 6-6", "B plays 1-2")
    view = say(table, "first bidder A", "begin", *lines)
    assert view.tricks is not None
    assert Words().trick(view.seats, view.tricks) == ""
    view = say(table, "C plays 5-6")
    assert view.tricks is not None
    assert (view.tricks.winner, view.tricks.why, view.tricks.taken) == (1, "highest-trump", (0, 1, 0))
    assert Words().trick(view.seats, view.tricks) == "Bo takes the trick: 1-2 is the highest trump"
    assert wire.decode(wire.encode(view), wire.View) == view


def test_every_way_to_take_a_trick_has_a_sentence() -> None:
    assert set(TRICKS) == {why.value for why in Why}


def test_the_recorded_matches_hold_every_reason_and_every_award_that_moon_can_give() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in RECORDS.glob("kk-moon-*.txt"))
    said = set(re.findall(r"# (?!over)([a-z-]+)", text)) | set(re.findall(r"proven ([a-z-]+)", text))
    assert {reason.value for reasons in moon.CLAUSES.values() for reason in reasons} <= said
    assert {"ok-undo", "ok-correct", "no-such-entry", "needs-confirming"} <= said
    awards = set(re.findall(r", [ABC] ([a-z_]+) [+-]\d", text))
    assert awards == {"bid", "moon", "tricks", "no_discard", "revoke", "adjusted", "void"}
    assert awards <= set(AWARDS)
