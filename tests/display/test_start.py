"""From power-on to the first tile, by touch alone, at a real table; and the screen's care for whoever touches it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pygame
import pytest

from display import draw, outlines, preferences, touch
from display.preferences import USUAL, Preferences
from display.screen import Screen
from display.shots import Shots
from display.widgets import Button, Label
from referee.journal import Journal
from referee.sighting import CameraStatus
from referee.table import Table
from referee.wire import View
from tests.display.test_by_hand import Dark, Near

SIZE = (800, 480)


class Player:
    """What would be played on a loudspeaker."""

    def __init__(self) -> None:
        self.played: list[tuple[str, int]] = []

    def play(self, name: str, volume: int) -> None:
        self.played.append((name, volume))


class Home:
    """A referee that is switched on, the journal of the days before in `folder`, and the finger that touches it."""

    def __init__(
        self, folder: Path, epoch: str = "one", likes: Preferences = USUAL, size: tuple[int, int] = SIZE
    ) -> None:
        self.folder = folder
        self.journal = Journal(folder / "journal.sqlite3")
        self.table = Table(self.journal, Dark(), epoch)
        self.table.camera(CameraStatus.NONE)
        self.link = Near(self.table)
        self.now_s = 0.0
        self.taps = 0
        self.flips = 0
        self.player = Player()
        self.window = pygame.Surface(size)
        self.screen = Screen(
            self.link,
            lambda: self.window,
            Shots(folder / "pictures"),
            likes,
            folder / preferences.FILE,
            self.player,  # type: ignore[arg-type]  # as much of it as the screen uses
            clock=lambda: self.now_s,
            flip=self._flip,
        )
        self.screen.step()

    def _flip(self) -> None:
        self.flips += 1

    @property
    def view(self) -> View:
        return self.table.view

    @property
    def likes(self) -> Preferences:
        return preferences.load(self.folder / preferences.FILE)

    @property
    def keys(self) -> dict[str, Button]:
        return {button.order: button for button in reversed(outlines.buttons(self.screen.page))}

    @property
    def texts(self) -> str:
        return "\n".join(part.text for part in draw.parts(self.screen.page) if isinstance(part, Label))

    def tap(self, order: str) -> None:
        """Tap the key that says this, or the first whose order begins so."""
        found = self.keys.get(order) or next(key for each, key in self.keys.items() if each.startswith(order))
        self.taps += 1
        rect = found.rect
        self.at(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def at(self, x: float, y: float) -> None:
        """Touch a point of the page with a finger, wherever that is on a turned panel."""
        self.now_s += 0.3
        self.screen.step()
        size, turned = self.window.get_size(), self.screen.likes.rotate_deg
        frame = draw.Frame.of(touch.seen(size, turned))
        seen = (round(frame.left + x * frame.scale), round(frame.top + y * frame.scale))
        panel = next(
            (px, py)
            for px, py in ((seen[0], seen[1]), *_candidates(seen, size))
            if touch.unturned((px, py), size, turned) == seen
        )
        place = {"x": (panel[0] + 0.5) / size[0], "y": (panel[1] + 0.5) / size[1]}
        for finger, mouse in (
            (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN),
            (pygame.FINGERUP, pygame.MOUSEBUTTONUP),
        ):
            self.screen.handle(pygame.event.Event(mouse, pos=panel, button=1, touch=True))
            self.screen.handle(pygame.event.Event(finger, finger_id=1, touch_id=1, **place))
            self.screen.step()

    def close(self) -> None:
        self.journal.close()


def _candidates(seen: tuple[int, int], size: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Where a pixel of the picture may lie on a panel that is turned."""
    x, y = seen
    width, height = size
    return ((width - 1 - y, x), (width - 1 - x, height - 1 - y), (y, height - 1 - x))


@pytest.fixture
def switch_on(tmp_path: Path) -> Callable[..., Home]:
    """Switches a referee on, again with the same journal if there was one."""
    homes: list[Home] = []

    def on(**how: object) -> Home:
        if homes:
            homes[-1].close()
        homes.append(Home(tmp_path, f"epoch {len(homes)}", **how))  # type: ignore[arg-type]  # passed on
        return homes[-1]

    yield on  # type: ignore[misc]  # a fixture that cleans up
    if homes:
        homes[-1].close()


def type_name(home: Home, name: str) -> None:
    """Type a name; its letters are not counted as taps."""
    before = home.taps
    for letter in name.lower():
        home.tap(f"@key {letter}")
    home.taps = before


def first_tile(home: Home) -> None:
    """Lay the first tile: everything before this was to begin the game."""
    assert home.view.phase == "play"
    home.tap("@open lays")
    assert home.keys


