"""What is printed for a table: in true size, found again by the eye, and refused where it cannot be."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration import pdf
from calibration.mat import QUIET_ZONE_MM
from calibration.profile import Mat
from calibration.sheets import (
    BOARD_DICTIONARY,
    BOARD_SQUARES,
    CHECK_MM,
    PAPERS_MM,
    PRINTER_MM,
    Cells,
    Line,
    Sheet,
    SheetError,
    Text,
    areas_of,
    board_sheet,
    lens_board,
    mat_sheets,
)
from calibration.table import MARKER_DICTIONARY, marker_corners
from display import theme
from referee.seen import zones

PX_PER_MM = 4.0
SMALL = Mat(560.0, 380.0, 40.0)


def printed(tmp_path: Path, sheets: tuple[Sheet, ...]) -> list[np.ndarray]:
    """The pages of the PDF as grey pictures."""
    pdf.write(sheets, tmp_path / "sheets.pdf", "sheets", theme.REGULAR)
    pages = pypdfium2.PdfDocument(tmp_path / "sheets.pdf")
    pictures = [page.render(scale=PX_PER_MM * 25.4 / 72).to_numpy() for page in pages]
    return [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in pictures]


def markers_mm(picture: np.ndarray, paper: str) -> dict[int, np.ndarray]:
    """The mat's markers on a page, their corners in millimetres of the paper."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    found = zip(ids.ravel(), corners, strict=True)
    scale = np.array(picture.shape[::-1]) / PAPERS_MM[paper]  # a page is drawn onto whole pixels
    return {int(number): (each[0] + 0.5) / scale for number, each in found}


def zoned(mat: Mat) -> zones.Zones:
    return zones.usual(mat.width_mm, mat.height_mm, mat.marker_mm)


def test_a_mat_that_fits_is_one_sheet_with_its_markers_where_the_mat_has_them(tmp_path: Path) -> None:
    (picture,) = printed(tmp_path, mat_sheets(SMALL, "A2", areas_of(zoned(SMALL))))
    found = markers_mm(picture, "A2")
    assert sorted(found) == [0, 1, 2, 3]
    origin = found[0][0]
    for number, corners in marker_corners(SMALL).items():
        np.testing.assert_allclose(found[number] - origin, corners, atol=0.1)
    np.testing.assert_allclose(origin, ((594 - 560) / 2, (420 - 380) / 2), atol=0.1)


def test_the_ground_of_a_whole_mat_is_grey_since_white_tiles_vanish_on_white(tmp_path: Path) -> None:
    (grey,) = printed(tmp_path, mat_sheets(SMALL, "A2"))
    (white,) = printed(tmp_path, mat_sheets(SMALL, "A2", ground=0.0))
    middle = (slice(700, 900), slice(1000, 1300))
    assert 80 < grey[middle].mean() < 130
    assert white[middle].min() == 255


def test_a_larger_mat_is_four_corners_each_with_its_own_marker(tmp_path: Path) -> None:
    mat = Mat()
    pictures = printed(tmp_path, mat_sheets(mat, "A4", areas_of(zoned(mat))))
    assert len(pictures) == 4
    rim = QUIET_ZONE_MM + PRINTER_MM
    for number, picture in enumerate(pictures):
        found = markers_mm(picture, "A4")
        assert list(found) == [number]
        corner = found[number][number]  # the outer one
        wanted = (297 - rim if number in (1, 2) else rim, 210 - rim if number in (2, 3) else rim)
        np.testing.assert_allclose(corner, wanted, atol=0.1)


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_two_rulers_and_the_gap_that_is_printed_make_the_whole_edge(paper: str) -> None:
    mat = Mat(700.0, 500.0)
    rim = QUIET_ZONE_MM + PRINTER_MM
    for sheet in mat_sheets(mat, paper):
        texts = [mark.words for mark in sheet.marks if isinstance(mark, Text)]
        for room, edge in zip(PAPERS_MM[paper], (700.0, 500.0), strict=True):
            gap = edge - 2 * min(room - 2 * rim, edge / 2)
            assert (f"{gap:g} mm to the other ruler's end" if gap else "The two rulers meet here") in texts


