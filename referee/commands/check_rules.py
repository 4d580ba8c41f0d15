"""`referee check-rules`: hold the rules against a file of examples."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.commands.examples import Answer

SCHEMA = "rules-examples/1"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "check-rules",
        help="compare the rules with a file of examples",
        epilog="example:\n  referee check-rules examples.json",
    )
    parser.add_argument("file", type=Path, help=f"a JSON file in the schema {SCHEMA}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print each example that the rules see differently or cannot answer, then how many are right."""
    from referee.commands.examples import differences

    right = 0
    try:
        examples = load(args.file)
        for example in examples:
            expected = example.pop("expect")
            if problem := unknown(example):
                print(f"{example['id']}: {problem}")
                continue
            missed, got = differences(expected, answered(example))
            if missed:
                print(f"{example['id']}: expected {json.dumps(missed)}, got {json.dumps(got)}")
            else:
                right += 1
    except ValueError as error:
        print(f"referee check-rules: {args.file}: {error}", file=sys.stderr)
        return 64
    print(f"{right} of {len(examples)} right")
    return 0 if right == len(examples) > 0 else 1


def unknown(example: dict[str, Any]) -> str | None:
    """What in an example nobody knows, a preset or a kind of question; None where it can be answered."""
    from referee.games import games

    preset, kind = example["preset"], example["kind"]
    if preset not in games():
        return f"expected a preset ({', '.join(sorted(games()))}), got {preset!r}"
    known = _kinds(preset)
    return None if kind in known else f"expected a kind of example ({', '.join(sorted(known))}), got {kind!r}"


def load(path: Path) -> list[dict[str, Any]]:
    """The examples of a file.

    Raises:
        ValueError: if the file cannot be read or is not in the schema.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"expected a file that can be read, got {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected JSON, got {error}") from None
    schema = content.get("schema") if isinstance(content, dict) else type(content).__name__
    if schema != SCHEMA:
        raise ValueError(f"expected the schema {SCHEMA}, got {schema}")
    examples = content.get("examples")
    if not isinstance(examples, list):
        raise ValueError(f"expected a list of examples, got {type(examples).__name__}")
    for number, example in enumerate(examples, start=1):
        _check(example, number)
    return examples


def answered(example: dict[str, Any]) -> dict[str, Any]:
    """What the rules say to an example from which the expectation has been taken away.

    Raises:
        ValueError: if the example cannot be translated.
    """
    from referee.games import game

    try:
        return _kinds(example["preset"])[example["kind"]](game(example["preset"]), example["state"], example["move"])
    except (KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
        what = f"{type(error).__name__}: {error}"
        raise ValueError(f"expected a complete {example['kind']} in example {example['id']}, got {what}") from None


def _kinds(preset: str) -> Mapping[str, Answer]:
    """The kinds of examples that there are for a preset."""
    from referee.commands import examples, trick_examples
    from referee.games import game

    return trick_examples.KINDS if game(preset).in_tricks else examples.KINDS


def _check(example: Any, number: int) -> None:
    fields = {"id": str, "preset": str, "kind": str, "state": dict, "move": dict, "expect": dict}
    for name, kind in fields.items():
        value = example.get(name) if isinstance(example, dict) else None
        if not isinstance(value, kind):
            raise ValueError(f"expected {name!r} in example {number} to be a {kind.__name__}, got {value!r}")
