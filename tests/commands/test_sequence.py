"""`referee sequence` on a labelled sequence: the counts, and one line for bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.commands.sequence import Label, near
from referee.sighting import SeenTile

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"


def test_a_sequence_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sequence", str(PICTURES / "sequences.json"), "--name", "d1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["placements"], result["found"], result["read_right"], result["wrong_accepted"]) == (2, 2, 2, 0)
    assert (result["busy_frames"], result["busy_recognised"], result["false_tiles"]) == (1, 1, 0)
    assert result["position_mm_median"] < 1.0
    assert 0 < result["idle_decodes"] < result["slowest_look_decodes"]


def test_a_wrong_label_is_counted_as_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = json.loads((PICTURES / "sequences.json").read_text())
    domino = next(sequence for sequence in labels["sequences"] if sequence["name"] == "d1")
    domino["frames"][0]["tile"]["values"] = [5, 5]
    domino["frames"][-1]["tile"]["x_mm"] += 20.0
    for file in PICTURES.glob("d1_*.jpg"):
        shutil.copy(file, tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert main(["sequence", str(tmp_path / "labels.json"), "--name", "d1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["found"], result["read_right"], result["wrong_accepted"]) == (1, 0, 1)


@pytest.mark.parametrize("arguments", [["missing.json"], [str(PICTURES / "sequences.json")], [__file__]])
def test_bad_input_is_one_line_and_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sequence", *arguments]) == 64
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("x_mm", "angle_deg", "fits"), [(302.0, 34.0, True), (304.0, 30.0, False), (300.0, 210.0, True)]
)
def test_near_means_three_millimetres_and_six_degrees_either_way_round(
    x_mm: float, angle_deg: float, fits: bool
) -> None:
    label = Label((0, 6), 300.0, 200.0, 30.0)
    assert near(label, SeenTile("domino", (0, 6), x_mm, 200.0, angle_deg), "domino") is fits
