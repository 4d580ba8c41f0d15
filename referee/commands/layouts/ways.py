"""The ways in which a whole layout comes before the eye at once, on the virtual table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from random import Random

from referee import people
from referee.seen.placing import normalised
from referee.sighting import Facts, SeenTile, Sighting
from referee.tiles import Shape
from vision.kinds import kinds
from vision.virtual import Bump, Direction, Light, Lying, Spread, VirtualTable, Wait, profile_for
from vision.virtual.pieces import Piece
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

SIZES = ("1280x880", "1600x1100")
LOOKING, LONG = 40, 60  # frames
TOLD_MM = 0.5  # so well the journal knows where a tile lay
OF_EACH = 3  # tiles that went, came, or lie elsewhere
FREE_MM = 60.0  # from centre to centre
DIMMED = 0.55
KNOCK_DEG = (0.4, 0.3, 2.0)  # the camera then shows the table some five millimetres and two degrees off


@dataclass(frozen=True, slots=True)
class Course:
    """What lies there when the eye opens, what is told to it, what then happens, and what lies there in the end."""

    at_first: tuple[SeenTile, ...]
    confirmed: tuple[SeenTile, ...] | None
    script: tuple[Direction, ...]
    at_last: tuple[SeenTile, ...]


def laid(layout: tuple[SeenTile, ...], _: Shape, random: Random) -> Course:
    """A hand leaves all of it on the empty mat at once."""
    tiles = tuple(Lying(tile.values, tile.x_mm, tile.y_mm, tile.angle_deg) for tile in layout)
    whole = Spread(layout[0].kind, tiles, random.choice((0.0, 90.0, 180.0, 270.0)))
    return Course((), (), (Wait(LOOKING), whole, Wait(LONG)), layout)


def found(layout: tuple[SeenTile, ...], _: Shape, __: Random) -> Course:
    """The eye is opened, and it lies there; nothing is known."""
    return Course(layout, None, (Wait(LOOKING),), layout)


def known(layout: tuple[SeenTile, ...], _: Shape, random: Random) -> Course:
    """The eye is opened again in the middle of a game, and all is as the journal says."""
    return Course(layout, remembered(layout, random), (Wait(LOOKING),), layout)


def changed(layout: tuple[SeenTile, ...], shape: Shape, random: Random) -> Course:
    """Some have been taken away, laid and moved while nobody looked."""
    picked = random.sample(layout, 3 * OF_EACH)
    gone, new, moved = (picked[first::3] for first in range(3))
    lying = [tile for tile in layout if tile not in gone]
    for tile in moved:
        there = _elsewhere(tile, lying, shape, random)
        lying[lying.index(tile)] = there
    told = tuple(tile for tile in layout if tile not in new)
    return Course(tuple(lying), remembered(told, random), (Wait(LOOKING),), tuple(lying))


def knocked(layout: tuple[SeenTile, ...], _: Shape, random: Random) -> Course:
    """A lamp goes out, somebody knocks against the camera, and the lamp is lit again."""
    pan, tilt, roll = (random.choice((-1, 1)) * turn_deg for turn_deg in KNOCK_DEG)
    dark, bright = Light(DIMMED, frames=1), Light(1.0, frames=1)
    script = (Wait(LOOKING), dark, Bump(pan, tilt, roll), Wait(LOOKING), bright, Wait(LONG))
    return Course(layout, (), script, layout)


WAYS = {"laid": laid, "found": found, "known": known, "changed": changed, "knocked": knocked}


def remembered(layout: Sequence[SeenTile], random: Random) -> tuple[SeenTile, ...]:
    """The tiles as a journal has them."""
    return tuple(
        replace(normalised(tile), x_mm=tile.x_mm + random.gauss(0, TOLD_MM), y_mm=tile.y_mm + random.gauss(0, TOLD_MM))
        for tile in layout
    )


def _elsewhere(tile: SeenTile, lying: Sequence[SeenTile], shape: Shape, random: Random) -> SeenTile:
    """The tile at a free place on the mat, or where it lay if there is none."""
    mat_mm = (600.0, 400.0)
    for _ in range(100):
        x_mm, y_mm = random.uniform(0.0, mat_mm[0]), random.uniform(0.0, mat_mm[1])
        there = replace(tile, x_mm=x_mm, y_mm=y_mm, angle_deg=random.uniform(-180.0, 180.0))
        is_free = all(hypot(x_mm - other.x_mm, y_mm - other.y_mm) > FREE_MM for other in lying)
        if is_free and people.on_mat(there, shape, mat_mm):
            return there
    return tile


def watched(course: Course, kind: str, highest: int, seed: int) -> tuple[Sighting, ...]:
    """What the eye says of the table at rest, one time after another."""
    name = f"stage=unused&kind={kind}&seed={seed}&size={SIZES[seed % len(SIZES)]}&stills=4"
    pieces = [Piece(kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg) for tile in course.at_first]
    camera = VirtualTable(Setting.parse(name), ScriptStage(course.script), at_rest=pieces)
    eye = Watcher(profile_for(name), highest, kinds()[kind])
    if course.confirmed is not None:
        eye.facts(Facts("layouts", 1, kind, kind, 1, course.confirmed))
    told = [eye.see(frame) for frame in iter(camera.read, None)]
    return tuple(sighting for sighting in told if sighting is not None and not sighting.busy)
