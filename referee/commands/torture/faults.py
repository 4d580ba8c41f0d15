"""What goes on round a table that is no move: light, shadows, knocks, things, hands that come for nothing, crashes.

Each fault is a course of action after which nothing has been played and the referee must have said nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from random import Random
from typing import Literal

from referee.commands.torture.hall import FPS, Course
from referee.commands.torture.people import Party
from referee.laying.contact import outline, separation
from referee.sighting import SeenTile
from referee.tiles import DOMINO, TRIOMINO
from vision.virtual import Bump, Fail, Flash, Flicker, Glow, Hover, Lay, Light, Move, Put, Shadow, Take, Wait

RIGHT_AGAIN = 3 * FPS  # frames in which everything is as before
ROOM_MM = 45.0  # between a thing and the nearest tile
Thing = Literal["cup", "card", "pen", "phone"]
THINGS: tuple[Thing, ...] = ("cup", "card", "pen", "phone")
PHONE_MM = 115.0  # so far from the mat's edge it may lie in any direction, and is no hand that reaches in
MARKER_MM = 24.0  # from two sides of the mat to the middle of a marker
COVERED_LONG_SHARE = 0.5
SIDES_DEG = (90.0, 180.0, 270.0, 0.0)


def disturbed(party: Party, spared: tuple[str, ...] = ()) -> Course:
    """One fault, drawn by lot from all but those spared, and all is as before."""
    name = party.random.choice([name for name in FAULTS if name not in spared])
    party.truth.doing = name.replace("_", " ")
    party.account.count(name)
    yield from FAULTS[name](party)
    yield from party.until(party.is_quiet, RIGHT_AGAIN)
    if not party.is_quiet():
        party.truth.wrong("missed", f"not at rest {RIGHT_AGAIN} frames after it (camera {party.hall.view.camera})")
    yield from party.frames(party.random.randint(0, 6))
    if party.hall.view.questions:
        party.dismiss()
        yield None


def _side(party: Party) -> float:
    return party.random.choice(SIDES_DEG) + party.random.uniform(-25, 25)


def _lamp(party: Party) -> Course:
    chance = party.random
    tint = {"blue": chance.uniform(0.88, 1.12), "red": chance.uniform(0.9, 1.1)}
    yield Light(chance.uniform(0.6, 1.15), **tint, frames=chance.choice((1, 1, 30)))
    yield Wait(chance.randint(1, 30))
    yield Light(chance.uniform(0.85, 1.1), frames=chance.choice((1, 20)))


def _flash(party: Party) -> Course:
    yield Flash(party.random.randint(1, 4))


def _flicker(party: Party) -> Course:
    chance = party.random
    yield Flicker(chance.uniform(0.03, 0.15), chance.uniform(0.1, 0.45), chance.randint(15, 60))


def _shadow(party: Party) -> Course:
    yield Shadow(_side(party), party.random.randint(2, 45), party.random.uniform(0.2, 0.6))


def _glow(party: Party) -> Course:
    chance = party.random
    yield Glow(chance.uniform(80, 520), chance.uniform(60, 340), chance.randint(5, 60))


def _bump(party: Party) -> Course:
    chance = party.random
    pan, tilt, roll = (chance.uniform(-1.2, 1.2) for _ in range(3))
    yield Bump(pan, tilt, roll)
    yield from party.frames(2 * FPS)
    yield Bump(-pan, -tilt, -roll)
    yield from party.frames(2 * FPS)


def _camera_frozen(party: Party) -> Course:
    yield Fail("frozen", party.random.randint(20, 120))


def _camera_lost(party: Party) -> Course:
    yield Fail("lost", party.random.randint(20, 120))


def _hand(party: Party) -> Course:
    chance = party.random
    yield Hover(_side(party), chance.uniform(60, 540), chance.uniform(50, 350), frames=chance.randint(1, 20))


def _hand_at_the_rim(party: Party) -> Course:
    chance = party.random
    near = chance.random() < 0.5
    x_mm, y_mm, side = (chance.uniform(150, 450), 375.0, 90.0) if near else (570.0, chance.uniform(120, 280), 0.0)
    yield Hover(side, x_mm, y_mm, frames=chance.randint(15, 12 * FPS))


def _thing(party: Party) -> Course:
    place = free_place(party, ROOM_MM + 40.0)
    if place is None:
        return
    x_mm, y_mm = place
    what, (width_mm, height_mm) = party.random.choice(THINGS), party.hall.mat_mm
    if what == "phone" and min(x_mm, y_mm, width_mm - x_mm, height_mm - y_mm) < PHONE_MM:
        what = "card"
    party.provoked = True
    yield Put(what, x_mm, y_mm, party.random.uniform(0, 180), _side(party))
    yield from party.frames(party.random.randint(10, 3 * FPS))
    party.dismiss()
    yield Take(x_mm, y_mm, _side(party))
    yield from party.frames(FPS)
    party.provoked = False


def _marker_covered(party: Party) -> Course:
    """A tile is pushed face down over a marker; it is taken away again, or lies there until the table is swept."""
    if not all(tile.face_up for tile in party.hall.lying):
        return
    chance = party.random
    width_mm, height_mm = party.hall.mat_mm
    x_mm, y_mm = chance.choice((MARKER_MM, width_mm - MARKER_MM)), chance.choice((MARKER_MM, height_mm - MARKER_MM))
    yield Lay(party.game.kind, (), x_mm, y_mm, chance.uniform(0, 360), _side(party))
    yield from party.frames(chance.randint(10, 2 * FPS))
    if chance.random() > COVERED_LONG_SHARE:
        yield Take(x_mm, y_mm, _side(party))


def _foreign_tile(party: Party) -> Course:
    """A tile of another game is left lying for a while."""
    place = free_place(party, ROOM_MM)
    if place is None:
        return
    chance = party.random
    kind, corners = (DOMINO, 2) if party.game.kind == TRIOMINO else (TRIOMINO, 3)
    values = tuple(sorted(chance.randint(0, 5) for _ in range(corners)))
    party.provoked = True
    yield Lay(kind, values, *place, chance.uniform(0, 360), _side(party))
    yield from party.frames(chance.randint(10, 2 * FPS))
    party.dismiss()
    yield Take(*place, _side(party))
    yield from party.frames(FPS)
    party.provoked = False


def _face_down(party: Party) -> Course:
    place = free_place(party, ROOM_MM)
    if place is None or not party.hall.lying:
        return
    yield Lay(party.game.kind, (), *place, party.random.uniform(0, 360), _side(party))
    yield from party.frames(party.random.randint(4, 2 * FPS))
    yield Take(*place, _side(party))


def _pushed(party: Party) -> Course:
    """A tile is pushed a little."""
    tile = _some_tile(party)
    if tile is None:
        return
    chance = party.random
    x_mm, y_mm = tile.x_mm + chance.uniform(-1.5, 1.5), tile.y_mm + chance.uniform(-1.5, 1.5)
    turned_deg = tile.angle_deg + chance.uniform(-2, 2)
    if not _is_free(party, replace(tile, x_mm=x_mm, y_mm=y_mm, angle_deg=turned_deg), tile):
        return
    yield Move(tile.x_mm, tile.y_mm, x_mm, y_mm, turned_deg, _side(party), slide=True)


def _lifted(party: Party) -> Course:
    """A tile is lifted, looked at and laid back."""
    tile = _some_tile(party)
    if tile is not None:
        yield Move(tile.x_mm, tile.y_mm, tile.x_mm, tile.y_mm, tile.angle_deg, _side(party))


def _eye_restarted(party: Party) -> Course:
    party.hall.start_eye()
    yield from party.frames(FPS)


def _table_restarted(party: Party) -> Course:
    party.hall.start_table()
    yield from party.frames(FPS)


FAULTS: dict[str, Callable[[Party], Course]] = {
    "lamp": _lamp,
    "flash": _flash,
    "flicker": _flicker,
    "shadow": _shadow,
    "glow": _glow,
    "bump": _bump,
    "camera_frozen": _camera_frozen,
    "camera_lost": _camera_lost,
    "hand": _hand,
    "hand_at_the_rim": _hand_at_the_rim,
    "thing": _thing,
    "marker_covered": _marker_covered,
    "foreign_tile": _foreign_tile,
    "face_down_tile": _face_down,
    "tile_pushed": _pushed,
    "tile_lifted": _lifted,
    "eye_restarted": _eye_restarted,
    "table_restarted": _table_restarted,
}


def _some_tile(party: Party) -> SeenTile | None:
    lying = [tile for tile in party.hall.lying if tile.face_up]
    return party.random.choice(lying) if lying else None


def _is_free(party: Party, pose: SeenTile, of: SeenTile) -> bool:
    """True when a tile in this pose lies on no other."""
    own, shape = outline(pose, party.hall.shape), party.hall.shape
    others = (outline(each, shape) for each in party.hall.lying if each is not of and each.values != of.values)
    return all(separation(own, other) > -0.3 for other in others)


def free_place(party: Party, room_mm: float) -> tuple[float, float] | None:
    """A place on the mat with so much room round it to all tiles, drawn by lot; None when none was found."""
    chance: Random = party.random
    width_mm, height_mm = party.hall.mat_mm
    for _ in range(60):
        x_mm, y_mm = chance.uniform(85, width_mm - 85), chance.uniform(85, height_mm - 85)
        if all(hypot(tile.x_mm - x_mm, tile.y_mm - y_mm) > room_mm for tile in party.hall.lying):
            return x_mm, y_mm
    return None
