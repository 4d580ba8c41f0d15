"""`referee torture`: what people really did against what the referee makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from referee import umpire
from referee.__main__ import main
from referee.commands import torture
from referee.commands.torture import course, evening
from referee.commands.torture.evening import Memory
from referee.commands.torture.faults import FAULTS
from referee.commands.torture.hall import Hall
from referee.commands.torture.mistakes import MISTAKES
from referee.commands.torture.people import Party
from referee.commands.torture.truth import LATEST, Account, AstrayError, Truth
from referee.games import games
from referee.laying.lattice import Cell
from referee.moves import Begin, CellSpot, Loose, Place
from referee.seen.placing import FIRST_CELL
from referee.sighting import SeenTile, Sighting
from referee.tiles import Tile
from referee.umpire import Act, Entry, Match, Record, Undo
from vision.kinds import FaceReading
from vision.search import Search

GAME = "ro-trimino/manufacturer"
MATCH = Match(GAME, ("Ana", "Bo"), (("opening", "any"), ("target", "60")), (90, 270))
FIRST = Place(0, Tile((0, 3, 5)), CellSpot(FIRST_CELL, (0, 3, 5)))
SECOND = Place(1, Tile((3, 5, 5)), CellSpot(Cell(0, 0, "D"), (5, 3, 5)))
CLASH = Place(1, Tile((1, 1, 2)), CellSpot(Cell(0, 0, "D"), (1, 1, 2)))


# --- what happened and what was told -----------------------------------------------------------------


def told(*acts: Act, by: str = "camera") -> Record:
    """The referee's record."""
    record: Record | None = None
    for act in (MATCH, *acts):
        number = 1 if record is None else len(record.entries) + 1
        record = umpire.append(record, Entry(number, 0, by, None, act, umpire.judge(record, act).reason))
    assert record is not None
    return record


@pytest.fixture
def truth() -> Truth:
    truth = Truth(MATCH, Account())
    truth.compare(told(Begin()), is_bare=True)
    return truth


def test_what_was_told_as_it_happened_is_right(truth: Truth) -> None:
    truth.expect((FIRST,))
    assert not truth.is_settled
    truth.compare(told(Begin(), FIRST), is_bare=False)
    truth.expect((CLASH,))
    truth.compare(told(Begin(), FIRST, CLASH), is_bare=False)
    assert truth.is_settled
    assert truth.account.is_right
    assert not truth.judged(CLASH).is_legal


@pytest.mark.parametrize(
    ("expected", "got", "count"),
    [
        ((FIRST,), Place(0, Tile((0, 3, 4)), CellSpot(FIRST_CELL, (0, 3, 4))), "wrong"),
        ((FIRST,), Place(1, FIRST.tile, FIRST.spot), "wrong"),
        ((), FIRST, "invented"),
        ((FIRST,), Undo(2), "wrong"),
    ],
)
def test_what_was_told_otherwise_is_counted_and_ends_the_match(
    truth: Truth, expected: tuple[Act, ...], got: Act, count: str
) -> None:
    truth.expect(expected)
    with pytest.raises(AstrayError, match="move 0"):
        truth.compare(told(Begin(), got), is_bare=False)
    assert getattr(truth.account, count) == 1
    assert not truth.account.is_right


def test_a_round_may_begin_by_itself_only_on_an_empty_table() -> None:
    truth = Truth(MATCH, Account())
    with pytest.raises(AstrayError):
        truth.compare(told(Begin()), is_bare=False)


def test_of_two_tiles_laid_at_once_either_may_be_told_first(truth: Truth) -> None:
    truth.expect((FIRST,))
    truth.compare(told(Begin(), FIRST), is_bare=False)
    other = Place(1, Tile((0, 0, 5)), CellSpot(Cell(0, -1, "D"), (0, 0, 5)))
    swapped = (other, Place(0, SECOND.tile, SECOND.spot))
    truth.expect((SECOND, Place(0, other.tile, other.spot)), swapped)
    truth.compare(told(Begin(), FIRST, *swapped), is_bare=False)
    assert truth.is_settled
    assert [placed.tile for placed in truth.state.layout] == [FIRST.tile, other.tile, SECOND.tile]


