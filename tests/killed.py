"""A table that plays a recorded match by orders and tells what became of each: `python -m tests.killed JOURNAL RECORD`.

It goes on where the journal ends, and says the last confirmed order once more, as somebody would who never heard back.
"""

from __future__ import annotations

import sys
from pathlib import Path

from referee.journal import Journal
from referee.table import Table
from referee.wire import Answer, Order
from tests.referee.seeing import Lamp
from tests.test_records import lines


def main() -> None:
    """Play on until the record ends or somebody kills us."""
    journal, record = Journal(Path(sys.argv[1])), Path(sys.argv[2])
    table = Table(journal, Lamp(), "epoch")
    acts = [text for _, text, _ in lines(record)]
    applied = [entry.order_id for entry in journal.entries() if entry.order_id]
    if applied:
        assert order(table, acts, applied[-1]).status == "repeated"
    first = 1 + max((int(order_id.rpartition("-")[2]) for order_id in applied), default=-1)
    for number in range(first, len(acts)):
        answer = order(table, acts, f"{record.stem}-{number}")
        entries = len(table.record.entries) if table.record else 0
        turn = table.record.state.turn if table.record else None
        tell(f"{answer.id} {answer.status} {entries} {turn}")
    tell("end")


def tell(text: str) -> None:
    """A line that has left this process before anything else happens."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def order(table: Table, acts: list[str], order_id: str) -> Answer:
    """Say a line of the record, after whatever the table shows; what reaches far is said to be meant."""
    line = acts[int(order_id.rpartition("-")[2])]
    view = table.view
    answer = table.order(Order(id=order_id, epoch=view.epoch, seq=view.seq, by="screen", line=line))
    if answer.status == "confirm":
        return table.order(Order(id=order_id, epoch=view.epoch, seq=view.seq, by="screen", line=f"{line} confirmed"))
    return answer


if __name__ == "__main__":
    main()
