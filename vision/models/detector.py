"""The detector's network, its training on made-up scenes, and its export; `vision/still/detector.py` runs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.kinds import Image
from vision.models.detector_crops import batch
from vision.models.detector_scenes import Album, Labelled
from vision.still.detector import KINDS, OUTPUTS, DetectorMaps

Say = Callable[[str], None]

BATCH = 16
RATE = 3e-3
SEED = 11
TABLES, STEPS = 1600, 7000
WARMING, COOLING = 800, 1500  # steps in which the rate rises at first, and falls to nothing at last
STEPS_PER_NOTE = 100
SHARES = (0.5, 0.5, 2.0, 1.0, 1.0, 1.5, 1.5)  # of the errors of an outline in the loss


def detector_network() -> nn.Module:
    """Convolutions down to a sixteenth of the picture's size and up again to a quarter."""
    return _Detector()


class _Detector(nn.Module):  # type: ignore[misc]  # torch is not there where types are checked
    def __init__(self) -> None:
        super().__init__()
        self.quarter = _layer(3, 24, 4, 7)
        self.eighth = nn.Sequential(_layer(24, 40, 2), _layer(40, 40))
        self.sixteenth = nn.Sequential(_layer(40, 64, 2), _layer(64, 64), _layer(64, 64))
        self.up_to_eighth = nn.Conv2d(64, 40, 1)
        self.joined_eighth = _layer(40, 40)
        self.up_to_quarter = nn.Conv2d(40, 24, 1)
        self.joined_quarter = _layer(24, 24)
        self.told = nn.Conv2d(24, OUTPUTS, 1)
        self.twice = nn.Upsample(scale_factor=2, mode="nearest")
        nn.init.zeros_(self.told.bias)
        nn.init.constant_(self.told.bias[: len(KINDS)], -4.0)  # hardly any cell is a centre

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """From BGR 0..1, (n, 3, height, width), to (n, OUTPUTS, height / 4, width / 4)."""
        quarter = self.quarter(seen)
        eighth = self.eighth(quarter)
        wide = self.joined_eighth(eighth + self.twice(self.up_to_eighth(self.sixteenth(eighth))))
        told: torch.Tensor = self.told(self.joined_quarter(quarter + self.twice(self.up_to_quarter(wide))))
        return told


def _layer(wide_in: int, wide_out: int, stride: int = 1, side: int = 3) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(wide_in, wide_out, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(wide_out),
        nn.ReLU(inplace=True),
    )


def loss_of(told: torch.Tensor, targets: dict[str, torch.Tensor]) -> torch.Tensor:
    """How far off the chances are, most where they are far off, and how far the outlines where there are tiles."""
    scores, heat = told[:, : len(KINDS)], targets["heat"]
    off = nn.functional.binary_cross_entropy_with_logits(scores, heat, reduction="none")
    off = off * (torch.sigmoid(scores) - heat) ** 2 * targets["weight"][:, None]
    outline = nn.functional.smooth_l1_loss(told[:, len(KINDS) :], targets["told"], reduction="none", beta=0.05)
    shares = torch.tensor(SHARES)[:, None, None]
    tiles = targets["near"].sum().clamp(min=1)
    return 4 * off.sum() / heat.sum().clamp(min=1) + (outline * shares * targets["near"][:, None]).sum() / tiles


def fit(network: nn.Module, scenes: Sequence[Labelled], steps: int, notes: Path, say: Say) -> None:
    """Train with a rate that rises, stays and falls.

    Args:
        notes: where the state is kept every so many steps; training goes on from there when it is started again.
    """
    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-4)
    shares = np.minimum((np.arange(steps) + 1) / WARMING, (steps - np.arange(steps)) / COOLING).clip(max=1)
    rate = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: float(shares[min(step, steps - 1)]))
    parts = {"network": network, "optimiser": optimiser, "rate": rate}
    done = 0
    if notes.exists():
        kept = torch.load(notes, weights_only=True)
        done = kept["steps"]
        for name, part in parts.items():
            part.load_state_dict(kept[name])
    network.train()
    for start in range(done, steps, STEPS_PER_NOTE):
        random = np.random.default_rng((SEED, start))  # the same whether or not training was interrupted before it
        total, began = 0.0, time.monotonic()
        stop = min(start + STEPS_PER_NOTE, steps)
        for _ in range(start, stop):
            pictures, maps = batch(scenes, BATCH, random)
            seen, wanted = torch.from_numpy(pictures), {name: torch.from_numpy(each) for name, each in maps.items()}
            # Half the digits do for the maps, and take half the time; OpenCV later computes with all of them.
            with torch.autocast("cpu", torch.bfloat16):
                told = network(seen.to(memory_format=torch.channels_last))
            loss = loss_of(told.float(), wanted)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            rate.step()
            total += float(loss.detach())
        say(f"step {stop} of {steps}, loss {total / (stop - start):.4f}, {time.monotonic() - began:.0f} s")
        draft = notes.with_suffix(".draft")
        torch.save({"steps": stop} | {name: part.state_dict() for name, part in parts.items()}, draft)
        draft.rename(notes)


def export(network: nn.Module, path: Path, picture: Image, say: Say) -> None:
    """Write the network for OpenCV and check that it computes the same.

    Raises:
        ValueError: if it does not.
    """
    network.eval()
    seen = torch.from_numpy(picture.transpose(2, 0, 1)[None].astype(np.float32) / 255)
    sizes = {2: "height", 3: "width"}
    torch.onnx.export(
        network, (seen,), str(path), input_names=["seen"], output_names=["told"],
        dynamic_axes={"seen": sizes, "told": sizes}, opset_version=13, dynamo=False,
    )  # fmt: skip
    with torch.no_grad():
        wanted = network(seen)[0].numpy()
    apart = float(np.abs(DetectorMaps(path).of(picture) - wanted).max())
    if apart > 1e-3:
        raise ValueError(f"expected OpenCV to compute what torch does, differs by {apart}")
    say(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, as in torch but for {apart:.1e}")


def train(albums: Sequence[Album], steps: int, out: Path, state: Path, say: Say) -> None:
    """Train and export the detector from pictures that are made already; it goes on where it was stopped."""
    scenes = [picture for album in albums for picture in album.pictures()]
    say(f"{len(scenes)} tables to train on")
    torch.manual_seed(SEED)
    network = detector_network()
    fit(network, scenes, steps, state, say)
    export(network, out / "detector.onnx", scenes[0].picture()[0], say)
