"""What a run of the proving ground has shown: all matches together, as numbers and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from referee.commands.torture.truth import COUNTS, LATEST, Account

MOVES_PER_QUESTION = 30
WORDS = {
    "wrong": "wrong rulings",
    "invented": "invented tiles",
    "missed": "missed tiles",
    "missed_illegal": "missed illegal tiles",
    "false_buzzes": "false buzzes",
}

Played = Sequence[tuple[int, Account]]  # the numbers of the matches, and how they went


def as_json(played: Played, alone: str = "") -> dict[str, Any]:
    """All matches together, each, and all that is to be looked into.

    Args:
        alone: the command that plays one match again, but its number; nothing where none does.
    """
    accounts = [account for _, account in played]
    latencies = sorted(latency for account in accounts for latency in account.latencies)
    moves = sum(account.moves for account in accounts)
    needless = sum(account.needless for account in accounts)
    return {
        "matches": len(accounts),
        "ended": _counted(account.ended for account in accounts),
        "rounds": sum(account.rounds for account in accounts),
        "moves": moves,
        "illegal": sum(account.illegal for account in accounts),
        **{name: sum(getattr(account, name) for account in accounts) for name in COUNTS},
        "questions": sum(account.asked for account in accounts) + needless,
        "needless": needless,
        "needless_per_30_moves": round(MOVES_PER_QUESTION * needless / max(moves, 1), 3),
        "latencies": {
            "rulings": len(latencies),
            "median": median(latencies) if latencies else None,
            "p95": latencies[round(0.95 * (len(latencies) - 1))] if latencies else None,
            "most": latencies[-1] if latencies else None,
            "over_4": sum(latency > LATEST for latency in latencies),
        },
        "frames": sum(account.frames for account in accounts),
        "seconds": round(sum(account.seconds for account in accounts), 1),
        "faults": _counted(account.faults for account in accounts),
        "asked": _counted(account.questions for account in accounts),
        "findings": [
            {"match": number, "game": account.game, "what": note, "command": f"{alone} {number}" if alone else None}
            for number, account in played
            for note in account.notes
        ],
        "by_match": {number: asdict(account) for number, account in played},
    }


def as_text(played: Played, alone: str = "") -> list[str]:
    """The same in words, what is to be looked into first."""
    told = as_json(played, alone)
    lines = []
    for each in told["findings"]:
        lines.append(f"match {each['match']}, {each['game']}, {each['what']}")
        lines += [f"    {each['command']}"] if each["command"] else []
    ended = ", ".join(f"{count} {how}" for how, count in told["ended"].items())
    lines.append(f"{told['matches']} matches ({ended}), {told['rounds']} rounds, {told['moves']} moves")
    laid = f" of {told['illegal']}"
    lines += [f"{WORDS[name]:22}{told[name]:5d}{laid if name == 'missed_illegal' else ''}" for name in COUNTS]
    lines.append(
        f"{'questions':22}{told['questions']:5d}, {told['needless']} of them without cause: "
        f"{told['needless_per_30_moves']} in {MOVES_PER_QUESTION} moves"
    )
    late = told["latencies"]
    if late["rulings"]:
        lines.append(
            f"{'hand gone to ruling':22}{late['median']:5.0f} frames, 95 % in {late['p95']}, most {late['most']}; "
            f"{late['over_4']} of {late['rulings']} over {LATEST}"
        )
    lines.append(f"{told['frames']} frames, {told['seconds'] / 60:.1f} minutes of processor time")
    return lines


def _counted(counts: Any) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update([each] if isinstance(each, str) else each)
    return dict(sorted(total.items()))
