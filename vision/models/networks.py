"""The shape of the small networks, their fitting and their export."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from vision.models import Network
from vision.models.shots import Halves, Labels

BATCH = 128
SIDE_PX = 48  # of the pictures of parts
RATE = 3e-3
MANY = 1000  # weights of a layer that are worth halving
Say = Callable[[str], None]
Weights = NDArray[np.float64]


def picture_network(classes: int) -> nn.Module:
    """Five convolutions on a 48 x 48 colour crop."""
    return nn.Sequential(
        *_convolution(3, 32, side=5, stride=2), *_convolution(32, 48), nn.MaxPool2d(2),
        *_convolution(48, 64), *_convolution(64, 64), nn.MaxPool2d(2),
        *_convolution(64, 96), nn.MaxPool2d(2), *_decision(96 * 9, classes),
    )  # fmt: skip


def direction_network(classes: int) -> nn.Module:
    """Four convolutions on the edge directions of the same crop: without its colours, and however faint."""
    return nn.Sequential(
        Directions(), *_convolution(8, 32), nn.MaxPool2d(2), *_convolution(32, 64), *_convolution(64, 64),
        nn.MaxPool2d(2), *_convolution(64, 96), nn.MaxPool2d(2), *_decision(96 * 4, classes),
    )  # fmt: skip


def _convolution(wide_in: int, wide_out: int, side: int = 3, stride: int = 1) -> tuple[nn.Module, ...]:
    layer = nn.Conv2d(wide_in, wide_out, side, stride, side // 2, bias=False)
    return layer, nn.BatchNorm2d(wide_out), nn.ReLU(inplace=True)


def _decision(wide_in: int, classes: int) -> tuple[nn.Module, ...]:
    return nn.Flatten(), nn.Dropout(0.2), nn.Linear(wide_in, 48), nn.ReLU(), nn.Linear(48, classes)


class Directions(nn.Module):  # type: ignore[misc]  # torch is there for training alone
    """How much edge of what differs from the tile's colour, by however much, runs in each of eight directions.

    Not trained: each of 21 x 21 cells is weighed against the edges around it, so that contrast does not matter.
    """

    def __init__(self) -> None:
        super().__init__()
        across = np.asarray(cv2.getGaussianKernel(5, 0.8), float)
        sobel = np.array([(-1, 0, 1), (-2, 0, 2), (-1, 0, 1)]) / 8
        turns = 2 * np.pi * np.arange(8) / 8
        self.blur = _fixed((across @ across.T)[None, None])
        self.slopes = _fixed(np.stack([sobel, sobel.T])[:, None])
        self.turned = _fixed(np.stack([np.cos(turns), np.sin(turns)], axis=1)[:, :, None, None])

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """From (n, 3, 48, 48) to (n, 8, 21, 21)."""
        ink = torch.sqrt((seen * seen).mean(1, keepdim=True) + 1e-6)
        edges = functional.relu(self.turned(self.slopes(self.blur(ink))))
        cells = functional.avg_pool2d(edges, 2)
        around = functional.avg_pool2d(cells.mean(1, keepdim=True), 5, 1, 2)
        return torch.sqrt(cells / (around + 0.02) + 1e-6)


def _fixed(weights: Weights) -> nn.Conv2d:
    """A convolution that is not trained, (out, in, height, width)."""
    layer = nn.Conv2d(weights.shape[1], weights.shape[0], weights.shape[2:], bias=False)
    layer.weight = nn.Parameter(torch.from_numpy(weights).float(), requires_grad=False)
    return layer


def disturbed(seen: torch.Tensor, halves: bool) -> torch.Tensor:
    """Pictures of parts turned, bent, worn, in another contrast or other colours, so that none is seen twice.

    Args:
        halves: whether parts are halves of dominoes. They show the same when their upper and lower sides change
            places; and as each pip counts, none is rubbed off.
    """
    many = len(seen)
    moved = functional.grid_sample(seen, _places(many), padding_mode="border", align_corners=False)
    if halves:
        moved = torch.where(torch.rand(many, 1, 1, 1) < 0.5, moved.flip(2), moved)
    else:
        moved[: many // 4] *= _print_left(many // 4)
    swaps = torch.stack([torch.randperm(3) for _ in range(many)])[:, :, None, None].expand_as(moved)
    dyed = torch.gather(moved, 1, swaps) * torch.where(torch.rand(many, 1, 1, 1) < 0.25, -1.0, 1.0)
    coloured = torch.where(torch.rand(many, 1, 1, 1) < 0.5, dyed, moved)
    shown = coloured * (0.6 + 0.8 * torch.rand(many, 1, 1, 1))
    few = many // 8
    shown[-few:] += _glints(few)
    return shown


def _places(many: int) -> torch.Tensor:
    """Where to look for what a picture shows: moved, turned, wider or narrower, leaning, a little bent."""
    turn, lean, shift = 0.05 * torch.randn(many), 0.07 * torch.randn(many), torch.randn(many, 2) / 24
    size = torch.exp(0.04 * torch.randn(many))
    width = size * torch.exp(0.06 * torch.randn(many))
    cosine, sine = torch.cos(turn), torch.sin(turn)
    rows = (
        torch.stack([cosine * width, lean - sine * size, shift[:, 0]], 1),
        torch.stack([sine * width, cosine * size, shift[:, 1]], 1),
    )
    straight = functional.affine_grid(torch.stack(rows, 1), [many, 3, SIDE_PX, SIDE_PX], align_corners=False)
    return straight + _smooth(0.03 * torch.randn(many, 2, 5, 5)).permute(0, 2, 3, 1)


def _print_left(many: int) -> torch.Tensor:
    """How much of the print is left where tiles are worn in patches, 0..1, (many, 1, 48, 48)."""
    cells = int(torch.randint(4, 13, ()))
    patches = _smooth(torch.randn(many, 1, cells, cells)) - 0.8 - 0.8 * torch.rand(many, 1, 1, 1)
    rubbed = (patches * (1.5 + 6 * torch.rand(many, 1, 1, 1))).clamp(0, 1)  # fading or with sharp edges
    return 1 - rubbed * (0.3 + 0.7 * torch.rand(many, 1, 1, 1))


def _smooth(coarse: torch.Tensor) -> torch.Tensor:
    """Values known at a few places, for every pixel."""
    return functional.interpolate(coarse, size=(SIDE_PX, SIDE_PX), mode="bicubic", align_corners=True)


def _glints(many: int) -> torch.Tensor:
    """Lamps mirrored in the faces: a bright spot anywhere in each, (many, 1, 48, 48)."""
    along = torch.arange(48.0)
    x, y = ((48 * torch.rand(many, 1) - along) ** 2 for _ in range(2))
    wide = 2 * (2.5 + 6 * torch.rand(many, 1, 1)) ** 2
    spots = torch.exp(-(x[:, None, :] + y[:, :, None]) / wide) * (0.2 + 0.9 * torch.rand(many, 1, 1))
    return spots[:, None]


def fit(network: nn.Module, seen: Halves, labels: Labels, epochs: int, halves: bool, notes: Path, say: Say) -> None:
    """Train with a one-cycle rate.

    Args:
        halves: as in `disturbed`.
        notes: where the state is kept after every epoch; training goes on from there when it is started again.
    """
    inputs, targets = torch.from_numpy(seen), torch.from_numpy(labels)
    steps = max(len(labels) // BATCH, 1)
    network.to(memory_format=torch.channels_last)  # nearly twice as fast on a processor
    learnt = [weights for weights in network.parameters() if weights.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=RATE, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=epochs * steps)
    loss_of = nn.CrossEntropyLoss()
    parts = {"network": network, "optimiser": optimiser, "rate": rate}
    done = 0
    if notes.exists():
        kept = torch.load(notes, weights_only=True)
        done = kept["epochs"]
        for name, part in parts.items():
            part.load_state_dict(kept[name])
    for epoch in range(done, epochs):
        torch.manual_seed(1000 + epoch)  # an epoch is the same whether or not training was interrupted before it
        network.train()
        total, started = 0.0, time.monotonic()
        for rows in torch.randperm(len(labels))[: steps * BATCH].split(BATCH):
            shown = disturbed(inputs[rows].float(), halves).contiguous(memory_format=torch.channels_last)
            # Half the digits do for learning, and take half the time; OpenCV later computes with all of them.
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(shown)
            loss = loss_of(scores.float(), targets[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
            total += float(loss.detach())
        spent = time.monotonic() - started
        left_min = spent * (epochs - epoch - 1) / 60
        say(f"epoch {epoch + 1} of {epochs}: loss {total / steps:.4f}, {spent:.0f} s, about {left_min:.0f} min left")
        draft = notes.with_suffix(".draft")
        torch.save({"epochs": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, draft)
        draft.rename(notes)


def finish(network: nn.Module, path: Path, seen: Halves, labels: Labels, say: Say) -> float:
    """Fit the temperature on unseen sets, export, and check that OpenCV computes the same.

    Returns:
        The share of unseen parts read right.
    """
    network.eval().to(memory_format=torch.contiguous_format)
    inputs, targets = torch.from_numpy(seen).float(), torch.from_numpy(labels)
    with torch.no_grad():
        scores = torch.cat([network(rows) for rows in inputs.split(512)])
    right = float((scores.argmax(1) == targets).float().mean())
    temperatures = np.geomspace(0.4, 4, 40)
    losses = [float(nn.functional.cross_entropy(scores / t, targets)) for t in temperatures]
    temperature = float(temperatures[int(np.argmin(losses))])
    last = network[-1]
    with torch.no_grad():
        last.weight /= temperature
        last.bias /= temperature
    torch.onnx.export(
        network, (inputs[:2],), str(path), input_names=["seen"], output_names=["scores"],
        dynamic_axes={"seen": {0: "n"}, "scores": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    _halve(path)
    with torch.no_grad():
        theirs = torch.softmax(network(inputs[:64]), 1).numpy()
    apart = float(np.abs(Network(path).probabilities(inputs[:64].numpy()) - theirs).max())
    if apart > 3e-3:
        raise ValueError(f"expected OpenCV to compute what torch does, differs by {apart}")
    say(f"{path.name}: {right:.2%} of {len(labels)} unseen parts right, temperature {temperature:.2f}")
    return right


def _halve(path: Path) -> None:
    """Keep the many weights of a network's file with half the digits; OpenCV reads them so."""
    model = onnx.load(path)
    for stored in model.graph.initializer:
        weights = numpy_helper.to_array(stored)
        if weights.dtype == np.float32 and weights.size >= MANY:
            stored.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), stored.name))
    onnx.save(model, path)
