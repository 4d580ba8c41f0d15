"""From the record and the table to the one picture that everybody is shown."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from referee import line, notation, tabletop, trick, umpire, wire
from referee.moves import Place
from referee.rulings import Ruling
from referee.state import Phase
from referee.tabletop import Lying, Memory
from referee.tiles import Shape
from referee.trick import Step, TrickState
from referee.umpire import Entry, Match, Record, Undo

LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a view tells besides the game: devices, storage, where phones can look."""

    camera: str = "ok"
    busy: bool = False
    signals: str = "ok"
    saved: bool = True
    phones: str = ""
    mat_mm: tuple[float, float] = (600.0, 400.0)


def view(record: Record | None, memory: Memory, shape: Shape, around: Circumstances, epoch: str, seq: int) -> wire.View:
    """The complete public picture of a match; a bare one while no match has begun."""
    bare = wire.View(
        epoch=epoch,
        seq=seq,
        mat_mm=around.mat_mm,
        tile_mm=(shape.length_mm, shape.width_mm),
        layout=tuple(_laid(record, item) for item in memory.lying),
        busy=around.busy,
        camera=around.camera,
        signals=around.signals,
        saved=around.saved,
        phones=around.phones,
    )
    if record is None:
        return bare
    state = record.state
    void = umpire.void(record)
    log = tuple(
        _ruled(entry, ruling, entry.seq in void)
        for entry, ruling in zip(record.entries, record.rulings, strict=True)
        if not isinstance(entry.what, Match)
    )[-LOG_LINES:]
    return structs.replace(
        bare,
        game=state.game,
        target=state.settings.target,
        lowest_wins=state.settings.lowest_wins,
        round=state.round,
        phase=state.phase.value,
        seats=_seats(record, void),
        turn=state.turn,
        stock=state.stock,
        drawn=state.drawn,
        ends=line.ends(state.layout) or (),
        last=log[-1] if log else None,
        log=log,
        dispute=_dispute(record, memory),
        questions=tuple(_question(item) for item in memory.lying if item.doubt is not None),
        actions=_actions(record, memory, void),
        ranking=state.ranking,
        tricks=_tricks(state) if isinstance(state, TrickState) else None,
    )


def latest(record: Record, void: frozenset[int]) -> int | None:
    """The entry that one tap on undo would take back."""
    for entry, ruling in zip(reversed(record.entries), reversed(record.rulings), strict=True):
        if entry.seq in void or isinstance(entry.what, Match | Undo) or ruling is None or not ruling.is_legal:
            continue
        return entry.seq
    return None


def _seats(record: Record, void: frozenset[int]) -> tuple[wire.Seat, ...]:
    state = record.state
    return tuple(
        wire.Seat(
            name=name,
            score=state.scores[seat],
            round_points=_round_points(record, void, seat),
            tiles=state.hands[seat],
            shown=state.shown[seat] is not None,
        )
        for seat, name in enumerate(state.names)
    )


def _round_points(record: Record, void: frozenset[int], seat: int) -> int:
    """What a seat has gained and lost since the last deal."""
    points = 0
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        if ruling is None or entry.seq in void:
            continue
        if ruling.state.phase is Phase.DEAL:
            points = 0
        points += ruling.points(seat)
    return points


def _laid(record: Record | None, item: Lying) -> wire.LaidTile:
    seat = None
    if record is not None and item.entry is not None:
        act = record.entries[item.entry - 1].what
        seat = act.seat if isinstance(act, Place) else None
    seen = item.seen
    return wire.LaidTile(
        kind=seen.kind,
        values=seen.values,
        x_mm=seen.x_mm,
        y_mm=seen.y_mm,
        angle_deg=seen.angle_deg,
        status="doubt" if item.status == "new" else item.status,
        entry=item.entry,
        seat=seat,
        face_up=seen.face_up,
    )


def _ruled(entry: Entry, ruling: Ruling | None, void: bool) -> wire.Ruled:
    return wire.Ruled(
        entry=entry.seq,
        seat=getattr(entry.what, "seat", None),
        line=notation.write(entry.what),
        reason=(ruling.reason if ruling else entry.reason).value,
        legal=(ruling.reason if ruling else entry.reason).is_legal,
        awards=tuple(wire.Award(a.seat, a.what, a.points) for a in ruling.awards) if ruling else (),
        clauses=tuple(cite.clause for cite in ruling.cites) if ruling else (),
        void=void,
    )


def _dispute(record: Record, memory: Memory) -> wire.Dispute | None:
    item = tabletop.in_dispute(memory)
    if item is None or item.entry is None:
        return None
    ruled = _ruled(record.entries[item.entry - 1], record.rulings[item.entry - 1], False)
    tile = "-".join(map(str, item.seen.values))
    return wire.Dispute(item.entry, ruled.seat, tile, ruled.reason, ruled.clauses)


def _question(item: Lying) -> wire.Question:
    doubt = item.doubt
    assert doubt is not None
    options = tuple(
        wire.Option(
            line=f"answer {doubt.id} {number}",
            what=choice.what,
            tile=str(choice.act.tile) if isinstance(choice.act, Place) else None,
            seat=choice.act.seat if isinstance(choice.act, Place) else None,
            probability=choice.probability,
        )
        for number, choice in enumerate(doubt.choices)
    )
    return wire.Question(doubt.id, doubt.what, options, _laid(None, item))


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
        actions += ["draws"] if state.stock else []
        actions += ["passes"]
    elif state.phase is Phase.PLAY:
        actions += ["announces"]
    elif state.phase is Phase.SHOW_HANDS:
        actions += ["shows"]
    elif state.phase is Phase.CLEARING:
        actions += ["clear"]
    if latest(record, void) is not None:
        actions.append("undo")
    if tabletop.in_dispute(memory) is not None:
        actions.append("overrule")
    return tuple(actions)
