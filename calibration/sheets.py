"""What is printed for a table, as flat drawings in millimetres: the mat, whole or by its corners, and the lens board.

A whole mat is grey, since white tiles vanish on white paper. Where the mat is larger than the paper, four sheets carry
one corner each, to be laid on a dark cloth: rulers along the mat's edges, counted from the corner, say how far apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import QUIET_ZONE_MM, marker_cells
from calibration.profile import Mat
from calibration.table import marker_corners
from referee.seen.zones import Zones

PAPERS_MM = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0)}  # the long side first
PRINTER_MM = 5.0  # what printers leave white at the paper's edge
SMALLEST_FREE_MM = 100.0  # between two markers
LARGEST_MM = 2000.0
MARKERS_MM = (20.0, 48.0)  # a cell of a larger one would be wider than the white rim
GROUND = 0.6
LETTERS_MM, RULER_LETTERS_MM = 3.2, 2.6
CHECK_MM = 100.0

BOARD_SQUARES = (9, 6)
BOARD_CELLS = 20  # a square's side in parts of which each cell of a marker has two
BOARD_DICTIONARY = cv2.aruco.DICT_5X5_100  # not the mat's, so that neither is taken for the other

Say = Callable[[str], str]
Point = tuple[float, float]


class SheetError(ValueError):
    """Something that cannot be printed as asked."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; `black` from 0 (white) to 1."""

    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float
    black: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A pattern of black squares without seams: (rows, columns), true where black."""

    left_mm: float
    top_mm: float
    cell_mm: float
    black: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line."""

    start_mm: Point
    end_mm: Point
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A line of words round its middle, turned clockwise."""

    middle_mm: Point
    words: str
    height_mm: float = LETTERS_MM
    turn_deg: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: its size and what is on it, in the order of drawing; (0, 0) is its top left corner, y down."""

    width_mm: float
    height_mm: float
    marks: tuple[Box | Cells | Line | Text, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the mat that is outlined and named: left, top, right, bottom in millimetres of the mat."""

    name: str
    edges_mm: tuple[float, float, float, float]


def areas_of(zones: Zones, say: Say = str) -> tuple[Area, Area]:
    """The mat's zones, with their names."""
    named = ((say("Boneyard"), zones.boneyard), (say("Show hands here"), zones.show))
    boneyard, show = (Area(name, (zone.left_mm, zone.top_mm, zone.right_mm, zone.bottom_mm)) for name, zone in named)
    return boneyard, show


def mat_sheets(
    mat: Mat, paper: str, areas: Sequence[Area] = (), ground: float = GROUND, say: Say = str
) -> tuple[Sheet, ...]:
    """The mat on one sheet where it fits with its white rim and the printer's edge, else its corners on four.

    Args:
        paper: one of `PAPERS_MM`.
        areas: the boneyard, and where hands are shown.
        ground: how black the cloth of a whole mat is printed, 0 to 1.
        say: gives each English text in the language of the players.

    Raises:
        SheetError: for a mat that its markers or the paper do not allow.
    """
    _check(mat, ground)
    width, height = _paper(paper)
    rim = QUIET_ZONE_MM + PRINTER_MM
    if mat.width_mm + 2 * rim <= width and mat.height_mm + 2 * rim <= height:
        return (_whole(mat, (width, height), areas, ground, say),)
    return tuple(_corner(mat, (width, height), number, areas, say) for number in range(4))


def board_sheet(paper: str, say: Say = str) -> Sheet:
    """The board that the lens is measured with, its squares as large as whole millimetres allow.

    Raises:
        SheetError: for a paper that is not known.
    """
    width, height = _paper(paper)
    columns, rows = BOARD_SQUARES
    room = width - 2 * PRINTER_MM, height - 2 * PRINTER_MM - 2 * LETTERS_MM
    side = float(min(room[0] // columns, room[1] // rows))
    left = (width - columns * side) / 2
    picture = lens_board().generateImage((columns * BOARD_CELLS, rows * BOARD_CELLS), None, 0, 1)
    board = Cells(left, PRINTER_MM, side / BOARD_CELLS, np.asarray(picture) < 128)
    text = say("Lens board. Stick it on something flat; it may be printed at any size.")
    return Sheet(width, height, (board, Text((width / 2, height - PRINTER_MM), text)))


def lens_board() -> cv2.aruco.CharucoBoard:
    """The lens board as OpenCV knows it, a square's side one long."""
    dictionary = cv2.aruco.getPredefinedDictionary(BOARD_DICTIONARY)
    return cv2.aruco.CharucoBoard(BOARD_SQUARES, 1.0, 14 / BOARD_CELLS, dictionary)


def _check(mat: Mat, ground: float) -> None:
    """Refuse a mat whose markers no camera could use."""
    if not MARKERS_MM[0] <= mat.marker_mm <= MARKERS_MM[1]:
        raise SheetError(f"expected markers of {MARKERS_MM[0]:g} to {MARKERS_MM[1]:g} mm, got {mat.marker_mm:g}")
    least = 2 * mat.marker_mm + SMALLEST_FREE_MM
    for name, side in (("wide", mat.width_mm), ("deep", mat.height_mm)):
        if not least <= side <= LARGEST_MM:
            raise SheetError(
                f"expected a mat {least:g} to {LARGEST_MM:g} mm {name} with markers of {mat.marker_mm:g} mm, "
                f"got {side:g}"
            )
    if not 0 <= ground <= 1:
        raise SheetError(f"expected a ground from 0 (white) to 1 (black), got {ground:g}")


def _paper(paper: str) -> Point:
    if paper not in PAPERS_MM:
        raise SheetError(f"expected a paper of {', '.join(PAPERS_MM)}, got {paper!r}")
    return PAPERS_MM[paper]


def _whole(mat: Mat, size: Point, areas: Sequence[Area], ground: float, say: Say) -> Sheet:
    """The mat in the middle of its sheet."""
    left, top = (size[0] - mat.width_mm) / 2, (size[1] - mat.height_mm) / 2
    marks: list[Box | Cells | Line | Text] = [Box(left, top, mat.width_mm, mat.height_mm, ground)]
    for area in areas:
        marks += _outlined(area, left, top)
    for number in marker_corners(mat):
        marks += _marker(mat, number, left, top)
    x, y, inside = left + mat.width_mm / 2, top + mat.height_mm / 2, LETTERS_MM
    marks += [
        Text((x, top + inside), say("Opposite the screen")),
        Text((x, top + mat.height_mm - inside), say("This side to the screen")),
        Text((left + inside, y), say("Left of the screen"), turn_deg=270),
        Text((left + mat.width_mm - inside, y), say("Right of the screen"), turn_deg=90),
        *_check_ruler(x - CHECK_MM / 2, top + mat.height_mm - 20.0, say),
    ]
    return Sheet(*size, tuple(marks))


def _outlined(area: Area, left: float, top: float) -> list[Line | Text]:
    """An area's edges and its name inside."""
    x0, y0, x1, y1 = area.edges_mm
    corners = [(left + x, top + y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    lines = [Line(start, end, dashed=True) for start, end in zip(corners, corners[1:] + corners[:1], strict=True)]
    return [*lines, Text((left + (x0 + x1) / 2, top + y0 + LETTERS_MM), area.name)]


def _marker(mat: Mat, number: int, left: float, top: float) -> list[Box | Cells]:
    """One marker on its white field, on a sheet where the mat's corner 0 lies at left and top."""
    x, y = marker_corners(mat)[number][0].tolist()
    x, y, side, rim = left + x, top + y, mat.marker_mm, QUIET_ZONE_MM
    field = Box(x - rim, y - rim, side + 2 * rim, side + 2 * rim, 0.0)
    cells = marker_cells(number)
    return [field, Cells(x, y, side / len(cells), ~cells)]


def _check_ruler(left_mm: float, top_mm: float, say: Say) -> list[Line | Text]:
    """Ten centimetres to lay a ruler against."""
    marks: list[Line | Text] = [Line((left_mm, top_mm), (left_mm + CHECK_MM, top_mm))]
    for step in range(11):
        x = left_mm + 0.1 * CHECK_MM * step
        marks.append(Line((x, top_mm), (x, top_mm + (3.0 if step % 5 else 5.0))))
    text = say("This must be 100 mm long: print at full size, not fitted to the page.")
    return [*marks, Text((left_mm + CHECK_MM / 2, top_mm + 7.5), text)]


@dataclass(frozen=True, slots=True)
class _Edge:
    """One edge of the mat as it is counted from one corner: where that is on the sheet, and which ways.

    `axis` is 0 for an edge along x, 1 for one along y; `first_mm` is where the marker's white rim ends, `shown_mm`
    how far the sheet reaches, the middle of the edge at most.
    """

    corner: Point
    along: Point
    outward: Point
    axis: int
    length_mm: float
    first_mm: float
    shown_mm: float

    def at(self, along_mm: float, outward_mm: float = 0.0) -> Point:
        """A point so far along the edge and beyond it."""
        (x, y), (along_x, along_y), (out_x, out_y) = self.corner, self.along, self.outward
        return x + along_x * along_mm + out_x * outward_mm, y + along_y * along_mm + out_y * outward_mm

    def text(self, along_mm: float, outward_mm: float, words: str) -> Text:
        """Small words beside the edge, turned as it lies."""
        return Text(self.at(along_mm, outward_mm), words, RULER_LETTERS_MM, 270 if self.axis else 0)


def _edges(mat: Mat, size: Point, right: bool, near: bool) -> tuple[_Edge, _Edge]:
    """The two edges that meet in the corner of a sheet: the one along x, and the one along y."""
    rim, first = QUIET_ZONE_MM + PRINTER_MM, mat.marker_mm + QUIET_ZONE_MM
    corner = (size[0] - rim if right else rim), (size[1] - rim if near else rim)
    x, y = (-1.0 if right else 1.0), (-1.0 if near else 1.0)
    room = size[0] - 2 * rim, size[1] - 2 * rim
    width, height = mat.width_mm, mat.height_mm
    across = _Edge(corner, (x, 0.0), (0.0, -y), 0, width, first, min(room[0], width / 2))
    down = _Edge(corner, (0.0, y), (-x, 0.0), 1, height, first, min(room[1], height / 2))
    return across, down


def _corner(mat: Mat, size: Point, number: int, areas: Sequence[Area], say: Say) -> Sheet:
    """One corner of the mat in the same corner of its sheet, with the rulers of both edges that meet there."""
    right, near = number in (1, 2), number in (2, 3)
    across, down = edges = _edges(mat, size, right, near)
    marks: list[Box | Cells | Line | Text] = [
        *_marker(mat, number, across.corner[0] - right * mat.width_mm, across.corner[1] - near * mat.height_mm)
    ]
    for edge in edges:
        marks += _ruler(edge, say)
        for area in areas:
            if (area.edges_mm[0] + area.edges_mm[2] > mat.width_mm) == right:
                marks += _limits(area, edge, right if edge is across else near)
    clear = across.first_mm + 2 * QUIET_ZONE_MM
    marks += _cut(across, down, clear)
    aside = clear + 2 * QUIET_ZONE_MM
    marks += _check_ruler(across.at(aside + (CHECK_MM if right else 0.0))[0], down.at(aside)[1], say)
    x, y = size[0] / 2, size[1] / 2
    names = (
        say("Far left corner, seen from the screen"),
        say("Far right corner, seen from the screen"),
        say("Near right corner, seen from the screen"),
        say("Near left corner, seen from the screen"),
    )
    cut = say("Cut along the dashed lines and lay the four corners on a dark cloth.")
    return Sheet(*size, (*marks, Text((x, y + 10.0), names[number], 5.0), Text((x, y + 18.0), cut)))


def _ruler(edge: _Edge, say: Say) -> list[Line | Text]:
    """Millimetres counted from the corner; its end says how far the other corner's ruler is."""
    marks: list[Line | Text] = [Line(edge.at(edge.first_mm), edge.at(edge.shown_mm))]
    for count in range(int(np.ceil(edge.first_mm / 5)), int(edge.shown_mm // 5) + 1):
        marks.append(Line(edge.at(5.0 * count), edge.at(5.0 * count, 2.0 if count % 2 else 3.5)))
        if count % 10 == 0:
            marks.append(edge.text(5.0 * count, 6.0, f"{5 * count}"))
    marks.append(Line(edge.at(edge.shown_mm, -QUIET_ZONE_MM), edge.at(edge.shown_mm, QUIET_ZONE_MM)))
    gap = edge.length_mm - 2 * edge.shown_mm
    text = say("{0} mm to the other ruler's end").format(f"{gap:g}") if gap else say("The two rulers meet here")
    return [*marks, edge.text(edge.shown_mm - 28.0, -4.0, text)]


def _limits(area: Area, edge: _Edge, from_far: bool) -> list[Line | Text]:
    """Where an area begins and ends along an edge, as far as the ruler shows it."""
    low, high = area.edges_mm[edge.axis], area.edges_mm[edge.axis + 2]
    ends = (edge.length_mm - high, edge.length_mm - low) if from_far else (low, high)
    marks: list[Line | Text] = []
    for at, inside in zip(ends, (1, -1), strict=True):
        if edge.first_mm <= at <= edge.shown_mm:
            marks.append(Line(edge.at(at), edge.at(at, -QUIET_ZONE_MM)))
            marks.append(edge.text(at + 16.0 * inside, -4.0, area.name))
    return marks


def _cut(across: _Edge, down: _Edge, clear_mm: float) -> list[Line]:
    """The dashed line along which the paper between the two rulers is cut away."""
    band = -QUIET_ZONE_MM
    inner = across.at(clear_mm)[0], down.at(clear_mm)[1]
    turns = (across.at(across.shown_mm, band), across.at(clear_mm, band), inner, down.at(clear_mm, band))
    return [
        Line(start, end, dashed=True)
        for start, end in zip(turns, (*turns[1:], down.at(down.shown_mm, band)), strict=True)
    ]
