"""The virtual table: photographs of tiles on a mat, taken by a camera that does not exist.

It is a camera like any other: all that leaves it are pictures. People who play on it send directions
(`vision.virtual.stage`); what became of them is to be seen in the pixels alone.
"""

from vision.virtual.stage import (
    Both,
    Bump,
    Clear,
    Direction,
    End,
    Fail,
    Flash,
    Flicker,
    Gather,
    Glow,
    Hover,
    Lay,
    Light,
    Lying,
    Move,
    Put,
    Shadow,
    Spread,
    Take,
    Wait,
)
from vision.virtual.table import VirtualTable, open_table, profile_for

__all__ = [
    "Both",
    "Bump",
    "Clear",
    "Direction",
    "End",
    "Fail",
    "Flash",
    "Flicker",
    "Gather",
    "Glow",
    "Hover",
    "Lay",
    "Light",
    "Lying",
    "Move",
    "Put",
    "Shadow",
    "Spread",
    "Take",
    "VirtualTable",
    "Wait",
    "open_table",
    "profile_for",
]
