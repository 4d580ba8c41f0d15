"""`referee games`: the games the referee knows."""

from __future__ import annotations

import argparse


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "games",
        help="list the games",
        description="One line for each: its name for --game, its tiles, who can play, the score that ends a match.",
        epilog="example:\n  referee games",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:  # noqa: ARG001  # every command is called alike
    """Print one line for each game."""
    from referee.games import games

    for preset in games().values():
        players = f"{preset.min_players} to {preset.max_players} players"
        print(f"{preset.id:<28}{preset.kind:<12}{players:<18}to {preset.settings.target}")
    return 0
