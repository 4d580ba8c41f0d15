"""The small networks that read faces, and the outlines of the numerals; see README.md beside them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.models.examples import Examples

FOLDER = Path(__file__).parent
Floats = NDArray[np.float32]


class Network:
    """A trained network, run by OpenCV."""

    def __init__(self, file: Path) -> None:
        path = str(file)
        # OpenCV 5 has several engines; its new one is slower on networks this small.
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        self._net = cv2.dnn.readNetFromONNX(path) if engine is None else cv2.dnn.readNetFromONNX(path, engine=engine)
        self._last: list[str] | None = None  # the layers asked for the scores and for what they are taken from

    def probabilities(self, batch: Floats, known: Examples | None = None) -> NDArray[np.float64]:
        """The probability of each class, (n, classes), for a batch whose first axis is n.

        Args:
            known: what the network saw of the set in play.
        """
        if known is None:
            self._net.setInput(np.ascontiguousarray(batch, np.float32))
            return in_parts_of_one(self._net.forward().astype(float))
        scores, features = self.looked(batch)
        return in_parts_of_one(known.adapted(scores, features))

    def looked(self, batch: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The score of each class, (n, classes), and the features that the last layer takes it from, (n, features)."""
        if self._last is None:
            names = self._net.getLayerNames()
            before = next(name for name in reversed(names) if name.endswith("Relu"))
            self._last = [*self._net.getUnconnectedOutLayersNames(), before]
        self._net.setInput(np.ascontiguousarray(batch, np.float32))
        scores, features = self._net.forward(self._last)
        return scores.astype(float), features.astype(float)


def in_parts_of_one(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores (n, classes) as probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return chances


@cache
def network(name: str, folder: Path = FOLDER) -> Network:
    """The network of that name, loaded at its first use and kept."""
    return Network(folder / f"{name}.onnx")


@cache
def numeral_outlines() -> tuple[tuple[NDArray[np.float64], ...], ...]:
    """The numerals 0-9 as closed contours, each (n, 2): x to the right, y down, one unit high, centred."""
    document = json.loads((FOLDER / "numerals.json").read_text(encoding="utf-8"))
    return tuple(tuple(np.array(contour, float) / document["units"] for contour in digit) for digit in document["0-9"])
