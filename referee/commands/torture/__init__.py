"""`referee torture`: seeded matches on the virtual table with everything that goes wrong at a real one."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from referee.commands.torture.truth import Account
    from referee.umpire import Match

MOST_GAMES = 100_000
MOST_SEED = 2**31 - 1
LONGEST_HOURS = 240.0
MOST_GROWTH_MB = 24.0
TARGET = 60
NAMES = ("Ana", "Bo", "Cy", "Di")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "torture",
        help="play matches on the virtual table with faults and mistakes, and count what was ruled wrong",
        description="Plays matches of all games in turn, to 60 points or for one round, through rendered frames: "
        "illegal tiles, wrong seats, tiles that are pushed or taken back, lamps, shadows, knocks, failing cameras. "
        "What people really did is compared with every entry of the referee's. A run that was broken off goes on "
        "where it stopped.",
        epilog="""examples:
  referee torture --games 40
  referee torture --seed 3 --only 7        the seventh match of another run, alone
  referee torture --game kk-moon --hours 2""",
    )
    parser.add_argument("--games", type=games_wanted, default=8, metavar="N", help="how many matches (default 8)")
    parser.add_argument("--seed", type=seed, default=1, metavar="S", help="another seed, other matches (default 1)")
    parser.add_argument("--only", type=games_wanted, metavar="N", help="play match N alone, as in a whole run")
    parser.add_argument("--game", metavar="ID", help="only this game (see `referee games`)")
    parser.add_argument(
        "--hours",
        type=hours,
        metavar="H",
        help="instead of matches: an evening of so many hours in one process, people thinking before each move, and "
        "what memory it takes",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="where finished matches are kept (default: in the state directory)"
    )
    parser.set_defaults(run=run)


def games_wanted(text: str) -> int:
    """Read a number of matches."""
    return setting.whole(text, "a number of matches", 1, MOST_GAMES)


def seed(text: str) -> int:
    """Read what the matches are made from."""
    return setting.whole(text, "a seed", 0, MOST_SEED)


def hours(text: str) -> float:
    """Read how long an evening is."""
    return setting.number(text, "hours", LONGEST_HOURS)


def run(args: argparse.Namespace) -> int:
    """Play; 0 when everything was ruled right, 1 when something was not."""
    from referee.commands.progress import told
    from referee.commands.torture import report
    from referee.config import Places

    try:
        presets = _presets(args.game)
    except ValueError as error:
        print(f"referee torture: {error}", file=sys.stderr)
        return 64
    if args.hours is not None:
        return _evening(args, presets)
    file = args.results or Places.from_environment(None, None).make().state / f"torture-{args.seed}.json"
    numbers = [args.only] if args.only is not None else range(1, args.games + 1)
    try:
        kept = Results(None if args.only is not None else file, args.seed, presets)
        for number in told(numbers, lambda number: f"match {number}, {kept.so_far}"):
            if number not in kept.accounts:
                kept.keep(number, play(number, args.seed, presets))
    except (OSError, ValueError) as error:
        print(f"referee torture: {error}", file=sys.stderr)
        return 64
    played = [(number, kept.accounts[number]) for number in numbers]
    alone = f"referee torture{f' --game {args.game}' if args.game else ''} --seed {args.seed} --only"
    if args.json:
        print(json.dumps({"seed": args.seed, **report.as_json(played, alone)}))
    else:
        print("\n".join(report.as_text(played, alone)))
    return 0 if all(account.is_right for _, account in played) else 1


def _presets(game: str | None) -> tuple[str, ...]:
    """The games that take turns.

    Raises:
        ValueError: for one that there is not.
    """
    from referee import games

    return tuple(sorted(games.games())) if game is None else (games.game(game).id,)


def _evening(args: argparse.Namespace, presets: tuple[str, ...]) -> int:
    """Play a long evening of one game and tell what memory it took; 1 when that kept growing."""
    from referee.commands.torture import evening, report

    def say(passed_h: float, mb: float) -> None:
        print(f"{passed_h:5.2f} h {mb:7.1f} MB", file=sys.stderr, flush=True)

    game = presets[args.seed % len(presets)]
    accounts, memory = evening.play(lambda chance: _match(game, chance), args.hours, args.seed, say)
    growth_mb = evening.growth_mb(memory)
    played = list(enumerate(accounts, 1))
    if args.json:
        told = [[round(each.time_s), round(each.mb, 1)] for each in memory]
        print(
            json.dumps(
                {"seed": args.seed, "hours": args.hours, "growth_mb": round(growth_mb, 1), "memory": told}
                | report.as_json(played)
            )
        )
    else:
        print("\n".join(report.as_text(played)))
        print(f"{args.hours:g} hours of {game}: {memory[-1].mb:.0f} MB, {growth_mb:+.1f} MB since the first hour")
    return 0 if growth_mb < MOST_GROWTH_MB and all(account.is_right for account in accounts) else 1


class Results:
    """The matches that have been played, in a file that survives a break; those of another program do not count."""

    def __init__(self, file: Path | None, seed: int, presets: tuple[str, ...]) -> None:
        """Read what is there; without a file nothing is kept.

        Raises:
            ValueError: if the file holds something else.
        """
        from referee.commands.torture.truth import Account

        self._file = file
        self._head = {"seed": seed, "games": list(presets), "program": _program()}
        self.accounts: dict[int, Account] = {}
        if file is None:
            return
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            if {name: told[name] for name in self._head} == self._head:
                self.accounts = {int(number): Account(**account) for number, account in told["matches"].items()}
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"expected the results of matches in {file}, got something else ({error})") from None

    @property
    def so_far(self) -> str:
        """In a few words how it has gone."""
        return f"{sum(not account.is_right for account in self.accounts.values())} with something wrong"

    def keep(self, number: int, account: Account) -> None:
        """Remember a match that has been played."""
        self.accounts[number] = account
        if self._file is None:
            return
        text = json.dumps({**self._head, "matches": {key: asdict(each) for key, each in self.accounts.items()}})
        beside = self._file.with_name(self._file.name + ".new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self._file)


def _program() -> str:
    """What tells this program from one that would play or judge otherwise."""
    root = Path(__file__).parents[3]
    digest = hashlib.sha256()
    for room in ("referee", "vision", "calibration"):
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _match(preset: str, chance: Random) -> Match:
    """A match of a game, with as many players as may be, each at a side of his own."""
    from referee import games
    from referee.umpire import Match

    game = games.game(preset)
    players = chance.randint(max(2, game.min_players), min(len(NAMES), game.max_players))
    seats_deg = tuple(round((90 + 360 * seat / players) % 360) for seat in range(players))
    target = str(min(TARGET, game.settings.target))
    return Match(preset, NAMES[:players], (("target", target),), seats_deg)


def play(number: int, seed: int, presets: tuple[str, ...]) -> Account:
    """Play one match of a run: the games take turns, to a target and for one round by turns too."""
    import cv2

    from referee.commands.torture import course
    from referee.commands.torture.hall import Hall
    from referee.commands.torture.people import Party
    from referee.commands.torture.truth import Account, AstrayError

    cv2.setNumThreads(1)
    chance = Random(f"{seed}/{number}")
    match = _match(presets[(number - 1) % len(presets)], chance)
    is_short = (number - 1) // len(presets) % 2 == 1
    account = Account(match.game, len(match.names))
    begun_s = time.process_time()
    with tempfile.TemporaryDirectory(prefix="referee-torture-") as scratch:
        hall = Hall(Path(scratch), match.game, chance.randrange(MOST_SEED))
        try:
            party = Party(hall, match, chance.randrange(MOST_SEED), account)
            hall.run(course.match(party, 1 if is_short else None), party.watch)
        except AstrayError:
            account.ended = "broken off"
        finally:
            hall.close()
    account.seconds = round(time.process_time() - begun_s, 1)
    return account
