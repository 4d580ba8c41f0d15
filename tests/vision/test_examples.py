"""Examples of a set change the scores of what looks like them, and of nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from vision.models import in_parts_of_one
from vision.models.examples import FEW, Examples

NOTHING = 3
AXES = np.eye(6)


def test_what_looks_like_an_example_is_taken_for_its_class() -> None:
    examples = Examples.of(3 * AXES[:2], np.array([0, 1]), NOTHING)
    scores = np.array([[0.0, 2.0, 0.0, 0.0]] * 2)
    adapted = examples.adapted(scores, 5 * AXES[[0, 4]])
    assert adapted[0].argmax() == 0
    assert np.allclose(in_parts_of_one(adapted)[1], in_parts_of_one(scores)[1], atol=0.01)


def test_what_is_no_part_of_a_tile_is_none_as_before() -> None:
    examples = Examples.of(AXES[:2], np.array([0, 1]), NOTHING)
    scores = np.array([[0.0, 2.0, 0.0, 9.0]])
    before, after = in_parts_of_one(scores), in_parts_of_one(examples.adapted(scores, AXES[[4]]))
    assert after[0, NOTHING] == pytest.approx(before[0, NOTHING], abs=0.01)
    assert in_parts_of_one(examples.adapted(scores, AXES[[0]]))[0, NOTHING] < before[0, NOTHING]


def test_an_example_tells_nothing_of_a_picture_that_it_is_kept_from() -> None:
    examples = Examples.of(AXES[:1], np.array([0]), NOTHING)
    scores = np.array([[0.0, 2.0, 0.0, 0.0]])
    kept = examples.adapted(scores, AXES[[0]], np.array([[True]]))
    assert np.allclose(in_parts_of_one(kept), in_parts_of_one(scores))


def test_a_network_that_is_wrong_about_the_set_is_trusted_less() -> None:
    random = np.random.default_rng(1)
    classes = np.tile([0, 1, 2], FEW)
    features = AXES[classes] + random.normal(0, 0.05, (len(classes), 6))
    mistaken, right = np.zeros((len(classes), 4)), np.zeros((len(classes), 4))
    mistaken[np.arange(len(classes)), (classes + 1) % 3] = 9
    right[np.arange(len(classes)), classes] = 9
    owner = np.arange(len(classes))
    examples = Examples.of(features, classes, NOTHING)
    assert examples.fitted(mistaken, owner).trust < examples.fitted(right, owner).trust
    few = Examples.of(features[:3], classes[:3], NOTHING)
    assert few.fitted(mistaken[:3], owner[:3]) is few
