"""`referee judge PHOTO --game ID`: is the layout on one photograph legal?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.commands import setting

if TYPE_CHECKING:
    from referee.commands.judging import Join, Judged, Judgement
    from vision.kinds import Image
    from vision.still import Still


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "judge",
        help="say whether the layout on one photograph is legal",
        description="Exit code 0: legal, 1: illegal, 2: cannot tell, 64: no such picture or game.",
        epilog="example:\n  referee judge photograph.jpg --game fr-domino --annotate seen.png",
    )
    parser.add_argument("photo", metavar="PHOTO", type=Path, help="a photograph of the layout, from above")
    parser.add_argument("--game", required=True, metavar="ID", help="a preset, such as fr-domino")
    parser.add_argument("--set", metavar="FILE", help="the set of tiles, as `referee learn-set` wrote it")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences")
    parser.add_argument(
        "--annotate",
        metavar="OUT.png",
        type=Path,
        help="write the photograph with what was seen: every tile's numbers, every join with its ruling",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look, judge, tell."""
    from referee.__main__ import Exit
    from referee.commands.judging import CANNOT_TELL, LEGAL, Judged, judge
    from referee.games import layout_game
    from vision.frames import read_picture
    from vision.still import look

    try:
        preset = layout_game(args.game)
        known, _ = setting.known_kind(args.set, preset.kind)
        image = read_picture(args.photo)
    except ValueError as error:
        print(f"referee judge: {error}", file=sys.stderr)
        return Exit.USAGE
    still = look(image, preset.kind, max(max(tile.values) for tile in preset.tiles), known=known)
    tiles = [Judged(number, tile.seen, tile.is_sure) for number, tile in enumerate(still.tiles, 1)]
    judgement = judge(tiles, still.shape, frozenset(preset.tiles), getattr(preset.settings, "spinner", False))
    if args.annotate:
        try:
            _write(args.annotate, image, still, judgement, args.photo.name)
        except OSError as error:
            print(f"referee judge: {error}", file=sys.stderr)
            return Exit.USAGE
    print(json.dumps(_as_json(still, judgement)) if args.json else "\n".join(_sentences(tiles, judgement)))
    return {LEGAL: Exit.DONE, CANNOT_TELL: Exit.CANNOT_TELL}.get(judgement.verdict, Exit.FAILED)


def _write(path: Path, image: Image, still: Still, judgement: Judgement, name: str) -> None:
    """Write the picture with outlines, numbers and joins, under its name and the verdict.

    Raises:
        OSError: if it cannot be written.
    """
    from vision.still.annotate import Mark, annotate, write

    marks = [Mark(join.a - 1, join.b - 1, join.legal, _differing(join)) for join in judgement.joins]
    told = {(join.a, join.b) for join in judgement.joins}
    marks += [
        Mark(a - 1, b - 1, None)
        for one in judgement.unclear
        if len(one.tiles) == 2
        for a, b in [one.tiles]
        if (a, b) not in told
    ]
    aside = frozenset(tile - 1 for tile in judgement.aside)
    doubted = frozenset(one.tiles[0] - 1 for one in judgement.unclear if len(one.tiles) == 1)
    nothing = next((f", {one.why}" for one in judgement.unclear if not one.tiles), "")
    title = f"{name}: {judgement.verdict}{nothing}"
    write(path, annotate(image, still, marks, aside, title, doubted))


def _differing(join: Join) -> str:
    """The numbers of an illegal join that should be alike; nothing for other joins."""
    if join.legal is not False:
        return ""
    return ", ".join(f"{one} meets {other}" for one, other in join.values if one != other)


def _verdict(judgement: Judgement) -> str:
    """The verdict with what it rests on, in few words."""
    bad = sum(join.legal is False for join in judgement.joins)
    good = sum(join.legal is True for join in judgement.joins)
    counts = [
        f"{good} legal",
        f"{bad} illegal" if bad else "",
        f"{len(judgement.unclear)} unclear" if judgement.unclear else "",
    ]
    return f"{judgement.verdict}: {', '.join(filter(None, counts))}"


def _sentences(tiles: list[Judged], judgement: Judgement) -> list[str]:
    by_id = {tile.id: tile for tile in tiles}
    lines = [f"{tile}, {tile.seen.confidence:.0%} sure" for tile in tiles]
    lines += [f"{by_id[join.a]} and {by_id[join.b]}: {_said(join)}" for join in judgement.joins]
    lines += [f"aside: {by_id[tile]}" for tile in judgement.aside]
    lines += [f"unclear: {one.why}" for one in judgement.unclear]
    return [*lines, _verdict(judgement)]


def _said(join: Join) -> str:
    meet = ", ".join(f"{one} meets {other}" for one, other in join.values)
    return f"{meet}: {'cannot tell' if join.reason is None else join.reason.value}"


def _as_json(still: Still, judgement: Judgement) -> dict[str, Any]:
    group = {tile: number for number, members in enumerate(judgement.groups, 1) for tile in members}
    tiles = [
        {
            "id": number,
            "values": list(tile.seen.values),
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in tile.corners],
            "confidence": round(tile.seen.confidence, 4),
            "alternatives": [
                {"values": list(reading.values), "probability": round(reading.probability, 4)}
                for reading in tile.seen.readings[1:]
            ],
            "group": group.get(number),
        }
        for number, tile in enumerate(still.tiles, 1)
    ]
    joins = [
        {
            "a": join.a,
            "b": join.b,
            "values": list(join.values[0]) if len(join.values) == 1 else [list(pair) for pair in join.values],
            "legal": join.legal,
            "reason": None if join.reason is None else join.reason.value,
        }
        for join in judgement.joins
    ]
    unclear = [{"tiles": list(one.tiles), "why": one.why} for one in judgement.unclear]
    return {
        "verdict": judgement.verdict,
        "tiles": tiles,
        "joins": joins,
        "aside": list(judgement.aside),
        "unclear": unclear,
    }
