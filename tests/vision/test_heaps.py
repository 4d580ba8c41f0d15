"""Zones in which many tiles lie close together, in rendered pictures: every one counted, whatever is done to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.seen.zones import usual
from referee.sighting import Facts, SeenTile
from referee.tiles import Shape, Tile, domino_set, triomino_set
from vision.heaps import untold
from vision.kinds import kinds
from vision.outlines import Template
from vision.virtual import Direction, Hover, Light, Lying, Move, Put, Spread, Take, VirtualTable, Wait, profile_for
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

ZONES = usual(600.0, 400.0, 40.0)
SHAPES = {"domino": Shape.domino(), "triomino": Shape.triomino()}
UNTIL_SEEN = Wait(16)


def seen(kind: str, seed: int, *directions: Direction) -> list[tuple[SeenTile, ...]]:
    """What lies there each time the table comes to rest."""
    name = f"stage=unused&kind={kind}&seed={seed}&size=1280x880"
    camera = VirtualTable(Setting.parse(name), ScriptStage((Wait(4), *directions)))
    eye = Watcher(profile_for(name), 6 if kind == "domino" else 5, kinds()[kind])
    eye.facts(Facts("one", 1, "set", kind, 1, (), ZONES.both))
    rests: dict[int, tuple[SeenTile, ...]] = {}
    while (frame := camera.read()) is not None:
        sighting = eye.see(frame)
        if sighting is not None and not sighting.busy:
            rests[sighting.settle] = sighting.tiles
    camera.close()
    return list(rests.values())


def boneyard(kind: str, count: int) -> tuple[Lying, ...]:
    """Backs that touch, in rows of three."""
    lying = []
    for number in range(count):
        row, column = divmod(number, 3)
        askew_deg = (number * 37) % 7 - 3.0
        if kind == "domino":
            lying.append(Lying((), 25.0 + 27.0 * column, 82.0 + 53.0 * row, 90.0 + askew_deg))
        else:
            is_turned = (row + column) % 2 == 1
            y_mm = 80.0 + 39.0 * row + (-5.8 if is_turned else 5.8)
            lying.append(Lying((), 30.0 + 23.5 * column, y_mm, (90.0 if is_turned else -90.0) + askew_deg / 2))
    return tuple(lying)


def counts(rests: Sequence[tuple[SeenTile, ...]]) -> list[int]:
    return [len(tiles) for tiles in rests]


@pytest.mark.parametrize(("kind", "count", "seed"), [("domino", 14, 3), ("triomino", 21, 5)])
def test_every_tile_of_a_boneyard_is_counted_and_every_one_that_is_taken(kind: str, count: int, seed: int) -> None:
    pile = boneyard(kind, count)
    takes = [Take(pile[number].x_mm, pile[number].y_mm, 270.0) for number in (4, 0, count - 1)]
    rests = seen(kind, seed, Spread(kind, pile, 90.0), UNTIL_SEEN, *takes)
    assert counts(rests)[-4:] == [count, count - 1, count - 2, count - 3]
    assert not any(tile.face_up and tile.values for tile in rests[-1])


def test_fixed_a_tile_that_was_pushed_against_another_is_still_counted() -> None:
    pile = boneyard("domino", 6)
    gap = [each for number, each in enumerate(pile) if number != 4]
    pushed = pile[5]
    push = Move(
        pushed.x_mm, pushed.y_mm, pushed.x_mm - 7.0, pushed.y_mm + 4.0, pushed.angle_deg + 11.0, 270.0, slide=True
    )
    rests = seen("domino", 6, Spread("domino", tuple(gap), 90.0), UNTIL_SEEN, push)
    assert set(counts(rests)[-2:]) == {5}


def test_hands_and_light_over_a_boneyard_take_nothing_from_it() -> None:
    pile = boneyard("triomino", 12)
    lifted = pile[7]
    back = Move(lifted.x_mm, lifted.y_mm, lifted.x_mm, lifted.y_mm, lifted.angle_deg, 90.0)
    after = (Hover(180.0, 50.0, 150.0, 25), back, Light(0.75), Wait(10))
    rests = seen("triomino", 4, Spread("triomino", pile, 90.0), UNTIL_SEEN, *after)
    first = counts(rests).index(12)
    assert set(counts(rests)[first:]) == {12}


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_a_hand_that_is_laid_into_the_show_zone_at_once_is_read(kind: str) -> None:
    tiles = (domino_set(6) if kind == "domino" else triomino_set(5))[2::4][:5]
    hand = tuple(
        Lying(tile.values, 530.0 + 26.0 * (number % 2), 82.0 + 52.0 * number, 47.0 * number)
        for number, tile in enumerate(tiles)
    )
    rests = seen(kind, 2, Spread(kind, hand, 90.0), UNTIL_SEEN)
    assert sorted(Tile(tile.values) for tile in rests[-1]) == sorted(tiles)
    assert all(tile.confidence >= 0.9 for tile in rests[-1])


def test_what_is_no_known_tile_is_only_looked_for_where_much_has_come_or_lay_unread() -> None:
    bare = np.full((400, 600, 3), (90, 110, 80), np.uint8)
    now, template = bare.copy(), Template.of(kinds()["domino"], SHAPES["domino"])
    lying = SeenTile("domino", (), 50.0, 100.0, 0.0, face_up=False)
    fresh = np.zeros(bare.shape[:2], np.uint8)
    now[88:112, 26:74] = now[188:212, 26:74] = (200, 220, 225)  # two tiles
    fresh[188:212, 26:74] = 255  # one of which has just come
    one_more = untold(ZONES.both, template, now, bare, fresh, (lying,))
    assert not one_more.any(), "a single tile is found by itself"
    unread = untold(ZONES.both, template, now, bare, np.zeros_like(fresh), (lying,))
    assert unread[200, 50] == 255
    assert unread[100, 50] == 0
    assert untold(ZONES.both, template, now, bare, fresh, ())[100, 50] == 255
    assert not untold((), template, now, bare, fresh, ()).any()


def test_a_thing_on_the_boneyard_takes_no_tile_from_it() -> None:
    pile = boneyard("domino", 9)
    under = pile[4]
    phone = Put("phone", under.x_mm, under.y_mm, 90.0, 90.0)
    rests = seen("domino", 8, Spread("domino", pile, 90.0), UNTIL_SEEN, phone, Wait(45))
    first = counts(rests).index(9)
    assert set(counts(rests)[first:]) == {9}
    assert len(rests) > first + 1, "the phone was seen"
