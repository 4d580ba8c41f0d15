"""Naming the faces of a set: what is clear is named, what is not stays open, what people say counts."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO, smallest_rotation
from tests.vision.showing import whole_set
from vision.kinds import Expectation, Feet, Image, Marks, Style, kinds, triomino
from vision.kinds.numerals import flat_numerals
from vision.kinds.paint import finished
from vision.kinds.triomino import FEET_TO_CENTRE, PIPS
from vision.learn import Lesson, Wanted, lesson, study

DRAWN = Style(pin=None)


def drawn(kind: str, values: Sequence[tuple[int, ...]], style: Style = DRAWN) -> list[Image]:
    """Faces as they look when they are cut from a picture: on a dark table, a little blurred and noisy."""
    random = np.random.default_rng(3)
    faces = []
    for each in values:
        face = kinds()[kind].draw(each, style, 2).astype(np.float32)
        alpha = face[..., 3:] / 255
        on_table = face[..., :3] * alpha + (1 - alpha) * 60
        small = cv2.resize(on_table, kinds()[kind].face_size_px, interpolation=cv2.INTER_AREA)
        noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + random.normal(0, 3, small.shape)
        faces.append(np.clip(noisy, 0, 255).astype(np.uint8))
    return faces


def studied(
    kind: str,
    faces: Sequence[Image],
    wanted: Wanted | None = None,
    said: dict[int, tuple[int, ...]] | None = None,
    pictures: Sequence[int] | None = None,
) -> Lesson:
    return study(kinds()[kind], faces, pictures or [0] * len(faces), wanted or Wanted(), said or {})


@pytest.mark.parametrize(
    ("variant", "marks", "feet"),
    [
        (0, Marks.NUMERALS, Feet.CORNER),
        (FEET_TO_CENTRE, Marks.NUMERALS, Feet.CENTRE),
        (PIPS, Marks.PIPS, None),
    ],
)
def test_what_triominoes_bear_is_found_out_and_every_tile_is_named(variant: int, marks: Marks, feet: Feet) -> None:
    values = whole_set(TRIOMINO, 4)
    lesson = studied(TRIOMINO, drawn(TRIOMINO, values, Style(pin=None, variant=variant)), Wanted(4))
    assert (lesson.evidence.marks, lesson.evidence.feet) == (marks, feet)
    clear = [(each.tile, true) for each, true in zip(lesson.named, values, strict=True) if not each.is_open]
    assert all(tile == true for tile, true in clear)
    assert len(clear) >= 33
    assert lesson.missing == ()


@pytest.mark.parametrize(
    ("turns_deg", "feet"),
    [((0.0, 0.0, 0.0), Feet.CORNER), ((180.0, 60.0, -60.0), Feet.UPRIGHT)],
)
def test_fixed_feet_are_told_by_marks_that_look_alike_where_the_readers_read_them_either_way(
    monkeypatch: pytest.MonkeyPatch, turns_deg: tuple[float, float, float], feet: Feet
) -> None:
    """Every way round is taken to be read as clearly as any other."""
    monkeypatch.setattr(lesson, "_clear", lambda one: 0.0 if one.marks is Marks.NUMERALS else -300.0)

    def draw(values: tuple[int, ...], style: Style, scale: int) -> Image:
        return finished(triomino.paint(values, style, triomino.Make(turns_deg=turns_deg), scale, flat_numerals))

    monkeypatch.setattr(type(kinds()[TRIOMINO]), "draw", lambda _, values, style, scale: draw(values, style, scale))
    chosen = lesson.understood(kinds()[TRIOMINO], drawn(TRIOMINO, whole_set(TRIOMINO, 3)))
    assert (chosen.marks, chosen.feet) == (Marks.NUMERALS, feet)


def test_how_far_a_set_of_dominoes_goes_is_found_out() -> None:
    lesson = studied(DOMINO, drawn(DOMINO, whole_set(DOMINO, 7)))
    assert lesson.tileset.highest == 7
    assert [each.tile for each in lesson.named] == whole_set(DOMINO, 7)
    assert lesson.open == ()


def test_a_tile_that_is_not_there_is_missing() -> None:
    values = [each for each in whole_set(DOMINO, 6) if each != (3, 5)]
    assert studied(DOMINO, drawn(DOMINO, values), Wanted(6)).missing == ((3, 5),)
    assert studied(DOMINO, drawn(DOMINO, values), Wanted(6, partly=True)).missing == ()


def test_a_tile_shown_twice_is_never_named_as_the_one_that_is_missing() -> None:
    values = [(2, 4) if each == (3, 5) else each for each in whole_set(DOMINO, 6)]
    lesson = studied(DOMINO, drawn(DOMINO, values), Wanted(6))
    twice = [face for face, each in enumerate(values) if each == (2, 4)]
    assert set(lesson.open) & set(twice)
    assert all(each.tile != (3, 5) for each in lesson.named if not each.is_open)


def test_the_same_tile_may_be_in_two_pictures_of_a_set_that_is_shown_partly() -> None:
    faces = drawn(DOMINO, [(2, 4), (3, 5), (2, 4), (0, 6)])
    lesson = studied(DOMINO, faces, Wanted(6, partly=True), pictures=[0, 0, 1, 1])
    assert [each.tile for each in lesson.named] == [(2, 4), (3, 5), (2, 4), (0, 6)]
    assert lesson.open == ()
    assert lesson.unknown == (1,)


def test_what_people_say_counts_more_than_what_is_read() -> None:
    values = whole_set(DOMINO, 3)
    lesson = studied(DOMINO, drawn(DOMINO, values), Wanted(3, partly=True), {0: (1, 3), 1: ()})
    assert lesson.named[0].tile == (1, 3)
    assert lesson.named[1].values == ()
    assert not {0, 1} & set(lesson.open)


def test_only_people_can_say_that_a_set_is_out_of_order() -> None:
    values = [(0, 3, 2) if each == (0, 2, 3) else each for each in whole_set(TRIOMINO, 3)]
    faces, odd = drawn(TRIOMINO, values), values.index((0, 3, 2))
    before = studied(TRIOMINO, faces, Wanted(3))
    assert before.tileset.ascending
    assert odd in before.open
    assert (0, 3, 2) in before.named[odd].others
    after = studied(TRIOMINO, faces, Wanted(3), {odd: (0, 3, 2)})
    assert not after.tileset.ascending
    assert (after.named[odd].tile, after.missing) == ((0, 3, 2), ())


def test_two_marks_that_may_have_changed_places_are_asked_about() -> None:
    """Halves that are all bare or all alike tell nothing of which number is which."""
    noise = np.random.default_rng(1).integers(0, 256, (3, 80, 160, 3)).astype(np.uint8)
    lesson = studied(DOMINO, list(noise), Wanted(6, partly=True))
    assert lesson.open == (0, 1, 2)


def test_marks_that_mean_something_else_in_this_set_are_read_as_it_means_them() -> None:
    """A set whose 1 looks like a 7 to any reader: once its faces are named, it is read by them."""
    values = whole_set(TRIOMINO, 3)
    printed = [tuple(7 if number == 1 else number for number in each) for each in values]
    faces, kind = drawn(TRIOMINO, printed), kinds()[TRIOMINO]
    lesson = studied(TRIOMINO, faces, Wanted(3), dict(enumerate(values)))
    known = [lesson.named[face].values for face in range(len(faces))]
    learnt = lesson.evidence.examples(known)
    others = drawn(TRIOMINO, printed, Style(face=(180, 200, 205), pin=None))
    read = [kind.read(face, 3, Expectation(Marks.NUMERALS, Feet.CORNER, learnt=learnt)) for face in others]
    assert [smallest_rotation(one.values) for one in read[1:]] == values[1:]
    plain = [smallest_rotation(one.values) if one.values else () for one in (kind.read(face, 3) for face in others)]
    assert all(one != true for one, true in zip(plain, values, strict=True) if 1 in true)