def test_fixed_a_refused_triple_does_not_change_how_the_first_one_is_taken_to_lie(
    start: Callable[[], tuple[Hall, Party]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, party = start()
    hall.close()
    first, other = Tile((5, 5, 5)), Tile((1, 1, 1))
    monkeypatch.setattr(party, "where", lambda tile: SeenTile("triomino", tile.values, 300.0, 200.0, -87.0))
    opening, loose = Place(0, first, CellSpot(FIRST_CELL, (5, 5, 5))), Place(1, other, Loose())
    party.truth.record = told(Begin(), opening)
    for act, angle_deg in ((opening, 33.0), (loose, -1.0)):
        party._take_for(act, SeenTile("triomino", act.tile.values, 300.0, 200.0, angle_deg))
    assert party._turned == {first: 120.0}


# --- whole ways through frames -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], tuple[Hall, Party]]:
    """A table at which nobody has laid anything yet."""

    def begun() -> tuple[Hall, Party]:
        hall = Hall(tmp_path_factory.mktemp("hall"), GAME, 7)
        return hall, Party(hall, MATCH, 4, Account(GAME, 2))

    return begun


def shifted(values: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((value + 1) % 6 for value in values)


def play(hall: Hall, party: Party, moves: int, mistakes: float = 0.0, faults: float = 0.0) -> Account:
    """So many moves, with these shares of mishaps."""
    playing = course.match(party, 1, (faults, mistakes))
    try:
        hall.run(takewhile(lambda _: party.account.moves <= moves, playing), party.watch)
    except AstrayError:
        party.account.ended = "broken off"
    finally:
        hall.close()
    return party.account


def test_a_few_moves_with_faults_and_mistakes_are_all_ruled_right(start: Callable[[], tuple[Hall, Party]]) -> None:
    account = play(*start(), moves=9, mistakes=0.5, faults=0.2)
    assert account.notes == []
    assert account.is_right
    assert account.illegal > 0
    assert len(account.latencies) >= 5
    assert max(account.latencies) <= LATEST
    assert sum(account.faults.values()) >= 2


@pytest.mark.parametrize("mess", ["several_undone", "swapped", "on_top", "marker_covered", "foreign_tile"])
def test_what_people_do_besides_playing_changes_nothing(
    start: Callable[[], tuple[Hall, Party]], monkeypatch: pytest.MonkeyPatch, mess: str
) -> None:
    for all_of_them in (MISTAKES, FAULTS):
        for other in [name for name in all_of_them if name != mess]:
            monkeypatch.delitem(all_of_them, other)
    account = play(*start(), moves=3, mistakes=0.9 * (mess in MISTAKES), faults=0.9 * (mess in FAULTS))
    assert account.notes == []
    assert account.is_right


def test_fixed_lots_fall_the_same_way_when_a_match_is_played_again(tmp_path: Path) -> None:
    firsts = set()
    for run in range(6):
        (tmp_path / str(run)).mkdir()
        hall = Hall(tmp_path / str(run), "kk-moon", 7)
        hall.table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
        hall.order("begin")
        firsts.add(hall.view.turn)
        hall.close()
    assert len(firsts) == 1


def test_an_eye_that_misreads_is_found_out(
    start: Callable[[], tuple[Hall, Party]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Search.read

    def misread(self: Search, *args: object, **more: object) -> FaceReading:
        found = read(self, *args, **more)  # type: ignore[arg-type]  # passed on as it came
        return replace(found, readings=tuple(replace(each, values=shifted(each.values)) for each in found.readings))

    monkeypatch.setattr(Search, "read", misread)
    account = play(*start(), moves=1)
    assert (account.wrong + account.missed, account.ended) == (1, "broken off")


def test_a_buzz_for_nothing_is_found_out(start: Callable[[], tuple[Hall, Party]]) -> None:
    hall, party = start()
    hall.lamp.buzz()
    account = play(hall, party, moves=1)
    assert (account.false_buzzes, account.ended) == (1, "broken off")


def test_a_ruling_that_comes_late_is_found_out(start: Callable[[], tuple[Hall, Party]]) -> None:
    hall, party = start()
    see, waiting = hall.table.see, list[Sighting]()

    def slowly(sighting: Sighting) -> None:
        waiting.append(sighting)
        if len(waiting) > 3:
            see(waiting.pop(0))

    hall.table.see = slowly  # type: ignore[method-assign]  # a table that is busy elsewhere
    account = play(hall, party, moves=1)
    assert account.is_right
    assert [note for note in account.notes if "laying: ruled" in note and "frames after the hand had gone" in note]
    assert max(account.latencies) > LATEST


def test_a_tile_that_nobody_sees_is_found_out(
    start: Callable[[], tuple[Hall, Party]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, party = start()
    monkeypatch.setattr(type(hall.table), "see", lambda _self, _sighting: None)
    account = play(hall, party, moves=1)
    assert (account.missed, account.ended) == (1, "broken off")


# --- the command -------------------------------------------------------------------------------------


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the matches that were played, none of them really; somebody breaks off in the third once."""
    numbers: list[int] = []
    breaks = [3]

    def play(number: int, seed: int, presets: tuple[str, ...]) -> Account:
        if number in breaks:
            breaks.remove(number)
            raise KeyboardInterrupt
        numbers.append(number)
        account = Account(presets[(number - 1) % len(presets)], 2, moves=10 * seed, latencies=[3, 4])
        if number == 2:
            account.wrong, account.notes = 1, ["move 7, laying: expected this, got that"]
        return account

    monkeypatch.setattr(torture, "play", play)
    return numbers


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(
    tmp_path: Path, played: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["torture", "--games", "4", "--seed", "2", "--results", str(tmp_path / "results.json"), "--json"]
    assert main(words) == 130
    assert played == [1, 2]
    assert main(words) == 1, "one ruling was wrong"
    assert played == [1, 2, 3, 4]
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["moves"], found["wrong"], found["seed"]) == (4, 80, 1, 2)
    assert found["latencies"] == {"rulings": 8, "median": 3.5, "p95": 4, "most": 4, "over_4": 0}
    assert main([*words[:4], "3", *words[5:]]) == 1
    assert played == [1, 2, 3, 4, 1, 2, 3, 4], "another seed, other matches"


def test_what_was_wrong_is_told_with_the_way_to_see_it_alone(
    tmp_path: Path, played: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["torture", "--games", "2", "--seed", "5", "--results", str(tmp_path / "results.json")]) == 1
    said = capsys.readouterr().out
    second = sorted(games())[1]
    assert f"match 2, {second}, move 7, laying: expected this, got that\n    referee torture --seed 5 --only 2" in said
    assert "wrong rulings             1" in said
    assert main(["torture", "--games", "2", "--seed", "5", "--results", str(tmp_path / "results.json"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"] == [
        {
            "match": 2,
            "game": second,
            "what": "move 7, laying: expected this, got that",
            "command": "referee torture --seed 5 --only 2",
        }
    ]
    assert main(["torture", "--seed", "5", "--only", "2"]) == 1
    assert played == [1, 2, 2]


def test_results_of_another_program_do_not_count_and_other_files_are_refused(
    tmp_path: Path, played: list[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["torture", "--games", "1", "--results", str(tmp_path / "results.json")]
    assert main(words) == 0
    monkeypatch.setattr(torture, "_program", lambda: "another")
    assert main(words) == 0
    assert played == [1, 1]
    (tmp_path / "results.json").write_text("[1]", encoding="utf-8")
    assert main(words) == 64
    assert "expected the results of matches in" in capsys.readouterr().err


def test_a_game_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["torture", "--game", "chess"]) == 64
    assert "expected a game (" in capsys.readouterr().err


def test_an_evening_tells_the_memory_that_it_takes_and_whether_it_grew(capsys: pytest.CaptureFixture[str]) -> None:
    assert evening.growth_mb([Memory(0.0, 90.0), Memory(3600.0, 200.0), Memory(9000.0, 203.5)]) == 3.5
    main(["torture", "--hours", "0.01", "--game", "fr-domino", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["frames"] >= 500
    assert found["memory"][0][1] > 20.0
