"""A whole layout that comes before the eye at once: laid while it looks, not lying there when it is opened."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.sighting import SeenTile, Sighting
from tests.vision.test_resync import HIGHEST, chain, lattice_of_triangles, name, same
from vision import still, watch
from vision.kinds import kinds
from vision.rectify import Still
from vision.settle import Change
from vision.track import Memory
from vision.virtual import Bump, Direction, Light, Lying, Put, Spread, VirtualTable, Wait, profile_for
from vision.virtual.pieces import Piece
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

LAYOUTS = {"domino": chain, "triomino": lattice_of_triangles}


def at_rest(kind: str, lying: Sequence[SeenTile], *script: Direction) -> list[Sighting]:
    """What an eye says of the table at rest, one time after another, while a script is played."""
    pieces = [Piece(kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg) for tile in lying]
    setting = Setting.parse(f"{name(kind)}&stills=3")
    camera = VirtualTable(setting, ScriptStage((Wait(5), *script, Wait(20))), at_rest=pieces)
    eye = Watcher(profile_for(name(kind)), HIGHEST[kind], kinds()[kind])
    told = [eye.see(frame) for frame in iter(camera.read, None)]
    return [sighting for sighting in told if sighting is not None and not sighting.busy]


def spread(kind: str, layout: Sequence[SeenTile]) -> Spread:
    """A hand leaves tiles where they are to lie."""
    return Spread(kind, tuple(Lying(tile.values, tile.x_mm, tile.y_mm, tile.angle_deg) for tile in layout), 90.0)


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_fixed_a_whole_layout_laid_at_once_is_read_like_one_that_lies_there_at_the_start(kind: str) -> None:
    layout = LAYOUTS[kind]()
    before, after = at_rest(kind, (), spread(kind, layout))
    assert before.tiles == ()
    assert same(after.tiles, layout)


def test_many_dominoes_laid_at_once_leave_those_that_lie_there_alone() -> None:
    layout = chain()
    before, after = at_rest("domino", layout[:4], spread("domino", layout[4:]))
    assert same(before.tiles, layout[:4])
    assert same(after.tiles, layout)


def test_fixed_tiles_found_twice_are_sure_though_frames_do_not_agree_about_every_tile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layout, compare, looks = chain(), Memory.compare, []

    def unsteady(memory: Memory, now: Still, hints: Sequence[SeenTile] = ()) -> Change:
        """Every other look misses the first tile."""
        looks.append(now)
        change = compare(memory, now, hints)
        kept = [tile for tile in change.found if len(looks) % 2 or tile.values != layout[0].values]
        return Change(found=tuple(kept))

    monkeypatch.setattr(Memory, "compare", unsteady)
    monkeypatch.setattr(Memory, "confirms", lambda *_: False)
    (settled,) = at_rest("domino", layout)
    assert len(looks) == watch.GIVE_UP_WHOLE
    sure = [tile.values for tile in settled.tiles if tile.confidence > watch.UNSURE]
    assert sorted(sure) == sorted(tile.values for tile in layout[1:])


def test_fixed_what_is_laid_in_play_is_not_looked_for_as_long_as_what_a_photograph_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("this takes seconds")

    monkeypatch.setattr(still, "_sought", never)
    layout = chain()[:5]
    *_, settled = at_rest("domino", (), spread("domino", layout), Put("cup", 90.0, 330.0, 20.0, 90.0))
    assert same([tile for tile in settled.tiles if tile.values], layout)


def test_a_thing_larger_than_two_tiles_is_no_tile_with_numbers() -> None:
    layout = chain()[:3]
    settled = at_rest("domino", layout, Put("cup", 90.0, 330.0, 20.0, 90.0))[-1]
    assert same([tile for tile in settled.tiles if tile.values], layout)


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_a_whole_layout_stays_as_it_is_when_the_lamp_is_switched_and_the_camera_knocked_meanwhile(kind: str) -> None:
    layout = LAYOUTS[kind]()
    dark, bright = Light(0.55, frames=1), Light(1.0, frames=1)
    first, *later = at_rest(kind, layout, dark, Bump(0.4, -0.3, 2.0), Wait(15), bright)
    assert same(first.tiles, layout)
    assert later
    assert all(same(sighting.tiles, layout) for sighting in later)
