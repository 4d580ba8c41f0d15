"""Colours that can be read."""

from __future__ import annotations

import pytest

from display import theme
from display.preferences import BRIGHTNESS
from display.theme import Look, contrast

LOOKS = {name: value for name, value in vars(theme).items() if isinstance(value, Look)}


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast((90, 90, 90), (90, 90, 90)) == pytest.approx(1.0)


@pytest.mark.parametrize("light", [1.0, min(BRIGHTNESS) / 100])
@pytest.mark.parametrize("name", LOOKS)
def test_every_text_can_be_read_on_its_ground_and_when_pressed_and_on_a_dimmed_screen(name: str, light: float) -> None:
    paper, ink, soft = (theme.dimmed(c, light) for c in (LOOKS[name].paper, LOOKS[name].ink, LOOKS[name].soft))
    assert contrast(paper, ink) >= 4.5
    assert contrast(paper, soft) >= 4.5


def test_a_dimmed_colour_has_its_share_of_the_light() -> None:
    assert theme.dimmed((255, 255, 255), 1.0) == (255, 255, 255)
    assert theme.luminance(theme.dimmed((255, 255, 255), 0.5)) == pytest.approx(0.5, abs=0.01)


def test_a_look_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match=r"contrast of at least 4\.5"):
        Look(paper=(200, 200, 200), ink=(0, 0, 0), soft=(180, 180, 180), edge=(0, 0, 0))


def test_the_card_of_the_player_to_move_is_light_among_dark_ones() -> None:
    assert contrast(theme.TURN.paper, theme.CARD.paper) >= 4.5