def test_from_power_on_to_the_first_tile_of_three_new_players_in_six_taps_and_names(
    switch_on: Callable[..., Home],
) -> None:
    home = switch_on()
    home.tap("@game ro-trimino/manufacturer")
    for name, after in (("Ana", "@typed"), ("Bo", "@typed"), ("Cy", "@done")):
        type_name(home, name)
        home.tap(after)
    home.tap("match ")
    home.tap("begin")
    assert home.taps <= 6
    assert [seat.name for seat in home.view.seats] == ["Ana", "Bo", "Cy"]
    first_tile(home)


def test_the_next_evening_the_same_three_need_four_taps(switch_on: Callable[..., Home]) -> None:
    home = switch_on()
    home.tap("@game cs-triomino")
    for name, after in (("Ana", "@typed"), ("Bo", "@typed"), ("Cy", "@done")):
        type_name(home, name)
        home.tap(after)
    home.tap("match ")
    home = switch_on()
    home.tap("@setup")
    home.taps = 0
    for order in ("@game ro-trimino/manufacturer", "@go table", "match! ", "begin"):
        home.tap(order)
    assert home.taps == 4
    assert [seat.name for seat in home.view.seats] == ["Ana", "Bo", "Cy"]
    assert home.journal.begun()[0].seats_deg == (90, 210, 330)
    first_tile(home)


def begun(home: Home, *orders: str) -> Home:
    """A game of two, under way."""
    home.link.order("match fr-domino A=Ana B=Bo")
    for order in ("begin", *orders):
        home.link.order(order)
    home.screen.step()
    home.now_s += 1
    home.screen.step()
    return home


def test_after_a_power_cut_the_match_goes_on_with_one_tap(switch_on: Callable[..., Home]) -> None:
    begun(switch_on(), "A lays 6-6 at right")
    home = switch_on()
    assert "Welcome back" in home.texts
    home.tap("@close")
    assert home.view.turn == 1
    assert "@open lays" in home.keys
    home.screen.step()
    assert "Welcome back" not in home.texts


def test_a_tile_that_is_laid_says_to_go_on_as_well(switch_on: Callable[..., Home]) -> None:
    begun(switch_on(), "A lays 6-6 at right")
    home = switch_on()
    home.link.order("B draws 1")
    home.screen.step()
    assert "Welcome back" not in home.texts


