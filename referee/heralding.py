"""What has just happened, by comparing two views: for lights and sounds at the table and on the screen."""

from __future__ import annotations

from referee.wire import View
from referee.words import SEATS

ILLEGAL, LEGAL, TURN, DOUBT, ROUND_END, CAMERA_LOST = "illegal", "legal", "turn", "doubt", "round-end", "camera-lost"
UNDO = "undo"
_SAID = {"draws": "draws 1", "passes": "passes"}
_ENDS = ("show-hands", "clearing", "over")
_BLIND = ("lost", "frozen")


def happened(before: View | None, view: View) -> str:
    """The most important thing that is new in a view, "" for nothing.

    Nothing in a first view has happened just now, nor in the first one of a table that was started anew.
    """
    if before is None or before.epoch != view.epoch:
        return ""
    is_new = view.last is not None and (before.last is None or view.last.entry > before.last.entry)
    is_disputed = view.dispute is not None and (before.dispute is None or before.dispute.entry != view.dispute.entry)
    asked = {question.id for question in view.questions} - {question.id for question in before.questions}
    told = (
        (ILLEGAL, is_disputed or (is_new and view.last is not None and not view.last.legal)),
        (ROUND_END, view.phase != before.phase and view.phase in _ENDS),
        (CAMERA_LOST, view.camera in _BLIND and before.camera not in _BLIND),
        (DOUBT, bool(asked)),
        (LEGAL, is_new and view.last is not None and view.last.reason.startswith("ok-") and _lays(view.last.line)),
        (TURN, view.turn is not None and view.turn != before.turn),
    )
    return next((name for name, holds in told if holds), "")


def lasting(view: View) -> str:
    """What the other light shows as long as it lasts: a camera that is lost, a question, or "" for neither."""
    if view.camera in _BLIND:
        return CAMERA_LOST
    return DOUBT if view.questions else ""


def pressed(view: View, button: str) -> str | None:
    """The line of play that a button means now: a seat's draws where he may, else passes; None for nothing.

    Args:
        button: `seat 0`, `seat 1` … or `undo`.
    """
    if button == UNDO:
        return f"undo {view.last.entry}" if view.last is not None and UNDO in view.actions else None
    seat = int(button.removeprefix("seat "))
    if seat != view.turn:
        return None
    return next((f"{SEATS[seat]} {said}" for action, said in _SAID.items() if action in view.actions), None)


def _lays(line: str) -> bool:
    return any(f" {verb} " in line for verb in ("lays", "plays"))
