"""Hidden hands are in no view: honest people play whole matches, and no view names a tile that nobody was shown."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from hardware.signals import SilentSignals
from referee import notation
from referee.games import games
from referee.journal import Journal
from referee.moves import Announce, Begin, Exchange, FirstBidder
from referee.state import Phase
from referee.table import Table
from referee.tiles import Tile
from referee.umpire import Match
from referee.wire import Order, View, encode
from tests.test_every_game import People, few

MOST_STEPS = 80
TILES = re.compile(r"(?<![\d-])\d-\d(?:-\d)?(?![\d-])|\"values\":\[(\d,\d(?:,\d)?)\]")


def named(view: View, from_entry: int) -> set[Tile]:
    """Every tile that is named anywhere in a view, in what it tells of this round.

    Whoever opens with a triple is asked whether he has a higher one; that names them all, wherever they are.
    """
    log = tuple(ruled for ruled in view.log if ruled.entry >= from_entry)
    questions = tuple(question for question in view.questions if question.what != "show-triple")
    text = encode(structs.replace(view, log=log, questions=questions)).decode()
    return {Tile(tuple(map(int, re.findall(r"\d", found.group())))) for found in TILES.finditer(text)}


def normal(tiles: Iterable[Tile]) -> set[Tile]:
    return {Tile(tile.values) for tile in tiles}


class SameLot(random.Random):
    """Draws the lots that the people are going to draw."""

    people: People

    def choice(self, lots: object) -> object:  # type: ignore[override]  # one kind of lots
        foreseen = random.Random()
        foreseen.setstate(self.people.chance.getstate())
        return foreseen.choice(lots)  # type: ignore[call-overload]  # a sequence


@pytest.mark.parametrize("preset", sorted(games()))
def test_no_view_of_a_match_names_a_tile_in_a_hidden_hand_or_in_the_stock(preset: str, tmp_path: Path) -> None:
    people, chance = People(games()[preset], few(preset), 3), SameLot()
    chance.people = people
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        table = Table(journal, SilentSignals("no pins", "test"), "one", chance=chance, training=True)
        table.begin(Match(preset, tuple("ABCDEF"[: few(preset)])))
        public: set[Tile] = set()
        begun, looked = 1, 0
        for number, (_, move, _) in enumerate(people.play()):
            if number == MOST_STEPS:
                break
            if isinstance(move, Begin):
                public, begun = set(), len(table.record.entries) + 1  # type: ignore[union-attr]  # a match is on
            if isinstance(move, Announce) and move.tile is not None:
                public.add(move.tile)
            if isinstance(move, Exchange) and move.discard is not None:
                public.add(move.discard)  # said by name: it was seen
            if not isinstance(move, FirstBidder):
                line = notation.write(move)
                order = Order(id=str(number), epoch="one", seq=table.view.seq, by="screen", line=line)
                assert table.order(order).status == "done", line
            hidden = [hand for hand, shown in zip(people.hands, people.state.shown, strict=True) if shown is None]
            secret = normal(tile for hand in (*hidden, people.stock) for tile in hand) - public
            if people.state.phase is not Phase.DEAL:  # then the hands that the people have are of the round before
                assert named(table.view, begun) & secret == set(), notation.write(move)
            looked += len(secret)
    assert looked > 500