def test_a_table_that_was_started_again_in_mid_game_asks_nothing(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    home.table = Table(home.journal, Dark(), "two")
    home.link.table = home.table
    home.screen.step()
    assert home.view.resumed
    assert "Welcome back" not in home.texts


def test_another_match_leaves_the_one_under_way_in_the_journal(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    for order in ("@open more", "@setup", "@game cs-triomino", "@go table", "match! "):
        home.tap(order)
    assert (home.view.game, home.view.phase, home.view.round) == ("cs-triomino", "deal", 1)
    assert [match.game for match in home.journal.begun()] == ["cs-triomino", "fr-domino"]
    assert "begin" in home.keys


def test_back_from_a_new_match_is_back_in_the_old_one(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    for order in ("@open more", "@setup", "@close"):
        home.tap(order)
    assert "@open lays" in home.keys


def test_a_match_that_the_table_refuses_leaves_the_set_up_open_and_says_why(switch_on: Callable[..., Home]) -> None:
    home = switch_on()
    home.table._shape = home.table.shape  # of dominoes: a calibration for them
    home.tap("@game uk-tridomino")
    home.tap("@typed")
    home.tap("@typed")
    home.tap("@done")
    home.tap("match ")
    assert "The camera is set up for other tiles" in home.texts
    assert any(order.startswith("match ") for order in home.keys)
    assert home.view.game == ""


def test_the_settings_are_two_taps_from_the_game_and_hold_at_once(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    home.taps = 0
    home.tap("@open more")
    home.tap("@settings")
    assert home.taps == 2
    home.tap("@languages")
    home.tap("@language kk")
    home.tap("@next is_large")
    home.tap("@close")
    assert (home.likes.language, home.likes.is_large) == ("kk", True)
    assert "@open lays" in home.keys


def test_settings_that_cannot_be_saved_hold_all_the_same_and_the_screen_says_so(
    switch_on: Callable[..., Home],
) -> None:
    home = begun(switch_on())
    (home.folder / (preferences.FILE + ".new")).mkdir()
    for order in ("@open more", "@settings", "@next is_large"):
        home.tap(order)
    assert home.screen.likes.is_large
    assert "The settings cannot be saved" in home.texts


@pytest.mark.parametrize("rotate_deg", [0, 90, 180, 270])
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1024, 600), (1280, 800), (1920, 1080)])
def test_every_tap_lands_however_the_panel_is_mounted(
    rotate_deg: int, size: tuple[int, int], switch_on: Callable[..., Home]
) -> None:
    home = switch_on(likes=msgspec.structs.replace(USUAL, rotate_deg=rotate_deg), size=size)
    for order in ("@game fr-domino", "@typed", "@typed", "@done", "match ", "begin"):
        home.tap(order)
    assert home.view.phase == "play"


def test_the_picture_is_turned_as_the_panel_is(switch_on: Callable[..., Home]) -> None:
    upright = switch_on()
    straight = upright.window
    for rotate_deg in (90, 180, 270):
        size = touch.seen(SIZE, rotate_deg)
        turned = switch_on(likes=msgspec.structs.replace(USUAL, rotate_deg=rotate_deg), size=size).window
        back = pygame.transform.rotate(turned, rotate_deg)
        assert pygame.image.tobytes(back, "RGB") == pygame.image.tobytes(straight, "RGB")


def dark(home: Home) -> bool:
    """Whether nothing is seen."""
    home.screen.step()
    return not any(pygame.transform.average_color(home.window)[:3])


def test_the_screen_goes_dark_when_nobody_plays_and_the_waking_tap_does_nothing_else(
    switch_on: Callable[..., Home],
) -> None:
    home = switch_on()
    home.now_s += 599
    assert not dark(home)
    home.now_s += 2
    assert dark(home)
    key = next(iter(home.keys.values()), None)
    assert key is None
    home.at(200, 120)  # where the key of a game is
    assert not dark(home)
    assert "What do you play?" in home.texts
    home.at(200, 120)
    assert "What do you play?" not in home.texts


def test_the_screen_never_goes_dark_during_a_game_nor_when_nobody_wants_it(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    home.now_s += 100_000
    assert not dark(home)
    home = switch_on(likes=msgspec.structs.replace(USUAL, dark_after_min=0))
    home.now_s += 100_000
    assert not dark(home)


def test_a_game_that_begins_elsewhere_wakes_the_screen(switch_on: Callable[..., Home]) -> None:
    home = switch_on()
    home.now_s += 10_000
    assert dark(home)
    begun(home)
    assert not dark(home)


def test_the_picture_is_as_bright_as_wanted(switch_on: Callable[..., Home]) -> None:
    levels = []
    for brightness in preferences.BRIGHTNESS:
        home = switch_on(likes=msgspec.structs.replace(USUAL, brightness=brightness))
        levels.append(sum(pygame.transform.average_color(home.window)[:3]))
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > 0


def test_each_thing_that_happens_sounds_once(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(likes=msgspec.structs.replace(USUAL, volume=3)), "A lays 6-6 at right")
    home.player.played.clear()
    home.link.order("B lays 3-6 at right")
    for _ in range(5):
        home.screen.step()
    assert home.player.played == [("legal", 3)]


def test_the_time_that_is_left_is_told_and_a_new_turn_has_all_of_it(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(likes=msgspec.structs.replace(USUAL, turn_s=60)), "A lays 6-6 at right")
    start_s = home.now_s
    home.screen.step()
    first = home.texts
    home.now_s = start_s + 20.5
    home.screen.step()
    assert "to play: 0:3" in home.texts
    assert home.texts != first
    home.now_s = start_s + 100
    home.screen.step()
    assert "time is up" in home.texts
    home.link.order("B lays 3-6 at right")
    home.screen.step()
    assert "to play: 1:00" in home.texts


def test_a_picture_that_cannot_be_saved_is_told_and_the_screen_goes_on(
    switch_on: Callable[..., Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk once ended the screen."""
    home, save = begun(switch_on()), pygame.image.save
    full = home.folder / "full.png"
    full.symlink_to("/dev/full")
    monkeypatch.setattr(pygame.image, "save", lambda picture, _: save(picture, str(full)))
    home.screen.shoot()
    home.screen.step()
    home.screen.step()
    assert "The picture cannot be saved" in home.texts
    monkeypatch.undo()
    home.screen.shoot()
    home.screen.step()
    assert [path.name[:3] for path in (home.folder / "pictures").iterdir()] == ["001"]


def test_a_view_is_on_the_screen_with_the_next_frame_and_only_then(switch_on: Callable[..., Home]) -> None:
    home = begun(switch_on(), "A lays 6-6 at right")
    flips = home.flips
    for _ in range(10):
        assert not home.screen.step()
    home.link.order("B draws 1")
    assert home.screen.step()
    assert home.flips == flips + 1


def test_over_is_over_until_somebody_plays_again(switch_on: Callable[..., Home]) -> None:
    home = switch_on()
    home.link.order("match fr-domino A=Ana B=Bo target=1 hands=2:1")
    for order in ("begin", "A lays 6-6 at right", "B shows 3-6", "clear"):
        home.link.order(order)
    home.now_s += 1
    home.screen.step()
    assert home.view.phase == "over"
    home.tap("@again")
    home.tap("match fr-domino A=Ana B=Bo")
    assert (home.view.phase, home.view.seats[0].score) == ("deal", 0)


def test_the_start_page_leads_to_past_games_and_back(switch_on: Callable[..., Home]) -> None:
    home = switch_on()
    home.tap("@games")
    assert "What do you play?" not in home.texts
    home.tap("@close")
    assert "What do you play?" in home.texts
