"""`referee completion`: what a shell needs to complete commands, options and names of games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.__main__ import FrontDoor

SHELLS = ("bash", "zsh", "fish")
FOLDERS = ("DIR", "OUT")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "completion",
        help="print what a shell needs to complete commands, options and names of games",
        description="Prints a script for the shell, to be kept where it looks for completions.",
        epilog="""examples:
  referee completion bash > ~/.local/share/bash-completion/completions/referee
  referee completion zsh > ~/.zfunc/_referee             where fpath contains ~/.zfunc
  referee completion fish > ~/.config/fish/completions/referee.fish""",
    )
    parser.add_argument("shell", choices=SHELLS, help="which shell")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from referee.__main__ import build_parser

    parser = build_parser()
    tell(parser)
    sys.stdout.write(shtab.complete(parser, args.shell))
    return 0


def tell(parser: FrontDoor) -> None:
    """Say of every argument what may stand there: a file, a folder, a game, a language."""
    import shtab

    from display import languages
    from referee import games

    known = {"game": tuple(sorted(games.games())), "language": tuple(each.code for each in languages.available())}
    for action in _actions(parser):
        if action.choices is None and action.dest in known:
            action.choices = known[action.dest]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # where shtab looks for it
        elif action.type is Path or "FILE" in str(action.metavar) or action.dest in ("photo", "file"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # the same


def _actions(parser: FrontDoor) -> Iterator[argparse.Action]:
    for each in parser.commands.choices.values():
        yield from each._actions
