"""The keys of the game's page: what can be said now with one tap, or begun to be entered by hand."""

from __future__ import annotations

from display import sentences, theme, tricks
from display.dialogue import ACTS, LOCAL, are_heard
from display.sentences import ACTIONS, Words, signed
from display.tricks import Key
from referee.games import games
from referee.state import State
from referee.wire import Ruled, View


def keys(view: View, state: State | None, words: Words) -> list[Key]:
    """The keys that make sense now: text, order, look, small print; by hand only where the game's tiles are known."""
    is_trick = view.tricks is not None and view.phase == "play"
    found = tricks.keys(view, words) if is_trick else _ordinary(view, state, words)
    return [key for key in found if view.game in games() or not key[1].startswith(LOCAL)]


def _ordinary(view: View, state: State | None, words: Words) -> list[Key]:
    found: list[Key] = []
    if view.phase == "play" and view.camera != "ok":
        found.append((words.say(ACTS["lays"].key), "@open lays", theme.MAIN_KEY, ""))
    if view.turn is not None:
        who = sentences.letter(view.turn)
        if "draws" in view.actions:
            note = _drawn(view, words) if view.drawn else words.say("one tile a tap")
            found.append((words.say(ACTIONS["draws"]), f"{who} draws 1", theme.MAIN_KEY, note))
        if less := one_less(view):
            found.append((words.say("One less drawn"), less, theme.KEY, ""))
        if "passes" in view.actions:
            found.append((words.say(ACTIONS["passes"]), f"{who} passes", theme.KEY, ""))
            other = f"turn {sentences.letter(1 - view.turn)}" if len(view.seats) == 2 else "@open turn"
            found.append((words.say("Not my turn"), other, theme.KEY, ""))
    elif view.phase == "play" and are_heard(state):  # nobody could open: all draw
        found.append((words.say(ACTS["draws"].key), "@open draws", theme.KEY, ""))
    phases = [action for action in ("begin", "clear") if action in view.actions]
    found += [(words.say(ACTIONS[action]), action, theme.MAIN_KEY, "") for action in phases]
    if "shows" in view.actions:
        found += _hands(view, words)
    if view.sheet:
        found.append((words.say("Score sheet"), "@sheet", theme.KEY, ""))
    if view.phase == "over":
        found.append((words.say("Play again"), "@again", theme.MAIN_KEY, ""))
        found.append((words.say("New match"), "@setup", theme.KEY, ""))
    by_hand = [action for action in ("shows", "announces") if action in view.actions]
    found += [(words.say(ACTS[action].key), f"@open {action}", theme.KEY, "") for action in by_hand]
    return found


def _drawn(view: View, words: Words) -> str:
    """How many tiles have been drawn in this turn, and what they have cost so far."""
    if not view.drawn_points:
        return words.say("{count} drawn in this turn").format(count=view.drawn)
    return words.say("{count} drawn: {points}").format(count=view.drawn, points=signed(view.drawn_points))


def one_less(view: View) -> str:
    """The order that takes back one tile drawn in this turn, empty where none was or it is not known which entry."""
    draws = [ruled for ruled in view.log if ruled.legal and not ruled.void and " draws " in ruled.line]
    last = max(draws, key=lambda ruled: ruled.entry, default=None)
    if last is None or not view.drawn or last.seat != view.turn:
        return ""
    before, _, count = last.line.rpartition(" ")
    return f"undo {last.entry}" if count == "1" else f"correct {last.entry}: {before} {int(count) - 1}"


def _hands(view: View, words: Words) -> list[Key]:
    """A key for each hand that the camera sees whole, naming the tiles it would count."""
    counted = [ruled.line for ruled in rulings(view) if ruled.reason == "ok-show-hand" and not ruled.void]
    keys = []
    for index, seat in enumerate(view.seats):
        tiles = [
            "-".join(map(str, laid.values))
            for laid in view.layout
            if laid.status == "seen" and laid.face_up and laid.values and laid.seat in (None, index)
        ]
        tiles = [tile for tile in tiles if not any(tile in line.split() for line in counted)]
        if not seat.shown and 0 < seat.tiles == len(tiles):
            text = words.say("Hand shown: {name}").format(name=words.brief(view.seats, index))
            order = f"{sentences.letter(index)} shows {' '.join(tiles)}"
            keys.append((text, order, theme.MAIN_KEY, "  ".join(tiles)))
    return keys


def undoable(view: View) -> Ruled | None:
    """The newest move that stands, or has cost something, and has not been undone."""
    standing = [
        ruled
        for ruled in rulings(view)
        if (ruled.legal or ruled.awards)
        and not ruled.void
        and ruled.line.split(" ", 1)[0] not in ("undo", "overrule", "correct")
    ]
    return max(standing, key=lambda ruled: ruled.entry, default=None)


def rulings(view: View) -> tuple[Ruled, ...]:
    """The newest rulings."""
    return (*view.log, view.last) if view.last else view.log
