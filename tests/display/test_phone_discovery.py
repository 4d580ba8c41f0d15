"""The local network is told where the phone page is, where that can be done, and not a moment longer."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest

from display.phone.discovery import SERVICE, announced


class RefusedError(Exception):
    """What a network says that takes no more names."""


class Network:
    """A network that remembers what it is told."""

    told: ClassVar[list[Any]] = []
    refuses = False
    is_down = False

    def __init__(self, interfaces: list[str]) -> None:
        if self.is_down:
            raise OSError("network is unreachable")
        self.told.append(("open", interfaces))

    async def async_register_service(self, info: Any, allow_name_change: bool) -> None:
        if self.refuses:
            raise RefusedError("name taken")
        self.told.append(("register", info, allow_name_change))

    async def async_close(self) -> None:
        self.told.append("close")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> type[Network]:
    package, inner = ModuleType("zeroconf"), ModuleType("zeroconf.asyncio")
    package.Error, inner.AsyncZeroconf = RefusedError, Network  # type: ignore[attr-defined]
    package.ServiceInfo = lambda *args, **more: (args, more)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zeroconf", package)
    monkeypatch.setitem(sys.modules, "zeroconf.asyncio", inner)
    monkeypatch.setattr(Network, "told", [])
    return Network


def while_announced() -> bool:
    async def run() -> bool:
        async with announced("192.168.1.23", 8420, "box") as is_known:
            return is_known

    return asyncio.run(run())


def test_the_page_is_announced_by_number_port_and_name_and_taken_back(network: type[Network]) -> None:
    assert while_announced()
    opened, (_, (args, more), renames), closed = network.told
    assert opened == ("open", ["192.168.1.23"])
    assert args == (SERVICE, f"Tabletop Referee on box.{SERVICE}")
    assert (more["port"], more["addresses"], more["server"]) == (8420, [bytes([192, 168, 1, 23])], "box.local.")
    assert renames
    assert closed == "close"


def test_a_network_that_refuses_costs_only_the_announcement(
    network: type[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "refuses", True)
    assert not while_announced()
    assert network.told[-1] == "close"


def test_without_a_network_the_page_is_served_all_the_same(
    network: type[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_down", True)
    assert not while_announced()


def test_without_the_library_nothing_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert not while_announced()
