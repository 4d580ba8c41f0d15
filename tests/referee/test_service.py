"""The table process as its clients see it: sockets, views, orders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import zmq

from display.link import Link
from hardware.signals import SilentSignals
from referee.config import AlreadyRunningError, ConfigurationError, Places
from referee.journal import Journal
from referee.rulings import Reason
from referee.service import Setting, _opened, serve
from referee.sighting import Facts, SeenTile, Sighting
from referee.table import Table
from referee.tiles import Shape
from referee.umpire import Match
from referee.wire import Answer, Beat, Order, View, decode, encode
from tests.serving import MATCH, serving, status_of, until


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


def answered(link: Link, line: str) -> str:
    """Say a line; the bare status of the answer."""
    return status_of(link, line).split()[0]


def seen(link: Link) -> View:
    assert link.view is not None
    return link.view


def test_a_client_that_joins_late_gets_the_whole_picture_at_once(places: Places) -> None:
    with serving(places, "one"):
        with Link(places, "early") as early:
            until(early, lambda: early.view is not None)
            assert answered(early, "begin") == "done"
        with Link(places, "late") as late:
            until(late, lambda: late.view is not None, within_s=1.0)
            assert seen(late).phase == "play"
            assert late.live


def test_an_order_is_carried_out_and_everybody_sees_it(places: Places) -> None:
    with serving(places, "one"), Link(places, "screen") as screen, Link(places, "phone") as phone:
        until(screen, lambda: screen.view is not None)
        assert answered(screen, "begin") == "done"
        until(phone, lambda: phone.view is not None and phone.view.phase == "play")


def test_of_two_orders_about_one_view_the_first_wins(places: Places) -> None:
    with serving(places, "one"), Link(places, "screen") as screen, Link(places, "phone") as phone:
        for link in (screen, phone):
            until(link, lambda link=link: link.view is not None and link.view.phase == "deal")
        assert answered(screen, "begin") == "done"
        assert phone.view is not None
        assert phone.view.phase == "deal", "this client has not looked since"
        assert answered(phone, "begin") == "stale"


def test_what_reaches_far_is_asked_back_and_the_answer_to_that_grows_stale_with_the_table(places: Places) -> None:
    with serving(places, "one"), Link(places, "screen") as screen, Link(places, "phone") as phone:
        until(screen, lambda: screen.view is not None)
        for line in ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U"):
            assert answered(screen, line) == "done"
            until(screen, lambda line=line: seen(screen).last is not None and seen(screen).last.line == line)  # type: ignore[union-attr]  # the first part looks
        order_id = screen.order("undo 4")
        answers: list[Answer] = []
        until(screen, lambda: bool(answers.extend(screen.answers()) or answers))
        assert (answers[0].id, answers[0].status) == (order_id, "confirm")
        assert answers[0].outlook is not None
        until(phone, lambda: phone.view is not None and seen(phone).seq == seen(screen).seq)
        assert answered(phone, "B draws 1") == "done"
        until(screen, lambda: seen(screen).drawn == 1)
        late = screen.order(answers[0].outlook.line, answers[0])
        until(screen, lambda: bool(answers.extend(screen.answers()) or len(answers) > 1))
        assert (answers[1].id, answers[1].status) == (late, "stale")


def test_a_client_sees_the_table_restart_and_is_right_again(places: Places) -> None:
    with Link(places, "screen") as screen:
        with serving(places, "one"):
            until(screen, lambda: screen.view is not None)
            assert answered(screen, "begin") == "done"
        with serving(places, "two"):
            until(screen, lambda: seen(screen).epoch == "two", within_s=3.0)
            assert seen(screen).phase == "play"


def test_an_old_score_is_not_live_when_the_table_is_silent(places: Places) -> None:
    now_s = [0.0]
    with Link(places, "screen", clock=lambda: now_s[0]) as screen:
        with serving(places, "one"):
            until(screen, lambda: screen.view is not None)
            assert screen.live
        now_s[0] += 3.1
        assert not screen.live


def test_an_order_nobody_answers_is_given_up_in_words(places: Places) -> None:
    now_s = [0.0]
    with Link(places, "screen", clock=lambda: now_s[0]) as screen:
        order_id = screen.order("begin")
        now_s[0] += 5.1
        screen.poll()
        answers = screen.answers()
    assert [(a.id, a.status, a.reason) for a in answers] == [(order_id, "refused", "no-answer")]


def test_a_message_that_is_no_order_is_answered_and_harms_nothing(places: Places) -> None:
    with serving(places, "one"), zmq.Context() as context, context.socket(zmq.DEALER) as stranger:
        stranger.setsockopt(zmq.LINGER, 0)
        stranger.setsockopt(zmq.RCVTIMEO, 3000)
        stranger.connect(places.endpoint("orders"))
        for rubbish in (b"", b"{", b'{"type":"order"}'):
            stranger.send(rubbish)
            assert b"refused" in stranger.recv()
        stranger.send(b"x" * 300_000)  # too long to be answered: it is not even taken in
        stranger.setsockopt(zmq.RCVTIMEO, 200)
        with pytest.raises(zmq.Again):
            stranger.recv()
        with Link(places, "screen") as screen:
            until(screen, lambda: screen.view is not None)


def test_a_sighting_is_ruled_on_and_the_eye_is_told_what_was_accepted(places: Places) -> None:
    tile = SeenTile("triomino", (0, 3, 5), 300.0, 200.0, -90.0)
    with serving(places, "one"), Link(places, "screen") as screen, zmq.Context() as context:
        eye, facts = context.socket(zmq.PUSH), context.socket(zmq.SUB)
        for socket in (eye, facts):
            socket.setsockopt(zmq.LINGER, 0)
        eye.setsockopt(zmq.CONFLATE, 1)
        facts.setsockopt(zmq.SUBSCRIBE, b"")
        facts.setsockopt(zmq.RCVTIMEO, 3000)
        eye.connect(places.endpoint("sightings"))
        facts.connect(places.endpoint("facts"))
        until(screen, lambda: screen.view is not None)
        eye.send(encode(Sighting("eye", 1, 0.0, (), busy=False)))
        until(screen, lambda: seen(screen).phase == "play")
        eye.send(encode(Sighting("eye", 2, 1.0, (tile,), busy=False)))
        until(screen, lambda: seen(screen).last is not None and seen(screen).last.reason == "ok-opening")  # type: ignore[union-attr]  # the line before looks
        confirmed: tuple[SeenTile, ...] = ()
        while not confirmed:
            confirmed = decode(facts.recv(), Facts).confirmed
        assert [each.values for each in confirmed] == [(0, 3, 5)]
        eye.close()
        facts.close()


def test_the_table_shows_its_progress_to_the_supervisor(places: Places) -> None:
    with zmq.Context() as context, context.socket(zmq.PULL) as supervisor:
        supervisor.setsockopt(zmq.RCVTIMEO, 3000)
        supervisor.bind(places.endpoint("beats"))
        with serving(places, "one"):
            first, second = (decode(supervisor.recv(), Beat) for _ in range(2))
    assert (first.room, second.progress) == ("table", first.progress + 1)


@pytest.mark.parametrize("lock", ["state/lock", "run/table.lock"])
def test_a_second_table_on_one_of_the_directories_says_so_and_leaves_the_first_alone(places: Places, lock: str) -> None:
    import fcntl

    with (places.state.parent / lock).open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with pytest.raises(AlreadyRunningError, match="already running"):
            serve(places, Setting(MATCH), SilentSignals("no pins", "test"))
    assert not (places.state / "journal.sqlite3").exists()
    assert not (places.runtime / "views").exists()


def unusable(places: Places, setting: Setting, match: str) -> None:
    with pytest.raises(ConfigurationError, match=match):
        serve(places, setting, SilentSignals("no pins", "test"))


def test_a_journal_that_cannot_be_used_is_bad_configuration_and_named_with_a_cure(places: Places) -> None:
    journal = Journal(places.state / "journal.sqlite3")
    journal.append(MATCH, Reason.OK_BEGIN, "referee")
    journal._database.execute("PRAGMA user_version=99")
    journal.close()
    unusable(places, Setting(), "journal.sqlite3 cannot be used .*move it away")


def test_a_line_of_the_journal_that_cannot_be_understood_is_bad_configuration(places: Places) -> None:
    journal = Journal(places.state / "journal.sqlite3")
    journal.append(MATCH, Reason.OK_BEGIN, "referee")
    journal._database.execute("INSERT INTO entry VALUES (1, 2, 0, 'x', NULL, 'gibberish', 'ok-begin', NULL, NULL)")
    journal.close()
    unusable(places, Setting(), "entry 2.*move it away")


def test_a_calibration_for_other_tiles_than_the_resumed_games_is_bad_configuration(places: Places) -> None:
    journal = Journal(places.state / "journal.sqlite3")
    journal.append(MATCH, Reason.OK_BEGIN, "referee")
    journal.close()
    unusable(places, Setting(shape=Shape.domino()), "triomino tiles, but the calibration is for domino tiles")


def test_a_calibration_for_other_tiles_than_those_of_a_match_that_is_over_is_no_error(places: Places) -> None:
    """A box once did not start any more when its camera had been measured for the other game in the cupboard."""
    journal = Journal(places.state / "journal.sqlite3")
    table = Table(journal, SilentSignals("no pins", "test"), "before")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("opening", "any"), ("target", "1"))))
    rest = [f"{low}-{high}" for low in range(7) for high in range(low, 7) if (low, high) != (6, 6)]
    hands = f"A shows {' '.join(rest[:6])}", f"B shows {' '.join(rest[6:])}"
    for number, line in enumerate(("begin", "A lays 6-6 at left", "B draws 14", "B passes", "A passes", *hands)):
        view = table.view
        table.order(Order(id=f"o{number}", epoch=view.epoch, seq=view.seq, by="screen", line=line))
    assert table.view.phase == "over"
    journal.close()
    with _opened(places, Setting(shape=Shape.triomino()), SilentSignals("no pins", "test"), "e") as table:
        assert table.view.phase == "over"


def test_a_box_leaves_a_match_of_other_tiles_and_begins_anew(places: Places) -> None:
    journal = Journal(places.state / "journal.sqlite3")
    journal.append(MATCH, Reason.OK_BEGIN, "referee")
    journal.close()
    box = Setting(shape=Shape.domino(), leaves=True)
    with _opened(places, box, SilentSignals("no pins", "test"), "e") as table:
        assert table.view.phase == ""
        table.begin(Match("fr-domino", ("Ana", "Bo")))
    with _opened(places, replace(box, match=MATCH, fresh=True), SilentSignals("no pins", "test"), "f") as table:
        assert table.view.game == "fr-domino", "one of the same tiles is gone on with"
    journal = Journal(places.state / "journal.sqlite3")
    assert journal.matches() == (1, 2), "nothing is forgotten"
    journal.close()


def test_a_match_for_other_tiles_than_the_calibrations_is_not_begun(places: Places) -> None:
    unusable(places, Setting(MATCH, shape=Shape.domino()), "triomino tiles, but the calibration is for domino tiles")
    journal = Journal(places.state / "journal.sqlite3")
    assert journal.entries() == ()
    journal.close()


def test_a_socket_that_cannot_be_made_is_bad_configuration(places: Places) -> None:
    (places.runtime / "views").mkdir()
    unusable(places, Setting(MATCH), "cannot make the socket .*/views")