def test_the_corners_say_where_the_boneyard_ends() -> None:
    mat = Mat()
    far_left = mat_sheets(mat, "A4", areas_of(zoned(mat)))[0]
    edge = QUIET_ZONE_MM + PRINTER_MM
    at = edge + zoned(mat).boneyard.right_mm
    assert any(isinstance(mark, Line) and mark.start_mm == pytest.approx((at, edge)) for mark in far_left.marks)
    assert sum(isinstance(mark, Text) and mark.words == "Boneyard" for mark in far_left.marks) == 2


@pytest.mark.parametrize(("mat", "paper"), [(Mat(), "A4"), (Mat(), "A3"), (Mat(1200.0, 800.0), "A2"), (SMALL, "A2")])
def test_all_that_is_printed_stays_off_the_printers_edge(mat: Mat, paper: str) -> None:
    for sheet in mat_sheets(mat, paper, areas_of(zoned(mat))):
        for mark in sheet.marks:
            if isinstance(mark, Cells):
                points = [(mark.left_mm, mark.top_mm)]
                side = mark.cell_mm * len(mark.black)
                points.append((mark.left_mm + side, mark.top_mm + side))
            elif isinstance(mark, Line):
                points = [mark.start_mm, mark.end_mm]
            elif isinstance(mark, Text):
                points = [mark.middle_mm]
            else:
                points = []
            for x, y in points:
                assert PRINTER_MM <= x <= sheet.width_mm - PRINTER_MM
                assert PRINTER_MM <= y <= sheet.height_mm - PRINTER_MM


@pytest.mark.parametrize("mat", [Mat(), SMALL])
def test_every_sheet_has_a_line_to_check_the_scale(mat: Mat) -> None:
    for sheet in mat_sheets(mat, "A2" if mat is SMALL else "A4"):
        lengths = [
            np.hypot(mark.end_mm[0] - mark.start_mm[0], mark.end_mm[1] - mark.start_mm[1])
            for mark in sheet.marks
            if isinstance(mark, Line)
        ]
        assert any(length == pytest.approx(CHECK_MM) for length in lengths)


def test_the_lens_board_is_the_one_that_opencv_looks_for(tmp_path: Path) -> None:
    (picture,) = printed(tmp_path, (board_sheet("A4"),))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(picture)
    columns, rows = BOARD_SQUARES
    assert len(ids) == (columns - 1) * (rows - 1)
    grid = corners.reshape(rows - 1, columns - 1, 2)
    steps = np.diff(grid, axis=1)[..., 0]
    np.testing.assert_allclose(steps, 31.0 * PX_PER_MM, atol=0.3)


def test_the_board_and_the_mat_are_never_taken_for_each_other() -> None:
    assert BOARD_DICTIONARY != MARKER_DICTIONARY


@pytest.mark.parametrize(
    ("mat", "told"),
    [
        (Mat(150.0, 400.0), "180 to 2000 mm wide with markers of 40 mm, got 150"),
        (Mat(600.0, 3000.0), "mm deep"),
        (Mat(600.0, 400.0, 10.0), "markers of 20 to 48 mm, got 10"),
        (Mat(600.0, 400.0, 90.0), "markers of 20 to 48 mm, got 90"),
    ],
)
def test_a_mat_that_no_camera_could_use_is_refused(mat: Mat, told: str) -> None:
    with pytest.raises(SheetError, match=told):
        mat_sheets(mat, "A4")


def test_a_paper_that_is_not_known_is_refused() -> None:
    with pytest.raises(SheetError, match="expected a paper of A4, A3, A2, got 'A5'"):
        mat_sheets(Mat(), "A5")
