"""Puts the rooms of one house together: which processes, with which arguments, in which directories."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee import notify
from referee.config import Places

ROOMS = ("table", "vision", "phone", "screen")
_GET_ADDRESS = 0x8915  # SIOCGIFADDR of Linux


@dataclass(frozen=True, slots=True)
class House:
    """What `run` and `demo` start.

    `table` are the arguments that say what is played. `camera` None means score keeping by touch. With `evidence`
    pictures of what is ruled on are kept.
    """

    places: Places
    table: tuple[str, ...]
    camera: str | None
    calibration: str | None = None
    tileset: str | None = None
    kind: str = ""
    highest: int = 6
    port: int = 8420
    lan: bool = False
    native: int | None = None
    screen: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ROOMS
    evidence: bool = True
    wiring: tuple[str, ...] = ()

    def commands(self, measuring: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
        """Each room's name and its arguments for `referee`, in the order of starting.

        Args:
            measuring: those of `calibrate`, to which the eye gives the camera away.
        """
        calibration = ["--calibration", self.calibration] if self.calibration else []
        tileset = ["--set", self.tileset] if self.tileset else []
        table = ["table", *self.table, *self.wiring, *calibration, *tileset]
        table += ["--phones", self.phones if "phone" in self.rooms else ""]
        table += ["--native", str(self.native), *(["--lan"] if self.lan else [])] if self.native is not None else []
        vision = ["vision", "--camera", self.camera or "none", *calibration]
        told = ["--kind", self.kind, "--highest", str(self.highest)] if self.kind else []
        vision += tileset or told
        if not self.evidence:
            table, vision = [*table, "--no-evidence"], [*vision, "--no-evidence"]
        phone = ["phone", "--port", str(self.port), *(["--lan"] if self.lan else [])]
        all_rooms = {
            "table": table if self.camera else [*table, "--no-camera"],
            "vision": vision,
            "phone": phone,
            "screen": ["screen", *self.screen],
        }
        if measuring:
            all_rooms["calibrate"] = [*measuring]
        eye = "calibrate" if measuring else "vision" if self.camera else ""
        names = (eye if name == "vision" else name for name in self.rooms)
        return [(name, all_rooms[name]) for name in names if name]

    @property
    def after(self) -> dict[str, tuple[str, ...]]:
        """What is done when a room has died: a table that was killed may have left its buzzer on."""
        return {"table": ("quiet", *self.wiring)}

    @property
    def once(self) -> tuple[str, ...]:
        """The rooms that are not to be started again: they would begin from their beginning."""
        return ("vision", "calibrate") if self.camera and is_recording(self.camera) else ("calibrate",)

    @property
    def phones(self) -> str:
        """Where the phone page is, and for whom."""
        if self.lan:
            return f"http://{lan_address()}:{self.port}/"
        return f"http://127.0.0.1:{self.port}/"

    def environment(self) -> dict[str, str]:
        """The environment of every room: the directories, and quiet libraries."""
        return {
            **{name: value for name, value in os.environ.items() if name not in notify.VARIABLES},
            "REFEREE_STATE": str(self.places.state),
            "REFEREE_RUNTIME": str(self.places.runtime),
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        }


def lan_address() -> str:
    """This machine's address in the local network; nothing is sent to find it."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
        except OSError:  # no way out, as in a network of this machine's own
            return _of_an_interface(probe.fileno())
        return str(probe.getsockname()[0])


def _of_an_interface(socket_file: int) -> str:
    """The first address of this machine that others can have a way to; the loopback one where there is none."""
    import fcntl
    import socket
    import struct

    for _, name in socket.if_nameindex():
        try:
            found = fcntl.ioctl(socket_file, _GET_ADDRESS, struct.pack("256s", name.encode()[:15]))
        except OSError:
            continue  # it has none
        address = socket.inet_ntoa(found[20:24])
        if not address.startswith("127."):
            return address
    return "127.0.0.1"


def is_live(camera: str) -> bool:
    """True for sources that are cameras."""
    return camera == "pi" or camera.startswith("usb:")


def is_recording(camera: str) -> bool:
    """True for sources that end: such a run keeps its journal apart from the real one."""
    return camera.split(":", 1)[0] in ("folder", "video", "virtual")


def directories(args: argparse.Namespace, camera: str, scratch: Path) -> Places:
    """The directories of a run: those that were named, a scratch one for a recording, else the usual ones."""
    if is_recording(camera):
        return Places(args.state or scratch / "state", args.runtime or scratch / "run").make()
    return Places.from_environment(args.state, args.runtime).make()
