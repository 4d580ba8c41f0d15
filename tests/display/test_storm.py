"""Whatever is tapped in whatever order, on whatever window, and however often the power is cut: the screen lives."""

from __future__ import annotations

import random
from pathlib import Path

import pygame
import pytest

from display import outlines, preferences
from referee.games import games
from referee.houserules import deals
from referee.umpire import Match
from tests.display.test_start import Home

SIZES = ((800, 480), (480, 320), (1280, 800), (330, 800))
NAMES = ("漢字仮名", "عربية", "a" * 60, "Ǆ", "-1", "B lays 1-1", "Қарлығаш", "İi")
EVENINGS, TAPS = 4, 60


def sit_down(home: Home, chance: random.Random) -> None:
    """Begin a match of any game with players of any names."""
    game = games()[chance.choice(sorted(games()))]
    count = max(2, min(deals(game.settings)))
    home.table.begin(Match(game.id, tuple(chance.sample(NAMES, count))))
    home.screen.step()


@pytest.mark.parametrize("seed", range(2))
def test_a_storm_of_taps_on_changing_windows_and_after_power_cuts_breaks_nothing(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    homes = []
    for evening in range(EVENINGS):  # nothing is closed between them
        likes = preferences.load(tmp_path / preferences.FILE)
        home = Home(tmp_path, f"evening-{evening}", likes, chance.choice(SIZES))
        homes.append(home)
        if evening % 2:
            sit_down(home, chance)
        for _ in range(TAPS):
            if chance.random() < 0.05:
                home.window = pygame.Surface(chance.choice(SIZES))
                home.screen.step()
            button = chance.choice(outlines.buttons(home.screen.page))
            home.at(button.rect.x + button.rect.w / 2, button.rect.y + button.rect.h / 2)
        told = home.link.ask("matches").matches
        assert [each.number for each in told] == sorted((each.number for each in told), reverse=True)
        assert not home.screen.stopped
        assert home.link.ask("players").players is not None
    for home in homes:
        home.journal.close()


def test_a_window_that_is_being_resized_is_drawn_at_each_size(tmp_path: Path) -> None:
    home = Home(tmp_path)
    chance = random.Random(4)
    for _ in range(60):
        home.window = pygame.Surface((chance.randrange(1, 1400), chance.randrange(1, 900)))
        assert home.screen.step()
    home.journal.close()
