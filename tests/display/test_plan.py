"""The layout as the record has it, drawn without a camera; and the record, told again from the table's history."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from display import plan
from display.replica import Replica
from referee import notation, transcript, umpire
from referee.entries import Record
from referee.laying.contact import domino_join
from referee.moves import Place
from referee.placing import Anchor, spot_of
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape
from referee.wire import LaidTile, Ruled, Told, View

RECORDS = Path(__file__).parent.parent / "records"


def layout(*lines: str) -> tuple[Placed, ...]:
    """Tiles laid by these orders, the entries counted from 1."""
    acts = [notation.parse(line) for line in lines]
    places = [act for act in acts if isinstance(act, Place)]
    return tuple(Placed(act.tile, act.spot, act.seat, entry) for entry, act in enumerate(places, 1))


def seen(tile: LaidTile) -> SeenTile:
    """A tile of the plan as a camera would see it."""
    return SeenTile(tile.kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg)


TRIANGLES = layout(
    "A lays 1-3-4 at 0,0,U", "B lays 1-1-3 at -1,0,D", "C lays 1-3-3 at -1,1,U", "A lays 2-1-1 at -1,0,U"
)
LINE = layout("A lays 6-6 at left", *(f"A lays {n}-{n + 1} at left" for n in (5, 4, 3, 2, 1, 0)), "A lays 0-6 at right")


def test_a_drawn_triomino_is_read_back_into_its_own_cell() -> None:
    laid = plan.laid(TRIANGLES)
    anchors = tuple(Anchor(placed, seen(tile)) for placed, tile in zip(TRIANGLES, laid, strict=True))
    for index, placed in enumerate(TRIANGLES[1:], 1):
        others = anchors[:index]
        assert spot_of(others, seen(laid[index]), Shape.triomino()) == placed.spot


def test_a_drawn_line_shows_equal_numbers_side_by_side() -> None:
    row = sorted(plan.laid(LINE[:5]), key=lambda tile: tile.x_mm)
    for left, right in pairwise(row):
        if left.y_mm == right.y_mm:
            join = domino_join(seen(left), seen(right), Shape.domino())
            assert join is not None
            assert join.a_half is not None
            assert join.b_half is not None
            assert left.values[join.a_half] == right.values[join.b_half]


def test_no_two_tiles_of_a_long_line_lie_on_each_other_and_none_moves_when_one_is_added() -> None:
    laid = {tile.entry: (tile.x_mm, tile.y_mm) for tile in plan.laid(LINE)}
    assert len(set(laid.values())) == len(LINE)
    for count in range(1, len(LINE)):
        assert all(laid[tile.entry] == (tile.x_mm, tile.y_mm) for tile in plan.laid(LINE[:count]))


def test_a_place_that_is_offered_lies_where_the_tile_will_lie() -> None:
    ghost = plan.offer(LINE[:4], "B lays 2-3 at left")
    assert ghost is not None
    assert (ghost.status, ghost.values) == ("offer", ())
    there = next(tile for tile in plan.laid(layout(*LINES, "B lays 2-3 at left")) if tile.entry == 5)
    assert (ghost.x_mm, ghost.y_mm, ghost.angle_deg) == (there.x_mm, there.y_mm, there.angle_deg)
    assert plan.offer(LINE, "A passes") is None


LINES = ("A lays 6-6 at left", "A lays 5-6 at left", "A lays 4-5 at left", "A lays 3-4 at left")


class Telling:
    """A table that tells its history, as long as it is not dumb, and counts how often it is asked."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.asked = 0
        self.is_dumb = False

    def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
        assert what == "history"
        self.asked += 1
        if self.is_dumb:
            return Told("", error="the table does not answer")
        return Told("", tuple(f"{e.seq} {e.by} {e.reason} {notation.write(e.what)}" for e in self.record.entries))


def of(record: Record) -> View:
    """As much of a view as tells that the record has changed."""
    last = record.entries[-1]
    log = (Ruled(last.seq, None, notation.write(last.what), last.reason.value, True),)
    return View(epoch="e", seq=last.seq, game=record.state.game, log=log)


def parts(name: str, *lengths: int) -> list[Record]:
    """A recorded match after so many of its entries, and at its end."""
    whole, _ = transcript.played(transcript.read((RECORDS / f"{name}.txt").read_text(encoding="utf-8")))
    return [*(umpire.fold(whole.entries[:length]) for length in lengths), whole]


@pytest.mark.parametrize("name", ["fr-domino-irregularities", "cs-triomino-irregularities", "kk-moon-revokes"])
def test_the_record_told_again_is_the_one_of_the_table_with_all_that_was_undone_and_corrected(name: str) -> None:
    replica = Replica()
    for record in parts(name, 20, 21, 33):
        table = Telling(record)
        assert replica.state(table, of(record)) == record.state


def test_a_table_is_asked_once_for_each_change_even_if_it_does_not_answer() -> None:
    short, whole = parts("fr-domino-counted", 10)
    replica, table = Replica(), Telling(short)
    assert replica.state(table, of(short)) == short.state
    assert replica.state(table, of(short)) == short.state
    assert table.asked == 1
    table.is_dumb, table.record = True, whole
    assert replica.state(table, of(whole)) is None
    assert replica.state(table, of(whole)) is None
    assert table.asked == 2


def test_another_match_begins_from_nothing() -> None:
    replica = Replica()
    for name in ("fr-domino-counted", "kk-moon-plain"):
        (record,) = parts(name)
        assert replica.state(Telling(record), of(record)) == record.state


def test_a_history_in_words_of_a_newer_table_is_no_state() -> None:
    class Newer(Telling):
        def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
            return Told("", ("1 referee ok-match match fr-domino A=Ana B=Bo", "2 screen ok-dance A dances"))

    (record,) = parts("fr-domino-counted")
    assert Replica().state(Newer(record), of(record)) is None
