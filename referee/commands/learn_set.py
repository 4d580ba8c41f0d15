"""`referee learn-set NAME`: show the tiles of a set once, so that the eye reads this set better than any other."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calibration.tileset import TileSet
    from referee.commands.showing import Shots
    from vision.learn import Face, Lesson, Thickness

NONE = "none"
MOST_ASKED_FOR = 400  # pictures
EXAMPLE = """\
Lay the tiles face up and apart from each other, a third of the set or so at a time, in good light, and take a picture
of each lot from above; in all pictures together every tile is there once. What cannot be told is asked about: at a
terminal at once, otherwise the crops are written to a folder and named by --say.

Over a calibrated table size and thickness are measured. For the thickness leave some tiles as they lie, push the camera
or the mat a hand's breadth aside, and take one more picture of them with at least three of the mat's markers in it.

examples:
  referee learn-set kitchen --pictures photographs --size-mm 40
  referee learn-set kitchen --pictures photographs --size-mm 40 --say crop_07=3-4-5 --say crop_12=none
  referee learn-set kitchen --camera pi --calibration table.json
  referee run --camera pi --calibration table.json --game official-pressman --set kitchen.json
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "learn-set",
        help="show the tiles of a set once, to have them read better",
        description="Finds out what a set looks like; writes NAME.json for --set, and a picture of its faces beside it."
        "\nExit code 0: learnt, 1: tiles are missing, 2: some faces have to be named by --say, 64: not as expected.",
        epilog=EXAMPLE,
    )
    parser.add_argument("name", metavar="NAME", type=_name, help="what to call the set")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pictures", metavar="DIR", type=Path, help="a folder with pictures of the tiles")
    source.add_argument("--camera", metavar="SOURCE", help="a camera that looks at them: pi, usb:N, video:FILE ...")
    parser.add_argument("--calibration", metavar="FILE[#NAME]", help="the table's profile, by which sizes are measured")
    parser.add_argument("--count", type=_count, metavar="N", help="stop after so many pictures of the camera")
    parser.add_argument("--size-mm", type=_length, metavar="MM", help="the longest side of the tiles, in millimetres")
    parser.add_argument("--thickness-mm", type=_thickness, metavar="MM", help="how thick they are (default: measured)")
    parser.add_argument("--kind", choices=("domino", "triomino"), help="what they are (default: found out)")
    parser.add_argument("--highest", type=setting.highest, metavar="N", help="the largest number (default: found out)")
    parser.add_argument("--copies", type=_copies, metavar="N", default=1, help="how many of each tile (default: 1)")
    parser.add_argument(
        "--partly", action="store_true", help="not all tiles are shown, or some of them in several pictures"
    )
    parser.add_argument(
        "--say", action="append", default=[], metavar="CROP=NUMBERS", help="what a crop shows: crop_07=3-5, or none"
    )
    parser.add_argument("--to", type=setting.folder, metavar="DIR", default=".", help="where to write (default: here)")
    parser.set_defaults(run=run)


def _name(text: str) -> str:
    """Read a name that can be a file's."""
    if not re.fullmatch(r"[\w][\w .-]{0,39}", text):
        raise argparse.ArgumentTypeError(f"expected a name of letters and digits, got {text[:40]!r}")
    return text


def _count(text: str) -> int:
    return setting.whole(text, "a number of pictures", 1, MOST_ASKED_FOR)


def _copies(text: str) -> int:
    return setting.whole(text, "a number of copies", 1, 99)


def _length(text: str) -> float:
    return _millimetres(text, 5.0, 200.0)


def _thickness(text: str) -> float:
    return _millimetres(text, 0.1, 50.0)


def _millimetres(text: str, least: float, most: float) -> float:
    """Read a length within bounds."""
    length = setting.number(text, "millimetres", most)
    if length < least:
        raise argparse.ArgumentTypeError(f"expected millimetres from {least:g} to {most:g}, got {text[:40]!r}")
    return length


def run(args: argparse.Namespace) -> int:
    """Look, understand, ask, write."""
    import cv2

    from referee.__main__ import Exit
    from referee.commands import showing

    cv2.setNumThreads(1)
    try:
        shots = showing.taken(args)
        kind_name, found = _found(shots, args)
        faces, thick = showing.thickness(kind_name, found, shots)
        lesson = _understood(kind_name, faces, args, shots)
        if lesson.open:
            _ask_later(lesson, faces, shots, args)
            return Exit.CANNOT_TELL
        if lesson.missing:
            print(f"referee learn-set: {_missing(lesson, faces)}", file=sys.stderr)
            return Exit.FAILED
        _told(_written(lesson, faces, shots, thick, args), lesson, faces)
        print(showing.thickness_told(kind_name, shots, thick, args))
        print(f"play with --set {Path(args.to) / f'{args.name}.json'}")
    except (ValueError, OSError) as error:
        print(f"referee learn-set: {error}", file=sys.stderr)
        return Exit.USAGE
    return Exit.DONE


