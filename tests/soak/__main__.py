"""`make soak`: an evening in fast motion; prints what every room took, 1 if one of them has grown."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.soak.evening import FAULTS, Evening, Plan, play


def main() -> int:
    """Have one evening."""
    usual = Plan()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=usual.hours, help="how long it is (default %(default)s)")
    parser.add_argument("--factor", type=float, default=usual.factor, help="how much faster (default %(default)s)")
    parser.add_argument("--game", default=usual.game, help="what is played first (default %(default)s)")
    parser.add_argument("--seed", type=int, default=usual.seed, help="another seed, another evening")
    parser.add_argument("--faults", type=_faults, default=usual.faults, help=f"what goes wrong, of {','.join(FAULTS)}")
    parser.add_argument("--often", type=float, default=usual.often, help="how much more often it does")
    parser.add_argument("--target", type=int, default=usual.target, help="how many points a match is played to")
    plan = Plan(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory(prefix="referee-soak-") as folder:
        evening = play(plan, Path(folder), lambda text: print(text, file=sys.stderr, flush=True))  # noqa: T201  # what it is for
    print(table_of(evening))  # noqa: T201  # what it is for
    return 0 if evening.has_passed else 1


def _faults(text: str) -> tuple[str, ...]:
    """The kinds of faults that are named, parted by commas."""
    names = tuple(text.split(","))
    if not set(names) <= set(FAULTS):
        raise argparse.ArgumentTypeError(f"expected some of {','.join(FAULTS)}, got {text}")
    return names


def table_of(evening: Evening) -> str:
    """The outcome for people."""
    rows = [
        f"{'':8}{'memory, MB':^36}{'file handles':^20}",
        f"{'room':8}{'start':>9}{'warm':>9}{'end':>9}{'growth':>9}{'start':>8}{'warm':>6}{'end':>6}",
    ]
    for name, each in evening.rooms.items():
        memory = f"{each.start.mb:9.1f}{each.warm.mb:9.1f}{each.end.mb:9.1f}{each.mb:+9.1f}"
        handles = f"{each.start.handles:8}{each.warm.handles:6}{each.end.handles:6}"
        rows.append(f"{name:8}{memory}{handles}  {'flat' if each.is_flat else 'GROWS'}")
    rows.append(
        f"{evening.hours:.2f} hours in {evening.minutes:.0f} minutes: {evening.matches} matches "
        f"({evening.broken_off} broken off), {evening.laid} tiles laid, {evening.read} read, "
        f"{evening.faults} faults, {evening.logged} lines logged, not at rest for {evening.busy_s:.0f} s at most"
    )
    rows.append("passed" if evening.has_passed else f"failed: {evening.complaint}")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
