"""Rulings and tiles as they are told to everybody: how an entry is ruled now, and how each tile lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msgspec import structs

from referee import games, notation, plan, wire
from referee.laying import opensides
from referee.moves import Place
from referee.rulings import Proof, Ruling
from referee.seen.memory import Lying, Memory
from referee.sighting import SeenTile
from referee.state import Phase
from referee.tiles import TRIOMINO, Shape
from referee.umpire import Act, Entry, Record


def ruled_now(record: Record, acts: Mapping[int, Act], entry: Entry, void: bool) -> wire.Ruled:
    """The ruling on an entry as it stands now, corrected and overruled as the people said."""
    return ruled(replace(entry, what=acts.get(entry.seq, entry.what)), record.rulings[entry.seq - 1], void)


def ruled(entry: Entry, ruling: Ruling | None, void: bool) -> wire.Ruled:
    """An entry and how it is ruled."""
    return wire.Ruled(
        entry=entry.seq,
        seat=getattr(entry.what, "seat", None),
        line=notation.write(entry.what),
        reason=(ruling.reason if ruling else entry.reason).value,
        legal=(ruling.reason if ruling else entry.reason).is_legal,
        awards=awards(ruling) if ruling else (),
        clauses=tuple(cite.clause for cite in ruling.cites) if ruling else (),
        void=void,
        proven=tuple(_proven(proof) for proof in ruling.proven) if ruling else (),
        evidence=entry.evidence or "",
    )


def _proven(proof: Proof) -> wire.Proven:
    return wire.Proven(proof.reason.value, proof.seat if proof.seat >= 0 else None, proof.entry, proof.evidence)


def awards(ruling: Ruling) -> tuple[wire.Award, ...]:
    """The points that a ruling gives."""
    return tuple(wire.Award(award.seat, award.what, award.points) for award in ruling.awards)


def laid(record: Record | None, item: Lying) -> wire.LaidTile:
    """A tile as it lies, and whose it is."""
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
        status="doubt" if item.status in ("new", "found") else item.status,
        entry=item.entry,
        seat=seat,
        face_up=seen.face_up,
    )


def elsewhere(memory: Memory) -> tuple[wire.LaidTile, ...]:
    """The tiles of the record that lie somewhere else now, and what lies in the place of others."""
    found = (item.elsewhere for item in memory.lying if item.elsewhere is not None)
    return tuple(laid(None, Lying(each.seen, "doubt")) for each in found)


def planned(record: Record, shape: Shape) -> tuple[wire.LaidTile, ...]:
    """The tiles of the record on even ground, where no camera sees them as they lie."""
    return tuple(
        structs.replace(ghost(each.seen, "placed"), entry=each.placed.entry, seat=each.placed.seat)
        for each in plan.laid(record.state.layout, shape)
        if each.seen is not None
    )


def ghost(seen: SeenTile, status: str = "offer") -> wire.LaidTile:
    """A tile that lies, or could lie, in this pose."""
    return wire.LaidTile(seen.kind, seen.values, seen.x_mm, seen.y_mm, seen.angle_deg, status)


def with_open_sides(record: Record, laid: tuple[wire.LaidTile, ...], shape: Shape) -> tuple[wire.LaidTile, ...]:
    """The same tiles, the accepted triominoes among them with their open sides, as long as play goes on."""
    state = record.state
    counted = [each for each in laid if each.kind == TRIOMINO and each.status in ("placed", "missing") and each.values]
    if state.phase is not Phase.PLAY or not counted:
        return laid
    lying = tuple(SeenTile(each.kind, each.values, each.x_mm, each.y_mm, each.angle_deg) for each in counted)
    left = frozenset(games.game(state.game).tiles_of(state.settings)) - {placed.tile for placed in state.layout}
    sides = dict(zip(map(id, counted), opensides.open_sides(lying, left, shape), strict=True))
    return tuple(structs.replace(each, open=sides[id(each)]) if id(each) in sides else each for each in laid)
