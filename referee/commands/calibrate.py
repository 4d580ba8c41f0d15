"""`referee calibrate`: measure the lens and the table, and write the table's profile."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from calibration.profile import Camera, Mat
    from calibration.survey import Survey
    from referee.tiles import Shape
    from vision.frames import FrameSource, Image

EXAMPLE = """\
example:
  referee mat --board                                    print the lens board, once
  referee calibrate --camera usb:0 --set my-set.json     hold the board in many ways, then clear the mat
  referee calibrate --camera usb:0 --lens table.json     the camera has moved: keep its lens, look at the table anew
"""
SHAPES = {"triomino": "--tile triomino,SIDE,THICKNESS", "domino": "--tile domino,LENGTH,WIDTH,THICKNESS"}
ADVICE = {
    "coarse": "tiles are seen too small there to be read surely: bring the camera nearer or choose a finer mode",
    "clipped": "parts of the mat are so bright that marks vanish: less light or a shorter exposure",
    "dark": "most of the mat is too dark: more light",
    "leaning": "the camera leans much: hang it more nearly above the middle of the mat",
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="measure the lens and the table, and write the table's profile",
        description="Measures the lens with the printed board and the table with the printed mat, says what is wrong\n"
        "with either, and writes the table's profile for `referee run --calibration`.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--camera", required=True, metavar="SOURCE", help="pi, usb:N, video:FILE or folder:DIR")
    parser.add_argument("--lens", metavar="FILE[#NAME]", help="keep the lens of this profile instead of measuring it")
    parser.add_argument("--board", metavar="SOURCE", help="where the board is seen (default: the same camera)")
    parser.add_argument("--size", type=setting.sides, default=(600.0, 400.0), metavar="WxH", help="the mat's, in mm")
    parser.add_argument("--marker", type=float, default=40.0, metavar="MM", help="side of its markers (default 40)")
    parser.add_argument(
        "--line", type=float, default=100.0, metavar="MM", help="how long the printed line of 100 mm really is"
    )
    parser.add_argument("--set", metavar="FILE", help="the set of tiles, as `referee learn-set` wrote it")
    parser.add_argument(
        "--tile", type=_shape, metavar="KIND,MM,…", help="triomino,SIDE,THICKNESS or domino,LENGTH,WIDTH,THICKNESS"
    )
    parser.add_argument(
        "--corners",
        type=_corners,
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="where the mat's corners are seen, in pixels, clockwise from the far left one, if markers will not do",
    )
    parser.add_argument("--name", default="table", help="the profile's name (default table)")
    parser.add_argument("--output", type=Path, default=Path("table.json"), metavar="FILE", help="default table.json")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure, say what is wrong, write."""
    from calibration.lens import LensError
    from calibration.profile import Mat, Profile, save
    from calibration.survey import SurveyError
    from calibration.tileset import load
    from referee.__main__ import Exit

    try:
        if (args.set is None) == (args.tile is None):
            raise ValueError(f"expected the size of the tiles: --set FILE, {SHAPES['triomino']} or {SHAPES['domino']}")
        shape = args.tile if args.set is None else load(args.set).shape
        if not 50 <= args.line <= 200:
            raise ValueError(f"expected a printed line of 50 to 200 mm, got {args.line:g}")
        true_size = args.line / 100
        mat = Mat(args.size[0] * true_size, args.size[1] * true_size, args.marker * true_size)
        camera = _lens(args)
        seen = _table(args, camera, mat, shape)
    except (LensError, SurveyError) as error:
        print(f"referee calibrate: {error}", file=sys.stderr)
        return Exit.FAILED
    except (ValueError, OSError) as error:
        print(f"referee calibrate: {error}", file=sys.stderr)
        return Exit.USAGE
    pose = seen.pose if args.corners is not None else None  # markers are looked for anew at every start
    try:
        save(Profile(args.name, camera, mat, shape, pose), args.output)
    except OSError as error:
        print(f"referee calibrate: cannot write {args.output} ({error.strerror})", file=sys.stderr)
        return Exit.FAILED
    print(f"{args.output}: written. Play with: referee run --camera {args.camera} --calibration {args.output}")
    return Exit.DONE


def _lens(args: argparse.Namespace) -> Camera:
    """The camera's lens: kept, or measured with the board."""
    from calibration import measuring
    from vision.sources import open_source

    if args.lens is not None:
        kept = setting.profile(args.lens)
        assert kept is not None
        return kept.camera
    print("Lens: hold the printed board before the camera, near and far, leaning, into every corner.")
    source = open_source(args.board or args.camera)
    try:
        lens = measuring.lens(_pictures(source), _tell)
    finally:
        source.close()
    print(
        f"Lens: {lens.views} pictures, {lens.coverage:.0%} of the view covered, off by {lens.residual_px:.2f} pixels, "
        f"focal length {lens.camera.matrix[0, 0]:.0f} pixels (to {lens.focal_error:.2%})."
    )
    return lens.camera


def _table(args: argparse.Namespace, camera: Camera, mat: Mat, shape: Shape) -> Survey:
    """The table, once the camera sees it well."""
    import numpy as np

    from calibration import measuring
    from calibration.profile import Profile
    from calibration.survey import from_corners
    from vision.sources import open_source

    print("Table: lay the mat under the camera and take away what lies on it.")
    source = open_source(args.camera, Profile(args.name, camera, mat, shape))
    try:
        if args.corners is not None:
            frame = source.read()
            if frame is None:
                raise ValueError(f"expected pictures from {args.camera}, got none")
            seen = from_corners(frame.image, np.array(args.corners), camera, mat, shape)
        else:
            seen = measuring.table(_pictures(source), camera, mat, shape, _tell)
    finally:
        source.close()
    scales = " ".join(f"{scale:.1f}" for scale in seen.px_per_mm)
    print(
        f"Table: off by {seen.residual_px:.2f} pixels, camera leaning {seen.tilt_deg:.1f} degrees, "
        f"{scales} pixels a millimetre in the corners."
    )
    for advice in seen.advice:
        print(f"  But {ADVICE[advice]}.")
    return seen


def _pictures(source: FrameSource) -> Iterator[tuple[Image, float]]:
    while (frame := source.read()) is not None:
        yield frame.image, frame.time_s


def _tell(text: str) -> None:
    print(f"  {text}", flush=True)


def _shape(text: str) -> Shape:
    """Read the size of the tiles, such as triomino,29,6 or domino,48,24,8."""
    from referee.tiles import Shape

    kind, *sizes = text.split(",")
    try:
        numbers = [float(size) for size in sizes]
    except ValueError:
        numbers = []
    whole = all(1 <= number <= 200 for number in numbers)
    if kind == "triomino" and len(numbers) == 2 and whole:
        return Shape.triomino(*numbers)
    if kind == "domino" and len(numbers) == 3 and whole:
        return Shape.domino(*numbers)
    raise argparse.ArgumentTypeError(
        f"expected triomino,SIDE,THICKNESS or domino,LENGTH,WIDTH,THICKNESS in millimetres, got {text[:40]!r}"
    )


def _corners(text: str) -> list[tuple[float, float]]:
    """Read four points such as 100,80,1800,90,1790,1000,110,990."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise argparse.ArgumentTypeError(f"expected four points, x and y of each, got {text[:60]!r}")
    return list(zip(numbers[::2], numbers[1::2], strict=True))
