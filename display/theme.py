"""Colours, type and the page's grid: felt and slate, ivory tiles, and one light colour per meaning.

Everything is laid out on a virtual page of 800 x 480 and scaled to the window afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

Colour = tuple[int, int, int]

WIDTH, HEIGHT = 800, 480
LEAST_CONTRAST = 4.5
LEAST_LIGHT = 0.5  # of the light of a picture: dimmer, small print could not be read
LEAST_TARGET = 64  # a fingertip on a 7-inch panel
LEAST_SIZE = 11  # text is never set smaller, it is cut instead
LINE = 1.18  # line height of the shipped font

FONTS = Path(__file__).parent / "fonts"
REGULAR = FONTS / "DejaVuSans.ttf"
BOLD = FONTS / "DejaVuSans-Bold.ttf"


@dataclass(frozen=True, slots=True)
class Look:
    """A ground and what is written on it.

    `ink` and `soft` (for small print) can be read on `paper`, also on a screen that is dimmed as far as it can be: a
    contrast below 4.5 to 1 raises ValueError.
    """

    paper: Colour
    ink: Colour
    soft: Colour
    edge: Colour

    def __post_init__(self) -> None:
        for name in ("ink", "soft"):
            ratio = contrast(dimmed(self.paper, LEAST_LIGHT), dimmed(getattr(self, name), LEAST_LIGHT))
            if ratio < LEAST_CONTRAST:
                raise ValueError(f"expected a contrast of at least {LEAST_CONTRAST}, got {ratio:.2f} for {name}")


def luminance(colour: Colour) -> float:
    """Relative luminance of an sRGB colour, 0 (black) to 1 (white).

    Source: Web Content Accessibility Guidelines 2.1, "relative luminance".
    """
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """How well two colours are told apart, from 1 (not at all) to 21 (black on white)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def dimmed(colour: Colour, light: float) -> Colour:
    """A colour with a share of its light, 0 to 1."""
    red, green, blue = (round(part * share_of_value(light)) for part in colour)
    return red, green, blue


def share_of_value(light: float) -> float:
    """What is left of the numbers of a colour when a share of its light is left: they are no measure of light."""
    return float(light ** (1 / 2.2))


# The room is dark, the table is felt; only what matters now is light.
ROOM = Look(paper=(22, 29, 32), ink=(244, 236, 216), soft=(167, 182, 187), edge=(22, 29, 32))
CARD = Look(paper=(35, 45, 50), ink=(244, 236, 216), soft=(175, 189, 194), edge=(56, 70, 77))
FELT = Look(paper=(31, 90, 72), ink=(240, 246, 240), soft=(208, 232, 221), edge=(19, 62, 49))
TURN = Look(paper=(242, 182, 50), ink=(27, 29, 31), soft=(66, 46, 4), edge=(255, 222, 142))
KEY = Look(paper=(58, 74, 83), ink=(250, 245, 232), soft=(206, 216, 220), edge=(94, 115, 126))
MAIN_KEY = Look(paper=(244, 236, 216), ink=(29, 31, 33), soft=(82, 75, 60), edge=(255, 250, 236))
GOOD = Look(paper=(38, 104, 64), ink=(255, 255, 255), soft=(231, 245, 235), edge=(98, 168, 124))
ALARM = Look(paper=(168, 32, 26), ink=(255, 255, 255), soft=(255, 226, 220), edge=(255, 132, 116))
ALARM_KEY = Look(paper=(255, 240, 236), ink=(98, 12, 8), soft=(120, 30, 22), edge=(255, 255, 255))
ASK = Look(paper=(207, 230, 247), ink=(18, 34, 46), soft=(48, 72, 90), edge=(240, 249, 255))
ASK_KEY = Look(paper=(255, 255, 255), ink=(18, 34, 46), soft=(48, 72, 90), edge=(92, 138, 170))
NOTE = Look(paper=(255, 214, 122), ink=(48, 33, 0), soft=(84, 60, 6), edge=(255, 234, 180))
TILE = Look(paper=(246, 239, 222), ink=(29, 31, 33), soft=(96, 88, 70), edge=(150, 136, 106))
BACK = Look(paper=(74, 84, 92), ink=(236, 238, 240), soft=(236, 238, 240), edge=(44, 52, 58))
