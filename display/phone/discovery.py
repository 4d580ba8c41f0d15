"""Telling the local network where the phone page is, by multicast DNS (RFC 6762, RFC 6763).

Only where zeroconf is installed, the extra `discovery`: without it phones find the page by the QR code or its address.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_LOG = logging.getLogger(__name__)

SERVICE = "_http._tcp.local."


@asynccontextmanager
async def announced(address: str, port: int, machine: str) -> AsyncIterator[bool]:
    """Announce the page while the block runs; whether that could be done.

    Args:
        address: the machine's, by number.
        machine: its name, without `.local`.
    """
    try:
        from zeroconf import Error, ServiceInfo
        from zeroconf.asyncio import AsyncZeroconf
    except ImportError:
        yield False
        return
    info = ServiceInfo(
        SERVICE,
        f"Tabletop Referee on {machine}.{SERVICE}",
        addresses=[socket.inet_aton(address)],
        port=port,
        properties={"path": "/"},
        server=f"{machine}.local.",
    )
    try:
        network = AsyncZeroconf(interfaces=[address])
    except OSError as error:
        _LOG.warning("the phone page cannot be announced (%s)", error)
        yield False
        return
    try:
        try:
            await network.async_register_service(info, allow_name_change=True)
            is_known = True
        except (Error, OSError) as error:
            _LOG.warning("the phone page cannot be announced (%s)", error)
            is_known = False
        yield is_known
    finally:
        await network.async_close()  # says good-bye for what was registered
