"""Whole games without a camera, entered on the touchscreen with fingertips alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from display import asking, draw, outlines
from display.replica import Replica
from display.screen import Screen
from display.sentences import Words
from display.shots import Shots
from display.widgets import Button, Label
from display.widgets import Table as Drawn
from referee.games import game, moon
from referee.journal import Journal
from referee.sighting import CameraStatus
from referee.table import Table
from referee.tiles import Tile
from referee.umpire import Match
from referee.wire import Answer, Ask, Order, Told, View
from tests.referee import seeing

SIZE = (800, 480)


class Dark:
    """Neither buzzer nor lamp."""

    status = "ok"

    def buzz(self) -> None:
        """Sound nothing."""

    def led(self, on: bool) -> None:
        """Light nothing."""


class Near:
    """A link to a table in the same process."""

    live = True

    def __init__(self, table: Table) -> None:
        self.table = table
        self.said: list[str] = []
        self.refused: list[str] = []
        self._answers: list[Answer] = []

    @property
    def view(self) -> View:
        return self.table.view

    def poll(self, timeout_s: float = 0.0) -> bool:
        return False

    def order(self, line: str, about: Answer | None = None) -> str:
        about_view = about or self.view
        self.said.append(line)
        order_id = f"{self.view.epoch} order {len(self.said)}"
        answer = self.table.order(
            Order(id=order_id, epoch=about_view.epoch, seq=about_view.seq, by="screen", line=line)
        )
        if answer.status in ("refused", "stale"):
            self.refused.append(f"{line}: {answer.reason or answer.status}")
        self._answers.append(answer)
        return order_id

    def answers(self) -> list[Answer]:
        taken, self._answers = self._answers, []
        return taken

    def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
        return self.table.ask(Ask("ask", what, args))


class Fingers:
    """A match without a camera, and the finger that plays it; `folder` takes its journal."""

    def __init__(self, folder: Path, match: Match) -> None:
        self.journal = Journal(folder / "journal.sqlite3")
        table = Table(self.journal, Dark(), "one")
        table.camera(CameraStatus.NONE)
        table.begin(match)
        self.link = Near(table)
        self.now_s = 0.0
        self.window = pygame.Surface(SIZE)
        self.screen = Screen(
            self.link, lambda: self.window, Shots(folder / "pictures"), clock=lambda: self.now_s, flip=lambda: None
        )
        self.screen.step()

    @property
    def view(self) -> View:
        """What the table says now."""
        return self.link.view

    @property
    def keys(self) -> dict[str, Button]:
        """All that can be tapped now, by what it says."""
        return {button.order: button for button in reversed(outlines.buttons(self.screen.page))}

    def at(self, x: float, y: float) -> None:
        """Tap a point of the page."""
        self.now_s += 1.0
        frame = draw.Frame.of(SIZE)
        at = (round(frame.left + x * frame.scale), round(frame.top + y * frame.scale))
        self.screen.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        self.screen.step()
        self.screen.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
        self.screen.step()
        self.screen.step()

    def tap(self, *words: str) -> None:
        """Tap keys one after the other, each known by what it says."""
        for word in words:
            rect = self.keys[word].rect
            self.at(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def has(self, word: str) -> bool:
        """Whether such a key is there."""
        return word in self.keys


Sit = Callable[..., Fingers]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Begin a match of a game for so many players."""
    seated: list[Fingers] = []

    def begin(preset: str, players: int, *options: tuple[str, str]) -> Fingers:
        names = ("Ana", "Bogdan", "Chiara", "Dan")[:players]
        seated.append(Fingers(tmp_path, Match(preset, names, options)))
        return seated[-1]

    yield begin
    for fingers in seated:
        fingers.journal.close()


def deal(preset: str, players: int, each: int, seed: int) -> tuple[list[list[Tile]], list[Tile]]:
    """True hands and stock."""
    tiles = list(game(preset).tiles)
    random.Random(seed).shuffle(tiles)
    return [tiles[seat * each : (seat + 1) * each] for seat in range(players)], tiles[players * each :]


def pick(fingers: Fingers, tile: Tile, order: str = "") -> None:
    """Pick a tile: by its picture, after as many of its numbers as it takes until that is shown."""
    for number in tile.values:
        for word in (order, f"@tile {tile}"):
            if fingers.has(word):
                fingers.tap(word)
                return
        fingers.tap(f"@number {number}")
    raise AssertionError(f"{tile} cannot be picked")


def name_the_best(fingers: Fingers, hands: list[list[Tile]]) -> None:
    """Each player names the best tile to open with, until it is known who does."""
    rank = game(fingers.view.game).rank
    fingers.tap("@open announces")
    for seat, hand in enumerate(hands):
        if fingers.view.turn is None:
            best = max(hand, key=rank)
            fingers.tap(f"@seat {seat}")
            pick(fingers, best, f"{'ABCD'[seat]} announces {best}")


