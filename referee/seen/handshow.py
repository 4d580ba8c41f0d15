"""Hands seen by camera: at the end of a round each player lays what is left of his hand into the show zone.

One hand after another, in the order of seats unless the side that a hand came from tells another; it counts as soon
as it has as many tiles as the record says and all of them are read. A tile that is not certain is asked about, and
so is what contradicts the table or the other hands; the last word has the rule about hands.
"""

from __future__ import annotations

from dataclasses import replace

from referee import games, umpire
from referee.moves import ShowHand
from referee.seen import seating
from referee.seen.following import SURE
from referee.seen.reader import Step
from referee.seen.zoned import Asked, Reply, Said, Zoned, ask, nearest, unasked, watches
from referee.seen.zones import HANDS
from referee.sighting import SeenTile
from referee.state import Phase
from referee.tiles import Tile
from referee.umpire import Record

WHOSE, COUNT = "whose-hand", "hand-count"
OF_TILES = ("which-tile", "already-laid", "not-in-set")
PUSHED_MM = 60.0  # tiles that are shown already may be pushed so far while the next hand is laid
SETTLED_BY_SET = 0.95
MOST_READINGS = 5


def awaited(record: Record, zoned: Zoned) -> int | None:
    """The seat whose hand is to be laid into the show zone, None when none is."""
    shown = record.state.shown
    if record.state.phase is not Phase.SHOW_HANDS or not watches(record, HANDS):
        return None
    if zoned.owner is not None and shown[zoned.owner] is None:
        return zoned.owner
    return next((seat for seat, tiles in enumerate(shown) if tiles is None), None)


def next_step(record: Record, zoned: Zoned, copies: int | None = 1) -> tuple[Zoned, Step | None]:
    """What is to be done about the show zone; call again until there is nothing.

    Returns:
        The memory with the questions that there are, and a hand to be journaled.
    """
    seat = awaited(record, zoned)
    if seat is None:
        return _idle(zoned), None
    zoned = _follow(zoned)
    fresh = [seen for seen in zoned.hand if seen not in zoned.counted]
    if not fresh:
        kept = unasked(zoned, WHOSE, COUNT, *OF_TILES)
        empty = replace(kept, owner=None, said=(), refused=None)
        return (kept if empty == kept else empty), None
    if zoned.owner is None:
        zoned = _owned(record, zoned, seat)
        if zoned.owner is None:
            return zoned, None
        seat = zoned.owner
    return _read(record, zoned, seat, fresh, copies)


def _idle(zoned: Zoned) -> Zoned:
    """No hand is to be shown: nothing is asked, and what lies in the zone means nothing."""
    kept = unasked(zoned, WHOSE, COUNT, *OF_TILES)
    idle = replace(kept, owner=None, said=(), refused=None, counted=())
    return zoned if idle == zoned else idle


def _follow(zoned: Zoned) -> Zoned:
    """Which tiles are of hands that have been shown: they lie there yet, pushed a little at most.

    Those of a hand that was taken back are not shown again before they have been laid anew.
    """
    free = list(zoned.hand)
    counted: list[SeenTile] = []
    for before in zoned.counted:
        alike = [seen for seen in free if seen.values == before.values]
        now = nearest(before, alike, PUSHED_MM) or nearest(before, [seen for seen in free if not seen.values])
        if now is not None:
            free.remove(now)
            counted.append(now)
    return zoned if tuple(counted) == zoned.counted else replace(zoned, counted=tuple(counted))


def _owned(record: Record, zoned: Zoned, expected: int) -> Zoned:
    """Whose hand it is: the one that is expected, unless it clearly came from another who has one to show."""
    player, rival = seating.who_played(record, zoned.reach_deg, expected)
    shown = record.state.shown
    if shown[player] is not None:
        player = expected
    if rival is None or shown[rival] is not None:
        return replace(unasked(zoned, WHOSE), owner=player)
    return ask(zoned, Asked("", WHOSE, tuple(Reply("shows", seat=each) for each in (player, rival))))


