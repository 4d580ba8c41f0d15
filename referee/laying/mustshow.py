"""The triple that must be shown by whoever opens with 0-0-0 instead of it (rule specification 7.2).

The opener is asked until somebody has acted: he names or shows a higher triple, or says that 0-0-0 is his highest.
If play goes on without an answer, what he had to show a triple for is withdrawn. He gets it back when all hands lie
open at the end of the round and do not prove that he held a higher triple when he opened; and who said that he had
none loses it as soon as it is proven that he did. A match that ends in mid-round ends without open hands.
"""

from __future__ import annotations

from referee import audit
from referee.laying.course import Course, best_known, is_elsewhere, is_laid, was_in_stock
from referee.rulings import Award, Proof, Reason
from referee.state import State, changed
from referee.tiles import Tile

_NOT_SHOWN = (Reason.TRIPLE_NOT_SHOWN.value, audit.OPENING)
_MISOPENED = (Reason.WRONG_OPENER_PROVEN.value, Reason.WRONG_OPENING_TILE.value)


def higher(course: Course, state: State) -> tuple[Tile, ...]:
    """The triples that the opener may hold and would have passed over, best first; those known alone where some are."""
    opener = state.layout[0]
    best = best_known(course, state, opener.seat)
    if best is not None and _outranks(course, best, opener.tile):
        return (best,)
    if len(state.known[opener.seat] or ()) == state.hands[opener.seat]:
        return ()
    unseen = (tile for tile in course.tiles if _outranks(course, tile, opener.tile) and not is_laid(state.layout, tile))
    free = (tile for tile in unseen if not is_elsewhere(state, opener.seat, tile))
    return tuple(
        sorted((each for each in free if not was_in_stock(state, opener.seat, each)), key=course.rank, reverse=True)
    )


def has_answered(course: Course, state: State) -> bool:
    """True when the opener has named his best tile, or shown a triple that he passed over, before play went on."""
    opener = state.layout[0]
    return state.heard[opener.seat] or _has_shown(course, state)


def unshown(course: Course, state: State, seat: int | None) -> tuple[Proof, ...]:
    """Whether play goes on (by this seat) although the opener has not shown the tile he passed over."""
    if len(state.layout) != 1 or not _is_bound(course, state) or seat in (None, state.layout[0].seat):
        return ()
    opener = state.layout[0]
    proof = Proof(Reason.TRIPLE_NOT_SHOWN, opener.seat, opener.entry, (str(opener.tile),))
    return () if has_answered(course, state) else (proof,)


def denied(course: Course, state: State, in_time: State, proven: tuple[Proof, ...]) -> tuple[Proof, ...]:
    """Whether the opener held a higher triple, as his tiles prove by now, and showed none while he could; told once.

    Args:
        in_time: the state with all that has been shown before play went on.
    """
    if not _is_bound(course, state) or _is_told(proven) or _has_shown(course, in_time):
        return ()
    opener, evidence = state.layout[0], _held(course, state)
    return (Proof(Reason.TRIPLE_NOT_SHOWN, opener.seat, opener.entry, evidence),) if evidence else ()


def given_back(course: Course, state: State) -> tuple[Award, ...]:
    """What was withdrawn from an opener who, as far as the open hands of a round tell, had no triple to show."""
    is_lost = any(reason in _MISOPENED for reason, _ in state.told)
    if _NOT_SHOWN not in state.told or is_lost or _held(course, state):
        return ()
    return (Award(state.layout[0].seat, "opening", course.unshown),)


def remembered(state: State, proven: tuple[Proof, ...]) -> State:
    """The state that knows, if it has been proven now, that no triple was shown."""
    return changed(state, told=(*state.told, _NOT_SHOWN)) if _is_told(proven) else state


def _is_told(proven: tuple[Proof, ...]) -> bool:
    return any(proof.reason is Reason.TRIPLE_NOT_SHOWN for proof in proven)


def _is_bound(course: Course, state: State) -> bool:
    """True when the opening earned what a triple has to be shown for, and that has not been withdrawn yet."""
    if not course.unshown or not state.bonus or not state.layout or _NOT_SHOWN in state.told:
        return False
    opener = state.layout[0]
    return not opener.overruled and opener.tile in course.choices


def _has_shown(course: Course, state: State) -> bool:
    opener = state.layout[0]
    named = state.announced[opener.seat]
    seen = [each.tile for each in state.exposed if each.seat == opener.seat and each.layout <= 1]
    return any(_outranks(course, tile, opener.tile) for tile in (*seen, *([named] if named else ())))


def _held(course: Course, state: State) -> tuple[str, ...]:
    opener = state.layout[0]
    return audit.held_at_opening(state, opener.seat, lambda tile: _outranks(course, tile, opener.tile))


def _outranks(course: Course, tile: Tile, opened: Tile) -> bool:
    return tile.is_uniform and course.rank(tile) > course.rank(opened)
