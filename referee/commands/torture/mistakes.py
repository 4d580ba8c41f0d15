"""The mistakes that people make on the proving ground, and what is done about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import atan2, cos, hypot, sin

from referee import people, umpire
from referee.commands.torture.faults import free_place
from referee.commands.torture.hall import FPS, Course
from referee.commands.torture.people import Party
from referee.laying import line
from referee.laying.contact import outline, separation
from referee.moves import LineSpot, Loose, Place
from referee.people import Idea, Scene
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Phase, Placed, changed
from referee.tiles import Tile
from referee.umpire import Act, Entry, Overrule, Record, Undo
from vision.virtual import Both, Lay, Move, Take

NUDGED_SHARE, NUDGE_MM = 0.1, 2.5
OVERRULED_SHARE, LEFT_LYING_SHARE = 0.15, 0.5
AWAY_MM, SPARE_MM, RIM_MM = 60.0, 2.0, 62.0
MOST_UNDONE, MOVED_ASIDE_SHARE = 5, 0.3
ON_TOP_MM = 5.0  # between the middles of two tiles that lie on one another


def best(party: Party, scene: Scene, hand: list[Tile]) -> Idea | None:
    """The best move that comes to mind, its place told as the referee tells it: with the number that joins."""
    idea = people.best_move(scene, hand, party.random)
    layout = scene.record.state.layout
    if idea is None or not layout or not isinstance(idea.move.spot, LineSpot) or idea.move.spot.inner is not None:
        return idea
    inner = line.open_number(layout, idea.move.spot.end)
    return replace(idea, move=replace(idea.move, spot=replace(idea.move.spot, inner=inner)))


def lay(party: Party, idea: Idea, from_seat: int | None = None) -> Course:
    """Lay a tile and wait for what is said of it."""
    is_legal = party.truth.judged(idea.move).is_legal
    party.truth.expect((idea.move,))
    yield _laying(party, idea, from_seat)
    party.account.illegal += not is_legal
    yield from party.told("missed" if is_legal else "missed_illegal")
    if is_legal:
        party.hands[idea.move.seat].remove(idea.move.tile)


def _laying(party: Party, idea: Idea, from_seat: int | None = None) -> Lay:
    pose = people.jittered(idea.pose, party.random)
    side_deg = party.side_deg(idea.move.seat if from_seat is None else from_seat)
    nudge_mm = party.random.uniform(0.5, NUDGE_MM) if party.random.random() < NUDGED_SHARE else 0.0
    return Lay(pose.kind, pose.values, pose.x_mm, pose.y_mm, pose.angle_deg, side_deg, nudge_mm)


def _taking(party: Party, tile: Tile, seat: int) -> Course:
    """Take a tile away."""
    lies = party.where(tile)
    if lies is not None:
        yield Take(lies.x_mm, lies.y_mm, party.side_deg(seat))


def _illegal(party: Party, seat: int) -> Course:
    """A tile is laid where it does not fit; it is taken back, or people let it stand."""
    idea = people.blunder(party.scene(), party.hands[seat], party.random)
    if idea is not None:
        yield from lay(party, idea)
        yield from _settled(party, idea)


def _apart(party: Party, seat: int) -> Course:
    """A tile is laid where it joins nothing."""
    place = free_place(party, AWAY_MM + 30.0)
    if place is None or not party.truth.state.layout:
        return
    tile = party.random.choice(party.hands[seat])
    pose = SeenTile(tile.kind, tile.values, *place, party.random.uniform(0, 360))
    idea = Idea(Place(seat, tile, Loose()), pose, 0.0)
    yield from lay(party, idea)
    yield from _settled(party, idea, may_stand=False)


def _settled(party: Party, idea: Idea, may_stand: bool = True) -> Course:
    """What becomes of a tile that was refused."""
    truth, hall = party.truth, party.hall
    entry = len(truth.record.entries)
    yield from party.frames(party.random.randint(2, 2 * FPS))
    overrule = Overrule(entry)
    if may_stand and party.random.random() < OVERRULED_SHARE and truth.judged(overrule).is_legal:
        party.say(overrule)
        party.hands[idea.move.seat].remove(idea.move.tile)
        return
    yield from _taking(party, idea.move.tile, idea.move.seat)
    yield from party.until(lambda: hall.view.dispute is None)
    if hall.view.dispute is not None or hall.lamp.is_lit:
        truth.wrong("wrong", "an illegal tile that was taken away is still in dispute")


def given_back(party: Party, idea: Idea) -> Course:
    """A tile that was refused is taken back."""
    yield from _settled(party, idea, may_stand=False)


def _wrong_seat(party: Party, seat: int) -> Course:
    """Somebody lays a tile whose turn it is not."""
    players = party.truth.state.players
    other = (seat + party.random.randint(1, players - 1)) % players
    scene = replace(party.scene(), record=Record((), (), changed(party.truth.state, turn=other)))
    if not scene.anchors:
        return
    idea = best(party, scene, party.hands[other])
    if idea is not None:
        yield from lay(party, idea)
        yield from _settled(party, idea, may_stand=False)


def _two_at_once(party: Party, seat: int) -> Course:
    """The next player lays his tile before the hand of the one before him has gone."""
    truth, scene = party.truth, party.scene()
    first = best(party, scene, party.hands[seat]) if scene.anchors else None
    if first is None:
        return
    ahead = _after(truth.record, first.move)
    if ahead.state.phase is not Phase.PLAY or ahead.state.turn in (seat, None):
        return
    anchors = (*scene.anchors, Anchor(ahead.state.layout[-1], first.pose))
    then = best(party, replace(scene, record=ahead, anchors=anchors), party.hands[ahead.state.turn])
    if then is None:
        return
    truth.expect(*_orders(party, first.move, then.move))
    party.provoked = True
    yield Both((_laying(party, first), _laying(party, then)))
    yield from party.told()
    for move in (first.move, then.move):
        party.hands[move.seat].remove(move.tile)


def _after(record: Record, act: Act) -> Record:
    """The record with one more entry."""
    return umpire.append(record, Entry(len(record.entries) + 1, 0, "", None, act, umpire.judge(record, act).reason))


def _orders(party: Party, first: Place, then: Place) -> tuple[tuple[Act, ...], ...]:
    """The ways in which two tiles laid at once can be told; which of them came first pixels cannot tell."""
    ways: list[tuple[Act, ...]] = [(first, then)]
    swapped = (replace(then, seat=first.seat), replace(first, seat=then.seat))
    if umpire.judge(party.truth.record, swapped[0]).is_legal:
        after = _after(party.truth.record, swapped[0])
        if after.state.turn == then.seat and umpire.judge(after, swapped[1]).is_legal:
            ways.append(swapped)
    return tuple(ways)


def _taken_back(party: Party, seat: int) -> Course:
    """A tile is laid, then taken back by word; it is taken away at once, or left lying while play goes on."""
    truth = party.truth
    idea = best(party, party.scene(), party.hands[seat])
    if idea is None or not truth.state.layout:
        return
    yield from lay(party, idea)
    if truth.state.phase is not Phase.PLAY:
        return
    party.say(Undo(len(truth.record.entries)))
    party.hands[seat].append(idea.move.tile)
    yield from party.frames(party.random.randint(2, FPS))
    if party.random.random() < LEFT_LYING_SHARE:
        other = _elsewhere(party, idea, seat)
        if other is not None:
            yield from lay(party, other)
    yield from _taking(party, idea.move.tile, seat)
    yield from _forgotten(party, "a tile that was taken back and is gone is still asked about")


def _elsewhere(party: Party, idea: Idea, seat: int) -> Idea | None:
    """A move with another tile that needs nothing of the place where one still lies."""
    hand = [tile for tile in party.hands[seat] if tile != idea.move.tile]
    other = best(party, party.scene(), hand)
    shape = party.hall.shape
    if other is None or separation(outline(other.pose, shape), outline(idea.pose, shape)) < SPARE_MM:
        return None
    return other


def _gone(party: Party, seat: int) -> Course:
    """A tile is taken away without a word; when asked, people say that it was taken back."""
    truth = party.truth
    last = truth.state.layout[-1] if truth.state.layout else None
    if last is None or last.entry is None or last.entry != len(truth.record.entries):
        return
    undo = Undo(last.entry)
    if umpire.reaches_far(truth.record, undo) or last.seat == seat:
        return
    party.provoked = True
    truth.expect((undo,))
    yield from _taking(party, last.tile, last.seat)
    yield from party.told()
    party.hands[last.seat].append(last.tile)
    yield from party.until(lambda: not party.hall.view.questions)


def _several_undone(party: Party, seat: int) -> Course:  # noqa: ARG001  # whoever's turn it is
    """Some tiles are taken back by word and left lying, one is perhaps pushed away; they are taken up in any order."""
    truth, chance = party.truth, party.random
    last = _laid_last(truth.record)
    undone = last[-chance.randint(1, MOST_UNDONE) :]
    for placed in reversed(undone):
        assert placed.entry is not None  # it was laid
        party.say(Undo(placed.entry))
        party.hands[placed.seat].append(placed.tile)
        yield from party.frames(chance.randint(1, FPS))
    chance.shuffle(undone)
    aside = free_place(party, AWAY_MM)
    lies = party.where(undone[0].tile) if undone else None
    if lies is not None and aside is not None and chance.random() < MOVED_ASIDE_SHARE:
        yield Move(lies.x_mm, lies.y_mm, *aside, chance.uniform(0, 360), party.side_deg(undone[0].seat))
    for placed in undone:
        yield from _taking(party, placed.tile, placed.seat)
    yield from _forgotten(party, "tiles that were taken back and are gone are still asked about")


def _laid_last(record: Record) -> list[Placed]:
    """The tiles, but for the first, after which nothing has happened but that others were laid."""
    laid: list[Placed] = []
    for placed in record.state.layout[:0:-1]:
        if placed.entry != len(record.entries) - len(laid):
            break
        laid.append(placed)
    return laid[::-1]


def _forgotten(party: Party, otherwise: str) -> Course:
    """All is as it was: nothing is asked any more."""
    yield from party.until(lambda: party.hall.view.dispute is None and not party.hall.view.questions)
    if party.hall.view.questions or party.hall.view.dispute:
        party.truth.wrong("missed", otherwise)


def _carried_away(party: Party, seat: int) -> Course:
    """A tile is laid elsewhere, and after a while back where it belongs."""
    tile, place = _of_the_layout(party), free_place(party, AWAY_MM)
    if tile is None or place is None:
        return
    chance, from_deg = party.random, party.side_deg(seat)
    party.provoked = True
    yield Move(tile.x_mm, tile.y_mm, *place, chance.uniform(0, 360), from_deg)
    yield from party.frames(chance.randint(2, FPS))
    yield Move(*place, tile.x_mm, tile.y_mm, tile.angle_deg, from_deg)
    yield from _forgotten(party, "a tile that was carried away and back is still asked about")


def _swapped(party: Party, seat: int) -> Course:
    """Two tiles change places, and change back."""
    tile, other, place = _of_the_layout(party), _of_the_layout(party), free_place(party, AWAY_MM)
    if tile is None or other is None or place is None or tile == other:
        return
    party.provoked = True
    aside = replace(tile, x_mm=place[0], y_mm=place[1])
    for _ in ("swapped", "and back"):
        for start, end in ((tile, aside), (other, tile), (aside, other)):
            yield Move(start.x_mm, start.y_mm, end.x_mm, end.y_mm, end.angle_deg, party.side_deg(seat))
        yield from party.frames(party.random.randint(2, FPS))
    yield from _forgotten(party, "two tiles that were swapped and swapped back are still asked about")


def _of_the_layout(party: Party) -> SeenTile | None:
    """Some tile of the layout, as it lies."""
    layout = party.truth.state.layout
    return party.where(party.random.choice(layout).tile) if layout else None


def _on_top(party: Party, seat: int) -> Course:
    """A tile is left lying on another one, and taken away again."""
    under = _of_the_layout(party)
    if under is None:
        return
    chance, tile = party.random, party.random.choice(party.hands[seat])
    width_mm, height_mm = party.hall.mat_mm
    toward = atan2(height_mm / 2 - under.y_mm, width_mm / 2 - under.x_mm)
    x_mm, y_mm = under.x_mm + ON_TOP_MM * cos(toward), under.y_mm + ON_TOP_MM * sin(toward)
    party.provoked = True
    yield Lay(under.kind, tile.values, x_mm, y_mm, chance.uniform(0, 360), party.side_deg(seat))
    yield from party.frames(chance.randint(FPS, 2 * FPS))
    yield Take(x_mm, y_mm, party.side_deg(seat))
    yield from _forgotten(party, "a tile that lay on another and is gone is still asked about")


def _askew(party: Party, seat: int) -> Course:
    """A tile is left lying near the others, in no place that the game knows, and taken away again."""
    truth, scene = party.truth, party.scene()
    idea = best(party, scene, party.hands[seat]) if scene.anchors else None
    if idea is None:
        return
    shape, pose = party.hall.shape, idea.pose
    near = min(
        (a.seen for a in scene.anchors if a.seen), key=lambda at: hypot(at.x_mm - pose.x_mm, at.y_mm - pose.y_mm)
    )
    way = atan2(pose.y_mm - near.y_mm, pose.x_mm - near.x_mm) + party.random.uniform(-0.3, 0.3)
    away_mm = 0.42 * shape.width_mm
    pose = replace(pose, x_mm=pose.x_mm + away_mm * cos(way), y_mm=pose.y_mm + away_mm * sin(way))
    lying = [outline(tile, shape) for tile in party.hall.lying]
    if any(separation(outline(pose, shape), other) < 1.0 for other in lying) or not _on_mat(party, pose):
        return
    party.provoked = True
    truth.expect((), (Place(seat, idea.move.tile, Loose()),))
    yield _laying(party, replace(idea, pose=pose), seat)
    yield from party.frames(2 * FPS)
    yield from _taking(party, idea.move.tile, seat)
    yield from _forgotten(party, "a tile that lay askew and is gone is still asked about")
    truth.expect(())


def _on_mat(party: Party, pose: SeenTile) -> bool:
    width_mm, height_mm = party.hall.mat_mm
    corners = outline(pose, party.hall.shape)
    return all(RIM_MM < x < width_mm - RIM_MM and RIM_MM < y < height_mm - RIM_MM for x, y in corners)


MISTAKES: dict[str, Callable[[Party, int], Course]] = {
    "illegal_tile": _illegal,
    "tile_apart": _apart,
    "wrong_seat": _wrong_seat,
    "two_at_once": _two_at_once,
    "taken_back": _taken_back,
    "several_undone": _several_undone,
    "carried_away": _carried_away,
    "swapped": _swapped,
    "on_top": _on_top,
    "gone_without_a_word": _gone,
    "askew": _askew,
}
