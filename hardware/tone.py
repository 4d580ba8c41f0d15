"""A passive buzzer, which needs a tone to sound, driven like an active one."""

from __future__ import annotations

import threading
from typing import Any

PITCH_HZ = 440.0


class Tone:
    """Pulses of one tone on a device with `play(tone)`, `stop()` and `close()`, such as gpiozero's TonalBuzzer."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def blink(self, on_time: float, off_time: float, n: int, background: bool = True) -> None:
        """Sound `n` times; returns at once unless not in the background."""
        self.off()
        self._ended.clear()
        self._thread = threading.Thread(target=self._pulse, args=(on_time, off_time, n), daemon=True)
        self._thread.start()
        if not background:
            self._thread.join()

    def off(self) -> None:
        """Be silent now."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._device.stop()

    def close(self) -> None:
        """Be silent and give the pin back."""
        self.off()
        self._device.close()

    def _pulse(self, on_s: float, off_s: float, times: int) -> None:
        for _ in range(times):
            self._device.play(PITCH_HZ)
            ended = self._ended.wait(on_s)
            self._device.stop()
            if ended or self._ended.wait(off_s):
                return
