"""Whatever people do with the tiles of a layout: the record says what lies there, and nobody is blamed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee import games, people
from referee.journal import Journal
from referee.laying.contact import outline, separation
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen.placing import FIRST_CELL, Anchor
from referee.sighting import Reading, SeenTile
from referee.state import Phase, State
from referee.table import Table
from referee.tiles import Tile
from referee.umpire import Match
from tests.referee.seeing import Camera, Lamp, say
from tests.referee.seen.test_drift import HABITS, in_cell, line_poses
from tests.referee.seen.test_reconciling import asked, pushed

HANDS = {"ro-trimino/manufacturer": "2:27", "fr-domino": "2:14"}
HABIT = HABITS["careful"]
CLEAR_MM = 5.0


class Evening:
    """People at a table, and what they know to lie there."""

    def __init__(self, game: str, seed: int, directory: Path) -> None:
        self.random, self.preset, self.path = Random(seed), games.game(game), directory / "journal.sqlite3"
        self.lamp, self.buzzes, self.starts = Lamp(), 0, 0
        self.lying: dict[Tile, SeenTile] = {}
        self.played: list[Tile] = []
        self.journal = Journal(self.path)
        self.table = Table(self.journal, self.lamp, "first")
        self.table.begin(Match(game, ("Ana", "Bo"), (("hands", HANDS[game]), ("opening", "any"))))
        self.camera = Camera(self.table)
        self.look()

    @property
    def state(self) -> State:
        assert self.table.record is not None
        return self.table.record.state

    def look(self, *others: SeenTile, hidden: Tile | None = None) -> None:
        """The table comes to rest, and the camera sees it about as it is."""
        seen = [self._seen(lies) for tile, lies in self.lying.items() if tile != hidden]
        self.random.shuffle(seen)
        self.camera.rest(*seen, *others)

    def _seen(self, tile: SeenTile) -> SeenTile:
        count = len(tile.values)
        turns = self.random.randrange(count) if len(set(tile.values)) == 1 else 0  # nobody can tell which way round
        return replace(
            tile,
            x_mm=tile.x_mm + self.random.gauss(0, 0.3),
            y_mm=tile.y_mm + self.random.gauss(0, 0.3),
            angle_deg=tile.angle_deg + self.random.gauss(0, 0.5) + turns * 360.0 / count,
        )

    def check(self, what: str, *questions: str) -> None:
        """What the referee says is what happened."""
        view = self.table.view
        assert [placed.tile for placed in self.state.layout] == self.played, (what, view.last)
        assert asked(view) == list(questions), what
        assert self.lamp.buzzes == self.buzzes, (what, view.last)

    def anchors(self) -> tuple[Anchor, ...]:
        """The layout as it is shown to people."""
        shown = {tile.entry: tile for tile in self.table.view.layout}
        found = ((placed, shown[placed.entry]) for placed in self.state.layout)
        return tuple(
            Anchor(placed, SeenTile(at.kind, at.values, at.x_mm, at.y_mm, at.angle_deg)) for placed, at in found
        )

    def idea(self) -> tuple[Tile, Spot, SeenTile] | None:
        """A tile that fits, where, and how it comes to lie there."""
        left = [tile for tile in sorted(self.preset.tiles) if tile not in self.lying]
        self.random.shuffle(left)
        if not self.state.layout:
            spot: Spot = LineSpot("left") if self.preset.kind == "domino" else CellSpot(FIRST_CELL, left[0].values)
            turned = self.random.uniform(-180, 180)
            return left[0], spot, SeenTile(self.preset.kind, left[0].values, 300.0, 200.0, turned)
        for tile in left:
            for spot in self.preset.places(self.state, tile):
                for pose in self._poses(tile, spot):
                    return tile, spot, pose
        return None

    def _poses(self, tile: Tile, spot: Spot) -> list[SeenTile]:
        anchors = self.anchors()
        if isinstance(spot, CellSpot):
            return [in_cell(anchors, tile, spot, HABIT, self.random)]
        assert isinstance(spot, LineSpot)
        return list(line_poses(anchors, tile, spot, HABIT, self.random, CLEAR_MM))

    # what people do

    def lay(self) -> None:
        """A tile is laid, and perhaps another is pushed by the hand that lays it."""
        idea, turn = self.idea(), self.state.turn
        if idea is None:
            return
        tile, spot, pose = idea
        self.lying[tile] = pose
        if self.random.random() < 0.3:
            self._nudge()
        self.look()
        self.played.append(tile)
        self.check("laid")
        laid = self.state.layout[-1]
        assert laid.seat == turn
        assert laid.spot == spot if isinstance(spot, CellSpot) else laid.spot.end == spot.end  # type: ignore[union-attr]  # a line's

    def _nudge(self) -> None:
        tile = self.random.choice(sorted(self.lying))
        lies, most_mm = self.lying[tile], 1.5
        x_mm, y_mm = (self.random.uniform(-most_mm, most_mm) for _ in range(2))
        turned = lies.angle_deg + self.random.uniform(-3, 3)
        self.lying[tile] = replace(lies, x_mm=lies.x_mm + x_mm, y_mm=lies.y_mm + y_mm, angle_deg=turned)

    def lay_wrong(self) -> None:
        """A tile that does not fit is laid, lies there for a while, and is taken back."""
        assert self.table.record is not None
        scene = people.Scene(self.table.record, self.anchors(), self.table.shape, (600.0, 400.0))
        left = [tile for tile in sorted(self.preset.tiles) if tile not in self.lying]
        idea = people.blunder(scene, self.random.sample(left, min(6, len(left))), self.random)
        others = [outline(lies, self.table.shape) for lies in self.lying.values()]
        if idea is None or any(separation(outline(idea.pose, self.table.shape), other) < -1 for other in others):
            return
        self.lying[idea.move.tile] = idea.pose
        self.look()
        self.look()
        if not self.table.view.questions:
            self.buzzes += 1
            assert self.lamp.lit
        self.check("laid wrong", *asked(self.table.view))
        del self.lying[idea.move.tile]
        self.look()
        assert not self.lamp.lit
        self.check("taken back")

    def hide(self) -> None:
        """A tile is not seen for a while."""
        self.look(hidden=self.random.choice(sorted(self.lying)))
        self.check("hidden", "missing")
        self.look()
        self.check("seen again")

    def push(self) -> None:
        """The whole layout is pushed and turned."""
        way = (self.random.uniform(-60, 60), self.random.uniform(-60, 60), self.random.uniform(-20, 20))
        self.lying = {tile: pushed(lies, *way) for tile, lies in self.lying.items()}
        self.look()
        self.check("pushed")

    def lay_unread(self) -> None:
        """A tile that is read badly is asked about; people say which it is, or the next look is better."""
        idea, turn = self.idea(), self.state.turn
        if idea is None:
            return
        tile, _, pose = idea
        other = self.random.choice([each for each in sorted(self.preset.tiles) if each != tile])
        self.look(replace(pose, confidence=0.45, readings=(Reading(pose.values, 0.45), Reading(other.values, 0.3))))
        if self.table.view.questions:
            self.check("unread", "which-tile")
            if self.random.random() < 0.5:
                options = self.table.view.questions[0].options
                assert say(self.table, next(o.line for o in options if o.tile == str(tile))).status == "done"
        self.lying[tile] = pose
        self.look()
        self.played.append(tile)
        self.check("read")
        assert self.state.layout[-1].seat == turn

    def undo(self) -> None:
        """Some moves are taken back, their tiles stay, one is moved away, and all are taken away in any order."""
        gone: list[Tile] = []
        for _ in range(min(self.random.choice((1, 1, 2, 5)), len(self.played) - 1)):
            answer = say(self.table, f"undo {self.state.layout[-1].entry}")
            assert answer.status == "done" or (answer.outlook and say(self.table, answer.outlook.line).status == "done")
            gone.append(self.played.pop())
        self.look()
        self.check("undone", *["awaiting-removal"] * len(gone))
        if gone and self.random.random() < 0.4:
            moved = self.random.choice(gone)
            self.lying[moved] = replace(self.lying[moved], x_mm=700.0, y_mm=520.0, angle_deg=33.0)
            self.look()
        self.random.shuffle(gone)
        while gone:
            for _ in range(self.random.randint(1, len(gone))):
                del self.lying[gone.pop()]
            self.look()
            self.check("taken away", *["awaiting-removal"] * len(gone))

    def move_away(self) -> None:
        """A tile lies somewhere else, and is put back."""
        tile = self.random.choice(sorted(self.lying))
        lies = self.lying[tile]
        self.lying[tile] = replace(lies, x_mm=720.0, y_mm=540.0, angle_deg=70.0)
        self.look()
        self.check("moved", "moved")
        self.lying[tile] = lies
        self.look()
        self.check("put back")

    def turn_up_backs(self) -> None:
        """Tiles lie face down beside the layout, and are gone again."""
        self.look(*(SeenTile(self.preset.kind, (), 60.0 + 50 * n, 40.0, 7.0 * n, face_up=False) for n in range(3)))
        self.check("backs")
        self.look()
        self.check("no backs")

    def start_eye_again(self) -> None:
        self.starts += 1
        self.camera = Camera(self.table, f"eye {self.starts}")
        self.look()
        self.check("another eye")

    def start_again(self) -> None:
        self.starts += 1
        self.journal.close()
        self.journal = Journal(self.path)
        self.table = Table(self.journal, self.lamp, f"table {self.starts}")
        self.camera = Camera(self.table, f"eye {self.starts}")
        self.look()
        self.check("another table")


DEEDS: tuple[Callable[[Evening], None], ...] = (
    *[Evening.lay] * 6,
    *(Evening.lay_wrong, Evening.lay_unread, Evening.undo, Evening.hide, Evening.push, Evening.move_away),
    *(Evening.turn_up_backs, Evening.start_eye_again, Evening.start_again),
)


@pytest.mark.parametrize("game", HANDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_record_says_what_lies_there_whatever_people_do(tmp_path: Path, game: str, seed: int) -> None:
    evening = Evening(game, seed, tmp_path)
    for _ in range(3):
        evening.lay()
    for _ in range(40):
        deed = evening.random.choice(DEEDS)
        if evening.state.phase is Phase.PLAY and (deed is Evening.lay or len(evening.played) > 2):
            deed(evening)
    evening.journal.close()
    assert len(evening.state.layout) > 5 or evening.state.phase is not Phase.PLAY
