"""Few pictures of a table that lies still are taken, and nothing that happens on it is missed or told late."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.camera import side_by_side
from referee.sighting import Sighting
from vision.frames import Frame
from vision.kinds import kinds
from vision.thrift import IDLE_S, STILL_S, Thrift
from vision.virtual import Direction, Hover, Lay, Light, Put, Take, VirtualTable, Wait, profile_for
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

FPS = 15
NAME = "stage=unused&kind=triomino&seed=4&size=1280x880&stills=4"
SMALL = (320, 220)
REST, LONG = 45, 200  # frames


def small(image: np.ndarray) -> np.ndarray:
    """The picture as the small stream of a camera shows it."""
    reduced = cv2.resize(image, SMALL, interpolation=cv2.INTER_AREA)
    return side_by_side(np.asarray(cv2.cvtColor(reduced, cv2.COLOR_BGR2YUV_I420), np.uint8), SMALL)


def frames(*directions: Direction) -> list[Frame]:
    """What a camera sees of it, each frame with sensor noise of its own."""
    table = VirtualTable(Setting.parse(NAME), ScriptStage(directions))
    found = []
    while (frame := table.read()) is not None:
        found.append(frame)
    return found


def told(seen: list[Frame]) -> list[Sighting]:
    """What an eye tells of frames."""
    eye = Watcher(profile_for(NAME), 5, kinds()["triomino"], epoch="test")
    return [sighting for frame in seen if (sighting := eye.see(frame)) is not None]


def test_an_eye_that_is_spared_pictures_tells_the_same_and_no_later() -> None:
    every = frames(
        Wait(LONG),
        Lay("triomino", (0, 3, 5), 300.0, 200.0, -90.0, 90.0),
        Wait(LONG),
        Hover(0.0, 320.0, 210.0, frames=REST),
        Put("card", 150.0, 300.0, 20.0, 180.0),
        Wait(LONG),
        Light(0.8, frames=1),
        Take(150.0, 300.0, 180.0),
        Wait(REST),
    )
    thrift = Thrift()
    taken = [frame for frame in every if thrift.worth(small(frame.image), frame.time_s)]
    assert len(taken) < 0.85 * len(every), f"{len(taken)} of {len(every)} taken"
    mine, others = told(taken), told(every)
    assert [(each.busy, each.settle, [tile.values for tile in each.tiles]) for each in mine] == [
        (each.busy, each.settle, [tile.values for tile in each.tiles]) for each in others
    ]
    reached = [[each.visits[-1].reach_deg for each in sightings if each.visits] for sightings in (mine, others)]
    assert reached[0] == [pytest.approx(each, abs=5.0) for each in reached[1]]
    assert [each.time_s for each in mine] == [each.time_s for each in others], "as soon as ever"


def noisy(shade: int, seed: int, levels: float = 2.0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0.0, levels, (220, 480))
    return np.clip(shade + noise, 0, 255).astype(np.uint8)


def test_a_table_that_lies_still_is_looked_at_a_few_times_a_second() -> None:
    thrift = Thrift()
    taken_s = [n / FPS for n in range(30 * FPS) if thrift.worth(noisy(100, n), n / FPS)]
    idle = [at_s for at_s in taken_s if at_s > STILL_S + IDLE_S]
    assert np.diff(idle).min() >= IDLE_S - 1e-9
    assert np.diff(idle).max() <= IDLE_S + 1 / FPS


def test_what_is_small_or_only_coloured_is_worth_a_picture_at_once_and_all_that_follow() -> None:
    # a corner of a tile, and a dark sleeve on dark cloth
    for place, change in ((np.s_[100:108, 100:108], 20), (np.s_[20:40, 340:360], 8)):
        thrift = Thrift()
        for n in range(20 * FPS):
            thrift.worth(noisy(100, n), n / FPS)
        for n in range(20 * FPS, 22 * FPS):
            picture = noisy(100, n)
            picture[place] += change
            assert thrift.worth(picture, n / FPS)


def test_a_picture_of_another_size_is_another_picture() -> None:
    thrift = Thrift()
    assert all(thrift.worth(np.zeros((10 + 2 * (n % 2), 15), np.uint8), 100.0 + n / FPS) for n in range(300))
