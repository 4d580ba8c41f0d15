"""`referee calibrate`: measure the lens and the table, and write the table's profile."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from calibration.profile import Camera, Mat, Profile
    from calibration.survey import Survey
    from referee.tiles import Shape
    from vision.frames import FrameSource, Image

EXAMPLE = """\
A camera focuses once, when it is opened: let it see the mat then, and nothing in front of it.

example:
  referee mat --board                                    print the lens board, once
  referee calibrate --camera usb:0 --set my-set.json     hold the board in many ways, then clear the mat
  referee calibrate --camera usb:0 --lens table.json     the camera has moved: keep its lens, look at the table anew
  referee calibrate --camera pi --screen --full          the same on the touchscreen
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
    )
    told = "pi, usb:N, video:FILE or folder:DIR; with --room also auto: it is chosen on the screen"
    parser.add_argument("--camera", required=True, metavar="SOURCE", help=told)
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
    parser.add_argument("--screen", action="store_true", help="on the touchscreen: live picture, what is missing, keys")
    parser.add_argument("--full", action="store_true", help="with --screen: fill the whole display")
    parser.add_argument("--rotate", choices=setting.TURNS, help="with --screen: turn the picture clockwise")
    told = "as a room of a running house, shown and tapped on its screen; `referee run` starts it"
    parser.add_argument("--room", action="store_true", help=told)
    parser.add_argument("--kind", choices=tuple(SHAPES), help="with --room: what the match under way is played with")
    setting.add_language(parser, "with --screen: what it speaks")
    setting.add_places(parser)
    parser.add_argument("--name", default="table", help="the profile's name (default table)")
    parser.add_argument("--output", type=Path, default=Path("table.json"), metavar="FILE", help="default table.json")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure, say what is wrong, write."""
    from calibration.lens import LensError
    from calibration.survey import SurveyError
    from referee.__main__ import Exit

    try:
        if args.room:
            return _as_room(args)
        mat, shape = _printed(args)
        kept = setting.profile(args.lens)
        if args.screen:
            return _on_screen(args, kept, mat, shape)
        profile = _at_terminal(args, kept, mat, shape)
    except (LensError, SurveyError) as error:
        print(f"referee calibrate: {error}", file=sys.stderr)
        return Exit.FAILED
    except (ValueError, OSError) as error:
        print(f"referee calibrate: {error}", file=sys.stderr)
        return Exit.FAILED if args.room else Exit.USAGE  # a house goes on without it
    return Exit.DONE if _written(profile, args) else Exit.FAILED


def _printed(args: argparse.Namespace) -> tuple[Mat, Shape]:
    """The mat as large as it was printed, and the tiles.

    Raises:
        ValueError: for sizes that cannot be.
    """
    from calibration.profile import Mat
    from calibration.tileset import load

    if (args.set is None) == (args.tile is None):
        raise ValueError(f"expected the size of the tiles: --set FILE, {SHAPES['triomino']} or {SHAPES['domino']}")
    shape = args.tile if args.set is None else load(args.set).shape
    if not 50 <= args.line <= 200:
        raise ValueError(f"expected a printed line of 50 to 200 mm, got {args.line:g}")
    true_size = args.line / 100
    return Mat(args.size[0] * true_size, args.size[1] * true_size, args.marker * true_size), shape


def _written(profile: Profile, args: argparse.Namespace) -> bool:
    """Whether the profile could be saved; says so, or why not."""
    from calibration.profile import save

    try:
        save(profile, args.output)
    except OSError as error:
        print(f"referee calibrate: cannot write {args.output} ({error.strerror})", file=sys.stderr)
        return False
    if profile.locks is not None:
        held = [f"{name} {value}" for name, value in asdict(profile.locks).items() if value is not None]
        print(f"Camera: holds {', '.join(held)}.")
    print(f"{args.output}: written. Play with: referee run --camera {args.camera} --calibration {args.output}")
    return True


def _at_terminal(args: argparse.Namespace, kept: Profile | None, mat: Mat, shape: Shape) -> Profile:
    """Lens and table, a line for each thing that is wrong with a picture.

    Raises:
        LensError, SurveyError: if the pictures end before all is measured.
        ValueError: if there are none.
    """
    from calibration.profile import Profile
    from referee.commands.calibration_room import locks_of
    from vision.sources import open_source

    camera = None if kept is None else kept.camera
    if camera is None and args.board is not None:
        with closing(open_source(args.board)) as source:
            camera = _lens(source)
    known = None
    if camera is not None:
        known = Profile(args.name, camera, mat, shape, locks=None if kept is None else kept.locks)
    with closing(open_source(args.camera, known)) as source:
        if camera is None:
            camera = _lens(source)
        seen = _table(args, source, camera, mat, shape)
        locks = locks_of(source)
    pose = seen.pose if args.corners is not None else None  # markers are looked for anew at every start
    return Profile(args.name, camera, mat, shape, pose, locks=locks, source=args.camera)


def _on_screen(args: argparse.Namespace, kept: Profile | None, mat: Mat, shape: Shape) -> int:
    """The same with a window; 78 without a display."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    from calibration.profile import Profile
    from display import preferences
    from display.calibrating import Window
    from display.sentences import Words
    from display.window import NoDisplayError, open_window
    from referee.__main__ import Exit
    from referee.commands.calibration_room import held, locks_of
    from referee.commands.measuring import Course, watch
    from referee.commands.screen import likes
    from vision.sources import open_source

    liked = likes(preferences.load(setting.places(args).state / preferences.FILE), args.rotate, args.language)
    known = None if kept is None else Profile(args.name, kept.camera, mat, shape, locks=kept.locks)
    with closing(open_source(args.camera, known)) as source:

        def write(camera: Camera, seen: Survey, is_pointed_at: bool) -> bool:
            pose = seen.pose if is_pointed_at else None
            made = Profile(args.name, camera, mat, shape, pose, locks=locks_of(source), source=args.camera)
            return _written(made, args)

        course = Course(None if kept is None else kept.camera, mat, shape, write, lambda: held(source))
        try:
            open_window((800, 480), args.full, args.full)
        except NoDisplayError as error:
            print(f"referee calibrate: no display: {error}; without --screen it goes in the terminal", file=sys.stderr)
            return 78
        thread = watch(source, course)
        window = Window(
            lambda: course.shown,
            course.say,
            course.point,
            pygame.display.get_surface,
            Words(liked.language),
            liked.rotate_deg,
        )
        try:
            window.run(lambda: course.is_over)
        finally:
            course.is_over = True
            thread.join(5.0)
            pygame.display.quit()
    return Exit.DONE if course.is_saved else Exit.FAILED


