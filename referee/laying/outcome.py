"""What a move that stands brings about: what it proves, what it earns, and whether round or match end."""

from __future__ import annotations

from dataclasses import replace

from referee import audit
from referee.laying import mustshow
from referee.laying.course import Course, best_claimed, best_known, cite, dealt, is_ruled, opening_seat, paid, with_seat
from referee.moves import Place
from referee.remedies import STOPS
from referee.rulings import Award, Cite, Proof, Reason, Ruling
from referee.state import Exposed, Phase, State, changed

PENALTIES = {
    Reason.FALSE_PASS_PROVEN: ("false_pass", "false_pass_penalty"),
    Reason.FALSE_DRAW_PROVEN: ("needless_draw", "needless_draw_penalty"),
    Reason.WRONG_DEAL_PROVEN: ("wrong_deal", "wrong_deal_penalty"),
}

# What makes an opening wrong.
MISOPENED = (Reason.WRONG_OPENER_PROVEN, Reason.WRONG_OPENING_TILE)


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
    cites = [cite(course, after, reason), *paid(course, after, awards)]
    opens = (course.rank, course.choices, course.tiles) if is_ruled(course, before) else None
    news = audit.newly_proven(before, after, course.fitting, course.drawing_claims, opens)
    after, penalties = news.state, _penalties(course, proven + news.charged)
    proven += news.told
    has_gone_on = bool(before.layout) and not may_be_undone(course, before)
    proven += mustshow.denied(course, after, before if has_gone_on else after, proven)
    after = mustshow.remembered(after, proven)
    is_early = bool(before.layout) and may_be_undone(course, before) and may_be_undone(course, after)
    if is_early and not proven and (before.known, before.heard) != (after.known, after.heard):
        proven = _misopened(course, after)
    cites += [Cite(cite(course, after, proof.reason).clause, proof.entry) for proof in proven]
    if is_early and any(proof.reason in MISOPENED for proof in proven):
        undone, after = _opening_undone(course, after)
        after, awards = _scored(before, after, awards + undone + penalties)
        return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)
    if reason is Reason.OK_REDEAL or _is_void(course, after, proven):
        after, awards = _annulled(course, before, penalties)
        return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)
    withdrawn, after = _bonus_withdrawn(course, after, proven)
    awards += withdrawn + penalties
    winner: int | None = None
    is_over = after.phase is Phase.SHOW_HANDS and None not in after.shown
    if is_over:
        winner, gained = course.score(after)
        cites.append(cite(course, after, Reason.FISH if after.blocked else Reason.OK_SHOW_HAND))
        returned = mustshow.given_back(course, after)
        cites += [cite(course, after, Reason.TRIPLE_NOT_SHOWN)] if returned else []
        cites += paid(course, after, gained)
        awards += gained + returned
    after, awards = _scored(before, after, awards)
    if is_over or after.phase is Phase.CLEARING:
        winner = winner if is_over else after.round_winner
        ranking = course.ranking(after, winner)
        phase = Phase.OVER if ranking else Phase.CLEARING
        after = changed(after, round_winner=winner, phase=phase, ranking=ranking)
    elif course.ends_at_once and after.phase is not Phase.OVER and (ranking := course.ranking(after, None)):
        after = changed(after, phase=Phase.OVER, turn=None, ranking=ranking)
    return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)


def _annulled(course: Course, before: State, penalties: tuple[Award, ...]) -> tuple[State, tuple[Award, ...]]:
    """The same round dealt again; all that it has brought is taken back, what a proven fault costs is not."""
    lost = zip(before.carried, before.scores, strict=True)
    awards = tuple(Award(seat, "void", then - now) for seat, (then, now) in enumerate(lost))
    after = dealt(course, changed(before, round=before.round - 1, round_winner=before.last_winner))
    after, awards = _scored(before, after, awards + penalties)
    return changed(after, carried=after.scores), awards


def _scored(before: State, after: State, awards: tuple[Award, ...]) -> tuple[State, tuple[Award, ...]]:
    """The state after a move with its points, and those that are any."""
    awards = tuple(award for award in awards if award.points or award.what == "tile")
    if not awards:
        return (after if before.scores == after.scores else changed(after, scores=before.scores)), ()
    totals = list(before.scores)
    for award in awards:
        totals[award.seat] += award.points
    scores = tuple(totals)
    return (after if scores == after.scores else changed(after, scores=scores)), awards


