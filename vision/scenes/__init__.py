"""Made-up photographs of tables on which tiles lie, with labels: for training, for measuring, for the virtual table.

A session (`draw_session`) is one set under one light in front of one camera; `arrange` lays tiles and other
things on its table, `photograph` takes the picture and tells where each tile is seen, `cut` cuts faces from it.
"""

from vision.scenes.arrange import Order, arrange, draw_arm
from vision.scenes.cuts import Slip, cut, cut_anywhere, large_slip, small_slip, turned_slip, visible_parts
from vision.scenes.photograph import Picture, SeenPiece, photograph
from vision.scenes.session import Brief, Session, draw_session
from vision.scenes.slabs import Placed
from vision.scenes.tiles import Piece, TileSet, plain_set
from vision.scenes.wear import worn

__all__ = [
    "Brief",
    "Order",
    "Picture",
    "Piece",
    "Placed",
    "SeenPiece",
    "Session",
    "Slip",
    "TileSet",
    "arrange",
    "cut",
    "cut_anywhere",
    "draw_arm",
    "draw_session",
    "large_slip",
    "photograph",
    "plain_set",
    "small_slip",
    "turned_slip",
    "visible_parts",
    "worn",
]
