"""`referee screen`: the touchscreen of the running game."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import uuid
from typing import TYPE_CHECKING, Any

from referee.commands import setting

if TYPE_CHECKING:
    from display.preferences import Preferences


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "screen",
        help="show the running game in a window and take touches",
        epilog="""examples:
  referee screen --full --hide-cursor --rotate 180
  referee screen --shots pictures --language fr""",
    )
    parser.add_argument(
        "--size", type=size, default=(800, 480), metavar="WxH", help="window in pixels (default 800x480)"
    )
    parser.add_argument("--full", action="store_true", help="fill the whole display")
    parser.add_argument("--hide-cursor", action="store_true", help="show no mouse pointer")
    parser.add_argument(
        "--shots", type=setting.folder, metavar="DIR", help="save a picture of everything new (F12: of anything)"
    )
    parser.add_argument(
        "--rotate", choices=setting.TURNS, metavar="DEG", help="turn the picture clockwise: 0, 90, 180 or 270"
    )
    setting.add_language(parser)
    parser.set_defaults(run=run)


def size(text: str) -> tuple[int, int]:
    """Read `800x480`."""
    parts = text.lower().split("x")
    if len(parts) == 2 and all(part.isascii() and part.isdigit() and 100 <= int(part) <= 10_000 for part in parts):
        return int(parts[0]), int(parts[1])
    raise argparse.ArgumentTypeError(f"expected a size such as 800x480, got {text!r}")


def run(args: argparse.Namespace) -> int:
    """Show until the window is closed or the process is told to stop; 78 without a display."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    from display import preferences
    from display.link import Link
    from display.measuring import Measuring
    from display.pulse import Pulse
    from display.screen import Screen
    from display.shots import Shots
    from display.sounds import Sounds
    from display.window import NoDisplayError, open_window
    from referee.config import Places
    from referee.wire import Errand

    try:
        open_window(args.size, args.full, args.hide_cursor)
    except NoDisplayError as error:
        if args.shots is None:
            print(f"referee screen: no display: {error}", file=sys.stderr)
            print("Start it on a desktop or under `cage`, or save pictures instead: --shots DIR", file=sys.stderr)
            return 78
        print(f"referee screen: no display ({error}), pictures go to {args.shots}/", flush=True)
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        open_window(args.size)
    places = Places.from_environment().make()
    shots = Shots(args.shots or places.state / "pictures", every=args.shots is not None)
    file = places.state / preferences.FILE
    pulse, player = Pulse(places, uuid.uuid4().hex), Sounds()
    try:
        with Link(places, by="screen") as link:
            liked = likes(preferences.load(file), args.rotate, args.language)

            def measure() -> Measuring:
                pulse.ask(Errand("calibrate"))
                return Measuring(places)

            window = pygame.display.get_surface
            screen = Screen(link, window, shots, liked, file, player, places=places, measure=measure)
            signal.signal(signal.SIGTERM, lambda *_: screen.stop())
            signal.signal(signal.SIGUSR1, lambda *_: screen.shoot())
            screen.run(pulse.beat)
    finally:
        pulse.close()
        player.close()
        pygame.display.quit()
    return 0


def likes(remembered: Preferences, rotate: str | None, wanted: str | None) -> Preferences:
    """What is remembered, in the system's language if nobody has chosen another, turned as the command line says."""
    from msgspec import structs

    from display import languages

    language = languages.chosen(wanted or remembered.language or setting.system_language())
    turned = remembered.rotate_deg if rotate is None else int(rotate)
    return structs.replace(remembered, language=language, rotate_deg=turned)
