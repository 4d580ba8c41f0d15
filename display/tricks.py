"""A game of tricks on the screen: the trick as it lies, who took it and why, and the keys of each step."""

from __future__ import annotations

from collections.abc import Iterator

from display import sentences, theme
from display.dialogue import ACTS
from display.sentences import N_, Words, letter, tile_in
from display.widgets import GAP, Face, Label, Panel, Rect, Widget
from referee.wire import Tricks, View

Key = tuple[str, str, theme.Look, str]

MOON = "21"
TRUMPS = {"doubles": N_("doubles"), "none": N_("no trumps")}


def keys(view: View, words: Words) -> list[Key]:
    """What the seat to move can say now."""
    tricks = view.tricks
    assert tricks is not None
    if view.turn is None:
        firsts = [index for index in range(len(view.seats)) if "first" in view.actions]
        text = words.say("{name} bids first")
        return [
            (text.format(name=words.brief(view.seats, seat)), f"first bidder {letter(seat)}", theme.KEY, "")
            for seat in firsts
        ]
    who = letter(view.turn)
    if "bids" in view.actions:
        passes = (words.say(sentences.ACTIONS["passes"]), f"{who} passes", theme.KEY, "")
        return [passes, *((bid, f"{who} bids {bid}", theme.MAIN_KEY, _bid_note(bid, words)) for bid in tricks.choices)]
    if "discards" in view.actions:
        text, note = words.say("One tile laid aside"), words.say("face down")
        return [
            (text, f"{who} discards hidden", theme.MAIN_KEY, note),
            (words.say(ACTS["discards"].key), "@open discards", theme.KEY, ""),
        ]
    if "names" in view.actions:
        return [(_trump(name, words), f"{who} names {name}", theme.MAIN_KEY, "") for name in tricks.choices]
    if "plays" in view.actions:
        look = theme.KEY if view.camera == "ok" else theme.MAIN_KEY
        return [(words.say(ACTS["plays"].key), "@open plays", look, "")]
    return []


def what_now(view: View, words: Words) -> str:
    """What the seat to move has to do, in one line."""
    tricks = view.tricks
    assert tricks is not None
    name = words.brief(view.seats, view.turn)
    texts = {
        "auction": N_("{name}: bid, or pass"),
        "exchange": N_("{name} takes the centre tile and lays one aside"),
        "trump": N_("{name} names trumps"),
    }
    if view.phase != "play":
        return ""
    if view.turn is None:
        return words.say("Who bids first?")
    follows = N_("{name}: trumps are asked for") if tricks.suit == "trumps" else N_("{name}: {suit} is asked for")
    text = texts.get(tricks.step, N_("{name} leads") if _is_lead(view, tricks) else follows)
    return words.say(text).format(name=name, suit=tricks.suit)


def table(view: View, rect: Rect, words: Words) -> Iterator[Widget]:
    """A column for each player: his call or his tile, and the tricks he has taken; above it the bid and the trumps."""
    tricks = view.tricks
    assert tricks is not None
    yield Panel(rect, theme.FELT)
    inner = rect.inset(10, 6)
    yield Label(Rect(inner.x, inner.y, inner.w, 28), _contract(view, tricks, words), 20, theme.FELT, bold=True)
    story = words.trick(view.seats, tricks)
    foot = 40.0 if story and inner.h > 150 else 0.0
    middle = Rect(inner.x, inner.y + 32, inner.w, inner.h - 32 - foot)
    for seat, column in enumerate(middle.columns(max(1, len(view.seats)), GAP)):
        yield from _column(view, tricks, seat, column, words)
    if foot:
        yield Label(Rect(inner.x, inner.bottom - foot + 2, inner.w, foot - 2), story, 17, theme.FELT, lines=2)


def _column(view: View, tricks: Tricks, seat: int, column: Rect, words: Words) -> Iterator[Widget]:
    look = theme.TURN if seat == tricks.winner else theme.CARD
    yield Panel(column, look)
    box = column.inset(8, 4)
    yield Label(Rect(box.x, box.y, box.w, 24), words.name(view.seats, seat), 17, look, bold=True, align="centre")
    middle = Rect(box.x, box.y + 26, box.w, box.h - 52)
    played = next((each for each in tricks.trick if each.seat == seat), None)
    call = next((each for each in reversed(tricks.calls) if each.seat == seat), None)
    if tricks.step == "tricks" and played is not None:
        yield Face(middle, tile_in(played.tile))
    elif tricks.step != "tricks" and call is not None:
        text = str(call.bid) if call.bid else words.say("passes")
        yield Label(middle, text, 34 if call.bid else 20, look, bold=True, align="centre")
    elif tricks.step != "tricks" and seat == tricks.first and not tricks.calls:
        yield Label(middle, words.say("bids first"), 18, look, align="centre")
    if tricks.step == "tricks":
        taken = tricks.taken[seat] if seat < len(tricks.taken) else 0
        text = words.say("tricks: {count}").format(count=taken)
        yield Label(Rect(box.x, box.bottom - 24, box.w, 24), text, 17, look, align="centre")


def _contract(view: View, tricks: Tricks, words: Words) -> str:
    if tricks.bidder is None:
        return words.say("Nobody has bid yet")
    text = words.say("Bid of {name}: {bid}").format(name=words.brief(view.seats, tricks.bidder), bid=tricks.bid)
    if tricks.trump:
        text += " · " + words.say("trumps: {trump}").format(trump=_trump(tricks.trump, words))
    return text


def _bid_note(bid: str, words: Words) -> str:
    return words.say("all tricks") if bid == MOON else ""


def _trump(name: str, words: Words) -> str:
    return words.code(TRUMPS, name) if name in TRUMPS else name


def _is_lead(view: View, tricks: Tricks) -> bool:
    return len(tricks.trick) in (0, len(view.seats))
