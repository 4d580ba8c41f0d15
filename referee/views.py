"""From the record and the table to the one picture that everybody is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from referee import asking, games, notation, placements, statistics, telling, umpire, wire
from referee.laying import line
from referee.moves import Draw, Place
from referee.placements import Missed
from referee.seen import handshow, tabletop, zoned
from referee.seen.memory import Memory
from referee.seen.zoned import NOTHING, Zoned
from referee.seen.zones import DRAWS
from referee.sighting import CameraStatus
from referee.state import Phase
from referee.statistics import Round
from referee.tiles import Shape
from referee.tricks import trick
from referee.tricks.trick import Step, TrickState
from referee.umpire import Act, Change, Match, Record, Undo

LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a view tells besides the game: devices, storage, where phones can look, whether it goes on from before, and
    what zones of the mat hold.

    `wish` is what a guest may not do alone, put to the others.
    """

    camera: str = "ok"
    busy: bool = False
    signals: str = "ok"
    saved: bool = True
    record: str = "ok"
    phones: str = ""
    mat_mm: tuple[float, float] = (600.0, 400.0)
    training: bool = False
    resumed: bool = False
    zoned: Zoned = NOTHING
    evidence: str = "off"
    phones_named: str = ""
    guests: tuple[wire.Guest, ...] = ()
    wish: wire.Question | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What could have been played: by each seat in the round just scored, and in training with the last tile.

    `dead` when no tile left can be.
    """

    missed: tuple[wire.Better, ...] = ()
    better: wire.Better | None = None
    dead: bool = False


def advice(record: Record | None, training: bool) -> Advice:
    """What a view tells of better places; it takes longer than the rest of the view, and changes with the record."""
    if record is None:
        return Advice()
    missed = tuple(_better(record, each) for each in placements.worst_missed(record))
    found = placements.better(record) if training else None
    return Advice(
        missed, None if found is None else _better(record, found), games.game(record.state.game).is_dead(record.state)
    )


def _better(record: Record, missed: Missed) -> wire.Better:
    best = missed.best
    before = placements.before_entry(record, missed.entry)
    return wire.Better(
        entry=missed.entry,
        seat=missed.seat,
        line=notation.write(Place(missed.seat, best.tile, best.spot)),
        points=best.points,
        earned=missed.earned,
        beside=tuple(map(str, placements.beside(before, best.spot))) if before else (),
    )


def view(
    record: Record | None,
    memory: Memory,
    shape: Shape,
    around: Circumstances,
    epoch: str,
    seq: int,
    told: Advice | None = None,
) -> wire.View:
    """The complete public picture of a match; a bare one while no match has begun."""
    told = advice(record, around.training) if told is None else told
    bare = wire.View(
        epoch=epoch,
        seq=seq,
        mat_mm=around.mat_mm,
        tile_mm=(shape.length_mm, shape.width_mm),
        layout=(*(telling.laid(record, item) for item in memory.lying), *telling.elsewhere(memory)),
        busy=around.busy,
        camera=around.camera,
        signals=around.signals,
        saved=around.saved,
        kept=around.record,
        phones=around.phones,
        phones_named=around.phones_named,
        guests=around.guests,
        training=around.training,
        resumed=around.resumed,
        evidence=around.evidence,
    )
    if record is None:
        return bare
    state = record.state
    rounds = getattr(state.settings, "rounds", None) or 0
    void = umpire.void(record)
    acts = umpire.acts(record)
    log = _log(record, acts, void)
    sheet = statistics.sheet(record)
    questions, unasked = asking.questions(record, acts, memory, around.zoned)
    if around.wish is not None:
        questions = (around.wish, *questions)[: wire.MOST_QUESTIONS]
    lying = telling.planned(record, shape) if around.camera == CameraStatus.NONE else bare.layout
    return structs.replace(
        bare,
        game=state.game,
        target=0 if rounds else state.settings.target,
        rounds=rounds,
        lowest_wins=state.settings.lowest_wins,
        round=state.round,
        phase=state.phase.value,
        seats=_seats(record, sheet),
        turn=state.turn,
        stock=state.stock,
        drawn=state.drawn,
        drawn_points=_drawn_points(record),
        ends=tuple(line.open_numbers(state.layout).values()),
        count=games.game(state.game).counts(state),
        last=log[-1] if log else None,
        log=log,
        dispute=asking.dispute(record, acts, memory),
        questions=questions,
        unasked=unasked,
        actions=_actions(record, memory, void),
        ranking=state.ranking,
        tricks=_tricks(state) if isinstance(state, TrickState) else None,
        missed=told.missed,
        better=told.better,
        dead=told.dead,
        boneyard=around.zoned.boneyard if zoned.watches(record, DRAWS) else None,
        showing=None if around.camera == CameraStatus.NONE else handshow.awaited(record, around.zoned),
        sheet=sheet if state.phase in placements.SCORED else (),
        layout=telling.with_open_sides(record, lying, shape),
    )


def _log(record: Record, acts: Mapping[int, Act], void: frozenset[int]) -> tuple[wire.Ruled, ...]:
    """The newest rulings, each on what its entry amounts to now."""
    newest = [entry for entry in record.entries[-LOG_LINES:] if not isinstance(entry.what, Match)]
    return tuple(telling.ruled_now(record, acts, entry, entry.seq in void) for entry in newest)


def outlook(record: Record, act: Change) -> wire.Outlook:
    """What would come of a change, told to whoever asked for it before it is made."""
    confirmed = replace(act, confirmed=True)
    becomes = umpire.changed_by(record, confirmed)
    before, after = umpire.acts(record), umpire.acts(becomes)
    found = umpire.differences(record, becomes)
    changes = tuple(
        wire.Change(
            telling.ruled_now(record, before, entry, each.before is None),
            telling.ruled_now(becomes, after, entry, each.after is None),
            each.is_question,
        )
        for each in found[: wire.MOST_CHANGES]
        for entry in (record.entries[each.entry - 1],)
    )
    more = len(found) - len(changes)
    return wire.Outlook(notation.write(confirmed), changes, more, record.state.scores, becomes.state.scores)


def latest(record: Record, void: frozenset[int]) -> int | None:
    """The entry that one tap on undo would take back."""
    for entry, ruling in zip(reversed(record.entries), reversed(record.rulings), strict=True):
        if ruling is None or entry.seq in void or isinstance(entry.what, Match | Undo):
            continue
        if ruling.is_legal or ruling.awards:
            return entry.seq
    return None


def moves(record: Record, before: int, most: int) -> tuple[wire.Ruled, ...]:
    """What was ruled before an entry, newest first, each on what its entry amounts to now."""
    acts, void = umpire.acts(record), umpire.void(record)
    newest = [entry for entry in record.entries[: before - 1][-most:] if not isinstance(entry.what, Match)]
    return tuple(telling.ruled_now(record, acts, entry, entry.seq in void) for entry in reversed(newest))


def _seats(record: Record, sheet: tuple[Round, ...]) -> tuple[wire.Seat, ...]:
    state = record.state
    return tuple(
        wire.Seat(
            name=name,
            score=state.scores[seat],
            round_points=sheet[-1].points[seat],
            tiles=state.hands[seat],
            shown=state.shown[seat] is not None,
            hand=tuple(map(str, state.shown[seat] or ())),
        )
        for seat, name in enumerate(state.names)
    )


def _drawn_points(record: Record) -> int:
    """What the tiles drawn in this turn have cost, as long as it lasts."""
    points, wanted = 0, record.state.drawn
    for entry in reversed(umpire.effective(record) if wanted else ()):
        if wanted <= 0 or not isinstance(entry.what, Draw):
            break
        ruling = record.rulings[entry.seq - 1]
        points += ruling.points(entry.what.seat) if ruling is not None else 0
        wanted -= entry.what.count
    return points


def _tricks(state: TrickState) -> wire.Tricks:
    tiles = trick.last_trick(state)
    winner, why = None, ""
    if tiles and not trick.open_trick(state) and state.trump is not None:
        index, cause = trick.taken(tuple(placed.tile for placed in tiles), state.suits[-1], state.trump)
        winner, why = tiles[index].seat, cause.value
    suit = state.suits[-1] if state.suits else None
    return wire.Tricks(
        step=state.step.value,
        first=state.first,
        calls=tuple(wire.Call(seat, bid) for seat, bid in state.calls),
        bidder=state.bidder,
        bid=state.bid,
        trump="" if state.trump is None else str(state.trump),
        taken=tuple(state.won.count(seat) for seat in range(state.players)),
        trick=tuple(wire.Played(placed.seat, str(placed.tile)) for placed in tiles),
        suit="" if suit is None else "trumps" if suit == trick.TRUMPS else str(suit),
        winner=winner,
        why=why,
        choices=games.game(state.game).calls(state),
    )


def _trick_actions(state: TrickState) -> list[str]:
    """The order words that make sense in a game of tricks: before the first call it may be said who bids first."""
    first = [] if state.calls or state.step is not Step.AUCTION else ["first"]
    if state.phase is Phase.DEAL:
        return ["begin", *first]
    if state.phase is Phase.CLEARING:
        return ["clear"]
    words = {
        Step.AUCTION: ["bids", "passes", *first],
        Step.EXCHANGE: ["discards"],
        Step.TRUMP: ["names"],
        Step.TRICKS: ["plays"],
    }
    return words[state.step] if state.phase is Phase.PLAY else []


def _actions(record: Record, memory: Memory, void: frozenset[int]) -> tuple[str, ...]:
    state = record.state
    actions: list[str] = []
    if isinstance(state, TrickState):
        actions += _trick_actions(state)
    elif state.phase is Phase.DEAL:
        actions += ["begin", "announces"]
    elif state.phase is Phase.PLAY and state.turn is not None:
        may_draw = getattr(state.settings, "drawing", True)
        actions += ["draws"] if may_draw and state.stock > getattr(state.settings, "stock_floor", 0) else []
        actions += ["passes"]
    elif state.phase is Phase.PLAY:
        actions += ["announces"]
    elif state.phase is Phase.SHOW_HANDS:
        actions += ["shows"]
    elif state.phase is Phase.CLEARING:
        actions += ["clear"]
    if state.phase in (Phase.PLAY, Phase.SHOW_HANDS) and state.layout and getattr(state.settings, "muggins", False):
        actions.append("claims")
    if latest(record, void) is not None:
        actions.append("undo")
    if tabletop.in_dispute(memory) is not None:
        actions.append("overrule")
    return tuple(actions)