def _found(shots: Shots, args: argparse.Namespace) -> tuple[str, list[Face]]:
    """All faces, with a line that tells how far it has come."""
    from referee.commands.progress import told
    from vision.learn import find

    names = shots.names
    pictures = (shots.images[number] for number in told(range(len(names)), lambda number: names[number]))
    return find(pictures, args.kind, args.highest)


def _understood(kind_name: str, faces: Sequence[Face], args: argparse.Namespace, shots: Shots) -> Lesson:
    """What the faces are, as far as it can be told; at a terminal people are asked about the rest.

    Raises:
        ValueError: if what people say cannot be.
    """
    from vision.kinds import kinds
    from vision.learn import Wanted, study

    wanted = Wanted(args.highest, args.copies, args.partly)
    cuts, pictures = [face.cut for face in faces], [face.picture for face in faces]
    said = _said(args.say, kind_name, faces, wanted)
    while True:
        lesson = study(kinds()[kind_name], cuts, pictures, wanted, said)
        if not lesson.open or not sys.stdin.isatty():
            return lesson
        _write_crops(lesson, faces, args)
        answers = _answers(lesson, faces, kind_name, shots, args)
        if not answers:
            return lesson
        said |= answers
        _check(said, faces, wanted)


def _said(say: Sequence[str], kind_name: str, faces: Sequence[Face], wanted: object) -> dict[int, tuple[int, ...]]:
    """What was said of the crops, by the number of the face.

    Raises:
        ValueError: if it cannot be read, or contradicts itself.
    """
    said: dict[int, tuple[int, ...]] = {}
    for text in say:
        crop, equals, numbers = text.partition("=")
        digits = crop.removeprefix("crop_")
        face = int(digits) - 1 if digits.isascii() and digits.isdigit() and len(digits) < 6 else -1
        if not equals or not 0 <= face < len(faces):
            raise ValueError(f"expected --say CROP=NUMBERS with crop_01 to {_crop(len(faces) - 1)}, got {text!r}")
        values = _numbers(numbers, kind_name)
        if said.setdefault(face, values) != values:
            raise ValueError(f"expected one answer for {_crop(face)}, got {_shown(said[face])} and {_shown(values)}")
    _check(said, faces, wanted)
    return said


def _numbers(text: str, kind_name: str) -> tuple[int, ...]:
    """Read the numbers of a tile; `none` is no tile."""
    from referee.tiles import DOMINO, parse_values

    if text == NONE:
        return ()
    values, parts = parse_values(text), 2 if kind_name == DOMINO else 3
    if len(values) != parts or max(values) > 18:
        raise ValueError(f"expected {parts} numbers up to 18 for a {kind_name}, got {text!r}")
    return values


def _check(said: Mapping[int, tuple[int, ...]], faces: Sequence[Face], wanted: object) -> None:
    """Refuse answers that name more tiles alike than there are.

    Raises:
        ValueError: in that case.
    """
    from referee.tiles import smallest_rotation
    from vision.learn import Wanted

    assert isinstance(wanted, Wanted)
    if wanted.highest is not None and any(max(values, default=0) > wanted.highest for values in said.values()):
        raise ValueError(f"expected numbers up to {wanted.highest}, got a larger one")
    alike: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for face, values in said.items():
        if values:
            group = faces[face].picture if wanted.partly else 0
            alike.setdefault((group, smallest_rotation(values)), []).append(_crop(face))
    for (_, values), crops in alike.items():
        if len(crops) > wanted.copies:
            raise ValueError(f"expected {wanted.copies} of {_shown(values)}, got {', '.join(sorted(crops))}")


def _answers(
    lesson: Lesson, faces: Sequence[Face], kind_name: str, shots: Shots, args: argparse.Namespace
) -> dict[int, tuple[int, ...]]:
    """What people at the terminal say of the open faces; an empty line leaves one open."""
    folder = _crops_folder(args)
    print(f"{len(lesson.open)} of {len(faces)} faces have to be named; their pictures are in {folder}.")
    print("Type the numbers, clockwise, such as 3-5 or 0-1-4, none for what is no tile, or nothing to leave it open.")
    answers: dict[int, tuple[int, ...]] = {}
    for face in lesson.open:
        while text := _typed(f"{_question(lesson, faces, face, shots)} "):
            try:
                answers[face] = _numbers(text, kind_name)
                break
            except ValueError as error:
                print(error)
    return answers


