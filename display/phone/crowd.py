"""A web server that nobody can crowd out: so many connections in all, and of one address, and no more."""

from __future__ import annotations

from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream

from referee.outside.seldom import Seldom

MOST_CONNECTIONS = 256
MOST_OF_ONE = 100  # address
LARGEST_HEADER_BYTES = 8192


class CrowdedServer(HTTPServer):
    """An HTTP server that closes a connection at once when there are too many."""

    def initialize(self, application: Any, *, log: Seldom, **options: Any) -> None:  # type: ignore[override]  # `log` is ours
        """As an HTTP server; `log` is told of those that were closed."""
        super().initialize(application, max_header_size=LARGEST_HEADER_BYTES, **options)
        self._log = log
        self._open: dict[IOStream, str] = {}

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Serve a connection, or close it."""
        host = str(address[0])
        self._open = {each: where for each, where in self._open.items() if not each.closed()}
        of_one = sum(where == host for where in self._open.values())
        if len(self._open) >= MOST_CONNECTIONS or of_one >= MOST_OF_ONE:
            self._log.note("a connection too many", f"{of_one} of {len(self._open)} are from {host}")
            stream.close()
            return
        self._open[stream] = host
        super().handle_stream(stream, address)
