"""The demo's company at a game of tricks: they bid by word of mouth, lay tiles in the middle, and take their tricks."""

from __future__ import annotations

from referee import takers
from referee.commands.company import Company, Hope
from referee.moves import Exchange, Expose, Loose, Place
from referee.sighting import SeenTile
from referee.state import Phase
from referee.tiles import DOMINO
from referee.tricks import trick
from referee.tricks.trick import TrickState
from referee.umpire import Record
from referee.wire import View

_SLIP_EVERY, _SHOWN_EVERY = 9, 7
_TAKEN_LATER, _TAKEN_SINGLY = 0.2, 0.4  # shares of the tricks


class TrickCompany(Company):
    """People who play to tricks."""

    _dealt = 0
    _centre: SeenTile | None = None
    _trick: tuple[SeenTile, ...] = ()
    _is_careless = False

    def _is_to_deal(self, view: View, record: Record) -> bool:
        return self._dealt != takers.deals(record) + (view.phase == Phase.DEAL)

    def _deal(self, view: View, record: Record) -> None:
        """Everybody has a hand, and one tile lies face down in the middle."""
        super()._deal(view, record)
        self._dealt = takers.deals(record) + (view.phase == Phase.DEAL)
        if self._centre is None:
            self._lay_back(view, 0)

    def _lay_back(self, view: View, seat: int) -> None:
        width_mm, height_mm = view.mat_mm
        x_mm, y_mm = self._random.gauss(width_mm / 2, 5), self._random.gauss(height_mm / 2, 5)
        self._centre = SeenTile(DOMINO, (), x_mm, y_mm, self._random.uniform(-90, 90), face_up=False)
        self._lay_tile(self._centre, seat)

    def _move(self, view: View, record: Record) -> None:
        state = record.state
        if not isinstance(state, TrickState) or state.phase is not Phase.PLAY or state.turn is None:
            return
        said = takers.says(state, self._hands[state.turn])
        if isinstance(said, Exchange):
            self._exchange(view, state, said)
        elif said is not None:
            self._say(said)
        else:
            self._play(view, record, state, state.turn)

    def _exchange(self, view: View, state: TrickState, said: Exchange) -> None:
        """The bidder takes the tile in the middle and lays another one there."""
        hand = self._hands[said.seat]
        if self._stock and self._centre is not None:
            hand.append(self._stock.pop())
            hand.remove(takers.least(hand, takers.best_trump(hand, state.settings.max_number)))
            self._take_tile(self._centre, said.seat)
            self._lay_back(view, said.seat)
        self._say(said)

    def _play(self, view: View, record: Record, state: TrickState, seat: int) -> None:
        """Take what was won, and lay a tile; now and then show one of the hand first, or lay a wrong one."""
        self._begin_move(view)
        hand = self._hands[seat]
        shown = takers.following(state, hand) if self._errs and self._moves % _SHOWN_EVERY == 0 else None
        if shown is not None and not state.known[seat]:
            self._is_careless = True  # and then he lays another one
            self._say(Expose(seat, shown))
            return
        slip = None
        if self._is_careless or (self._errs and self._moves % _SLIP_EVERY == 3):
            self._is_careless, slip = False, takers.slip(record, self._hands, self._random)
        late = self._take_trick(seat) if not trick.open_trick(state) else ()
        lying = [*self._trick, *late, *([self._centre] if self._centre else [])]
        move = slip or Place(seat, takers.plays(state, hand, self._random), Loose())
        idea = takers.laid(self._scene(view, record), move, self._side(move.seat), lying, self._random)
        self._lay(view, idea, legal=slip is None)
        if late:
            self._gather(late, seat)

    def _gather(self, tiles: tuple[SeenTile, ...], seat: int) -> None:
        from vision.virtual import Gather

        self._direct(Gather(tuple((each.x_mm, each.y_mm) for each in tiles), self._side(seat)))

    def _take_trick(self, seat: int) -> tuple[SeenTile, ...]:
        """The winner takes the trick, at once or tile by tile; or what he leaves there until he has led."""
        tiles, self._trick = self._trick, ()
        chance = self._random.random()
        if not tiles or chance < _TAKEN_LATER:
            return tiles
        if chance < _TAKEN_SINGLY:
            for each in tiles:
                self._take_tile(each, seat)
        else:
            self._gather(tiles, seat)
        return ()

    def _judged(self, view: View, hope: Hope, entry: int, line: str, legal: bool) -> None:
        super()._judged(view, hope, entry, line, legal)
        if self._hope is None and hope.legal:
            self._trick = (*self._trick, hope.pose)

    def _sweep(self, view: View) -> None:
        super()._sweep(view)
        self._trick, self._centre = (), None
