"""The shape of the small networks, their fitting and their export."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.models import Network
from vision.models.shots import Halves, Labels

BATCH = 128
Say = Callable[[str], None]


def picture_network(classes: int) -> nn.Module:
    """Four convolutions on a 48 x 48 colour crop."""
    layers: list[nn.Module] = []
    for wide_in, wide_out in ((3, 16), (16, 32), (32, 48), (48, 64)):
        layers += [nn.Conv2d(wide_in, wide_out, 3, padding=1), nn.BatchNorm2d(wide_out), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 9, 48), nn.ReLU(), nn.Linear(48, classes)
    )


def direction_network(classes: int) -> nn.Module:
    """One hidden layer on edge directions."""
    return nn.Sequential(nn.Dropout(0.1), nn.Linear(512, 160), nn.ReLU(), nn.Dropout(0.2), nn.Linear(160, classes))


def disturbed(seen: torch.Tensor, flips: bool) -> torch.Tensor:
    """Pictures of parts with another contrast, shifted by a pixel or turned over, so that none is seen twice.

    Args:
        flips: whether a part shows the same when its upper and lower sides change places, as a half does.
    """
    across, down = (int(step) for step in torch.randint(-1, 2, (2,)))
    moved = torch.roll(seen, (across, down), (2, 3)) * (0.7 + 0.6 * torch.rand(len(seen), 1, 1, 1))
    if not flips:
        return moved
    over = torch.rand(len(seen), 1, 1, 1) < 0.5
    return torch.where(over, moved.flip(2), moved)


def fit(network: nn.Module, seen: Halves, labels: Labels, epochs: int, flips: bool, notes: Path, say: Say) -> None:
    """Train with a one-cycle rate.

    Args:
        notes: where the state is kept after every epoch; training goes on from there when it is started again.
    """
    inputs, targets = torch.from_numpy(seen), torch.from_numpy(labels)
    steps = len(labels) // BATCH
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=epochs * steps)
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
            picked = inputs[rows].float()
            loss = loss_of(network(disturbed(picked, flips) if picked.ndim == 4 else picked), targets[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
            total += float(loss.detach())
        say(f"epoch {epoch + 1} of {epochs}: loss {total / steps:.4f}, {time.monotonic() - started:.0f} s")
        draft = notes.with_suffix(".draft")
        torch.save({"epochs": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, draft)
        draft.rename(notes)


def finish(network: nn.Module, path: Path, seen: Halves, labels: Labels, say: Say) -> float:
    """Fit the temperature on unseen sets, export, and check that OpenCV computes the same.

    Returns:
        The share of unseen parts read right.
    """
    network.eval()
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
    with torch.no_grad():
        theirs = torch.softmax(network(inputs[:64]), 1).numpy()
    apart = float(np.abs(Network(path).probabilities(inputs[:64].numpy()) - theirs).max())
    if apart > 1e-4:
        raise ValueError(f"expected OpenCV to compute what torch does, differs by {apart}")
    say(f"{path.name}: {right:.2%} of {len(labels)} unseen parts right, temperature {temperature:.2f}")
    return right
