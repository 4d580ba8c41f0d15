"""`referee say`: play at the running table by lines of text, without a screen."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from display.link import Link
    from referee.wire import Answer, View

PATIENCE_S = 5.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "say",
        help="play at the running table by lines of text, such as `A bids 4`",
        description="Says lines to the table that `referee run` has started; `referee replay --write` shows "
        "how acts are written.",
        epilog="""examples:
  referee say 'A lays 5-3 at left' 'B passes'
  referee say 'undo 7'""",
    )
    parser.add_argument("lines", nargs="*", metavar="LINE", help="what is said, in quotes; none: read standard input")
    setting.add_places(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say line after line and print what the table makes of each; 1 if one was refused or no table is there."""
    from display.link import Link

    lines: Iterable[str] = args.lines or (line.strip() for line in sys.stdin)
    with Link(setting.places(args).make(), by="terminal") as link:
        if not _hears(link):
            print(
                "referee say: no table is running (start one with `referee run --camera none --game ID`)",
                file=sys.stderr,
            )
            return 1
        taken = [_say(link, line) for line in lines if line]
    return 0 if all(taken) else 1


def _hears(link: Link) -> bool:
    until_s = time.monotonic() + PATIENCE_S
    while link.view is None and time.monotonic() < until_s:
        link.poll(0.1)
    return link.view is not None


def _say(link: Link, line: str) -> bool:
    """Say one line; True when it was carried out."""
    before = link.view
    order_id = link.order(line)
    answer: Answer | None = None
    while answer is None:  # the link gives up by itself, and says so in an answer
        link.poll(0.1)
        answer = next((each for each in link.answers() if each.id == order_id), None)
    if answer.status not in ("done", "repeated"):
        print(_refusal(line, answer), flush=True)
        return False
    until_s = time.monotonic() + PATIENCE_S
    while link.view and link.view.seq < answer.seq and time.monotonic() < until_s:
        link.poll(0.1)
    for text in _news(before, link.view):
        print(text, flush=True)
    return True


def _refusal(line: str, answer: Answer) -> str:
    """Why a line was not carried out, and what could be said instead."""
    from display.sentences import Words

    ways = [option.line for option in answer.options if option.line]
    ways += [answer.outlook.line] if answer.outlook else []
    rows = [f"      ! {line:<44} {Words().answer(answer)}", *(f"        or: {way}" for way in ways)]
    return "\n".join(rows)


def _news(before: View | None, view: View | None) -> list[str]:
    """The rulings that are new in a view, who has taken the trick, and the scores at the end of a round."""
    from display.sentences import Words
    from referee.commands import narrator

    if view is None:
        return []
    told = {ruled.entry for ruled in before.log} if before else set()
    rows = [narrator.line(ruled, view) for ruled in view.log if ruled.entry not in told]
    if view.tricks and (taken := Words().trick(view.seats, view.tricks)):
        rows.append(f"        {taken}")
    if view.phase in ("clearing", "over"):
        rows.append(f"        {narrator.standing(view)}")
    return rows
