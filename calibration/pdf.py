"""Sheets as a PDF, in true size."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from calibration import disk
from calibration.sheets import Box, Cells, Line, Sheet, Text

FONT = "sheet"
THIN_MM = 0.25
MIDDLE = 0.36  # of a line's height, from its base line to its middle


def write(sheets: tuple[Sheet, ...], path: Path, title: str, font: Path) -> None:
    """Write sheets as the pages of a file that asks viewers to print it at full size.

    Args:
        font: a TrueType font that has the letters of every language.

    Raises:
        OSError: if the file cannot be written; what was there before is still there then.
    """
    if FONT not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(FONT, str(font)))
    data = BytesIO()
    canvas = Canvas(data, invariant=True)
    canvas.setTitle(title)
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        canvas.setPageSize((sheet.width_mm * mm, sheet.height_mm * mm))
        canvas.translate(0, sheet.height_mm * mm)
        for mark in sheet.marks:
            _draw(canvas, mark)
        canvas.showPage()
    canvas.save()
    disk.write_bytes(data.getvalue(), path)


def _draw(canvas: Canvas, mark: Box | Cells | Line | Text) -> None:
    """One mark; the canvas has its origin at the sheet's top left corner, y up."""
    match mark:
        case Box(left, top, width, height, black):
            canvas.setFillGray(1 - black)
            canvas.rect(left * mm, -(top + height) * mm, width * mm, height * mm, stroke=0, fill=1)
        case Cells():
            _draw_cells(canvas, mark)
        case Line(start, end, dashed):
            canvas.setStrokeGray(0)
            canvas.setLineWidth(THIN_MM * mm)
            canvas.setDash((2 * mm, 1.5 * mm) if dashed else ())
            canvas.line(start[0] * mm, -start[1] * mm, end[0] * mm, -end[1] * mm)
        case Text(middle, words, height, turn):
            canvas.saveState()
            canvas.setFillGray(0)
            canvas.translate(middle[0] * mm, -middle[1] * mm)
            canvas.rotate(-turn)
            canvas.setFont(FONT, height * mm)
            canvas.drawCentredString(0, -MIDDLE * height * mm, words)
            canvas.restoreState()


def _draw_cells(canvas: Canvas, cells: Cells) -> None:
    """All black cells as one shape: filled one by one, they would show seams."""
    path, side = canvas.beginPath(), cells.cell_mm * mm
    for row, columns in enumerate(cells.black):
        for column in columns.nonzero()[0].tolist():
            path.rect(cells.left_mm * mm + column * side, -cells.top_mm * mm - (row + 1) * side, side, side)
    canvas.setFillGray(0)
    canvas.drawPath(path, stroke=0, fill=1)
