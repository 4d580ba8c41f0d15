"""Every page of measuring camera and table."""

from __future__ import annotations

from collections.abc import Iterator

from display.aside import Desk
from display.calibrating import ADVICE, HELD, MISSING, Measured, Stage, explained, page
from display.preparing import Size
from display.sentences import CAMERA, Words
from display.widgets import Page

GOOD = Measured(12.5, 12.5, 12.5, 12.5, held=tuple(HELD))
OF_THE_MAT = (Size("across", 600.0), Size("down", 400.0), Size("line", 99.5))
OF_TRIOMINOES = (Size("side", 29.0), Size("thickness", 6.0), *OF_THE_MAT)
OF_DOMINOES = (Size("length", 48.0), Size("width", 24.0), Size("thickness", 8.0), *OF_THE_MAT)
CAMERAS = ("pi", "usb:usb-046d_HD_Pro_Webcam_C920_2B7A9DCF-video-index0", "usb:usb-Arducam-video-index0")
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


def before() -> Iterator[tuple[str, Stage]]:
    """What is asked before the first picture is taken."""
    yield "waiting", Stage("waiting")
    yield "cameras", Stage("camera", cameras=CAMERAS)
    yield "no-cameras", Stage("camera")
    yield "triominoes", Stage("sizes", sizes=OF_TRIOMINOES, kind="triomino")
    yield "dominoes", Stage("sizes", sizes=OF_DOMINOES, kind="domino", is_kept=True)
    yield "other-tiles", Stage("sizes", sizes=OF_TRIOMINOES, kind="triomino", is_kept=True, is_left=True)
    yield "known-set", Stage("sizes", sizes=OF_THE_MAT, is_kept=True)


def pages(words: Words) -> Iterator[tuple[str, Page]]:
    """All of them as they look."""
    yield from ((f"calibrating-{name}", page(stage, words)) for name, stage in (*before(), *stages()))
    at = Desk(words=words)
    yield "calibrating-explained", explained(at).page(at)