def _typed(question: str) -> str:
    """What is typed; nothing at the end of the input."""
    try:
        return input(question).strip()
    except EOFError:
        return ""


def _question(lesson: Lesson, faces: Sequence[Face], face: int, shots: Shots) -> str:
    """Where an open face is, and what it may be."""
    named, (x, y) = lesson.named[face], faces[face].centre
    may_be = [_shown(each) for each in (named.tile, *named.others) if each]
    return f"{_crop(face)}, {shots.names[faces[face].picture]} at {x},{y}, perhaps {' or '.join(may_be[:3])}:"


def _ask_later(lesson: Lesson, faces: Sequence[Face], shots: Shots, args: argparse.Namespace) -> None:
    """List the faces that have to be named, and how."""
    _write_crops(lesson, faces, args)
    print(f"{len(lesson.open)} of {len(faces)} faces have to be named; their pictures are in {_crops_folder(args)}:")
    for face in lesson.open:
        print(f"  {_question(lesson, faces, face, shots).rstrip(':')}")
    if lesson.missing:
        print(_missing(lesson, faces))
    print(f"Run it again with --say {_crop(lesson.open[0])}=NUMBERS for each, or =none for what is no tile.")


def _write_crops(lesson: Lesson, faces: Sequence[Face], args: argparse.Namespace) -> None:
    import cv2

    folder = _crops_folder(args)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("crop_*.png"):
        old.unlink()
    for face in lesson.open:
        large = cv2.resize(faces[face].cut, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        (folder / f"{_crop(face)}.png").write_bytes(cv2.imencode(".png", large)[1].tobytes())


def _crops_folder(args: argparse.Namespace) -> Path:
    return Path(args.to) / f"{args.name}-to-name"


def _crop(face: int) -> str:
    return f"crop_{face + 1:02}"


def _shown(values: Sequence[int]) -> str:
    return "-".join(map(str, values)) or NONE


def _missing(lesson: Lesson, faces: Sequence[Face]) -> str:
    """Which tiles are not there."""
    tileset = lesson.tileset
    whole = len(tileset.tiles) * (tileset.copies or 1)
    missing = ", ".join(_shown(tile) for tile in lesson.missing)
    return (
        f"expected the {whole} tiles of a set to {tileset.highest}, found {len(faces)}; missing: {missing} (show them"
        " too, or say --partly; --highest tells how far the set goes)"
    )


def _written(
    lesson: Lesson, faces: Sequence[Face], shots: Shots, thick: Thickness, args: argparse.Namespace
) -> TileSet:
    """Write the set's file and the picture of its faces; what an earlier run wrote is gone then."""
    from dataclasses import replace

    from calibration import tileset
    from calibration.tileset import Shown
    from referee.commands import showing
    from vision.learn import measure, sheet

    cuts = [faces[face].cut for face in lesson.examples]
    values = [lesson.named[face].values for face in lesson.examples]
    if not values:
        raise ValueError(f"expected faces that can be told apart, got none among {len(faces)}")
    kind, folder = lesson.tileset.shape.kind, Path(args.to)
    tiles = [face for face, each in zip(faces, lesson.named, strict=True) if each.values]
    learnt = replace(
        lesson.tileset,
        name=args.name,
        shape=showing.size(kind, tiles, shots, thick, args),
        colours=measure.colours(kind, cuts, values, lesson.tileset.highest),
        shown=Shown(sheet.write(cuts, folder, args.name), tuple(values)),
    )
    file = folder / f"{args.name}.json"
    before = tileset.load(file).shown if file.exists() else None
    tileset.save(learnt, file)
    if before and learnt.shown and before.picture != learnt.shown.picture:
        before.picture.unlink(missing_ok=True)
    return learnt


def _told(learnt: TileSet, lesson: Lesson, faces: Sequence[Face]) -> None:
    """What was learnt."""
    shape, colours = learnt.shape, learnt.colours
    size = f"{shape.length_mm:.1f} x {shape.width_mm:.1f}" if shape.kind == "domino" else f"side {shape.length_mm:.1f}"
    print(f"{learnt.name}: {len(faces)} faces of a {shape.kind} set to {learnt.highest}, {size} mm")
    if learnt.marks:
        feet = {"corner": "to the corners", "centre": "to the centre", "upright": "all one way", None: ""}[learnt.feet]
        order = "rise clockwise" if learnt.ascending else "do not all rise clockwise"
        print(f"it bears {learnt.marks}{f' with their feet {feet}' if feet else ''}; its numbers {order}")
    if colours:
        print(f"tiles {colours.face}, marks {', '.join(dict.fromkeys(each for each in colours.marks if each))}")
    if lesson.unknown:
        print(f"no face shows {', '.join(map(str, lesson.unknown))}: there it is read as any set")
