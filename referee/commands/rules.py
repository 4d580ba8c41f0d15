"""`referee rules`: the rule sheet of a game."""

from __future__ import annotations

import argparse
import sys


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("rules", help="print the rule sheet of a game")
    parser.add_argument("game", help="a game such as fr-domino (`referee games` lists them)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="change a house rule")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rules in words, each with the paragraph that rulings cite."""
    from referee.games import game

    try:
        preset = game(args.game)
        pairs = [text.partition("=") for text in args.option]
        settings = preset.vary(preset.settings, {name: value for name, _, value in pairs})
    except ValueError as error:
        print(f"referee rules: {error}", file=sys.stderr)
        return 64
    print(f"{preset.id}\n")
    for clause, sentence in preset.sheet(settings):
        print(f"§{clause:<8}{sentence}")
    return 0
