"""What a check of the machine finds: a line with a mark, and the cure where something is wrong."""

from __future__ import annotations

from dataclasses import dataclass

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, what was seen, and what would mend it."""

    what: str
    mark: str
    told: str
    cure: str = ""


def judged(what: str, is_well: bool, told: str, cure: str, otherwise: str = WARN) -> Finding:
    """A finding that needs its cure only when it is not well."""
    return Finding(what, OK, told) if is_well else Finding(what, otherwise, told, cure)
