"""What somebody is entering by hand: an order that is put together tap by tap, and what it still needs.

A button of a dialogue says either the whole order, as soon as its tap completes one, or a local word that begins
with `@` and never leaves the screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from display.sentences import N_, letter, tile_in
from referee.games import game
from referee.state import State
from referee.tiles import DOMINO, Tile, domino_set, triomino_set
from referee.wire import Dispute, LaidTile, Ruled, Told, View

LOCAL = "@"
CLOSE = "@close"
MORE = "@open more"
FURTHER = "@further"
ERASE = "@erase"
NOTHING = "nothing"
REPEATED = ("announces", "shows")  # one seat after another


@dataclass(frozen=True, slots=True)
class Act:
    """A kind of order: what it needs in this order, its line, its key, and the question put at the top."""

    needs: tuple[str, ...]
    line: str
    key: str
    title: str


ACTS: dict[str, Act] = {
    "lays": Act(("turn", "tile", "place"), "", N_("Lay a tile"), N_("Which tile is laid?")),
    "draws": Act(("turn", "count"), "{seat} draws {count}", N_("Draw tiles"), N_("How many tiles are drawn?")),
    "announces": Act(
        ("seat", "tile"), "{seat} announces {tile}", N_("Name the best tile"), N_("The best tile to open with?")
    ),
    "shows": Act(("seat", "tiles"), "{seat} shows {tiles}", N_("Enter a hand"), N_("Which tiles are left in hand?")),
    "plays": Act(("turn", "tile", "suit"), "{seat} plays {tile}{suit}", N_("Play a tile"), N_("Which tile is played?")),
    "discards": Act(("turn", "tile"), "{seat} discards {tile}", N_("Show which"), N_("Which tile is laid aside?")),
    "first": Act(("seat",), "first bidder {seat}", N_("Who bids first"), N_("Who bids first?")),
    "exposes": Act(
        ("seat", "tile"), "{seat} exposes {tile}", N_("A tile in hand was seen"), N_("Which tile was seen?")
    ),
    "stock-shows": Act(("tile",), "stock shows {tile}", N_("A tile of the stock was seen"), N_("Which tile was seen?")),
    "holds": Act(("seat", "count"), "{seat} holds {count}", N_("Count a hand"), N_("How many tiles are in hand?")),
    "dealt": Act(("seat", "count"), "{seat} dealt {count}", N_("Wrong deal"), N_("How many tiles were dealt?")),
    "says": Act(("seat", "count"), "{seat} says {count} drawn", N_("Tiles drawn"), N_("How many tiles were drawn?")),
    "claims": Act(("seat", "points"), "{seat} claims {points}", N_("Claim points"), N_("What do the open ends count?")),
    "stock": Act(("count",), "stock {count}", N_("Count the stock"), N_("How many tiles are in the stock?")),
    "calls": Act(("seat",), "{seat} calls block", N_("Say it is blocked"), N_("Who says that it is blocked?")),
    "gets": Act(("seat", "points"), "{seat} gets {points}", N_("Change points"), N_("How many points?")),
    "turn": Act(("seat",), "turn {seat}", N_("Set the turn"), N_("Whose turn is it?")),
    "redeal": Act(("sure",), "redeal", N_("Deal again"), N_("This round does not count, and is dealt again?")),
    "history": Act(("change",), "", N_("Earlier moves"), ""),
    "other-seat": Act(("seat",), "correct {entry}: {seat} {rest}", N_("Another player"), N_("Who was it?")),
    "other-tile": Act(("tile",), "correct {entry}: {begin}{turned}{end}", N_("Another tile"), N_("Which tile was it?")),
    "other-place": Act(("place",), "", N_("Another place"), ""),
    "any-tile": Act(("tile",), "answer {question} is {tile}", N_("Another tile"), N_("Which tile is this?")),
    "pictures": Act(("pictures",), "", N_("Pictures"), ""),
    "other-count": Act(
        ("count",), "correct {entry}: {before} draws {count}", N_("Another number"), N_("How many tiles were drawn?")
    ),
}


@dataclass(frozen=True, slots=True)
class Dialogue:
    """An order on its way: the act and what has been given; `act` is `more` on the page that offers all acts.

    `numbers` are those tapped of the next tile, `offers` the places that the table lists for the tile, `ghosts` where
    it would lie there. `entry` is the one that is put right, or looked at. `question` is the one that is answered.
    `again` when the same was entered of another seat just now.
    """

    act: str
    seat: int | None = None
    tiles: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    digits: str = ""
    suit: int | None = None
    entry: Ruled | None = None
    offers: tuple[str, ...] | None = None
    ghosts: tuple[LaidTile | None, ...] = ()
    page: int = 0
    question: str = ""
    again: bool = False

    @property
    def title(self) -> str:
        """The question at the top."""
        return ACTS[self.act].title if self.act in ACTS else ""


def opened(act: str, view: View, entry: Ruled | None = None) -> Dialogue:
    """A new dialogue; a move in turn is that of the seat to move, and pictures are those of the tile in dispute."""
    if act == "pictures" and entry is None and view.dispute is not None:
        return Dialogue(act, entry=disputed(view.dispute))
    if act == "any-tile":
        return Dialogue(act, question=view.questions[0].id if view.questions else "")
    if entry is not None and act in ("other-place", "gets"):
        tile = tile_in(entry.line)
        return Dialogue(act, seat=entry.seat, tiles=("-".join(map(str, tile)),) if tile else (), entry=entry)
    is_turn = act in ACTS and "turn" in ACTS[act].needs
    return Dialogue(act, seat=view.turn if is_turn else None, entry=entry)


def disputed(about: Dispute) -> Ruled:
    """The ruling behind a dispute, as far as that tells."""
    who = "" if about.seat is None else f"{letter(about.seat)} "
    lays = f"{who}lays {about.tile}"
    return Ruled(about.entry, about.seat, lays, about.reason, False, (), about.clauses, evidence=about.evidence)


def with_places(about: Dialogue, ask: Callable[..., Told]) -> tuple[Dialogue, str]:
    """A dialogue with the places of its tile, as the table tells them, and why it does not where it does not."""
    entry = () if about.entry is None else (str(about.entry.entry),)
    tile = str(Tile.parse(about.tiles[0]))
    told = ask("places", tile, letter(about.seat or 0), *entry)
    return replace(about, offers=told.lines, ghosts=told.tiles), told.error


def need(dialogue: Dialogue, view: View, state: State | None) -> str:
    """What is still to be given, as `Act.needs` calls it; `more` for a page of acts, "" for a complete order."""
    if dialogue.act not in ACTS:
        return "more"
    given = {
        "seat": dialogue.seat is not None,
        "turn": dialogue.seat is not None,
        "tile": bool(dialogue.tiles),
        "count": bool(dialogue.digits),
        "suit": dialogue.suit is not None or len(suits(dialogue, view, state)) < 2,
    }
    missing = next((each for each in ACTS[dialogue.act].needs if not given.get(each)), "")
    return "seat" if missing == "turn" else missing


def is_over(dialogue: Dialogue, view: View, state: State | None) -> bool:
    """Whether what was entered of one seat after another has been entered of all."""
    if not dialogue.again or dialogue.seat is not None:
        return False
    return all(seat.shown for seat in view.seats) if dialogue.act == "shows" else are_heard(state)


def are_heard(state: State | None) -> bool:
    """Whether every seat has named its best tile or has said that it holds none, or has drawn one since."""
    if state is None:
        return False
    least = min(state.taken)
    return all(heard or taken > least for heard, taken in zip(state.heard, state.taken, strict=True))


def suits(dialogue: Dialogue, view: View, state: State | None) -> tuple[int, ...]:
    """The numbers that the leader of a trick may ask for with a tile, where there is a choice."""
    tricks = view.tricks
    is_free = state is not None and getattr(state.settings, "leader_names_suit", False)
    is_lead = tricks is not None and (len(tricks.trick) in (0, len(view.seats)))
    if tricks is None or not dialogue.tiles or not is_free or not is_lead:
        return ()
    numbers = dict.fromkeys(tile_in(dialogue.tiles[0]))
    is_trump = tricks.trump in map(str, numbers) or (tricks.trump == "doubles" and len(numbers) == 1)
    return () if is_trump else tuple(sorted(numbers, reverse=True))


def said(dialogue: Dialogue, word: str, view: View, state: State | None) -> str:
    """What a button says that gives one more thing: the order when that completes it, else the word itself."""
    after = tapped(dialogue, word, view, state)
    if after is None or need(after, view, state):
        return word
    return line(after)


def tapped(dialogue: Dialogue, word: str, view: View, state: State | None) -> Dialogue | None:
    """The dialogue after a tap on a button with a local word; None when it is closed."""
    verb, _, rest = word.removeprefix(LOCAL).partition(" ")
    after: Dialogue | None
    match verb:
        case "open":
            after = opened(rest, view, dialogue.entry)
        case "number":
            after = _with_number(dialogue, int(rest), view, state)
        case "further":
            after = replace(dialogue, page=dialogue.page + 1)
        case _:
            after = _given(dialogue, verb, rest)
    return after


def _given(dialogue: Dialogue, verb: str, rest: str) -> Dialogue | None:
    """The dialogue with a seat, a tile, a digit, a number or a suit more, or with its last gift taken back.

    None for any other word: that closes it, or leads to a page beside the game.
    """
    digits = dialogue.digits
    gifts = {
        "seat": lambda: replace(dialogue, seat=int(rest)),
        "tile": lambda: replace(dialogue, tiles=(*dialogue.tiles, rest), numbers=()),
        "erase": lambda: _erased(dialogue),
        "count": lambda: replace(dialogue, digits=rest),
        "digit": lambda: replace(dialogue, digits=(digits + rest)[:4]),
        "sign": lambda: replace(dialogue, digits=digits[1:] if digits.startswith("-") else f"-{digits}"),
        "suit": lambda: replace(dialogue, suit=int(rest)),
    }
    return gifts[verb]() if verb in gifts else None


def _with_number(dialogue: Dialogue, value: int, view: View, state: State | None) -> Dialogue:
    numbers = (*dialogue.numbers, value)
    if len(numbers) < (2 if kind(view, state) == DOMINO else 3):
        return replace(dialogue, numbers=numbers)
    return replace(dialogue, tiles=(*dialogue.tiles, "-".join(map(str, sorted(numbers)))), numbers=())


def _erased(dialogue: Dialogue) -> Dialogue:
    """Without what was given last."""
    if dialogue.numbers:
        return replace(dialogue, numbers=dialogue.numbers[:-1])
    if dialogue.digits:
        return replace(dialogue, digits=dialogue.digits[:-1])
    return replace(dialogue, tiles=dialogue.tiles[:-1], offers=None, page=0)


def line(dialogue: Dialogue) -> str:
    """The order, once nothing is missing."""
    tile = dialogue.tiles[0] if dialogue.tiles else NOTHING
    about = dialogue.entry
    before, _, rest = (about.line if about else "").partition(" ")
    begin, turned, end = _turned(about.line, tile) if about else ("", "", "")
    return ACTS[dialogue.act].line.format(
        seat="" if dialogue.seat is None else letter(dialogue.seat),
        tile="hidden" if dialogue.act == "discards" and tile == NOTHING else tile,
        tiles=" ".join(dialogue.tiles) or NOTHING,
        suit="" if dialogue.suit is None else f" as {dialogue.suit}",
        count=dialogue.digits,
        points=dialogue.digits,
        entry=about.entry if about else 0,
        question=dialogue.question,
        before=before,
        rest=rest,
        begin=begin,
        turned=turned,
        end=end,
    )


def _turned(said: str, tile: str) -> tuple[str, str, str]:
    """A line of notation around its tile, and another tile turned so that most of its numbers lie where those lay."""
    old = "-".join(map(str, tile_in(said)))
    if not old or tile == NOTHING:
        return said, "", ""
    begin, _, end = said.partition(old)
    new, had = Tile.parse(tile).values, tile_in(said)
    turns = (new[shift:] + new[:shift] for shift in range(len(new)))
    best = max(turns, key=lambda turn: sum(one == other for one, other in zip(turn, had, strict=True)))
    end = end.partition(" by ")[0] if " by " in end else end
    return begin, tile if len(new) == 2 else "-".join(map(str, best)), end


def kind(view: View, state: State | None) -> str:
    """The kind of tile that is played with."""
    return game(state.game if state else view.game).kind


def unseen(dialogue: Dialogue, view: View, state: State | None) -> tuple[Tile, ...]:
    """The tiles that may be meant: those of the set that neither lie nor were shown, and were not picked before."""
    gone = {Tile(each.values) for each in view.layout if each.status in ("placed", "missing") and each.values}
    if state is not None:
        gone |= {placed.tile for placed in state.layout}
        gone |= {tile for hand in state.shown for tile in hand or ()}
    gone |= {Tile.parse(tile) for tile in dialogue.tiles}
    return tuple(tile for tile in whole_set(view, state) if tile not in gone)


def whole_set(view: View, state: State | None) -> tuple[Tile, ...]:
    """All tiles that are played with."""
    preset = game(state.game if state else view.game)
    highest = getattr(state.settings if state else preset.settings, "max_number", None)
    if highest is None or highest == preset.settings.max_number:
        return preset.tiles
    return domino_set(highest) if preset.kind == DOMINO else triomino_set(highest)


def matching(tiles: Iterable[Tile], numbers: tuple[int, ...]) -> tuple[Tile, ...]:
    """The tiles that bear all these numbers."""
    wanted = Counter(numbers)
    return tuple(tile for tile in tiles if not wanted - Counter(tile.values))