# --- an opening that was wrong --------------------------------------------------------------------------


def may_be_undone(course: Course, state: State) -> bool:
    """True while only the opening tile lies and nobody has acted since: what is proven now undoes the opening."""
    if state.phase is not Phase.PLAY or len(state.layout) != 1 or not is_ruled(course, state):
        return False
    opener = state.layout[0]
    # tiles found in a hand may have been drawn at any time
    claims = [claim for claim in state.claims if claim.what in (audit.DRAW, audit.PASS)]
    has_acted = any(claim.layout for claim in claims) or state.turn != (opener.seat + 1) % state.players
    return not opener.overruled and not has_acted and state.unclaimed is not None


def _misopened(course: Course, state: State) -> tuple[Proof, ...]:
    """Whether somebody has named or shown a better tile than the opener has, himself included."""
    opener = state.layout[0]
    own = best_claimed(course, state, opener.seat, opener.tile)
    rivals = [best_known(course, state, seat) for seat in range(state.players) if seat != opener.seat]
    rival = max((each for each in rivals if each is not None), key=course.rank, default=None)
    if rival is not None and course.rank(rival) > course.rank(own):
        return (Proof(Reason.WRONG_OPENER_PROVEN, opener.seat, opener.entry, (str(rival),)),)
    if own != opener.tile and opener.tile not in course.choices and course.rank(own) > course.rank(opener.tile):
        return (Proof(Reason.WRONG_OPENING_TILE, opener.seat, opener.entry, (str(own),)),)
    return ()


def _opening_undone(course: Course, state: State) -> tuple[tuple[Award, ...], State]:
    """The opening tile goes back to its hand, with all that it earned; whoever opens is asked anew."""
    opener = state.layout[0]
    seat, tile = opener.seat, opener.tile
    earned = dict(course.lay(changed(state, layout=()), Place(seat, tile, opener.spot)).points)
    back = tuple(Award(seat, what, -points) for what, points in (earned | {"opening": state.bonus}).items())
    after = changed(
        state,
        layout=(),
        hands=with_seat(state.hands, seat, state.hands[seat] + 1),
        known=with_seat(state.known, seat, (*(state.known[seat] or ()), tile)),
        # all have seen it
        exposed=(*(replace(each, layout=0) for each in state.exposed), Exposed(seat, tile, 0, taken=state.taken[seat])),
        told=tuple((reason, claim) for reason, claim in state.told if claim != audit.OPENING),
        bonus=0,
        unclaimed=0,
    )
    return back, changed(after, turn=opening_seat(course, after))


def _bonus_withdrawn(course: Course, after: State, proven: tuple[Proof, ...]) -> tuple[tuple[Award, ...], State]:
    """Who opened wrongly keeps the points of his tile and loses the bonus, or the part that he had to show for."""
    if not after.bonus:
        return (), after
    reasons = {proof.reason for proof in proven}
    lost = 0
    if not reasons.isdisjoint(MISOPENED):
        lost = after.bonus
    elif Reason.TRIPLE_NOT_SHOWN in reasons:
        lost = min(course.unshown, after.bonus)
    if not lost:
        return (), after
    return (Award(after.layout[0].seat, "opening", -lost),), changed(after, bonus=after.bonus - lost)


# --- what a proof costs ---------------------------------------------------------------------------------


def _penalties(course: Course, proven: tuple[Proof, ...]) -> tuple[Award, ...]:
    found = [(proof.seat, PENALTIES[proof.reason]) for proof in proven if proof.reason in PENALTIES]
    return tuple(
        Award(seat, what, course.penalty_sign * getattr(course.remedies, setting)) for seat, (what, setting) in found
    )


def _is_void(course: Course, after: State, proven: tuple[Proof, ...]) -> bool:
    """Whether a round does not count in which this was proven."""
    if not proven:
        return False
    rules = course.remedies
    voids = {
        **dict.fromkeys(MISOPENED, rules.wrong_opener_remedy == "replay"),
        Reason.FALSE_PASS_PROVEN: rules.false_pass_remedy == STOPS,
        Reason.WRONG_DEAL_PROVEN: rules.wrong_deal_remedy == "void",
        # before all hands have been counted, a draw that was not booked may be all
        Reason.TILE_COUNT_WRONG: rules.tile_missing_remedy == "void" and None not in after.shown,
    }
    return any(voids.get(proof.reason, False) for proof in proven)
