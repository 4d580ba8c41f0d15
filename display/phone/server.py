"""What the web server of the phones gives out: the few files of the page, its words, and pictures of rulings."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from tornado.web import RequestHandler

from display import languages, sentences, tricks
from display.phone.texts import PAGE_TEXTS
from referee.config import Places

MOST_TILES = 200
PAGE = Path(__file__).parent
SCRIPT, SVG = "text/javascript; charset=utf-8", "image/svg+xml"
SCRIPTS = (
    *("app.js", "wire.js", "words.js", "build.js", "game.js", "table.js", "pinch.js"),
    *("acts.js", "joining.js", "sheet.js", "evidence.js"),
)
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    **{name: (name, SCRIPT) for name in SCRIPTS},
    "style.css": ("style.css", "text/css; charset=utf-8"),
    "icon.svg": ("icon.svg", SVG),
    "icon-192.png": ("icon-192.png", "image/png"),
    "icon-512.png": ("icon-512.png", "image/png"),
    "manifest.webmanifest": ("manifest.webmanifest", "application/manifest+json"),
}
TABLES = {
    "page": PAGE_TEXTS,
    "reasons": sentences.REASONS,
    "awards": sentences.AWARDS,
    "questions": sentences.QUESTIONS,
    "options": sentences.OPTIONS,
    "actions": sentences.ACTIONS,
    "answers": sentences.ANSWERS,
    "statuses": sentences.STATUSES,
    "phases": sentences.PHASES,
    "camera": sentences.CAMERA,
    "signals": sentences.SIGNALS,
    "games": sentences.GAMES,
    "trumps": tricks.TRUMPS,
}
POLICY = "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_BEARER = "Bearer "


@lru_cache(maxsize=len(languages.KNOWN))
def words(language: str) -> dict[str, Any]:
    """All that the page says in a language: the words for every code, its own texts, and numbers of tiles."""
    say = sentences.Words(language)
    tables = {name: {str(code): say.code(table, code) for code in table} for name, table in TABLES.items()}
    counts = [say.count(tiles) for tiles in range(MOST_TILES + 1)]
    known = [{"code": each.code, "name": each.name} for each in languages.available()]
    return {"language": say.language, "languages": known, "counts": counts, **tables}


def is_ours(host: str) -> bool:
    """True for a name that only this machine goes by: a page from elsewhere cannot have made a browser use it.

    Numbers are no names, so nobody can have pointed them here; `.local` is given within the local network.
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return host in ("localhost", socket.gethostname().lower()) or host.endswith(".local")
    return True


class OurHandler(RequestHandler):
    """Answers those who ask for this machine by a name of its own, and nobody else."""

    def prepare(self) -> None:
        """Refuse any other name."""
        if not is_ours(self.request.host_name.lower()):
            self.send_error(403)


class StrictHandler(OurHandler):
    """The same strict headers on every answer, errors too."""

    def set_default_headers(self) -> None:
        """Set them."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)


class PageHandler(StrictHandler):
    """Serves the few files of the page, and nothing else."""

    def get(self, name: str) -> None:
        """A file of the page, or the words."""
        if name == "words.json":
            self.set_header("Content-Type", "application/json; charset=utf-8")
            wanted = self.get_query_argument("language", "") or self.request.headers.get("Accept-Language")
            self.finish(json.dumps(words(languages.chosen(wanted)), ensure_ascii=False))
        elif name in FILES:
            file, kind = FILES[name]
            self.set_header("Content-Type", kind)
            self.finish((PAGE / file).read_bytes())
        else:
            self.send_error(404)

    def head(self, name: str) -> None:
        """What `get` would say, without its body."""
        self.get(name)


class PictureHandler(StrictHandler):
    """Serves the pictures that a ruling rests on, to those who have joined."""

    def initialize(self, places: Places, has_joined: Callable[[str], bool]) -> None:
        """Remember where they are, and who may see them."""
        self._places = places
        self._has_joined = has_joined

    def get(self, name: str, side: str) -> None:
        """The picture before or after the tile was laid."""
        given = self.request.headers.get("Authorization", "")
        if not given.startswith(_BEARER) or not self._has_joined(given.removeprefix(_BEARER)):
            self.send_error(403)
            return
        try:
            picture = self._places.picture(name, side).read_bytes()
        except (ValueError, OSError):  # the oldest are deleted, and where the card is full there are none
            self.send_error(404)
            return
        self.set_header("Content-Type", "image/jpeg")
        self.finish(picture)
