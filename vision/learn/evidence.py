"""What the readers make of the faces of one set, before and after they have seen which mark of the set is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.kinds import Feet, Image, Kind, Marks
from vision.models import FOLDER, in_parts_of_one, network
from vision.models.examples import Examples

Logs = NDArray[np.float64]
Numbers = tuple[int, ...]

_SURELY = 0.02  # a reader's surest "no" is still taken for so much of a "perhaps"


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What one reader saw: the scores and features of every part of every face in every way it may stand."""

    scores: Logs  # (faces, ways, parts, classes)
    features: Logs  # (faces, ways, parts, features)


class Evidence:
    """The faces of one set as its readers see them, if the set bears such marks with such feet."""

    def __init__(self, kind: Kind, faces: Sequence[Image], marks: Marks | None, feet: Feet | None) -> None:
        """Show the faces, at least one, to the readers."""
        self.kind, self.marks, self.feet = kind, marks, feet
        crops = np.stack([kind.crops(face, feet) for face in faces])
        shape = crops.shape[:3]
        self._seen = {}
        for name in kind.readers:
            scores, features = network(name, FOLDER).looked(crops.reshape(-1, *crops.shape[3:]))
            self._seen[name] = Seen(scores.reshape(*shape, -1), features.reshape(*shape, -1))

    def logs(self, named: Sequence[Numbers] | None = None) -> Logs:
        """The logarithms of the chances of every number in every part, (faces, ways, parts, numbers).

        Args:
            named: the numbers of each face, () where they are open. A face's own examples tell nothing of itself.
        """
        learnt = {} if named is None else self.examples(named)
        owner = np.array([face for face, values in enumerate(named or ()) for _ in values], np.int64)
        total: Logs | None = None
        for name, seen in self._seen.items():
            scores = seen.scores.reshape(-1, seen.scores.shape[-1])
            if name in learnt:
                own = np.repeat(np.arange(self._shape[0]), self._shape[1] * self._shape[2])[:, None] == owner
                scores = learnt[name].adapted(scores, seen.features.reshape(len(scores), -1), own)
            chances = in_parts_of_one(scores)
            logs = np.log((1 - _SURELY) * self.kind.numbers(chances, self.marks) + _SURELY / 10)
            total = logs if total is None else total + logs
        assert total is not None  # every kind has readers
        return np.asarray(total.reshape(*self._shape, -1) / len(self._seen))

    def examples(self, named: Sequence[Numbers]) -> dict[str, Examples]:
        """What the readers saw of the faces whose numbers are known; () are left out."""
        known = [(face, values) for face, values in enumerate(named) if values]
        if not known:
            return {}
        plain = self.logs()
        ways = [_way(plain[face], values) for face, values in known]
        classes = np.array([each for _, values in known for each in self.kind.classes(values, self.marks)], np.int64)
        faces = [face for face, _ in known]
        owner = np.repeat(faces, self._shape[2])
        learnt = {}
        for name, seen in self._seen.items():
            features, scores = (each[faces, ways].reshape(len(classes), -1) for each in (seen.features, seen.scores))
            learnt[name] = Examples.of(features, classes, self.kind.nothing).fitted(scores, owner)
        return learnt

    @property
    def alike(self) -> float:
        """How much marks of different faces that are read as the same number look alike, at most 1; 0 with none."""
        logs = self.logs()
        faces = np.arange(len(logs))
        ways = logs.max(axis=3).sum(axis=2).argmax(axis=1)
        numbers, owner = logs[faces, ways].argmax(axis=2).ravel(), np.repeat(faces, logs.shape[2])
        same = (numbers[:, None] == numbers) & (owner[:, None] != owner)
        if not same.any():
            return 0.0
        nearest = []
        for seen in self._seen.values():
            marks = seen.features[faces, ways].reshape(len(numbers), -1)
            marks = marks / np.maximum(np.linalg.norm(marks, axis=1, keepdims=True), 1e-6)
            nearest.append(np.where(same, marks @ marks.T, -np.inf).max(axis=1)[same.any(axis=1)])
        return float(np.mean(nearest))

    @property
    def _shape(self) -> tuple[int, int, int]:
        """Faces, ways, parts."""
        faces, ways, parts, _ = next(iter(self._seen.values())).scores.shape
        return faces, ways, parts


def _way(logs: Logs, values: Numbers) -> int:
    """The way of standing in which a face, (ways, parts, numbers), shows these numbers most clearly."""
    return int(logs[:, np.arange(len(values)), list(values)].sum(axis=1).argmax())
