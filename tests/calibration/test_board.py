"""A board with a printed grid as a table: its pose from the grid's corners, its cells in millimetres."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.board import CELL_MM, CELLS, Board
from calibration.table import project, unproject

GRID = np.array([[205.5, 197.8], [923.1, 199.0], [927.0, 922.9], [208.4, 929.3]])
OUTLINE = np.array([[30.9, 31.0], [1091.0, 32.6], [1093.7, 1081.3], [36.0, 1097.1]])


def board() -> Board:
    return Board.seen("board", GRID, OUTLINE, (1120, 1120))


def test_the_grids_corners_are_seen_where_they_were_given() -> None:
    here = board()
    seen = project(here.grid_mm, 0.0, here.profile.camera, here.pose(GRID))
    assert np.abs(seen - GRID).max() < 0.5


def test_a_tile_is_two_cells_long() -> None:
    here = board()
    across, down = np.ptp(here.grid_mm, axis=0)
    assert (across + down) / 2 == pytest.approx(CELLS * CELL_MM)
    assert here.profile.shape.length_mm == 2 * CELL_MM


def test_the_table_begins_at_the_boards_corner() -> None:
    here = board()
    corners = unproject(OUTLINE, 0.0, here.profile.camera, here.pose(GRID))
    assert np.abs(corners.min(axis=0)).max() < 1.0
    assert np.ptp(corners, axis=0) == pytest.approx([here.profile.mat.width_mm, here.profile.mat.height_mm], abs=2.0)


def test_cells_are_counted_from_the_far_left() -> None:
    here = board()
    assert np.array(here.cell("1A")) - here.grid_mm[0] == pytest.approx([12.0, 12.0], abs=0.2)
    assert np.array(here.cell("15O")) - here.grid_mm[2] == pytest.approx([-12.0, -12.0], abs=0.2)
    assert np.array(here.cell("8H")) == pytest.approx(here.grid_mm.mean(axis=0))


@pytest.mark.parametrize("name", ["", "A", "0A", "16A", "1P", "1a", "A1"])
def test_a_name_that_is_no_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a cell such as 7H"):
        board().cell(name)


def test_what_is_seen_through_the_camera_is_found_again_on_the_table() -> None:
    here = board()
    pose = here.pose(GRID)
    points = np.array([[40.0, 60.0], [400.0, 300.0], [500.0, 20.0]])
    seen = project(points, 8.0, here.profile.camera, pose)
    assert unproject(seen, 8.0, here.profile.camera, pose) == pytest.approx(points, abs=1e-6)


def test_corners_that_are_no_square_are_refused() -> None:
    with pytest.raises(ValueError, match="four corners of a grid"):
        board().pose(GRID[[0, 2, 1, 3]])
