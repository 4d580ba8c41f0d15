"""The people of the proving ground: they play a match as people do, with mistakes, and know what they did.

A course of action is a generator: it gives a direction to the table, or None to let one frame go by. It is
asked only while no hand is on its way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from referee import games, notation
from referee.commands.torture.hall import FPS, Course, Hall
from referee.commands.torture.truth import LATEST, Account, Truth
from referee.moves import LineSpot, Loose, Place
from referee.people import Scene
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.tiles import Tile
from referee.umpire import Act, Match, Undo
from referee.wire import Option, Question

PATIENCE = 4 * FPS  # frames in which the referee may make up its mind
REST = 3  # frames that a question stands before somebody answers
NOT_A_MOVE = ("not-a-tile", "not-a-move", "it-lies-there")
BY_DESIGN = ("awaiting-removal",)  # a reminder: nobody has to answer


class Party:
    """The people round one table, for one match."""

    def __init__(self, hall: Hall, match: Match, seed: int, account: Account) -> None:
        self.hall, self.account = hall, account
        self.random = Random(seed)  # a game, not a secret
        self.truth = Truth(match, account)
        self.hands: list[list[Tile]] = []
        self.stock: list[Tile] = []
        self.provoked = False  # somebody made a mess: a question is only right
        self._asked: set[str] = set()
        self._turned: dict[Tile, float] = {}  # how a tile that looks the same several ways round is taken to lie
        hall.table.begin(match)
        hall.lamp.buzzes = 0

    # What they see

    @property
    def game(self) -> games.Game:
        """What is played."""
        return games.game(self.truth.state.game)

    def scene(self) -> Scene:
        """What a player looks at: what was really played, and where it really lies."""
        lies = {Tile(tile.values): tile for tile in self.hall.lying if tile.values}
        anchors = tuple(Anchor(placed, self._as_meant(placed.tile, lies)) for placed in self.truth.state.layout)
        return Scene(self.truth.record, anchors, self.hall.shape, self.hall.mat_mm)

    def _as_meant(self, tile: Tile, lies: dict[Tile, SeenTile]) -> SeenTile | None:
        seen = lies.get(tile)
        return seen and replace(seen, angle_deg=seen.angle_deg + self._turned.get(tile, 0.0))

    @property
    def is_dealt(self) -> bool:
        """True when play has begun in earnest: whoever opens is known."""
        state = self.truth.state
        return self.game.in_tricks or bool(state.layout) or all(state.heard)

    def where(self, tile: Tile) -> SeenTile | None:
        """Where a tile lies."""
        return next((seen for seen in self.hall.lying if seen.values and Tile(seen.values) == tile), None)

    def side_deg(self, seat: int) -> float:
        """The side of the table a seat is at: the first sits near, the others follow clockwise."""
        players: int = self.truth.state.players
        return (90.0 + 360.0 * seat / players) % 360.0

    # What becomes of it, looked at after every frame

    def watch(self) -> None:
        """Compare what the referee has entered, asked and sounded with what has happened.

        Raises:
            AstrayError: if it is something else.
        """
        hall = self.hall
        record = hall.table.record
        assert record is not None  # the match was begun
        self.account.frames += 1
        if len(record.entries) > len(self.truth.record.entries):
            for entry in self.truth.compare(record, not any(tile.face_up for tile in hall.lying)):
                if entry.by == "camera" and isinstance(entry.what, Place):
                    self._note_latency(hall.frames - hall.hand_gone + 1)
                    self._take_for(entry.what, entry.seen)
        if hall.lamp.buzzes != self.truth.buzzes:
            extra = hall.lamp.buzzes > self.truth.buzzes
            buzzes = f"{hall.lamp.buzzes} buzzes for {self.truth.buzzes} illegal tiles"
            self.truth.wrong("false_buzzes" if extra else "missed_illegal", buzzes)
        for question in hall.view.questions:
            self._note(question)

    def _note_latency(self, frames: int) -> None:
        self.account.latencies.append(frames)
        if frames > LATEST:
            self.account.note(self.truth.doing, f"ruled {frames} frames after the hand had gone")

    def _take_for(self, act: Place, seen: SeenTile | None) -> None:
        """The first tile of a layout gives it its direction; of a double or triple people cannot tell which."""
        lies, laid = self.where(act.tile), [placed.tile for placed in self.truth.state.layout]
        if act.tile.is_uniform and seen is not None and lies is not None and laid == [act.tile]:
            period_deg = 360.0 / len(act.tile.values)
            turn_deg = placing.nearest_turn(seen.angle_deg, lies.angle_deg, period_deg) - lies.angle_deg
            self._turned = {act.tile: turn_deg}

    def _note(self, question: Question) -> None:
        key = f"{self.hall.view.epoch} {question.id} {question.what}"
        if key in self._asked:
            return
        self._asked.add(key)
        if question.what in BY_DESIGN:
            return
        if self.provoked:
            self.account.asked += 1
        else:
            self.account.needless += 1
            tile = "" if question.tile is None else f" about {question.tile.values}"
            self.account.note(self.truth.doing, f"asked {question.what}{tile} without cause")
        self.account.questions[question.what] = self.account.questions.get(question.what, 0) + 1

    # Waiting

    def until(self, is_so: Callable[[], bool], frames: int = PATIENCE) -> Course:
        """Let frames go by until something is so, or too many have."""
        for _ in range(frames):
            if is_so():
                return
            yield None

    def frames(self, count: int) -> Course:
        """Let some frames go by."""
        yield from (None for _ in range(count))

    def is_quiet(self) -> bool:
        """True when the table is at rest and in step, as the referee sees it."""
        return not self.hall.view.busy and self.hall.view.camera == "ok"

    def told(self, count: str = "missed") -> Course:
        """Wait until the referee has told what was done; answer what it asks about it.

        Raises:
            AstrayError: if it never does.
        """
        for _ in range(PATIENCE):
            if self.truth.is_settled:
                return
            yield None
            if self.hall.view.questions and self.is_quiet() and not self.truth.is_settled:
                yield from self.frames(REST)
                self._answer_about_it()
        if not self.truth.is_settled:
            awaited = self.truth.awaited
            self.truth.wrong(count, f"nothing was told of {notation.write(awaited) if awaited else 'it'}")

    # Speaking

    def say(self, act: Act) -> None:
        """Say what is done, as it must be said where a camera cannot see it.

        Raises:
            AstrayError: if the referee does not accept it.
        """
        self.truth.expect((act,))
        self._order(notation.write(act))

    def _order(self, line: str) -> None:
        answer = self.hall.order(line)
        if answer.status == "confirm" and answer.outlook is not None:
            self.truth.expect((notation.parse(answer.outlook.line),))
            answer = self.hall.order(answer.outlook.line)
        is_refused_tile = line.startswith("answer ") and answer.status == "refused"  # it is judged, and said so
        if answer.status != "done" and not is_refused_tile:
            self.truth.wrong("wrong", f"{line}: {answer.status} {answer.reason} {answer.message}")
        self.watch()

    def _answer_about_it(self) -> None:
        """Answer the questions about what was just done: people know what they did."""
        awaited = self.truth.awaited
        questions = self.hall.view.questions
        if awaited is None or not questions:
            return
        is_legal = self.truth.judged(awaited).is_legal
        option = next((meant for each in questions if (meant := meaning(each, awaited, is_legal))), None)
        if option is not None:
            self._order(option.line)
        elif isinstance(awaited, Place) and is_legal:
            self._order(notation.write(awaited))
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Say of all that is asked that it is no move, or lies where it lay."""
        for question in self.hall.view.questions:
            option = next((o for what in NOT_A_MOVE for o in question.options if o.what == what), None)
            if option is not None and option.line:
                self.hall.order(option.line)
        self.watch()


def meaning(question: Question, act: Act, is_legal: bool) -> Option | None:
    """The answer that says what was done, None if there is no such answer."""
    if isinstance(act, Undo):
        return next((option for option in question.options if option.what == "take-back"), None)
    if not isinstance(act, Place):
        return None
    place = f"place-{act.spot.end}" if isinstance(act.spot, LineSpot) else "place"
    whats = [place, "place", "tile", "opens", "plays", "stands"]
    if not is_legal or isinstance(act.spot, Loose):
        whats.reverse()
    elif question.what == "unclear-place":
        whats.remove("stands")  # it would mean that the tile joins nothing
    fitting = [o for o in question.options if o.tile == str(act.tile) and o.seat in (None, act.seat)]
    return next((option for what in whats for option in fitting if option.what == what), None)
