"""Undo to the start and redo to the end: the same state at every step, whatever was played."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee import transcript, umpire
from referee.games import games
from referee.moves import Begin, Clear, Draw, Move, Pass, Place, ShowHand
from referee.placements import legal_placements
from referee.rulings import Reason
from referee.state import Phase, State
from referee.transcript import appended
from referee.umpire import Correct, Entry, Match, Overrule, Record, Undo

LONG = 14_000  # letters; taking back costs the square of the length, and every preset has its records below this
RECORDS = [path for path in sorted((Path(__file__).parent / "records").glob("*.txt")) if path.stat().st_size < LONG]
LAYING = sorted(preset for preset, game in games().items() if not game.in_tricks)


def undone(record: Record, seq: int) -> Record:
    """The record with an undo that must be accepted."""
    act = Undo(seq, confirmed=True)
    changed = umpire.append(record, Entry(len(record.entries) + 1, 0, "people", None, act, Reason.OK_UNDO))
    assert changed.rulings[-1] is not None
    assert changed.rulings[-1].reason is Reason.OK_UNDO, f"undo of entry {seq}"
    return changed


def check(record: Record) -> None:
    """Take back every entry that was accepted or cost something, the newest first, then give each back."""
    steps: list[Record] = []
    for entry in record.entries:
        steps.append(umpire.append(steps[-1] if steps else None, entry))
    ruled = [step.rulings[-1] for step in steps]
    taken = [seq for seq, ruling in enumerate(ruled, start=1) if ruling and (ruling.is_legal or ruling.awards)][1:]
    undos: list[tuple[int, int]] = []
    for seq in reversed(taken):
        record = undone(record, seq)
        undos.append((len(record.entries), seq))
        assert record.state == steps[seq - 2].state, f"undo of entry {seq}"
        assert umpire.unsettled(record) == umpire.unsettled(steps[seq - 2])
    for undo, seq in reversed(undos):
        record = undone(record, undo)
        assert record.state == steps[seq - 1].state, f"entry {seq} given back"
        assert umpire.unsettled(record) == umpire.unsettled(steps[seq - 1])


def test_every_preset_has_records_that_are_short_enough() -> None:
    texts = [path.read_text(encoding="utf-8") for path in RECORDS]
    for preset in games():
        assert sum(f"  1  match {preset} " in text for text in texts) >= 3


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_match_goes_back_to_its_start_and_forth_to_its_end(path: Path) -> None:
    record, _ = transcript.played(transcript.read(path.read_text(encoding="utf-8")))
    check(record)


def walk(preset: str, seed: int, entries: int) -> Record:
    """A match in which everybody lays what fits, draws, passes, and now and then a move is changed."""
    chance = random.Random(seed)
    each = games()[preset]
    names = tuple("ABC"[: max(2, each.min_players)])
    record = appended(None, Match(preset, names, (("opening", "any"), ("target", "60"))))
    while len(record.entries) < entries and record.state.phase is not Phase.OVER:
        if chance.random() < 0.1 and (entry := chance.choice(record.entries)).seq > 2:
            record = appended(record, chance.choice((Undo(entry.seq), Overrule(entry.seq), changed(record, entry.seq))))
        else:
            record = appended(record, following(record.state, chance))
    return record


def changed(record: Record, seq: int) -> Correct:
    """The entry as somebody else's."""
    move = record.entries[seq - 1].what
    return Correct(seq, Place(1 - move.seat % 2, move.tile, move.spot) if isinstance(move, Place) else Pass(0))


def following(state: State, chance: random.Random) -> Move:
    """A legal move, or nearly."""
    tiles = [tile for tile in games()[state.game].tiles if tile not in {placed.tile for placed in state.layout}]
    match state.phase:
        case Phase.DEAL:
            return Begin()
        case Phase.CLEARING:
            return Clear()
        case Phase.SHOW_HANDS:
            seat = state.shown.index(None)
            known = list(state.known[seat] or ())
            elsewhere = {tile for hand in (*state.shown, *state.known) for tile in hand or ()}
            free = [tile for tile in tiles if tile not in elsewhere]
            return ShowHand(seat, tuple([*known, *chance.sample(free, len(free))][: state.hands[seat]]))
    seat = state.turn or 0
    places = legal_placements(state, chance.sample(tiles, len(tiles) // 2))
    if places and chance.random() < 0.8:
        place = chance.choice(places)
        return Place(seat, place.tile, place.spot)
    return Draw(seat, 1) if state.stock and chance.random() < 0.9 else Pass(seat)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("preset", LAYING)
def test_a_random_match_goes_back_to_its_start_and_forth_to_its_end(preset: str, seed: int) -> None:
    record = walk(preset, seed, 70)
    assert len({entry.reason for entry in record.entries}) > 5
    check(record)