def _as_room(args: argparse.Namespace) -> int:
    """The same for a window elsewhere; fails if there was nothing to begin with.

    Raises:
        ValueError: if the set of tiles or the camera is not what it should be.
    """
    import cv2

    from calibration.tileset import load
    from referee.__main__ import Exit
    from referee.commands.calibration_room import CalibrationRoom, serve
    from referee.commands.devices import listed
    from vision.sources import open_source

    cv2.setNumThreads(1)
    camera = "" if args.camera == "auto" else args.camera
    tiles = None if args.set is None else load(args.set).shape
    serve(
        setting.places(args).make(),
        CalibrationRoom(
            camera, _before(args), tiles, args.kind, listed, open_source, lambda made: _written(made, args)
        ),
    )
    return Exit.DONE


def _before(args: argparse.Namespace) -> Profile | None:
    """The profile that is going to be replaced, or what is known of a virtual table; None where there is neither."""
    if args.output.is_file():
        try:
            return setting.profile(str(args.output))
        except ValueError as error:
            print(f"referee calibrate: {error}", file=sys.stderr)
    if args.camera.startswith("virtual:"):
        from vision.virtual import profile_for

        return profile_for(args.camera)
    return None


def _lens(source: FrameSource) -> Camera:
    """The camera's lens, measured with the board."""
    from calibration.measuring import LensStep

    print("Lens: hold the printed board before the camera, near and far, leaning, into every corner.")
    step, tell = LensStep(), _teller()
    for image, time_s in _pictures(source):
        step.take(image, time_s)
        if step.lens is not None:
            break
        if step.standing.fault != "same-view":
            tell(step.standing.told)
    lens = step.finish()
    print(
        f"Lens: {lens.views} pictures, {lens.coverage:.0%} of the view covered, off by {lens.residual_px:.2f} pixels, "
        f"focal length {lens.camera.matrix[0, 0]:.0f} pixels (to {lens.focal_error:.2%})."
    )
    return lens.camera


def _table(args: argparse.Namespace, source: FrameSource, camera: Camera, mat: Mat, shape: Shape) -> Survey:
    """The table, once the camera sees it well."""
    import numpy as np

    from calibration.measuring import TableStep

    print("Table: lay the mat under the camera and take away what lies on it.")
    step, tell = TableStep(camera, mat, shape), _teller()
    for image, time_s in _pictures(source):
        if args.corners is not None:
            step.point(image, np.array(args.corners))
        else:
            step.take(image, time_s)
        if step.seen is not None:
            break
        tell(step.standing.told)
    seen = step.finish()
    scales = " ".join(f"{scale:.1f}" for scale in seen.px_per_mm)
    print(
        f"Table: off by {seen.residual_px:.2f} pixels, camera leaning {seen.tilt_deg:.1f} degrees, "
        f"{scales} pixels a millimetre in the corners."
    )
    for advice in seen.advice:
        print(f"  But {ADVICE[advice]}.")
    return seen


def _pictures(source: FrameSource) -> Iterator[tuple[Image, float]]:
    """The source's pictures; not the black one that stands for a camera from which none has come."""
    tell = _teller()
    while (frame := source.read()) is not None:
        if str(source.status) == "lost":
            tell("the camera gives no picture")
        else:
            yield frame.image, frame.time_s


def _teller() -> Callable[[str], None]:
    """Prints each sentence that differs from the last."""
    last = ""

    def tell(text: str) -> None:
        nonlocal last
        if text not in ("", last):
            print(f"  {text}", flush=True)
            last = text

    return tell


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
