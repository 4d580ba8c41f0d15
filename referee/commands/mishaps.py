"""What goes wrong round a demo's table, besides what people lay: light, shadows, hands, knocks, a camera that fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.virtual import Direction

ILLEGAL = "illegal"
_SHARE = 0.35  # of all moves are preceded by a mishap
_FPS = 15


class Mishaps:
    """Draws by lot what happens before a move.

    Args:
        names: what may happen.
        seed: decides what does, apart from the match itself: the same seed is the same match with and without.
    """

    def __init__(self, names: tuple[str, ...], seed: int) -> None:
        self._makers = tuple(_MAKERS[name] for name in names if name != ILLEGAL)
        self._random = Random(f"mishaps of {seed}")  # a game, not a secret

    def drawn(self, mat_mm: tuple[float, float]) -> tuple[Direction, ...]:
        """What happens now; mostly nothing."""
        if not self._makers or self._random.random() >= _SHARE:
            return ()
        return self._random.choice(self._makers)(self._random, mat_mm)


def _light(random: Random, _: tuple[float, float]) -> tuple[Direction, ...]:
    """A lamp goes out, or on, and after a while it is as before."""
    from vision.virtual import Light, Wait

    frames = random.choice((1, 30))
    return (Light(random.uniform(0.6, 1.15), frames=frames), Wait(_FPS), Light(1.0, frames=frames))


def _shadow(random: Random, _: tuple[float, float]) -> tuple[Direction, ...]:
    """Somebody bends over the table."""
    from vision.virtual import Shadow

    return (Shadow(random.uniform(0, 360), random.randint(5, 45), random.uniform(0.2, 0.6)),)


def _hand(random: Random, mat_mm: tuple[float, float]) -> tuple[Direction, ...]:
    """A hand points at something and lays nothing."""
    from vision.virtual import Hover

    x_mm, y_mm = (random.uniform(0.1, 0.9) * side_mm for side_mm in mat_mm)
    return (Hover(random.uniform(0, 360), x_mm, y_mm, frames=random.randint(1, 20)),)


def _knock(random: Random, _: tuple[float, float]) -> tuple[Direction, ...]:
    """Somebody knocks against the camera, and it looks a little another way from then on."""
    from vision.virtual import Bump, Wait

    pan, tilt, roll = (random.uniform(-1.2, 1.2) for _ in range(3))
    return (Bump(pan, tilt, roll), Wait(2 * _FPS), Bump(-pan, -tilt, -roll), Wait(2 * _FPS))


def _camera(random: Random, _: tuple[float, float]) -> tuple[Direction, ...]:
    """The camera gives no pictures for some seconds, or the same one again and again."""
    from vision.virtual import Fail

    return (Fail(random.choice(("frozen", "lost")), random.randint(20, 120)),)


_MAKERS: dict[str, Callable[[Random, tuple[float, float]], tuple[Direction, ...]]] = {
    "light": _light,
    "shadow": _shadow,
    "hand": _hand,
    "knock": _knock,
    "camera": _camera,
}
NAMES = (ILLEGAL, *_MAKERS)


def named(text: str) -> tuple[str, ...]:
    """Read what is to go wrong: names with commas, `all` or `none`.

    Raises:
        ValueError: for anything else.
    """
    if text in ("all", "none"):
        return NAMES if text == "all" else ()
    names = tuple(text.split(","))
    if not set(names) <= set(NAMES):
        raise ValueError(f"expected all, none, or some of {', '.join(NAMES)} with commas, got {text[:40]!r}")
    return names
