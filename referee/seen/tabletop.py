"""What lies on the table and what is thought of it, from one sighting to the next.

Two truths are kept apart: a `Sighting` is what lies there, the record is what was accepted. This module
follows the tiles and keeps their standing; the reader decides what a new one means.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from referee import games, umpire
from referee.laying import line
from referee.moves import Expose, LineSpot, Place, Play
from referee.seen import following, placing, tricking
from referee.seen.following import SAME_PLACE, SURE, Found, Known, Way
from referee.seen.memory import ASKED_IN_TURN, JUDGED_AGAIN, Choice, Doubt, Lying, Memory, changed
from referee.seen.placing import Anchor
from referee.sighting import SeenTile, Sighting
from referee.state import Phase, Placed
from referee.tiles import DOMINO, Shape, Tile
from referee.umpire import Correct, Record

LAID_ANEW_MM, LAID_ANEW_DEG = 3.0, 6.0  # a tile that is asked about and moved so far is judged again


def anchors(record: Record, memory: Memory) -> tuple[Anchor, ...]:
    """The accepted tiles with the poses they were last seen in, in the order of laying.

    A tile that is missing keeps its last pose; one that was entered by hand has none.
    """
    poses = {item.entry: item.seen for item in memory.lying if item.status in ("placed", "missing")}
    return tuple(Anchor(placed, poses.get(placed.entry)) for placed in record.state.layout)


def look(record: Record, memory: Memory, sighting: Sighting, shape: Shape, copies: int | None = 1) -> Memory:
    """Take in a sighting: follow the tiles that lie there, note what came and what went.

    While the table is busy nothing is concluded. Tiles that came get the status `new` and are turned
    into steps or doubts by `next_step`; those that the eye found lying when it began get `found`.
    """
    told = (sighting.epoch, sighting.settle, sighting.tiles)
    if sighting.busy or told == (memory.epoch, memory.settle, memory.tiles):
        return memory
    game = games.game(record.state.game)
    tiles = [_sound(seen) for seen in sighting.tiles if seen.kind == game.kind]
    laid = {placed.entry: placed for placed in game.lies(record.state) if placed.entry is not None}
    before = [_known(record, item, laid, game.in_tricks) for item in memory.lying]
    found, others = following.follow(before, tiles, shape, copies)
    free = list(others)
    coming = "new" if sighting.epoch == memory.epoch else "found"
    lying: list[Lying] = []
    for index, item in enumerate(memory.lying):
        now = found.get(index)
        if now is not None and now.way is Way.STAYED and _is_laid_anew(item, now.seen):
            arrived = replace(_arrived(memory, now.seen, "new", record.state.layout), rest=item.rest)
            lying.append(replace(arrived, doubt=item.doubt) if arrived.status == "new" else arrived)
        elif now is not None and now.way is Way.STAYED:
            lying.append(_followed(item, now.seen))
        elif item.status in ("placed", "missing"):
            lying.append(_lost(item, now))
        elif item.status == "removal" and copies == 1 and (twin := following.twin(item.seen, free)):
            free.remove(twin)
            lying.append(Lying(twin, "new", item.entry))
    gone = [item for index, item in enumerate(memory.lying) if index not in found]
    lying.extend(_came(record, memory, coming, free, gone))
    known = replace(memory, lying=tuple(lying), tiles=sighting.tiles)
    return reconcile(
        record, known if told[:2] == (memory.epoch, memory.settle) else _rested(known, sighting, len(free))
    )


def _rested(memory: Memory, sighting: Sighting, came: int) -> Memory:
    """The memory with one more rest, and the side from which the hand came that laid the only tile that came."""
    visit = memory.visit if sighting.epoch == memory.epoch else 0
    since = [each for each in sighting.visits if each.number > visit]
    single = came == 1 and len(since) == 1 and since[0].number == visit + 1
    return replace(
        memory,
        epoch=sighting.epoch,
        settle=sighting.settle,
        rest=memory.rest + 1,
        visit=since[-1].number if since else visit,
        reach_deg=since[0].reach_deg if single else None,
    )


def _known(record: Record, item: Lying, laid: dict[int, Placed], in_tricks: bool) -> Known:
    """A tile as it is to be found again; the numbers of one that was only asked about, or ignored, are not certain."""
    certain = item.entry is not None and item.status in ("placed", "missing", "illegal", "removal", "seen")
    placed = laid.get(item.entry or 0) if item.status in ("placed", "missing") else None
    read = record.entries[item.entry - 1].seen if placed is not None and item.entry is not None else None
    misread = item.misread if read is None or read.values == item.seen.values else read
    return Known(item.seen, placed, certain, roams=in_tricks and item.entry is not None, misread=misread)


def _lost(item: Lying, now: Found | None) -> Lying:
    """An accepted tile that does not lie where it lay; what was asked about it stands until it lies elsewhere again."""
    before = item.elsewhere
    same = item.status == "missing" and (now and (now.way, now.spot)) == (before and (before.way, before.spot))
    return replace(item, status="missing", elsewhere=now, doubt=item.doubt if same else None)


def _is_laid_anew(item: Lying, found: SeenTile) -> bool:
    """True for a tile that was asked about and now can be read, reads otherwise, or lies otherwise."""
    if item.status != "doubt" or item.doubt is None or item.doubt.what not in JUDGED_AGAIN:
        return False
    is_clear = bool(found.values) and found.confidence >= SURE
    if is_clear and (item.doubt.what == "which-tile" or found.values != item.seen.values):
        return True
    away_mm = hypot(found.x_mm - item.seen.x_mm, found.y_mm - item.seen.y_mm)
    return away_mm > LAID_ANEW_MM or following.turn_deg(item.seen, found) > LAID_ANEW_DEG


def reconsidered(memory: Memory) -> Memory:
    """People have changed the record: what was asked about a tile that lies there may be clear now, or asked anew."""
    return replace(
        memory,
        lying=tuple(
            replace(item, status="new")
            if item.status == "doubt" and item.doubt is not None and item.doubt.what in JUDGED_AGAIN
            else item
            for item in memory.lying
        ),
    )


def _came(record: Record, memory: Memory, status: str, free: list[SeenTile], gone: list[Lying]) -> list[Lying]:
    """The tiles that were not there before."""
    layout, taken = record.state.layout, [item.seen.values for item in gone if tricking.is_taken(record, item)]
    over = {placed.tile.values for placed in tricking.finished(record)}
    is_alone = status == "new" and len(free) == 1 and not taken and all(item.status != "seen" for item in gone)
    if not is_alone and any(each.values in over and each.confidence >= SURE for each in free):  # a heap is put down
        taken += over - {item.seen.values for item in memory.lying}
    heap = following.put_down(taken, free)
    if games.game(record.state.game).in_tricks and is_alone:
        layout = tricking.last_played(record)  # one alone of an earlier trick is rather misread than found again
    return [Lying(each, "seen") if each in heap else _arrived(memory, each, status, layout) for each in free]


def _arrived(memory: Memory, seen: SeenTile, status: str, layout: tuple[Placed, ...]) -> Lying:
    """A tile that was not there before: new, or one that was entered by hand, or taken up, and is now seen."""
    poses = {item.entry for item in memory.lying}
    for placed in layout:
        if placed.entry not in poses and seen.confidence >= SURE and seen.values == placed.tile.values:
            return Lying(seen, "placed", placed.entry)
    return Lying(seen, status, rest=memory.rest)


def _sound(seen: SeenTile) -> SeenTile:
    """A tile as seen; one whose numbers cannot be right for its kind counts as unread."""
    count = 2 if seen.kind == DOMINO else 3
    readings = tuple(each for each in seen.readings if len(each.values) == count and min(each.values) >= 0)
    fits = len(seen.values) == count and min(seen.values) >= 0
    return replace(seen, values=seen.values if fits else (), readings=readings)


def _followed(item: Lying, found: SeenTile) -> Lying:
    """A known tile in its new pose; one that only lies there, or is asked about, is what the eye now says."""
    if item.status == "missing":
        item = replace(item, status="placed", doubt=None, elsewhere=None)
    if item.status in ("doubt", "seen", "found") and found.values != item.seen.values:
        return replace(item, seen=found)
    return replace(item, seen=following.moved_to(item.seen, found), answered=False)


def reconcile(record: Record, memory: Memory) -> Memory:
    """Bring the statuses up to date after the record has changed (undo, overrule, a new round).

    What is not where the record says is asked about one tile at a time.
    """
    placed = {item.entry: item for item in record.state.layout if item.entry is not None}
    settled = [_reconciled(record, item, placed.get(item.entry or 0)) for item in memory.lying]
    if games.game(record.state.game).in_tricks:
        settled = tricking.standing(record, settled)
    lying: list[Lying] = []
    questions = memory.questions
    asking = any(item and item.doubt and item.doubt.what in ASKED_IN_TURN for item in settled)
    for item in filter(None, settled):
        asked = _question(record, item) if item.doubt is None else None
        if asked is not None and asked.what in ASKED_IN_TURN:
            asked, asking = None if asking else asked, True
        if asked is not None:
            questions += 1
        lying.append(item if asked is None else replace(item, doubt=replace(asked, id=f"q{questions}")))
    return replace(memory, lying=tuple(lying), questions=questions)


def _reconciled(record: Record, item: Lying, placed: Placed | None) -> Lying | None:
    """What a tile is by the record as it stands now, None when it is gone and taken back."""
    phase = record.state.phase
    if item.entry is None:
        return item if phase is Phase.PLAY else replace(item, status="seen", doubt=None)
    if phase not in (Phase.PLAY, Phase.SHOW_HANDS):
        return replace(item, status="seen", entry=None, doubt=None)
    entry = item.entry
    if placed is not None:
        read = record.entries[entry - 1].what
        if item.seen.values != placed.tile.values and isinstance(read, Place):
            item = replace(item, seen=placing.recorded(item.seen, read.spot, placed))
        if item.elsewhere is not None and _is_meant(item.elsewhere, placed):
            return Lying(item.elsewhere.seen, "placed", entry)
        return item if item.status in ("missing", "placed") else replace(item, status="placed", doubt=None)
    if _lies_open(record, entry):
        return replace(item, status="seen", entry=None, doubt=None)
    if _still_illegal(record, entry):
        # what stood until something before it was changed is asked about, and is no cause for the lamp
        return replace(item, status="doubt" if entry in umpire.unsettled(record) else "illegal", doubt=None)
    if item.status == "missing":
        return _no_longer_missing(item)
    return item if item.status in ("removal", "new") else replace(item, status="removal", doubt=None)


def _is_meant(elsewhere: Found, placed: Placed) -> bool:
    """True when the record has been corrected to what lies there."""
    return (elsewhere.spot, elsewhere.seen.values) == (placed.spot, placed.tile.values)


def _no_longer_missing(item: Lying) -> Lying | None:
    """A missing tile that was taken back: gone, or lying elsewhere; what lies in its place is a tile that came."""
    if item.elsewhere is None:
        return None
    if item.elsewhere.way is Way.REPLACED:
        return Lying(item.elsewhere.seen, "new")
    return Lying(item.elsewhere.seen, "removal", item.entry)


def _question(record: Record, item: Lying) -> Doubt | None:
    """What to ask about a tile that is not where it was though accepted, or there though taken back."""
    if item.entry is None or record.state.phase is not Phase.PLAY:
        return None
    act = umpire.acts(record).get(item.entry)
    if item.status == "missing" and not item.answered:
        stays, back = Choice(None, "it-lies-there"), Choice(umpire.Undo(item.entry), "take-back")
        if item.elsewhere is None or not isinstance(act, Place):
            return Doubt("", "missing", (stays, back))
        what = "another-tile" if item.elsewhere.way is Way.REPLACED else "moved"
        return Doubt("", what, (*_corrections(record, item.entry, act, item.elsewhere), stays, back))
    laid = record.entries[item.entry - 1].what
    if item.status == "removal" and isinstance(laid, Place):
        return Doubt("", "awaiting-removal", (Choice(laid, "stands"),))
    return None


def _corrections(record: Record, entry: int, act: Place, elsewhere: Found) -> tuple[Choice, ...]:
    """That the record is to say what lies there now, where that would be legal."""
    if elsewhere.spot is None or not elsewhere.seen.values:
        return ()
    correct = Correct(entry, replace(act, tile=Tile(elsewhere.seen.values), spot=elsewhere.spot))
    if not umpire.judge(record, replace(correct, confirmed=True)).is_legal:
        return ()
    return (Choice(correct, "place" if elsewhere.way is Way.ELSEWHERE else "tile"),)


def _still_illegal(record: Record, entry: int) -> bool:
    ruling = record.rulings[entry - 1] if entry <= len(record.rulings) else None
    return ruling is not None and not ruling.is_legal


def _lies_open(record: Record, entry: int) -> bool:
    """True when it was decided that a tile which does not stand lies open before its player from now on."""
    laid = record.entries[entry - 1].what
    later = zip(record.entries[entry:], record.rulings[entry:], strict=True)
    return isinstance(laid, Place) and any(
        isinstance(each.what, Expose)
        and (each.what.tile, each.what.laid) == (laid.tile, True)
        and ruling is not None
        and ruling.is_legal
        for each, ruling in later
    )


def unfinished(memory: Memory) -> bool:
    """True while tiles that came have not been dealt with."""
    return any(item.status == "new" for item in memory.lying)


def journaled(memory: Memory, seen: SeenTile, entry: int, legal: bool) -> Memory:
    """A tile has been journaled: from now on it is placed, or it is an illegal one lying there."""
    status = "placed" if legal else "illegal"
    lying = tuple(
        Lying(seen, status, entry) if _is_at(item.seen, seen) and item.status in ("new", "doubt", "removal") else item
        for item in memory.lying
    )
    return replace(memory, lying=lying)


def entered(memory: Memory, known: tuple[Anchor, ...], act: Place | Play, entry: int, shape: Shape) -> Memory:
    """A tile was entered by hand: if one lies asked about where it belongs, or that may be it in a trick, that is it.

    Else it lies where nobody sees it; where there is only one place for it, others are judged by that.

    Args:
        known: the accepted tiles before this one.
        act: the placement as it was entered.
        entry: its entry in the journal.
    """
    if isinstance(act, Play):
        played = tricking.shown(memory, act.tile)
        if played is None:
            return memory
        seen = replace(played.seen, values=act.tile.values, confidence=1.0, readings=())
        return changed(memory, played, Lying(seen, "placed", entry))
    spots = [act.spot]
    if isinstance(act.spot, LineSpot) and len(known) == 1:
        # which end of a lone tile is the left one, people cannot know
        spots.append(replace(act.spot, end="left" if act.spot.end == "right" else "right"))
    elif isinstance(act.spot, LineSpot) and act.spot.end in line.ARMS:
        # nor which side of the spinner is up, before there is an arm
        layout = tuple(anchor.placed for anchor in known)
        is_begun = any(line.arm(layout, end) for end in line.ARMS)
        spots += [] if is_begun else [replace(act.spot, end=end) for end in line.ARMS if end != act.spot.end]
    unknown = [
        item
        for item in memory.lying
        if item.status == "illegal" or (item.status in ("doubt", "seen") and item.entry is None)
    ]
    for pose in (pose for spot in spots for pose in placing.poses_of(known, act.tile, spot, shape)):
        for item in unknown:
            if hypot(pose.x_mm - item.seen.x_mm, pose.y_mm - item.seen.y_mm) < SAME_PLACE * shape.width_mm:
                seen = replace(pose, x_mm=item.seen.x_mm, y_mm=item.seen.y_mm)
                misread = item.seen if item.seen.values not in ((), seen.values) else None
                return changed(memory, item, Lying(seen, "placed", entry, misread=misread))
    poses = tuple(placing.poses_of(known, act.tile, act.spot, shape))
    if len(poses) != 1:
        return memory
    return replace(memory, lying=(*memory.lying, Lying(poses[0], "missing", entry, answered=True)))


def in_dispute(memory: Memory) -> Lying | None:
    """The illegal tile that lies on the table, as far as the camera has looked since the start."""
    if memory.settle < 0:
        return None
    return next((item for item in memory.lying if item.status == "illegal"), None)


def dismissed(memory: Memory, doubt_id: str) -> Memory:
    """A doubt was answered with "it is no move": the tile, or all that came with it, means nothing from now on."""
    lying = tuple(
        replace(item, doubt=None, answered=True, status="missing" if item.status == "missing" else "seen")
        if (item.doubt and item.doubt.id == doubt_id) or tricking.came_with(memory, item, doubt_id)
        else item
        for item in memory.lying
    )
    return replace(memory, lying=lying)


def _is_at(one: SeenTile, other: SeenTile) -> bool:
    return (one.x_mm, one.y_mm) == (other.x_mm, other.y_mm)