def lay(fingers: Fingers, hand: list[Tile]) -> bool:
    """Lay a tile that can be laid where it earns most, if there is one."""
    who = "ABCD"[fingers.view.turn or 0]
    for tile in hand:
        fingers.tap("@open lays")
        pick(fingers, tile)
        best = next((word for word in fingers.keys if word.startswith(f"{who} lays ")), None)
        if best is None:
            fingers.tap("@close")
            continue
        fingers.tap(best)
        hand.remove(tile)
        return True
    return False


def play_round(fingers: Fingers, hands: list[list[Tile]], stock: list[Tile]) -> None:
    """From the opening to the last tile, or until nobody can move."""
    while fingers.view.phase == "play":
        seat = fingers.view.turn
        assert seat is not None
        if lay(fingers, hands[seat]):
            continue
        if stock and fingers.has(f"{'ABCD'[seat]} draws 1"):
            hands[seat].append(stock.pop())
            fingers.tap(f"{'ABCD'[seat]} draws 1")
        else:
            fingers.tap(f"{'ABCD'[seat]} passes")


def show_hands(fingers: Fingers, hands: list[list[Tile]]) -> None:
    """What is left in each hand is entered, tile by tile."""
    fingers.tap("@open shows")
    for seat, hand in enumerate(hands):
        if fingers.view.phase == "show-hands" and not fingers.view.seats[seat].shown:
            fingers.tap(f"@seat {seat}")
            for tile in hand:
                pick(fingers, tile)
            fingers.tap(f"{'ABCD'[seat]} shows {' '.join(map(str, hand)) or 'nothing'}")


@pytest.mark.parametrize(("preset", "seed"), [("fr-domino", 3), ("fr-domino", 8), ("block", 3), ("all-fives", 4)])
def test_a_round_of_dominoes_is_played_and_scored_with_fingertips_alone(preset: str, seed: int, sit: Sit) -> None:
    fingers = sit(preset, 2)
    each = fingers.view.seats[0].tiles
    hands, stock = deal(preset, 2, each, seed)
    fingers.tap("begin")
    name_the_best(fingers, hands)
    play_round(fingers, hands, stock)
    assert [seat.tiles for seat in fingers.view.seats] == [len(hand) for hand in hands]
    show_hands(fingers, hands)
    assert fingers.view.phase == "clearing"
    assert fingers.link.refused == []
    assert any(seat.score for seat in fingers.view.seats)
    fingers.tap("clear")
    assert (fingers.view.phase, fingers.view.round) == ("deal", 2)


def call(fingers: Fingers, bids: list[str]) -> None:
    """The auction, in turn, in words such as `bids 4` and `passes`."""
    for bid in bids:
        fingers.tap(f"{'ABC'[fingers.view.turn or 0]} {bid}")


def test_a_deal_of_moon_is_called_played_and_scored_with_fingertips_alone(sit: Sit) -> None:
    fingers = sit("kk-moon", 3)
    hands, centre = deal("kk-moon", 3, 7, 2)
    fingers.tap("begin")
    call(fingers, ["bids 4", "passes", "bids 5"])
    bidder = fingers.view.turn
    assert bidder is not None
    who = "ABC"[bidder]
    hands[bidder] += centre
    discard = min(hands[bidder], key=lambda tile: tile.total)
    hands[bidder].remove(discard)
    fingers.tap(f"{who} discards hidden", f"{who} names 6")
    while fingers.view.phase == "play":
        seat = fingers.view.turn
        assert seat is not None
        record = fingers.link.table.record
        assert record is not None
        tile = moon.plays(record.state, hands[seat])[0].tile
        fingers.tap("@open plays")
        pick(fingers, tile, f"{'ABC'[seat]} plays {tile}")
        hands[seat].remove(tile)
    assert fingers.link.refused == []
    assert fingers.view.tricks is not None
    assert sum(fingers.view.tricks.taken) == 7
    assert any(seat.score for seat in fingers.view.seats)
    fingers.tap("clear")
    assert (fingers.view.phase, fingers.view.round) == ("deal", 2)


def begun(sit: Sit, preset: str = "ro-trimino/manufacturer", players: int = 3) -> tuple[Fingers, list[list[Tile]]]:
    """A match whose opener is known, and the true hands."""
    fingers = sit(preset, players)
    hands, _ = deal(preset, players, fingers.view.seats[0].tiles, 5)
    fingers.tap("begin")
    name_the_best(fingers, hands)
    return fingers, hands


