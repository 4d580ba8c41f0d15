"""Which pin of the Raspberry Pi is wired to what, by its BCM number."""

from __future__ import annotations

from dataclasses import dataclass, fields

PINS = range(28)
MOST_BUTTONS = 6

LEGAL, TURN, DOUBT, ROUND_END, CAMERA_LOST = "legal", "turn", "doubt", "round-end", "camera-lost"
EVENTS = (LEGAL, TURN, DOUBT, ROUND_END, CAMERA_LOST)


class WiringError(ValueError):
    """Pins that cannot be wired so."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is connected; None or empty for what is not.

    `led` is the red light of a dispute and means nothing else. `second` is another light, `rgb` a coloured one (red,
    green, blue), for all else; `seats` a button for each seat in order, `undo` one for all. A `passive` buzzer needs
    a tone to sound. `sounds` are the events that sound besides an illegal tile.
    """

    buzzer: int | None = 17
    led: int | None = 27
    passive: bool = False
    second: int | None = None
    rgb: tuple[int, int, int] | None = None
    seats: tuple[int, ...] = ()
    undo: int | None = None
    sounds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        pins = self.pins
        for name, pin in pins:
            if isinstance(pin, bool) or pin not in PINS:
                raise WiringError(f"expected a BCM pin from 0 to {PINS[-1]} for {name}, got {pin!r}")
        numbers = [pin for _, pin in pins]
        for name, pin in pins:
            others = [other for other, same in pins if same == pin and other != name]
            if numbers.count(pin) > 1:
                raise WiringError(
                    f"expected a pin of its own for {name}, got {pin} for {', '.join(others) or name} too"
                )
        if len(self.seats) > MOST_BUTTONS:
            raise WiringError(f"expected at most {MOST_BUTTONS} buttons for seats, got {len(self.seats)}")
        unknown = [event for event in self.sounds if event not in EVENTS]
        if unknown:
            raise WiringError(f"expected sounds out of {', '.join(EVENTS)}, got {unknown[0]!r}")
        if self.second is not None and self.rgb is not None:
            raise WiringError("expected a second light or a coloured one, got both")

    @property
    def pins(self) -> tuple[tuple[str, int], ...]:
        """Every pin that is used, with the name of what is wired to it."""
        found: list[tuple[str, int]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("buzzer", "led", "second", "undo") and value is not None:
                found.append((field.name, value))
            elif field.name in ("rgb", "seats") and value:
                found += [(f"{field.name}[{index}]", pin) for index, pin in enumerate(value)]
        return tuple(found)
