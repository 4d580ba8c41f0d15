"""Sounds: one for each thing that is new, none where nobody wants them or nothing can play them."""

from __future__ import annotations

from argparse import Namespace
from array import array
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from display import sounds
from display.preferences import USUAL, Sounds
from display.sounds import END, ILLEGAL, LEGAL, TURN, asked_for
from referee.commands import screen
from referee.config import Places
from referee.wire import View

ONLY_ILLEGAL, SILENT = (msgspec.structs.replace(USUAL, sounds=each) for each in ("illegal", "none"))


def changed(view: View, **fields: Any) -> View:
    return msgspec.structs.replace(view, seq=view.seq + 1, **fields)


def test_a_tile_that_stands_sounds_once_however_often_its_view_comes(scenes: Any) -> None:
    before, after = scenes["play"], scenes["hexagon"]
    assert asked_for(before, after, USUAL) == LEGAL
    assert asked_for(after, after, USUAL) == ""
    assert asked_for(after, changed(after), USUAL) == ""


def test_an_illegal_tile_sounds_before_all_else_and_for_who_wants_only_that(scenes: Any) -> None:
    for likes in (USUAL, ONLY_ILLEGAL):
        assert asked_for(scenes["play"], changed(scenes["dispute"], turn=2), likes) == ILLEGAL
        assert asked_for(scenes["dispute"], changed(scenes["dispute"]), likes) == ""
    assert asked_for(scenes["play"], scenes["dispute"], SILENT) == ""
    assert asked_for(scenes["play"], scenes["hexagon"], ONLY_ILLEGAL) == ""


def test_the_end_of_a_round_and_another_turn_are_heard(scenes: Any) -> None:
    assert asked_for(scenes["play"], scenes["show-hands"], USUAL) == END
    assert asked_for(scenes["show-hands"], changed(scenes["clearing"], last=None), USUAL) == END
    assert asked_for(scenes["play"], changed(scenes["play"], turn=2), USUAL) == TURN


def test_the_first_view_and_that_of_a_table_started_anew_are_silent(scenes: Any) -> None:
    assert asked_for(None, scenes["dispute"], USUAL) == ""
    assert asked_for(changed(scenes["play"], epoch="other"), scenes["dispute"], USUAL) == ""


@pytest.mark.parametrize("name", [LEGAL, ILLEGAL, TURN, END])
def test_a_sound_is_short_loud_enough_and_ends_in_silence(name: str) -> None:
    wave = array("h", sounds.samples(name))
    assert 0.05 < len(wave) / sounds.RATE_HZ < 1.5
    assert 20_000 < max(map(abs, wave)) < 32_767
    assert abs(wave[0]) < 100
    assert max(map(abs, wave[-20:])) < 500


def test_no_two_sounds_are_alike() -> None:
    assert all(a != b for a, b in combinations(map(sounds.samples, (LEGAL, ILLEGAL, TURN, END)), 2))


def test_sounds_play_on_a_device_as_loud_as_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    player = sounds.Sounds()
    try:
        assert player._made
        levels = []
        for volume in (1, 2, 3):
            player.play(LEGAL, volume)
            levels.append(player._made[LEGAL].get_volume())
        assert levels == sorted(set(levels))
        assert levels[-1] == 1.0
        player.play("no such sound", 3)
    finally:
        player.close()
    assert not player._made
    player.play(LEGAL, 3)


@pytest.mark.parametrize("driver", [None, "no-such-driver"])
def test_without_a_device_all_goes_on_silently(driver: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sounds, "_SOUND_SYSTEMS", ("/no/such/device",))
    monkeypatch.delenv("PULSE_SERVER", raising=False)
    monkeypatch.delenv("SDL_AUDIODRIVER", raising=False)
    if driver:
        monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    player = sounds.Sounds()
    assert not player._made
    player.play(ILLEGAL, 3)


def test_every_wish_about_sounds_is_known_to_the_settings() -> None:
    from display.settings import SOUNDS

    assert set(SOUNDS) == set(get_args(Sounds))


def test_the_screen_closes_the_one_player_it_plays_on_and_opens_no_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []

    class Player:
        def __init__(self) -> None:
            told.append("opened")

        def close(self) -> None:
            told.append(self)

    class Shown:
        def __init__(self, *given: object, **named: object) -> None:
            told.append(given[-1])

        def run(self, beat: object) -> None:
            """Be closed at once."""

    monkeypatch.setattr("display.sounds.Sounds", Player)
    monkeypatch.setattr("display.screen.Screen", Shown)
    monkeypatch.setattr("display.window.open_window", lambda *_: None)
    monkeypatch.setattr("pygame.display.quit", lambda: None)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(Places, "from_environment", lambda: Places(tmp_path, tmp_path))
    asked = Namespace(size=(800, 480), full=False, hide_cursor=True, shots=None, rotate=None, language=None)
    assert screen.run(asked) == 0
    opened, shown_with, closed = told
    assert opened == "opened"
    assert shown_with is closed
