"""What a move that stands brings about: what it proves, what it earns, and whether round or match end."""

from __future__ import annotations

from dataclasses import replace

from referee import audit
from referee.course import Course, cite, dealt, is_ruled
from referee.rulings import Award, Cite, Proof, Reason, Ruling
from referee.state import Phase, State

PENALTIES = {
    Reason.FALSE_PASS_PROVEN: ("false_pass", "false_pass_penalty"),
    Reason.FALSE_DRAW_PROVEN: ("needless_draw", "needless_draw_penalty"),
}


def accepted(
    course: Course,
    before: State,
    after: State,
    reason: Reason,
    awards: tuple[Award, ...] = (),
    proven: tuple[Proof, ...] = (),
) -> Ruling:
    """The ruling on a move that stands.

    Args:
        before, after: the state before the move, and as the move alone leaves it.
        awards, proven: what the move itself earns and proves.
    """
    cites = [cite(course, after, reason)]
    opens = (course.rank, course.choices) if is_ruled(course, before) else None
    proven += audit.newly_proven(before, after, course.fitting, course.drawing_claims, opens)
    withdrawn, after = _bonus_withdrawn(course, after, proven)
    awards += withdrawn + _penalties(course, proven)
    cites += [Cite(cite(course, after, proof.reason).clause, proof.entry) for proof in proven]
    if _is_void(course, proven) and after.phase is not Phase.DEAL:
        after, awards = _scored(before, annulled(course, after), awards)
        return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)
    winner: int | None = None
    is_over = after.phase is Phase.SHOW_HANDS and None not in after.shown
    if is_over:
        winner, gained = course.score(after)
        cites.append(cite(course, after, Reason.FISH if after.blocked else Reason.OK_SHOW_HAND))
        awards += gained
    after, awards = _scored(before, after, awards)
    if is_over or after.phase is Phase.CLEARING:
        winner = winner if is_over else after.round_winner
        ranking = course.ranking(after, winner)
        phase = Phase.OVER if ranking else Phase.CLEARING
        after = replace(after, round_winner=winner, phase=phase, ranking=ranking)
    elif course.ends_at_once and (ranking := course.ranking(after, None)):
        after = replace(after, phase=Phase.OVER, turn=None, ranking=ranking)
    return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)


def annulled(course: Course, state: State) -> State:
    """The same round dealt again; the points it has brought so far are taken back by `_scored`."""
    return dealt(course, replace(state, round=state.round - 1, scores=state.carried))


def _scored(before: State, after: State, awards: tuple[Award, ...]) -> tuple[State, tuple[Award, ...]]:
    """The state after a move with its points, and these; a round dealt anew under the same number is void."""
    if after.round == before.round and after.phase is Phase.DEAL and before.phase is not Phase.DEAL:
        lost = zip(before.carried, before.scores, strict=True)
        awards = tuple(Award(seat, "void", then - now) for seat, (then, now) in enumerate(lost))
    awards = tuple(award for award in awards if award.points or award.what == "tile")
    totals = list(before.scores)
    for award in awards:
        totals[award.seat] += award.points
    scores = tuple(totals)
    return (after if scores == after.scores else replace(after, scores=scores)), awards


def _bonus_withdrawn(course: Course, after: State, proven: tuple[Proof, ...]) -> tuple[tuple[Award, ...], State]:
    """Who opened wrongly keeps the points of his tile and loses the bonus, or the part that he had to show for."""
    reasons = {proof.reason for proof in proven}
    lost = 0
    if Reason.WRONG_OPENER_PROVEN in reasons:
        lost = after.bonus
    elif Reason.TRIPLE_NOT_SHOWN in reasons:
        lost = min(course.unshown, after.bonus)
    if not lost:
        return (), after
    return (Award(after.layout[0].seat, "opening", -lost),), replace(after, bonus=after.bonus - lost)


def _penalties(course: Course, proven: tuple[Proof, ...]) -> tuple[Award, ...]:
    found = [(proof.seat, PENALTIES[proof.reason]) for proof in proven if proof.reason in PENALTIES]
    return tuple(
        Award(seat, what, course.penalty_sign * getattr(course.remedies, setting)) for seat, (what, setting) in found
    )


def _is_void(course: Course, proven: tuple[Proof, ...]) -> bool:
    """Whether the house rules let a round not count in which this was proven."""
    reasons = {proof.reason for proof in proven}
    is_replayed = course.remedies.wrong_opener_remedy == "replay" and Reason.WRONG_OPENER_PROVEN in reasons
    return is_replayed or (course.remedies.tile_missing_remedy == "void" and Reason.TILE_COUNT_WRONG in reasons)
