"""What the screen sounds like: four short sounds made when it starts, and which of them a new view asks for."""

from __future__ import annotations

import logging
import os
from array import array
from math import exp, pi, sin
from pathlib import Path

import pygame

from display.preferences import LOUDEST, Preferences
from referee import heralding
from referee.wire import View

_LOG = logging.getLogger(__name__)

RATE_HZ = 22_050
LEGAL, ILLEGAL, TURN, END = "legal", "illegal", "turn", "end"
# Pitch in Hz, start and length in seconds, and overtones by strength.
_NOTES: dict[str, tuple[tuple[float, float, float], ...]] = {
    LEGAL: ((659.3, 0.0, 0.16), (987.8, 0.09, 0.28)),
    ILLEGAL: ((155.6, 0.0, 0.22), (146.8, 0.26, 0.40)),
    TURN: ((880.0, 0.0, 0.09),),
    END: ((523.3, 0.0, 0.30), (659.3, 0.14, 0.30), (784.0, 0.28, 0.30), (1046.5, 0.42, 0.70)),
}
_SOUNDS = {
    heralding.ILLEGAL: ILLEGAL,
    heralding.ROUND_END: END,
    heralding.LEGAL: LEGAL,
    heralding.TURN: TURN,
}
_OVERTONES = {ILLEGAL: (1.0, 0.7, 0.5, 0.35, 0.25)}
_SOFT = (1.0, 0.22, 0.08)
_SOUND_SYSTEMS = ("/dev/snd", "/run/user/{user}/pulse", "/run/user/{user}/pipewire-0")


def asked_for(before: View | None, view: View, preferences: Preferences) -> str:
    """The sound that a new view asks for, "" for none: the most important one, once for each thing that is new."""
    if preferences.sounds == "none":
        return ""
    sound = _SOUNDS.get(heralding.happened(before, view), "")
    return sound if preferences.sounds != "illegal" or sound == ILLEGAL else ""


def samples(name: str) -> bytes:
    """A sound as signed 16-bit mono at `RATE_HZ`: notes that are struck and fade, like a glockenspiel or a buzz."""
    notes, overtones = _NOTES[name], _OVERTONES.get(name, _SOFT)
    wave = [0.0] * round(RATE_HZ * max(start + length for _, start, length in notes))
    for pitch_hz, start_s, length_s in notes:
        first, count = round(start_s * RATE_HZ), round(length_s * RATE_HZ)
        for index in range(min(count, len(wave) - first)):
            time_s = index / RATE_HZ
            strength = min(1.0, time_s / 0.004) * exp(-4.0 * time_s / length_s) * (1 - index / count)
            wave[first + index] += strength * sum(
                share * sin(2 * pi * pitch_hz * (number + 1) * time_s) for number, share in enumerate(overtones)
            )
    loudest = max(map(abs, wave))
    return array("h", (round(26_000 * value / loudest) for value in wave)).tobytes()


class Sounds:
    """Plays sounds; on a machine that cannot, it is silent and says so once in the log."""

    def __init__(self) -> None:
        self._made: dict[str, pygame.mixer.Sound] = {}
        if not _can_sound():
            _LOG.info("no sound: this machine has no sound device")
            return
        try:
            pygame.mixer.init(RATE_HZ, -16, 1, 512, allowedchanges=0)
            self._made = {name: pygame.mixer.Sound(buffer=samples(name)) for name in _NOTES}
        except (pygame.error, NotImplementedError) as error:
            _LOG.info("no sound: %s", error)

    def play(self, name: str, volume: int) -> None:
        """Begin to play a sound, as loud as `Preferences.volume` says; returns at once."""
        sound = self._made.get(name)
        if sound is not None:
            sound.set_volume((volume / LOUDEST) ** 2)
            sound.play()

    def close(self) -> None:
        """Let go of the device."""
        self._made = {}  # before the mixer that they were made for
        pygame.mixer.quit()


def _can_sound() -> bool:
    """Whether there is anything to play on: without it SDL would try, and fill the terminal with complaints."""
    if os.environ.get("SDL_AUDIODRIVER") or os.environ.get("PULSE_SERVER"):
        return True
    return any(Path(each.format(user=os.getuid())).exists() for each in _SOUND_SYSTEMS)
