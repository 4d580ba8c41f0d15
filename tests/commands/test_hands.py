"""`referee hands`: hands on labelled recordings, made up here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.__main__ import main
from vision.kinds import Image

CLEAR, STONE, HAND, EDGE = range(4)


def picture(what: int) -> Image:
    """A wooden table with nothing, a stone or an arm on it, or a fingertip at the border."""
    image = np.full((400, 500, 3), (110, 160, 190), np.uint8)
    image += np.random.default_rng(1).integers(0, 6, image.shape, np.uint8)
    if what != CLEAR:
        cv2.circle(image, (250, 250), 14, (40, 40, 40), -1)
    if what == HAND:
        cv2.line(image, (0, 390), (220, 220), (90, 110, 200), 60)
    if what == EDGE:
        cv2.circle(image, (498, 100), 6, (90, 110, 200), -1)
    return image


def labelled(folder: Path, course: list[int], **labels: Any) -> Path:
    (folder / "board").mkdir()
    for number, what in enumerate(course, 1):
        cv2.imwrite(str(folder / "board" / f"{number:03}.png"), picture(what))
    told = {"file_pattern": "board/%03d.png", "frames": len(course), **labels}
    (folder / "labels.json").write_text(json.dumps({"sequences": {"board": told}}), encoding="utf-8")
    return folder


def measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["hands", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hands_are_busy_a_board_at_rest_is_not_and_what_is_doubtful_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = [CLEAR, CLEAR, HAND, HAND, STONE, STONE, EDGE, HAND, STONE]
    found = measured(labelled(tmp_path, course, hand=[[3, 4], 7, 8], hand_edge_only=[7]), capsys)
    assert found == {
        "hand": 3,
        "hand_right": 3,
        "clear": 5,
        "clear_busy": 0,
        "apart": {"hand_edge_only": {"frames": 1, "busy": 0}},
    }


def test_labels_that_are_wrong_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = measured(labelled(tmp_path, [CLEAR, HAND, STONE], hand=[3]), capsys)
    assert (found["hand_right"], found["clear_busy"]) == (0, 1)
    assert main(["hands", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "board 2: busy, but clear" in said
    assert "board 3: at rest, but hand" in said
    assert "0 of 1 frames with a hand busy, 1 of 2 without" in said


def test_a_video_is_watched_at_its_own_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "arm.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (500, 400))
    for what in (CLEAR,) * 10 + (HAND,) * 10 + (STONE,) * 10:
        writer.write(picture(what))
    writer.release()
    told = {"file": "arm.avi", "hand": [[10, 19]], "events": [{"flight_from": 20, "settled": 24}]}
    (tmp_path / "labels.json").write_text(json.dumps({"videos": [told]}), encoding="utf-8")
    found = measured(tmp_path, capsys)
    assert (found["hand"], found["hand_right"], found["clear"]) == (10, 10, 16)
    assert found["clear_busy"] <= 4, "the first frames, until the table is known to be at rest"
    assert found["apart"]["flight"]["frames"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "hands",
        '{"sequences": {"a": {}}}',
        '{"sequences": {"a": {"file_pattern": "a.jpg", "frames": 1}}}',
        '{"sequences": {"a": {"file_pattern": "%s%s", "frames": 1}}}',
        '{"sequences": {"a": {"file_pattern": "%d.jpg", "frames": 1, "hand": ["x"]}}}',
    ],
)
def test_labels_that_are_none_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (tmp_path / "labels.json").write_text(text, encoding="utf-8")
    assert main(["hands", str(tmp_path)]) == 64
    assert capsys.readouterr().err.startswith("referee hands: expected ")