def _read(
    record: Record, zoned: Zoned, seat: int, fresh: list[SeenTile], copies: int | None
) -> tuple[Zoned, Step | None]:
    """A hand as far as it can be told: shown, or asked about."""
    tiles: list[Tile] = []
    doubts: list[Asked] = []
    unread = 0
    for seen in fresh:
        said = next((each for each in zoned.said if _is_of(each, seen)), None)
        if said is not None and said.tile is None:
            continue  # no tile at all
        tile = said.tile if said is not None else _settled(record, seen, tiles, copies)
        wrong = None if tile is None or said is not None else _contradicts(record, seat, tile, tiles)
        if tile is None or wrong is not None:
            doubts.append(Asked("", wrong or "which-tile", _candidates(record, seen, tile, tiles), seen))
        if tile is not None:
            tiles.append(tile)
        else:
            unread += 1
    zoned = _asking(zoned, doubts)
    if len(tiles) + unread != record.state.hands[seat]:
        return _miscounted(record, zoned, seat, len(tiles) + unread), None
    zoned, act = unasked(zoned, COUNT), ShowHand(seat, tuple(sorted(tiles)))
    if doubts or act == zoned.refused:
        return zoned, None
    if umpire.judge(record, act).is_legal:
        counted = replace(zoned, counted=zoned.hand, owner=None, said=(), refused=None)
        return counted, Step(act, None)
    return replace(zoned, refused=act), Step(act, None)


def _is_of(said: Said, seen: SeenTile) -> bool:
    """Whether it was said of the tile that lies there now, and not of another in its place."""
    return nearest(said.seen, [seen]) is not None and (seen.values == said.seen.values or seen.confidence < SURE)


def _asking(zoned: Zoned, doubts: list[Asked]) -> Zoned:
    """The tiles that are in doubt are asked about, and no others."""
    seen = [each.seen for each in doubts]
    kept = tuple(each for each in zoned.asked if each.what not in OF_TILES or each.seen in seen)
    zoned = zoned if kept == zoned.asked else replace(zoned, asked=kept)
    for each in doubts:
        zoned = ask(zoned, each)
    return zoned


def _miscounted(record: Record, zoned: Zoned, seat: int, count: int) -> Zoned:
    """As long as it has another number of tiles than the record says the rules offer what may be behind it."""
    any_tiles = tuple(games.game(record.state.game).tiles[:count])  # which they are makes no difference to this
    offers = games.game(record.state.game).offers(record.state, ShowHand(seat, any_tiles), False)
    replies = tuple(Reply(offer.what, offer.move, seat=seat) for offer in offers if offer.move is not None)
    return ask(zoned, Asked("", COUNT, replies, tiles=count))


def _settled(record: Record, seen: SeenTile, others: list[Tile], copies: int | None) -> Tile | None:
    """The tile as it is read: clearly, or the only one of its readings that may be in a hand."""
    if seen.values and seen.confidence >= SURE:
        return Tile(seen.values)
    if copies != 1:
        return None
    possible = [each for each in seen.readings if _contradicts(record, None, Tile(each.values), others) is None]
    total = sum(each.probability for each in possible)
    if not possible or total < 0.5 or possible[0].probability < SETTLED_BY_SET * total:
        return None
    return Tile(possible[0].values)


def _contradicts(record: Record, seat: int | None, tile: Tile, others: list[Tile]) -> str | None:
    """What speaks against a tile in this hand: there is none such, or it lies or is held elsewhere."""
    state = record.state
    if tile not in games.game(state.game).tiles_of(state.settings):
        return "not-in-set"
    laid = [placed.tile for placed in state.layout]
    shown = [each for tiles in state.shown for each in tiles or ()]
    others_known = [tiles for other, tiles in enumerate(state.known) if seat is not None and other != seat]
    held = [each for tiles in others_known for each in tiles or ()]
    return "already-laid" if tile in (*laid, *shown, *held, *others) else None


def _candidates(record: Record, seen: SeenTile, tile: Tile | None, others: list[Tile]) -> tuple[Reply, ...]:
    """What a tile may be, those first that may be in a hand; that it is what it seems, and that it is none."""
    read = {Tile(each.values): each.probability for each in seen.readings[:MOST_READINGS]}
    if tile is not None:
        read.pop(tile, None)
    likely = sorted(read, key=lambda each: (_contradicts(record, None, each, others) is not None, -read[each]))
    stands = (Reply("stands", tile=tile),) if tile is not None else ()
    choices = tuple(Reply("tile", tile=each, probability=read[each]) for each in likely)
    return (*choices, *stands, Reply("not-a-tile"))
