"""`python -m vision.scenes --out DIR --count N --seed S`: labelled pictures of made-up tables to measure with."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.tiles import DOMINO, TRIOMINO, smallest_rotation
from vision.models import sets
from vision.models.shots import printing
from vision.scenes import Brief, Order, Picture, SeenPiece, Session, arrange, draw_session, photograph

WHOLE = 0.9  # a tile of which less is seen is not counted, whether it is found or not
LENSES = {"overhead": (0.0, 5.0), "oblique": (10.0, 45.0)}


def main() -> None:
    """Make the pictures and write `labels.json` beside them, as `referee accuracy` reads it."""
    parser = argparse.ArgumentParser(prog="python -m vision.scenes", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to fill")
    parser.add_argument("--count", type=int, default=50, metavar="N", help="how many pictures (default: 50)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, other pictures (default: 1)")
    parser.add_argument("--kind", choices=(DOMINO, TRIOMINO), default=TRIOMINO, help="(default: triomino)")
    parser.add_argument("--harsh", type=float, default=0.25, metavar="SHARE", help="of bad light (default: 0.25)")
    parser.add_argument("--px-per-mm", type=float, nargs=2, default=(1.5, 4.0), metavar=("FROM", "TO"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    images = []
    for number in range(args.count):
        random = np.random.default_rng([args.seed, number])
        made = _made_up(args.kind, random)
        view = "oblique" if random.random() < 0.3 else "overhead"
        near, far = args.px_per_mm
        brief = Brief(px_per_mm=(near, far), size_px=(1280, 960), tilt_deg=LENSES[view], harsh=args.harsh)
        session = draw_session(random, made.tiles(), brief)
        picture = photograph(session, arrange(session, random, Order(), made.values), random)
        file = f"{args.kind}_{number:04}.png"
        cv2.imwrite(str(args.out / file), picture.image)
        images.append(_labels(file, picture, session, view, made.pips))
    (args.out / "labels.json").write_text(json.dumps({"images": images}, indent=1), encoding="utf-8")


def _made_up(kind: str, random: np.random.Generator) -> sets.DominoSet | sets.TriominoSet:
    if kind == DOMINO:
        return sets.DominoSet(random)
    return sets.TriominoSet(random, printing(held_out=True), bool(random.random() < 0.3))


def _labels(file: str, picture: Picture, session: Session, view: str, pips: bool) -> dict[str, Any]:
    kind = session.tiles.kind
    height, width = picture.image.shape[:2]
    whole = [tile for tile in picture.tiles if tile.visible >= WHOLE]
    hidden = [tile.outline_px.tolist() for tile in picture.tiles if tile.visible < WHOLE]
    glyph = "pips" if kind == DOMINO or pips else "digit"
    return {
        "file": file,
        "width": width,
        "height": height,
        "view": view,
        "kind": "made up",
        "set": "harsh" if session.harsh else "ordinary",
        "style": session.ground,
        "px_per_mm": round(session.px_per_mm, 3),
        "ignore": hidden,
        "tiles": [{**labelled_tile(tile, kind), "glyph": glyph} for tile in whole],
    }


def labelled_tile(tile: SeenPiece, kind: str) -> dict[str, Any]:
    """One tile, turned so that its numbers are the smallest rotation and its corners go with them."""
    values, corners = tile.piece.values, tile.outline_px
    while values and values != smallest_rotation(values):
        values = (*values[1:], values[0])
        corners = np.roll(corners, -2 if kind == DOMINO else -1, axis=0)
    return {
        "pips" if kind == DOMINO else "values": list(values) or None,
        "center": np.round(corners.mean(0), 2).tolist(),
        "corners": np.round(corners, 2).tolist(),
        "face_up": tile.face_up,
    }


if __name__ == "__main__":
    main()
