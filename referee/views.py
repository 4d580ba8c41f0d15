"""From the record and the table to the one picture that everybody is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from referee import games, notation, placements, tabletop, umpire, wire
from referee.laying import line
from referee.moves import Announce, Bid, Clear, Draw, Pass, Place, Play
from referee.placements import Missed
from referee.rulings import Offer, Proof, Ruling
from referee.state import Phase
from referee.tabletop import Lying, Memory
from referee.tiles import Shape, Tile
from referee.tricks import trick
from referee.tricks.trick import Step, TrickState
from referee.umpire import Act, Change, Correct, Entry, Match, Overrule, Record, Undo

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
    training: bool = False


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
        layout=tuple(_laid(record, item) for item in memory.lying),
        busy=around.busy,
        camera=around.camera,
        signals=around.signals,
        saved=around.saved,
        phones=around.phones,
        training=around.training,
    )
    if record is None:
        return bare
    state = record.state
    rounds = getattr(state.settings, "rounds", None) or 0
    void = umpire.void(record)
    acts = umpire.acts(record)
    log = _log(record, acts, void)
    questions, unasked = _questions(record, acts, memory)
    return structs.replace(
        bare,
        game=state.game,
        target=0 if rounds else state.settings.target,
        rounds=rounds,
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
        dispute=_dispute(record, acts, memory),
        questions=questions,
        unasked=unasked,
        actions=_actions(record, memory, void),
        ranking=state.ranking,
        tricks=_tricks(state) if isinstance(state, TrickState) else None,
        missed=told.missed,
        better=told.better,
        dead=told.dead,
    )


def _log(record: Record, acts: Mapping[int, Act], void: frozenset[int]) -> tuple[wire.Ruled, ...]:
    """The newest rulings, each on what its entry amounts to now."""
    newest = [entry for entry in record.entries[-LOG_LINES:] if not isinstance(entry.what, Match)]
    return tuple(_told(record, acts, entry, entry.seq in void) for entry in newest)


def outlook(record: Record, act: Change) -> wire.Outlook:
    """What would come of a change, told to whoever asked for it before it is made."""
    confirmed = replace(act, confirmed=True)
    becomes = umpire.changed_by(record, confirmed)
    before, after = umpire.acts(record), umpire.acts(becomes)
    found = umpire.differences(record, becomes)
    changes = tuple(
        wire.Change(
            _told(record, before, entry, each.before is None),
            _told(becomes, after, entry, each.after is None),
            each.is_question,
        )
        for each in found[: wire.MOST_CHANGES]
        for entry in (record.entries[each.entry - 1],)
    )
    more = len(found) - len(changes)
    return wire.Outlook(notation.write(confirmed), changes, more, record.state.scores, becomes.state.scores)


def _told(record: Record, acts: Mapping[int, Act], entry: Entry, void: bool) -> wire.Ruled:
    """The ruling on an entry as it stands now, corrected and overruled as the people said."""
    return _ruled(replace(entry, what=acts.get(entry.seq, entry.what)), record.rulings[entry.seq - 1], void)


def latest(record: Record, void: frozenset[int]) -> int | None:
    """The entry that one tap on undo would take back."""
    for entry, ruling in zip(reversed(record.entries), reversed(record.rulings), strict=True):
        if ruling is None or entry.seq in void or isinstance(entry.what, Match | Undo):
            continue
        if ruling.is_legal or ruling.awards:
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
    """What this round has brought a seat so far; what was void is taken back, penalties are not."""
    points = 0
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        if ruling is None or entry.seq in void:
            continue
        if isinstance(entry.what, Match | Clear) and ruling.is_legal:
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
        awards=_awards(ruling) if ruling else (),
        clauses=tuple(cite.clause for cite in ruling.cites) if ruling else (),
        void=void,
        proven=tuple(_proven(proof) for proof in ruling.proven) if ruling else (),
    )


def _proven(proof: Proof) -> wire.Proven:
    return wire.Proven(proof.reason.value, proof.seat if proof.seat >= 0 else None, proof.entry, proof.evidence)


def _awards(ruling: Ruling) -> tuple[wire.Award, ...]:
    return tuple(wire.Award(award.seat, award.what, award.points) for award in ruling.awards)


def _dispute(record: Record, acts: Mapping[int, Act], memory: Memory) -> wire.Dispute | None:
    item = tabletop.in_dispute(memory)
    if item is None or item.entry is None:
        return None
    ruled = _told(record, acts, record.entries[item.entry - 1], False)
    tile = "-".join(map(str, item.seen.values))
    return wire.Dispute(item.entry, ruled.seat, tile, ruled.reason, ruled.clauses, _remedies(record, acts, item.entry))


def _remedies(record: Record, acts: Mapping[int, Act], seq: int) -> tuple[wire.Option, ...]:
    """What the rules offer for a refused placement, as orders that would be accepted now."""
    act, before = acts.get(seq), placements.before_entry(record, seq)
    if before is None or not isinstance(act, Place):
        return ()
    later = (entry.what for entry in umpire.effective(record) if entry.seq > seq and entry.reason.is_legal)
    since = {move.seat for move in later if isinstance(move, Place | Draw | Pass | Play | Bid)}
    game = games.game(before.game)
    offers = game.offers(before, act, game.goes_on(before, act, since))
    return tuple(
        _option(Overrule(seq) if isinstance(offer.move, Place) else offer.move, offer, act.seat)
        for offer in offers
        if offer.move is None or isinstance(offer.move, Place) or umpire.judge(record, offer.move).is_legal
    )


def ways_out(record: Record, act: Act) -> tuple[wire.Option, ...]:
    """What can be said instead of a move that is refused now, or about it."""
    if isinstance(act, Match | Undo | Overrule | Correct):
        return ()
    seat = getattr(act, "seat", None)
    offers = games.game(record.state.game).offers(record.state, act, False)
    return tuple(_option(offer.move, offer, seat) for offer in offers)


def _option(act: Act | None, offer: Offer, seat: int | None) -> wire.Option:
    line = "" if act is None else notation.write(act)
    return wire.Option(line, offer.what, seat=seat, awards=_awards(offer.ruling) if offer.ruling else ())


def _questions(record: Record, acts: Mapping[int, Act], memory: Memory) -> tuple[tuple[wire.Question, ...], int]:
    """What is asked, and how many questions wait besides.

    First the moves that do not stand any more, since all that follows rests on them, then what lies in doubt.
    """
    unsettled = umpire.unsettled(record)
    doubts = tuple(item for item in memory.lying if item.doubt is not None)
    asked = tuple(_unsettled(record, acts, memory, seq) for seq in unsettled[: wire.MOST_QUESTIONS])
    asked += tuple(_question(item) for item in doubts[: wire.MOST_QUESTIONS - len(asked)])
    unasked = len(unsettled) + len(doubts) - len(asked)
    urgent = (*_triple(record, acts), *_revokes(record, acts))
    return (*urgent[: wire.MOST_QUESTIONS - len(asked)], *asked), unasked


def _triple(record: Record, acts: Mapping[int, Act]) -> tuple[wire.Question, ...]:
    """Whether whoever opened with a lower tile holds the one that he passed over: asked until play goes on."""
    offers = games.game(record.state.game).asks(record.state)
    if not offers:
        return ()
    opener = record.state.layout[0]
    options = tuple(
        structs.replace(_option(offer.move, offer, opener.seat), tile=str(offer.move.tile))
        for offer in offers
        if isinstance(offer.move, Announce)
    )
    about = None if opener.entry is None else _told(record, acts, record.entries[opener.entry - 1], False)
    return (wire.Question(f"o{opener.entry}", "show-triple", options, None, about),)


def _revokes(record: Record, acts: Mapping[int, Act]) -> tuple[wire.Question, ...]:
    """The tiles that should have followed suit and, since their trick still lies there, can be put right."""
    if not isinstance(record.state, TrickState):
        return ()
    questions = []
    for proof in trick.open_revokes(record.state):
        if proof.entry is not None and proof.evidence:
            right = Correct(proof.entry, Play(proof.seat, Tile.parse(proof.evidence[0])))
            option = wire.Option(notation.write(right), "put-right", proof.evidence[0], proof.seat)
            about = _told(record, acts, record.entries[proof.entry - 1], False)
            questions.append(wire.Question(f"r{proof.entry}", "open-revoke", (option,), None, about))
    return tuple(questions)


def _unsettled(record: Record, acts: Mapping[int, Act], memory: Memory, seq: int) -> wire.Question:
    """What to do with a move that does not stand any more; to correct it is an order of its own."""
    before = placements.before_entry(record, seq)
    about, act = _told(record, acts, record.entries[seq - 1], False), acts[seq]
    options = [wire.Option(notation.write(Undo(seq)), "take-out", seat=about.seat)]
    if before is not None and isinstance(act, Place | Play):
        ruling = games.game(before.game).rule(before, replace(act, overruled=True))
        if ruling.is_legal:
            stands = wire.Option(notation.write(Overrule(seq)), "stands", seat=about.seat, awards=_awards(ruling))
            options.insert(0, stands)
    item = next((item for item in memory.lying if item.entry == seq), None)
    return wire.Question(f"e{seq}", "no-longer-stands", tuple(options), _laid(None, item) if item else None, about)


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
        actions += ["draws"] if state.stock > getattr(state.settings, "stock_floor", 0) else []
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
