"""What is asked: what to do about an illegal tile, about moves that do not stand any more, about tiles in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec import structs

from referee import games, notation, placements, telling, umpire, wire
from referee.moves import Announce, Bid, Draw, Pass, Place, Play
from referee.rulings import Offer, Reason
from referee.seen import tabletop
from referee.seen.memory import JUDGED_AGAIN, READ_IN_DOUBT, Lying, Memory
from referee.seen.zoned import Asked, Zoned
from referee.tiles import Tile
from referee.tricks import trick
from referee.tricks.trick import TrickState
from referee.umpire import Act, Correct, Match, Overrule, Record, Undo


def dispute(record: Record, acts: Mapping[int, Act], memory: Memory) -> wire.Dispute | None:
    """The illegal tile that lies there, why it is, and what can be done."""
    item = tabletop.in_dispute(memory)
    if item is None or item.entry is None:
        return None
    ruled = telling.ruled_now(record, acts, record.entries[item.entry - 1], False)
    tile = "-".join(map(str, item.seen.values))
    options = remedies(record, acts, item.entry)
    if ruled.reason in (Reason.NOT_CONNECTED, Reason.ONE_CORNER_ONLY):
        options = (*options, wire.Option("", "missed-one"))  # what it joins may lie there, not seen
    return wire.Dispute(item.entry, ruled.seat, tile, ruled.reason, ruled.clauses, options, ruled.evidence)


def remedies(record: Record, acts: Mapping[int, Act], seq: int) -> tuple[wire.Option, ...]:
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
    return wire.Option(line, offer.what, seat=seat, awards=telling.awards(offer.ruling) if offer.ruling else ())


def questions(
    record: Record, acts: Mapping[int, Act], memory: Memory, zoned: Zoned
) -> tuple[tuple[wire.Question, ...], int]:
    """What is asked, and how many questions wait besides.

    First the moves that do not stand any more, since all that follows rests on them, then what the zones of the mat
    leave open, then what lies in doubt.
    """
    unsettled = umpire.unsettled(record)
    doubts = tuple(item for item in memory.lying if item.doubt is not None)
    asked = tuple(_unsettled(record, acts, memory, seq) for seq in unsettled[: wire.MOST_QUESTIONS])
    asked += tuple(_zone_question(each) for each in zoned.asked[: wire.MOST_QUESTIONS - len(asked)])
    asked += tuple(_question(item) for item in doubts[: wire.MOST_QUESTIONS - len(asked)])
    unasked = len(unsettled) + len(zoned.asked) + len(doubts) - len(asked)
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
    about = None if opener.entry is None else telling.ruled_now(record, acts, record.entries[opener.entry - 1], False)
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
            about = telling.ruled_now(record, acts, record.entries[proof.entry - 1], False)
            questions.append(wire.Question(f"r{proof.entry}", "open-revoke", (option,), None, about))
    return tuple(questions)


def _unsettled(record: Record, acts: Mapping[int, Act], memory: Memory, seq: int) -> wire.Question:
    """What to do with a move that does not stand any more; to correct it is an order of its own."""
    before = placements.before_entry(record, seq)
    about, act = telling.ruled_now(record, acts, record.entries[seq - 1], False), acts[seq]
    options = [wire.Option(notation.write(Undo(seq)), "take-out", seat=about.seat)]
    if before is not None and isinstance(act, Place | Play):
        ruling = games.game(before.game).rule(before, replace(act, overruled=True))
        if ruling.is_legal:
            stands = wire.Option(
                notation.write(Overrule(seq)), "stands", seat=about.seat, awards=telling.awards(ruling)
            )
            options.insert(0, stands)
    item = next((item for item in memory.lying if item.entry == seq), None)
    return wire.Question(
        f"e{seq}", "no-longer-stands", tuple(options), telling.laid(None, item) if item else None, about
    )


def _zone_question(asked: Asked) -> wire.Question:
    """What the boneyard or a shown hand leaves open; which tile one of a hand is may also be said."""
    options = [
        wire.Option(
            line=f"answer {asked.id} {number}",
            what=reply.what,
            tile=None if reply.tile is None else str(reply.tile),
            seat=reply.seat,
            probability=reply.probability,
        )
        for number, reply in enumerate(asked.replies)
    ]
    if asked.seen is None:
        return wire.Question(asked.id, asked.what, tuple(options))
    options.insert(-1, wire.Option(f"answer {asked.id} is", "any-tile"))
    return wire.Question(asked.id, asked.what, tuple(options), telling.laid(None, Lying(asked.seen, "doubt")))


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
    if doubt.what in READ_IN_DOUBT:
        options = (*options[:-1], wire.Option(f"answer {doubt.id} is", "any-tile"), options[-1])
    if doubt.what in JUDGED_AGAIN:
        options = (*options[:-1], wire.Option("", "missed-one"), options[-1])  # that it is nothing is always said last
    shown = item if item.elsewhere is None else Lying(item.elsewhere.seen, "doubt")
    return wire.Question(doubt.id, doubt.what, options, telling.laid(None, shown), evidence=shown.seen.picture)