def test_a_triomino_is_laid_by_a_tap_on_its_place_in_the_drawn_layout(sit: Sit) -> None:
    fingers, hands = begun(sit)
    for _ in range(3):
        seat = fingers.view.turn
        assert seat is not None
        assert lay(fingers, hands[seat])
    seat = fingers.view.turn
    assert seat is not None
    for tile in hands[seat]:
        fingers.tap("@open lays")
        pick(fingers, tile)
        places = [target for target in outlines.buttons(fingers.screen.page) if " lays " in target.order]
        if places:
            break
        fingers.tap("@close")
    place = places[-1].rect  # the keys of the list come first, then the places on the felt
    fingers.at(place.x + place.w / 2, place.y + place.h / 2)
    assert fingers.link.said[-1] == places[-1].order
    assert fingers.link.refused == []
    table = next(widget for widget in fingers.screen.page.widgets if isinstance(widget, Drawn))
    assert len(table.pieces) == 4
    assert [piece.last for piece in table.pieces].count(True) == 1


def test_an_older_move_is_undone_after_the_page_that_says_what_that_changes(sit: Sit) -> None:
    fingers, hands = begun(sit)
    for _ in range(4):
        seat = fingers.view.turn
        assert seat is not None
        if not lay(fingers, hands[seat]):
            fingers.tap(f"{'ABC'[seat]} draws 1")
    first = next(ruled.entry for ruled in fingers.view.log if " lays " in ruled.line)
    fingers.tap("@open more", "@moves")
    while not fingers.has(f"@entry {first}"):
        fingers.tap("@older")
    fingers.tap(f"@entry {first}", f"undo {first}")
    assert fingers.has(f"undo! {first}")
    fingers.tap(f"undo! {first}")
    assert next(ruled for ruled in fingers.view.log if ruled.entry == first).void
    assert fingers.link.refused == []


def test_a_dialogue_is_closed_when_the_game_goes_on_without_it(sit: Sit) -> None:
    fingers, _ = begun(sit)
    fingers.tap("@open lays")
    assert fingers.has("@close")
    opener = fingers.view.turn
    fingers.link.order(f"turn {'BCA'[opener or 0]}")
    fingers.screen.step()
    assert not fingers.has("@close")
    assert fingers.has("@open lays")


def test_an_order_that_is_refused_says_why_and_what_was_counted_before_still_holds(sit: Sit) -> None:
    fingers, hands = begun(sit)
    seat = fingers.view.turn
    assert seat is not None
    assert lay(fingers, hands[seat])
    fingers.tap("@open more", "@open calls", "A calls block")
    assert fingers.link.refused == ["A calls block: not-blocked"]
    said = [widget.text for widget in fingers.screen.page.widgets if isinstance(widget, Label)]
    assert "Not blocked: play goes on" in said
    fingers.tap("@open more", "@open gets", "@seat 0", "@digit 2", "@digit 5", "@sign", "A gets -25")
    assert fingers.view.seats[0].score == -25


def test_a_match_without_camera_can_be_dealt_again_and_the_turn_set(sit: Sit) -> None:
    fingers, _ = begun(sit, "fr-domino", 2)
    turn = fingers.view.turn
    fingers.tap("@open more", "@open turn", f"turn {'BA'[turn or 0]}")
    assert fingers.view.turn == 1 - (turn or 0)
    fingers.tap("@open more", "@open redeal", "redeal")
    assert fingers.view.phase == "deal"
    assert fingers.link.refused == []


def test_where_nobody_could_open_all_draw_and_the_page_of_names_is_closed(sit: Sit) -> None:
    fingers = sit("cs-triomino", 2)
    fingers.tap("begin", "@open announces", "@seat 0", "A announces nothing", "@seat 1", "B announces nothing")
    fingers.tap("@open draws", "@seat 0", "A draws 1", "@open draws", "@seat 1", "B draws 1")
    assert fingers.link.refused == []
    assert [seat.tiles for seat in fingers.view.seats] == [10, 10]
    fingers.tap("@open announces")
    assert fingers.has("@seat 0")


def test_a_correction_once_outlived_its_match_and_closes_when_another_is_begun(sit: Sit) -> None:
    fingers, hands = begun(sit)
    seat = fingers.view.turn
    assert seat is not None
    assert lay(fingers, hands[seat])
    fingers.tap("@open lays")
    asked = fingers.screen.page
    old = fingers.view
    names = [chr(65 + at) + "=" + player.name for at, player in enumerate(old.seats)]
    fingers.link.order(f"match! {old.game} {' '.join(names)}")
    fingers.screen.step()
    assert fingers.view.last is None
    assert fingers.screen.page != asked
    assert not fingers.has("@close")


def test_a_dispute_over_what_a_camera_saw_once_lacked_its_clause_in_words(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    table = Table(journal, Dark(), "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    camera = seeing.begun(table)
    camera.rest(seeing.FIRST, seeing.CLASHING)
    window = pygame.Surface(SIZE)
    screen = Screen(Near(table), lambda: window, Shots(tmp_path / "pictures"), clock=lambda: 0.0, flip=lambda: None)
    screen.step()
    view = table.view
    assert view.dispute is not None
    assert view.camera != "none"
    said = asking.clause_in_words(view, Replica().state(Near(table), view), Words())
    assert len(said.split()) > 5
    assert any(said in widget.text for widget in screen.page.widgets if isinstance(widget, Label))
    journal.close()
