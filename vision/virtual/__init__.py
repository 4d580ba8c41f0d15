"""The virtual table: photographs of tiles on a mat, taken by a camera that does not exist.

It is a camera like any other: all that leaves it are pictures. People who play on it send directions
(`vision.virtual.stage`); what became of them is to be seen in the pixels alone.
"""

from vision.virtual.stage import Clear, Direction, End, Hover, Lay, Take
from vision.virtual.table import VirtualTable, open_table, profile_for

__all__ = ["Clear", "Direction", "End", "Hover", "Lay", "Take", "VirtualTable", "open_table", "profile_for"]
