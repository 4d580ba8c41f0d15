"""The demo's company: people round the table, and a memory of what they really did.

`act` is called over and over. It looks at the newest view and does the next thing somebody at the table
would do: announce, lay a tile, take an illegal one back, draw, pass, show a hand, clear the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import zmq
from msgspec import structs

from referee import games, notation, people, umpire
from referee.commands.mishaps import ILLEGAL, Mishaps
from referee.moves import Announce, Draw, LineSpot, Pass, Place, ShowHand
from referee.people import Idea, Scene
from referee.rulings import Reason
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Phase
from referee.tiles import Shape, Tile
from referee.umpire import Entry, Record
from referee.wire import Answer, LaidTile, Option, Question, View

if TYPE_CHECKING:
    from display.screen import Table
    from vision.virtual import Direction

_PATIENCE_S = 30.0
_BLUNDER_EVERY = 9
_MOST_REFUSALS = 5


@dataclass(slots=True)
class Account:
    """What was really laid, against what the referee made of it."""

    laid: int = 0
    read: int = 0
    ruled: int = 0
    asked: int = 0
    illegal: int = 0
    flagged: int = 0
    taken: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def all_right(self) -> bool:
        """True when every tile was read and ruled as it was, and what was illegal taken away again."""
        return self.read == self.ruled == self.laid and self.illegal == self.flagged == self.taken

    def summary(self) -> str:
        """The account in words."""
        lines = [
            f"{self.laid} tiles laid, {self.read} read right, {self.ruled} ruled right, {self.asked} asked about",
            f"{self.illegal} illegal tiles laid, {self.flagged} flagged, {self.taken} taken away",
            *self.notes,
        ]
        return "\n".join(lines)


@dataclass(slots=True)
class Hope:
    """A tile has been laid; what ought to come of it."""

    idea: Idea
    pose: SeenTile
    legal: bool
    since_s: float
    log: int
    trouble: str = ""


def _meant(question: Question, hope: Hope) -> Option | None:
    """The answer that says what was laid, None if there is no such answer."""
    move = hope.idea.move
    place = f"place-{move.spot.end}" if isinstance(move.spot, LineSpot) else "place"
    whats = (place, "tile", "opens", "plays", "stands") if hope.legal else ("stands", "tile", "opens")
    fitting = [o for o in question.options if o.tile == str(move.tile) and o.seat in (None, move.seat)]
    named = (structs.replace(o, line=f"{o.line} {move.tile}") for o in question.options if o.what == "any-tile")
    return next((option for what in whats for option in fitting if option.what == what), next(named, None))


def _pose(tile: LaidTile) -> SeenTile:
    return SeenTile(tile.kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg)


class Stage:
    """The way to a virtual table that another process renders.

    Args:
        address: where it listens for directions.
    """

    def __init__(self, address: str) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(address)

    def direct(self, direction: Direction) -> None:
        """Say what happens on the table."""
        from vision.virtual import stage

        self._socket.send(stage.encode(direction))

    def close(self) -> None:
        """Close the socket; what was not sent is dropped."""
        self._socket.close()
        self._context.term()


class Company:
    """The people of a demo.

    Args:
        link: how they hear the referee and speak to it.
        direct: has something happen on the virtual table.
        seed: decides the deal, the players' choices and their mistakes.
        clock: seconds that only grow.
        faults: what goes wrong (`mishaps.NAMES`).
        tiles: after so many tiles they stop; None: the match is played to its end.
    """

    def __init__(
        self,
        link: Table,
        direct: Callable[[Direction], None],
        seed: int,
        clock: Callable[[], float] = time.monotonic,
        faults: tuple[str, ...] = (ILLEGAL,),
        tiles: int | None = None,
    ) -> None:
        self._random = Random(seed)  # a game, not a secret
        self._clock = clock
        self._link = link
        self._direct = direct
        self._errs = ILLEGAL in faults
        self._mishaps = Mishaps(faults, seed)
        self._tiles = tiles
        self._hands: list[list[Tile]] = []
        self._stock: list[Tile] = []
        self._round = 0
        self._hope: Hope | None = None
        self._waiting: str | None = None
        self._drawing: int | None = None
        self._entering: Place | None = None
        self._heard = ("", 0)
        self._moves = 0
        self._swept = 0
        self._refusals = 0
        self.account = Account()
        self.finished = False

    @property
    def view(self) -> View | None:
        """The newest view."""
        return self._link.view

    @staticmethod
    def side_deg(seat: int, players: int) -> float:
        """The side of the table a seat is at: the first sits near, the others follow clockwise."""
        return (90.0 + 360.0 * seat / players) % 360.0

    @property
    def at_a_loss(self) -> bool:
        """True when nothing that is said is accepted any more: the people and the record have come apart."""
        return self._refusals >= _MOST_REFUSALS

    def act(self) -> View | None:
        """Wait briefly for news, then do what comes next; returns the view if it is new."""
        news = self._link.poll(0.05)
        for answer in self._link.answers():
            if answer.id == self._waiting:
                self._waiting = None
                self._answered(answer)
        view = self._link.view
        if view is not None and view.seats and self._waiting is None and self._is_new(view):
            self._do_next(view)
        return view if news else None

    def _is_new(self, view: View) -> bool:
        """False while a view is older than what was answered last: people look before they speak."""
        epoch, seq = self._heard
        return view.epoch != epoch or view.seq >= seq

    def _answered(self, answer: Answer) -> None:
        """What was said has been heard: a tile leaves the stock or a hand once the referee has booked it."""
        self._heard = (answer.epoch, answer.seq)
        if answer.status == "confirm" and answer.outlook is not None:
            self._waiting = self._link.order(answer.outlook.line, answer)  # people know what they are changing
            return
        booked = answer.status in ("done", "repeated")
        if booked and self._drawing is not None:
            self._hands[self._drawing].append(self._stock.pop())
        if booked and self._entering is not None:
            self._hands[self._entering.seat].remove(self._entering.tile)
            self._hope = None
        self._refusals = self._refusals + 1 if answer.status == "refused" else 0
        if answer.status == "refused":
            self.account.notes.append(f"refused: {answer.reason} {answer.message}".strip())
        self._drawing = self._entering = None

    # --- one thing after another ----------------------------------------------------------------------

    def _do_next(self, view: View) -> None:
        unsettled = next((question for question in view.questions if question.about is not None), None)
        if unsettled is not None:
            self._order(unsettled.options[0].line)  # it was really played
        elif self._hope is not None:
            self._watch(view, self._hope)
        elif view.phase == Phase.OVER or (self._tiles is not None and self.account.laid >= self._tiles):
            self.finished = True
        elif view.phase == Phase.CLEARING:
            self._sweep(view)
        else:
            record = self._record()
            if record is None or len(record.entries) < (view.last.entry if view.last else 0):
                return
            if self._is_to_deal(view, record):
                self._deal(view, record)
            else:
                self._move(view, record)

    def _is_to_deal(self, view: View, record: Record) -> bool:  # noqa: ARG002  # where it takes more to know it
        return view.round != self._round

    def _record(self) -> Record | None:
        """The history, asked for as any client would, and understood by the rules everybody knows."""
        told = self._link.ask("history")
        entries = []
        for text in told.lines:
            seq, by, reason, line = text.split(" ", 3)
            entries.append(Entry(int(seq), 0, by, None, notation.parse(line), Reason(reason)))
        return umpire.fold(entries) if entries else None

    def _deal(self, view: View, record: Record) -> None:
        """Everybody has a hand."""
        tiles = sorted(games.game(view.game).tiles_of(record.state.settings))
        self._random.shuffle(tiles)
        self._hands = [[tiles.pop() for _ in range(seat.tiles)] for seat in view.seats]
        self._stock = tiles
        self._round = view.round

    def _move(self, view: View, record: Record) -> None:
        state = record.state
        if state.phase in (Phase.DEAL, Phase.PLAY) and not state.layout and not all(state.heard):
            seat = state.heard.index(False)
            self._say(Announce(seat, max(self._hands[seat], key=games.game(view.game).rank)))
        elif state.phase is Phase.SHOW_HANDS:
            seat = next(seat for seat, shown in enumerate(state.shown) if shown is None)
            self._show(view, seat)
        elif state.phase is Phase.PLAY and state.turn is not None:
            self._turn(view, record, state.turn)
        elif state.phase is Phase.PLAY and all(state.heard) and self._stock:
            self._draw(view, people.drawing_to_open(state))

    def _turn(self, view: View, record: Record, seat: int) -> None:
        scene = self._scene(view, record)
        hand = self._hands[seat]
        self._begin_move(view)
        errs = self._errs and self._moves % _BLUNDER_EVERY == 3
        slip = people.blunder(scene, hand, self._random) if errs else None
        idea = slip or people.best_move(scene, hand, self._random)
        if idea is not None:
            self._lay(view, idea, legal=slip is None)
        elif (move := people.roomless_move(scene, hand)) is not None:
            self.account.notes.append(f"no room on the mat for {move.tile}: entered by hand")
            self._enter(move)
        elif self._stock and umpire.judge(record, Draw(seat)).is_legal:
            self._draw(view, seat)
        else:
            self._say(Pass(seat))

    def _begin_move(self, view: View) -> None:
        """Somebody is to move; before that something may go wrong round the table."""
        self._moves += 1
        for direction in self._mishaps.drawn(view.mat_mm):
            self._direct(direction)

    def _draw(self, view: View, seat: int) -> None:  # noqa: ARG002  # where it is done by camera it takes more
        """A tile is drawn from the stock: said, and taken once that is booked."""
        self._drawing = seat
        self._say(Draw(seat))

    def _show(self, view: View, seat: int) -> None:  # noqa: ARG002  # as above
        """What is left of a hand at the end of a round is said."""
        self._say(ShowHand(seat, tuple(self._hands[seat])))

    def _scene(self, view: View, record: Record) -> Scene:
        poses = {tile.entry: tile for tile in view.layout if tile.status in ("placed", "missing")}
        anchors = tuple(
            Anchor(placed, _pose(poses[placed.entry]) if placed.entry in poses else None)
            for placed in record.state.layout
        )
        kind = games.game(view.game).kind
        shape = Shape(kind, view.tile_mm[0], view.tile_mm[1], 0.0)
        return Scene(record, anchors, shape, view.mat_mm)

    # --- tiles on the table ---------------------------------------------------------------------------

    def _lay(self, view: View, idea: Idea, legal: bool) -> None:
        pose = people.jittered(idea.pose, self._random)
        self._lay_tile(pose, idea.move.seat)
        self._hope = Hope(idea, pose, legal, self._clock(), view.last.entry if view.last else 0)
        self.account.laid += 1
        self.account.illegal += not legal

    def _watch(self, view: View, hope: Hope) -> None:
        """A tile has been laid: see what the referee says and react as people do."""
        ruled = next((r for r in view.log if r.entry > hope.log and " lays " in r.line), None)
        if ruled is not None:
            self._judged(view, hope, ruled.entry, ruled.line, ruled.legal)
        elif view.questions and not view.busy:
            self._reply(view, hope)
        elif hope.trouble:
            self._enter_by_hand(hope)
        elif self._clock() - hope.since_s > _PATIENCE_S:
            hope.trouble = "was not noticed"

    def _judged(self, view: View, hope: Hope, entry: int, line: str, legal: bool) -> None:
        act = notation.parse(line)
        right = isinstance(act, Place) and act.tile == hope.idea.move.tile
        if view.dispute is not None and view.dispute.entry == entry and self._swept != entry:
            self.account.read += right
            self.account.ruled += legal == hope.legal
            self.account.flagged += not hope.legal
            self._swept = entry
            self._take_tile(hope.pose, hope.idea.move.seat)
        elif self._swept == entry:
            if view.dispute is None:
                self.account.taken += not hope.legal
                self._hope = None
        elif legal:
            self.account.read += right
            self.account.ruled += hope.legal
            if not right:
                self.account.notes.append(f"{hope.idea.move.tile} was read as {line}")
                self._say(umpire.Correct(entry, hope.idea.move))
            self._hands[hope.idea.move.seat].remove(hope.idea.move.tile)
            self._hope = None

    def _reply(self, view: View, hope: Hope) -> None:
        """Answer a question about the tile just laid: people know what they laid, and at which end."""
        question = view.questions[0]
        option = _meant(question, hope)
        self.account.asked += 1
        self._order((option or question.options[-1]).line)
        if option is None:
            hope.trouble = f"could not be read ({question.what})"

    def _enter_by_hand(self, hope: Hope) -> None:
        self.account.notes.append(f"{hope.idea.move.tile} {hope.trouble}")
        if hope.legal:
            self._enter(hope.idea.move)
        else:
            self._take_tile(hope.pose, hope.idea.move.seat)
            self._hope = None

    def _sweep(self, view: View) -> None:
        from vision.virtual import Clear

        if self._swept != -view.round:
            self._swept = -view.round
            self._direct(Clear(self._side(0)))

    # --- mouth and hands ------------------------------------------------------------------------------

    def _side(self, seat: int) -> float:
        return self.side_deg(seat, max(len(self._hands), 1))

    def _say(self, act: umpire.Act) -> None:
        self._order(notation.write(act))

    def _enter(self, move: Place) -> None:
        """Say what was laid, since the camera cannot; said again until it is booked."""
        self._entering = move
        self._say(move)

    def _order(self, line: str) -> None:
        self._waiting = self._link.order(line)

    def _lay_tile(self, pose: SeenTile, seat: int) -> None:
        from vision.virtual import Lay

        side_deg = self._side(seat)
        self._direct(Lay(pose.kind, pose.values, pose.x_mm, pose.y_mm, pose.angle_deg, side_deg))

    def _take_tile(self, pose: SeenTile, seat: int) -> None:
        from vision.virtual import Take

        self._direct(Take(pose.x_mm, pose.y_mm, self._side(seat)))
