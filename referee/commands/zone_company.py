"""The demo's people where draws and hands are seen by camera: they do in zones of the mat what they would say else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from referee import games
from referee.commands.company import Company
from referee.moves import Draw, ShowHand
from referee.people import Scene
from referee.seen.zones import DRAWS, HANDS, Zone, usual
from referee.tiles import DOMINO, TRIOMINO, Tile
from referee.umpire import Record
from referee.wire import Question, View

_PATIENCE_S = 30.0
_CLOSE_MM = {DOMINO: (28.0, 53.0), TRIOMINO: (25.0, 39.0)}  # room for a tile that lies upright beside others
_APART_MM = {DOMINO: (42.0, 56.0), TRIOMINO: (43.0, 44.0)}
_NESTED_MM = 5.8  # the middles of triangles that point up and down lie so far from the middle of their row
_ABOUT_DRAWS = ("who-drew", "stock-short", "stock-over")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tile of a zone lies, and what it shows."""

    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class _Wish:
    """What somebody has done, `draws` or `hands`, to be seen by the referee within some time."""

    what: str
    seat: int
    stock: int
    since_s: float


class ZoneCompany(Company):
    """The people of a demo in which `watched`, `draws` or `hands` or both, is seen by camera."""

    watched: tuple[str, ...] = ()
    drawn_by_camera = 0
    shown_by_camera = 0
    _zones = usual(600.0, 400.0, 40.0)
    _pile: tuple[_Place, ...] = ()
    _open: tuple[_Place, ...] = ()
    _wish: _Wish | None = None

    def _do_next(self, view: View) -> None:
        about_zones = next((each for each in view.questions if each.id.startswith("z")), None)
        if self._wish is not None and self._is_seen(view, self._wish):
            self._done(self._wish)
        elif about_zones is not None and not view.busy and (line := self._meant_in_zones(about_zones)):
            self.account.asked += 1
            self._order(line)
        elif self._wish is None:
            super()._do_next(view)
        elif self._clock() - self._wish.since_s > _PATIENCE_S:
            self._say_instead(self._wish)

    def _deal(self, view: View, record: Record) -> None:
        super()._deal(view, record)
        self._open = ()
        if DRAWS in self.watched:
            backs = [()] * len(self._stock)
            self._pile = self._spread(view, self._zones.boneyard, backs, _CLOSE_MM, 0)

    def _draw(self, view: View, seat: int) -> None:
        if DRAWS not in self.watched or not self._pile:
            super()._draw(view, seat)
            return
        *rest, tile = self._pile
        self._pile = tuple(rest)
        self._take(tile, seat)
        self._wish = _Wish(DRAWS, seat, view.stock, self._clock())

    def _show(self, view: View, seat: int) -> None:
        if HANDS not in self.watched:
            super()._show(view, seat)
            return
        for tile in self._open:
            self._take(tile, seat)
        hand = [tile.values for tile in self._hands[seat]]
        self._open = self._spread(view, self._zones.show, hand, _APART_MM, seat)
        self._wish = _Wish(HANDS, seat, view.stock, self._clock())

    def _scene(self, view: View, record: Record) -> Scene:
        """The layout keeps out of the zones."""
        scene = super()._scene(view, record)
        return Scene(scene.record, scene.anchors, scene.shape, scene.mat_mm, self._zones.both)

    # --- what the referee makes of it -----------------------------------------------------------------

    @staticmethod
    def _is_seen(view: View, wish: _Wish) -> bool:
        return view.stock < wish.stock if wish.what == DRAWS else view.seats[wish.seat].shown

    def _done(self, wish: _Wish) -> None:
        self._wish = None
        if wish.what == DRAWS:
            self._hands[wish.seat].append(self._stock.pop())
            self.drawn_by_camera += 1
        else:
            self.shown_by_camera += 1

    def _say_instead(self, wish: _Wish) -> None:
        """What was not noticed is said."""
        self._wish = None
        self.account.notes.append(f"{wish.what} of {wish.seat} not seen by camera")
        if wish.what == DRAWS:
            self._drawing = wish.seat
            self._say(Draw(wish.seat))
        else:
            self._say(ShowHand(wish.seat, tuple(self._hands[wish.seat])))

    def _meant_in_zones(self, question: Question) -> str | None:
        """What the people answer, None where that shows by itself."""
        if question.what in _ABOUT_DRAWS:
            seat = self._wish.seat if self._wish is not None and self._wish.what == DRAWS else None
            drew = (each.line for each in question.options if each.what == "drew" and each.seat == seat)
            return next(drew, question.options[-1].line)
        if question.what == "whose-hand" and self._wish is not None:
            return next((each.line for each in question.options if each.seat == self._wish.seat), None)
        tile = question.tile
        if tile is None:
            return None
        near = min(self._open, key=lambda each: hypot(each.x_mm - tile.x_mm, each.y_mm - tile.y_mm), default=None)
        if near is None:
            return question.options[-1].line
        name = str(Tile(near.values))
        return next((each.line for each in question.options if each.tile == name), f"answer {question.id} is {name}")

    # --- hands in zones -------------------------------------------------------------------------------

    def _take(self, tile: _Place, seat: int) -> None:
        from vision.virtual import Take

        self._direct(Take(tile.x_mm, tile.y_mm, self._side(seat)))

    def _spread(
        self,
        view: View,
        zone: Zone,
        tiles: Sequence[tuple[int, ...]],
        rooms_mm: dict[str, tuple[float, float]],
        seat: int,
    ) -> tuple[_Place, ...]:
        """Lay tiles into a zone row by row, those that find room, a little askew as people do."""
        from vision.virtual import Lying, Spread

        kind = games.game(view.game).kind
        wide_mm, high_mm = rooms_mm[kind]
        columns = int((zone.right_mm - zone.left_mm - 8.0) // wide_mm)
        rows = int((zone.bottom_mm - zone.top_mm) // high_mm)
        places = []
        for number, values in enumerate(tiles[: columns * rows]):
            row, column = divmod(number, columns)
            is_turned = kind == TRIOMINO and (row + column) % 2 == 1
            shift_mm = 0.0 if kind == DOMINO else -_NESTED_MM if is_turned else _NESTED_MM
            x_mm = zone.left_mm + 4.0 + wide_mm * (column + 0.5) + self._random.uniform(-0.5, 0.5)
            y_mm = zone.top_mm + high_mm * (row + 0.5) + shift_mm + self._random.uniform(-0.5, 0.5)
            upward_deg = -90.0 if kind == TRIOMINO and not is_turned else 90.0
            places.append(_Place(values, x_mm, y_mm, upward_deg + self._random.uniform(-2.0, 2.0)))
        lying = tuple(Lying(each.values, each.x_mm, each.y_mm, each.angle_deg) for each in places)
        if lying:
            self._direct(Spread(kind, lying, self._side(seat)))
        return tuple(places)
