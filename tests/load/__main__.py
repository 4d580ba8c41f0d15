"""`make load`: prints a table and a line of JSON; not a test, since it depends on what else the machine does."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.load.measuring import Plan, as_json, measure, table_of


def main() -> int:
    """Measure once; 1 if somebody was left behind."""
    with tempfile.TemporaryDirectory(prefix="referee-load-") as folder:
        measured = measure(Plan(), Path(folder))
    print(table_of(measured))  # noqa: T201  # what it is for
    print(as_json(measured))  # noqa: T201  # what it is for
    return 0 if measured.web.all_current and measured.native.all_current else 1


if __name__ == "__main__":
    sys.exit(main())
