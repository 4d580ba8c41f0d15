"""Every page of measuring camera and table."""

from __future__ import annotations

from collections.abc import Iterator

from display.calibrating import ADVICE, MISSING, Measured, Stage, page
from display.sentences import CAMERA, Words
from display.widgets import Page

GOOD = Measured(12.5, 12.5, 12.5, 12.5)
TAPPED = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9))


def stages() -> Iterator[tuple[str, Stage]]:
    """Every step, with everything that can be wrong in it."""
    yield "lens", Stage("lens", 12, 15, 0.88)
    yield "table", Stage("table", 1, 3)
    for fault in MISSING:
        yield f"missing-{fault}", Stage("lens", 3, 15, 0.25, fault)
    for camera in CAMERA:
        yield f"camera-{camera}", Stage("table", 0, 3, camera=camera)
    for count in range(len(TAPPED) + 1):
        yield f"corner-{count}", Stage("corners", corners=TAPPED[:count])
    yield "corner-close", Stage("corners", is_close=True)
    yield "measured", Stage("result", measured=GOOD)
    for advice in ADVICE:
        yield f"measured-{advice}", Stage("result", measured=Measured(0.3, 2.8, 1.5, None, (advice,)))


def pages(words: Words) -> Iterator[tuple[str, Page]]:
    """All of them as they look."""
    yield from ((f"calibrating-{name}", page(stage, words)) for name, stage in stages())
