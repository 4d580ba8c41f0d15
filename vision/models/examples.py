"""What a network saw of one set of tiles whose marks are known: its scores then fit that set, and nothing is trained.

Source: adding what a cache of few labelled examples says to the scores is the method "Tip-Adapter", arXiv 2111.03930.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Classes = NDArray[np.int64]
Mask = NDArray[np.bool_]

# How far the network's own scores may be trusted, how much an example counts, how soon that fades as a picture looks
# less alike: the combination is taken by which the examples tell of each other best.
TRUSTS, WEIGHTS, SHARPNESSES = (1.0, 0.75, 0.5, 0.25), (8.0, 12.0, 16.0, 24.0), (10.0, 20.0)
FEW = 30  # examples, with which nothing can be told about that
PART = 3.0  # by how much, as a logarithm, what looks as an example does is likelier to be a part of a tile
_SURELY = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Pictures whose class is known.

    Attributes:
        features: each row of length 1, (n, features).
        classes: what each shows, (n,).
        nothing: the class of what is no part of a tile.
        trust: by what the network's own scores are multiplied.
        weight: by how much the score of a class rises for a picture that looks as one of its examples does.
        sharpness: how soon that fades.
    """

    features: Floats
    classes: Classes
    nothing: int
    trust: float = TRUSTS[0]
    weight: float = WEIGHTS[0]
    sharpness: float = SHARPNESSES[0]

    @classmethod
    def of(cls, features: Floats, classes: Classes, nothing: int) -> Examples:
        """Examples from the features as the network gives them."""
        return cls(_of_length_one(features), classes, nothing)

    def fitted(self, scores: Floats, owner: Classes) -> Examples:
        """The same with as much trust and weight as they bear out themselves.

        Args:
            scores: the network's own for each example, (n, classes).
            owner: of which face each is a part; the parts of a face tell nothing of each other.
        """
        if len(self.classes) < FEW:
            return self
        apart = owner[:, None] == owner
        best, least = self, np.inf
        for sharpness in SHARPNESSES:
            sharp = replace(self, sharpness=sharpness)
            nearest = sharp._nearest(self.features, scores.shape[1], apart)
            for trust, weight in product(TRUSTS, WEIGHTS):
                way = replace(sharp, trust=trust, weight=weight)
                misfit = way._misfit(way._joined(scores, nearest))
                best, least = (way, misfit) if misfit < least else (best, least)
        return best

    def adapted(self, scores: Floats, features: Floats, unlike: Mask | None = None) -> Floats:
        """The scores (n, classes) that fit the set, for pictures with these features.

        Whether something is a part of a tile at all the network tells as before, surer where it looks like one.

        Args:
            unlike: (n, examples) True where an example is not to tell of a picture.
        """
        return self._joined(scores, self._nearest(_of_length_one(features), scores.shape[1], unlike))

    def _nearest(self, features: Floats, count: int, unlike: Mask | None) -> Floats:
        """How much pictures look like the likest example of each class, (n, count), 0..1."""
        near = np.exp(self.sharpness * (features @ self.features.T - 1))
        if unlike is not None:
            near[unlike] = 0
        nearest = np.zeros((len(features), count))
        for each in np.unique(self.classes):
            nearest[:, each] = near[:, self.classes == each].max(axis=1)
        return nearest

    def _joined(self, scores: Floats, nearest: Floats) -> Floats:
        parts = np.arange(scores.shape[1]) != self.nothing
        adapted = self.trust * scores + self.weight * nearest
        odds = scores[:, self.nothing] - _log_sum(scores[:, parts])[:, 0] - PART * nearest.max(axis=1)
        adapted[:, self.nothing] = odds + _log_sum(adapted[:, parts])[:, 0]
        return adapted

    def _misfit(self, adapted: Floats) -> float:
        """How badly the scores of the examples themselves tell what they are."""
        chances = np.exp(adapted - _log_sum(adapted))[np.arange(len(self.classes)), self.classes]
        return float(-np.log((1 - _SURELY) * chances + _SURELY / adapted.shape[1]).sum())


def _log_sum(scores: Floats) -> Floats:
    """The logarithm of the sum of the powers, (n, 1)."""
    most = scores.max(axis=1, keepdims=True)
    return np.asarray(most + np.log(np.exp(scores - most).sum(axis=1, keepdims=True)))


def _of_length_one(features: Floats) -> Floats:
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    return np.asarray(features / np.maximum(lengths, 1e-6), np.float64)
