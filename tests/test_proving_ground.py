"""What happens at real tables, played on the virtual one: light, shadows, knocks, things, failures, hands at rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import pytest

from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import CameraStatus, SeenTile
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile
from referee.umpire import Match
from tests.referee.seeing import Lamp
from vision.kinds import kinds
from vision.virtual import (
    Both,
    Bump,
    Direction,
    Fail,
    Flash,
    Flicker,
    Glow,
    Hover,
    Lay,
    Light,
    Move,
    Put,
    Shadow,
    VirtualTable,
    Wait,
    profile_for,
)
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

FPS = 15
RIGHT_AGAIN = 3 * FPS
GAMES = {"domino": "fr-domino", "triomino": "ro-trimino/manufacturer"}
SHAPES = {"domino": Shape.domino(), "triomino": Shape.triomino()}
MOVES: dict[str, tuple[tuple[str, Spot], ...]] = {
    "domino": (("6-6", LineSpot("left")), ("4-6", LineSpot("right", 6)), ("2-6", LineSpot("left", 6))),
    "triomino": (
        ("0-3-5", CellSpot(placing.FIRST_CELL, (0, 3, 5))),
        ("3-5-5", CellSpot(Cell(0, 0, "D"), (5, 3, 5))),
        ("0-0-5", CellSpot(Cell(0, -1, "D"), (0, 0, 5))),
    ),
}
SEATS = (90.0, 210.0)


@lru_cache(maxsize=2)
def lays(kind: str) -> tuple[Lay, ...]:
    """Three legal moves of two players, as hands lay them."""
    anchors: list[Anchor] = []
    for text, spot in MOVES[kind]:
        tile = Tile.parse(text)
        pose = SeenTile(kind, tile.values, 300.0, 200.0, 90.0 if kind == "domino" else -90.0)
        if anchors:
            pose = next(placing.poses_of(tuple(anchors), tile, spot, SHAPES[kind]))
        anchors.append(Anchor(Placed(tile, spot, 0), pose))
    poses = [anchor.seen for anchor in anchors if anchor.seen is not None]
    return tuple(
        Lay(kind, each.values, each.x_mm, each.y_mm, each.angle_deg, SEATS[n % 2]) for n, each in enumerate(poses)
    )


@dataclass(slots=True)
class Evening:
    """What was told while a script was played, frame by frame."""

    table: Table
    lamp: Lamp
    eye: Watcher
    busy: list[bool] = field(default_factory=list)
    cameras: list[CameraStatus] = field(default_factory=list)
    rulings: list[int] = field(default_factory=list)

    @property
    def reasons(self) -> list[str]:
        """What was ruled."""
        return [ruled.reason for ruled in self.table.view.log]

    @property
    def questions(self) -> list[str]:
        """What is asked at the end."""
        return [question.what for question in self.table.view.questions]

    @property
    def longest_busy(self) -> int:
        """The most frames in a row in which the table was busy."""
        longest = now = 0
        for busy in self.busy:
            now = now + 1 if busy else 0
            longest = max(longest, now)
        return longest


def played(directory: Path, kind: str, *script: Direction, seed: int = 7) -> Evening:
    name = f"stage=unused&kind={kind}&seed={seed}&size=1280x880&stills=4"
    camera = VirtualTable(Setting.parse(name), ScriptStage(script))
    profile = profile_for(name)
    journal = Journal(directory / "journal.sqlite3")
    lamp = Lamp()
    table = Table(journal, lamp, "one", profile.shape)
    table.begin(Match(GAMES[kind], ("Ana", "Bo"), (("opening", "any"),), (90, 210)))
    eye = Watcher(profile, 6 if kind == "domino" else 5, kinds()[kind])
    evening = Evening(table, lamp, eye)
    status = CameraStatus.OK
    while (frame := camera.read()) is not None:
        sighting = eye.see(frame)
        now = camera.status if camera.status is not CameraStatus.OK else eye.camera
        if sighting is not None or now is not status:
            status = now
            table.see(replace(sighting or eye.sighting(), camera=now))
            eye.facts(table.facts())
        evening.busy.append(table.view.busy)
        evening.cameras.append(CameraStatus(table.view.camera))
        evening.rulings.append(len(table.view.log))
    journal.close()
    return evening


def is_undisturbed(evening: Evening, kind: str) -> bool:
    """Three moves and nothing else, no buzz, no question, and in the end the table is at rest."""
    legal = ["ok-begin", "ok-opening", *["ok-place" if kind == "domino" else "ok-edge"] * 2]
    quiet = evening.lamp.buzzes == 0 and not evening.questions and not evening.busy[-1]
    return quiet and evening.reasons == legal


LIGHTS: dict[str, tuple[tuple[Direction, ...], tuple[Direction, ...]]] = {
    "exposure ramp": ((Light(0.45, frames=30), Wait(30)), (Light(1.0, frames=30), Wait(45))),
    "lamp": ((Light(0.6, blue=0.85, red=1.1), Wait(45)), (Light(1.1, blue=1.1, red=0.92), Wait(45))),
    "white frames": ((Flash(1), Wait(30)), (Flash(3), Wait(45))),
    "mains flicker": ((Flicker(0.08, 0.31, 60), Wait(30)), (Flicker(0.15, 0.21, 60), Wait(45))),
    "shadows of people": ((Shadow(90.0, 40), Wait(30)), (Shadow(200.0, 8, 0.55), Wait(45))),
    "own screen": ((Glow(120.0, 80.0, 60), Wait(45)), (Glow(360.0, 200.0, 60), Wait(45))),
}


@pytest.mark.parametrize(
    ("light", "kind"), [(light, ("domino", "triomino")[number % 2]) for number, light in enumerate(LIGHTS)]
)
def test_light_makes_no_move_and_no_noise_and_all_is_right_again_within_three_seconds(
    tmp_path: Path, light: str, kind: str
) -> None:
    first, second, third = lays(kind)
    before, after = LIGHTS[light]
    evening = played(tmp_path, kind, first, second, *before, third, *after)
    assert is_undisturbed(evening, kind)
    assert evening.longest_busy <= RIGHT_AGAIN
    assert set(evening.cameras) == {CameraStatus.OK}


def test_a_dark_shadow_that_leaves_a_table_that_rested_in_it_is_no_arm(tmp_path: Path) -> None:
    first, second, _ = lays("domino")
    evening = played(tmp_path, "domino", first, second, Shadow(263.0, 18, 0.57), Wait(60), seed=1796285416)
    assert evening.reasons == ["ok-begin", "ok-opening", "ok-place"]
    assert (evening.questions, evening.lamp.buzzes, evening.busy[-1]) == ([], 0, False)
    assert evening.longest_busy <= RIGHT_AGAIN


@pytest.mark.parametrize("kind", ["triomino"])
def test_a_knock_against_the_camera_is_told_and_followed_and_the_score_stays(tmp_path: Path, kind: str) -> None:
    first, second, third = lays(kind)
    knocks = (Bump(1.0, -0.6, 0.8), Wait(60)), (Bump(-2.0, 1.0, -1.5), Wait(60))
    evening = played(tmp_path, kind, first, second, *knocks[0], third, *knocks[1])
    assert is_undisturbed(evening, kind)
    assert evening.cameras.count(CameraStatus.MOVED) > 0
    assert evening.cameras[-1] is CameraStatus.OK
    assert evening.longest_busy <= RIGHT_AGAIN
    seen = {
        count for count, camera in zip(evening.rulings, evening.cameras, strict=True) if camera is CameraStatus.MOVED
    }
    assert seen == {3, 4}, "nothing is judged while it is out of step"


@pytest.mark.parametrize("kind", ["triomino"])
def test_cups_phones_pens_and_cards_are_no_moves(tmp_path: Path, kind: str) -> None:
    first, second, third = lays(kind)
    things = (
        *(Put("cup", 120.0, 120.0, 0.0, 180.0), Wait(50)),
        *(Put("phone", 460.0, 290.0, 30.0, 90.0), Wait(50)),
        *(Put("pen", 200.0, 330.0, 10.0, 90.0), Wait(50)),
        *(Put("card", 450.0, 100.0, 80.0, 0.0), Wait(50)),
    )
    evening = played(tmp_path, kind, first, second, *things, third, Wait(20))
    assert is_undisturbed(evening, kind) or set(evening.questions) <= {"which-tile"}
    assert evening.lamp.buzzes == 0
    assert evening.reasons[2:4] == ["ok-place" if kind == "domino" else "ok-edge"] * 2
    assert len(evening.reasons) == 4


def test_fixed_a_tile_laid_after_a_dark_shadow_that_rested_and_left_is_found(tmp_path: Path) -> None:
    first, second, third = lays("domino")
    shadow = Shadow(263.0, 18, 0.57)
    evening = played(tmp_path, "domino", first, second, shadow, Wait(60), third, Wait(9), seed=1796285416)
    assert is_undisturbed(evening, "domino")


def test_fixed_a_first_tile_whose_shadow_is_nearly_as_large_as_it_is_found(tmp_path: Path) -> None:
    first = Lay("triomino", (0, 0, 0), 300.018, 199.873, -86.493, 90.0)
    evening = played(tmp_path, "triomino", Wait(4), first, Wait(4), seed=1754479078)
    assert [(tile.values, tile.confidence > 0.9) for tile in evening.eye.tiles] == [((0, 0, 0), True)]


DARK_HAND_ON_DARK_CLOTH = 3


@pytest.mark.parametrize(("kind", "seed"), [("domino", 7), ("triomino", DARK_HAND_ON_DARK_CLOTH)])
def test_a_hand_at_rest_at_the_rim_keeps_the_table_busy_until_it_leaves(tmp_path: Path, kind: str, seed: int) -> None:
    first, second, third = lays(kind)
    evening = played(tmp_path, kind, first, second, Hover(90.0, 300.0, 360.0, frames=10 * FPS), third, seed=seed)
    assert is_undisturbed(evening, kind)
    assert evening.longest_busy > 10 * FPS


def test_a_camera_that_fails_is_told_and_the_game_goes_on_when_it_is_back(tmp_path: Path) -> None:
    first, second, third = lays("domino")
    evening = played(tmp_path, "domino", first, second, Fail("frozen", 90), Fail("lost", 90), third)
    assert is_undisturbed(evening, "domino")
    assert {CameraStatus.FROZEN, CameraStatus.LOST} < set(evening.cameras)
    assert evening.cameras[-1] is CameraStatus.OK


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_a_tile_that_is_slid_a_little_is_followed_and_one_moved_away_is_asked_about(tmp_path: Path, kind: str) -> None:
    first, second, _ = lays(kind)
    slid = Move(
        second.x_mm, second.y_mm, second.x_mm + 2.0, second.y_mm + 1.0, second.angle_deg + 2.0, 90.0, slide=True
    )
    away = Move(second.x_mm, second.y_mm, 130.0, 90.0, 30.0, 90.0)
    evening = played(tmp_path, kind, first, second, slid, Wait(9))
    assert (evening.questions, evening.lamp.buzzes, len(evening.reasons)) == ([], 0, 3)
    (tmp_path / "journal.sqlite3").unlink()
    evening = played(tmp_path, kind, first, second, away, Wait(9))
    assert (evening.questions, evening.lamp.buzzes, len(evening.reasons)) == (["moved"], 0, 3)


@pytest.mark.parametrize("kind", ["domino"])
def test_a_tile_from_the_wrong_side_of_the_table_is_out_of_turn(tmp_path: Path, kind: str) -> None:
    first, second, _ = lays(kind)
    evening = played(tmp_path, kind, first, replace_seat(second, 90.0), Wait(9))
    assert evening.reasons[-1] == "out-of-turn"
    assert evening.lamp.buzzes == 1


def test_two_players_who_lay_before_the_table_has_come_to_rest_are_both_recorded_in_order(tmp_path: Path) -> None:
    first, second, third = lays("domino")
    evening = played(tmp_path, "domino", first, Both((second, third)), Wait(9))
    assert is_undisturbed(evening, "domino")
    assert sorted(set(evening.rulings[-30:])) == [4], "both in one settle"


def replace_seat(lay: Lay, from_deg: float) -> Lay:
    return Lay(lay.kind, lay.values, lay.x_mm, lay.y_mm, lay.angle_deg, from_deg)
