"""`referee rules`: the rule sheet of a game."""

from __future__ import annotations

import argparse
import sys

from referee.commands import setting


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "rules",
        help="print the rule sheet of a game",
        description="Prints the rules with the numbers in force, each with the paragraph that rulings cite.",
        epilog="""examples:
  referee rules fr-domino
  referee rules fr-domino --options
  referee rules cs-triomino --option target=300""",
    )
    parser.add_argument("game", help="a game such as fr-domino (`referee games` lists them)")
    setting.add_house_rules(parser)
    parser.add_argument("--options", action="store_true", help="list the house rules that can be changed instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rules in words, each with the paragraph that rulings cite."""
    from referee import houserules
    from referee.games import game

    try:
        preset = game(args.game)
        rules = setting.house_rules(args, args.game)
    except ValueError as error:
        print(f"referee rules: {error}", file=sys.stderr)
        return 64
    settings = preset.vary(preset.settings, rules)
    if args.options:
        written = houserules.written(settings)
        for name, expected in houserules.options(settings).items():
            print(f"{name:<24}{written[name]:<24}{expected}")
        return 0
    print(f"{preset.id}\n")
    for clause, sentence in preset.sheet(settings):
        print(f"§{clause:<8}{sentence}")
    if rules:
        print(f"\nHouse rules: {', '.join(f'{name}={value}' for name, value in sorted(rules.items()))}")
    return 0
