"""Some pages look as they looked when people last looked at them; letters may be drawn a little differently."""

from __future__ import annotations

import pygame
import pytest

from tests.display import gallery

COARSE = (100, 60)
MOST_MEAN, MOST_ANYWHERE = 3.0, 90  # of 255: another version of the library draws edges softer, not other things


def differences(one: pygame.Surface, other: pygame.Surface) -> tuple[float, int]:
    """How much two pictures differ seen from afar: on average, and where they differ most."""
    seen = [pygame.image.tobytes(pygame.transform.smoothscale(each, COARSE), "RGB") for each in (one, other)]
    each = [abs(here - there) for here, there in zip(*seen, strict=True)]
    return sum(each) / len(each), max(each)


@pytest.mark.parametrize(("language", "name"), gallery.REFERRED)
def test_a_page_looks_as_it_did(language: str, name: str) -> None:
    pygame.font.init()
    path, now = gallery.reference(language, name)
    mean, most = differences(pygame.image.load(str(path)), now)
    assert mean <= MOST_MEAN, f"python -m tests.display.gallery {path.parent} draws the pictures anew"
    assert most <= MOST_ANYWHERE, f"python -m tests.display.gallery {path.parent} draws the pictures anew"


def test_a_word_that_is_gone_or_another_language_would_be_seen() -> None:
    pygame.font.init()
    _, english = gallery.reference("en", "hexagon")
    _, romanian = gallery.reference("ro", "hexagon")
    gone = english.copy()
    gone.fill(gone.get_at((210, 190)), pygame.Rect(170, 190, 70, 12))
    for other in (romanian, gone):
        mean, most = differences(english, other)
        assert mean > MOST_MEAN or most > MOST_ANYWHERE
