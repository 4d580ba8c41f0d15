"""Words for every code that comes in a view.

The English texts are the message ids; a catalogue in another language translates them. Codes that are
not known (from a newer table, say) are shown as they are, never as an error.
"""

from __future__ import annotations

import re
from gettext import NullTranslations

from referee.rulings import Reason
from referee.tiles import smallest_rotation
from referee.wire import Answer, Award, Better, Dispute, Ruled, Seat, Tricks


def N_(message: str) -> str:  # noqa: N802  # the name that gettext's tools look for
    """Mark a message for translation without translating it here."""
    return message


REASONS: dict[str, str] = {
    Reason.OK_MATCH: N_("The match begins"),
    Reason.OK_BEGIN: N_("Play begins"),
    Reason.OK_ANNOUNCE: N_("Best opening tile named"),
    Reason.OK_OPENING: N_("Opening tile"),
    Reason.OK_EDGE: N_("Joins by one side"),
    Reason.OK_BRIDGE: N_("Bridge!"),
    Reason.OK_TWO_SIDED: N_("Joins by two sides!"),
    Reason.OK_THREE_SIDED: N_("Joins by three sides!"),
    Reason.OK_HEXAGON: N_("Hexagon!"),
    Reason.OK_MULTI_HEXAGON: N_("Several hexagons at once!"),
    Reason.OK_TWO_CORNER: N_("Lies on two corners"),
    Reason.OK_THREE_CORNER: N_("Lies on three corners!"),
    Reason.OK_PLACE: N_("Joins the line"),
    Reason.OK_OVERRULED: N_("You let it stand"),
    Reason.OK_DRAW: N_("Draws from the stock"),
    Reason.OK_PASS: N_("Passes"),
    Reason.OK_SHOW_HAND: N_("Hand counted"),
    Reason.OK_CLEAR: N_("Table cleared"),
    Reason.OK_UNDO: N_("Undone"),
    Reason.OK_CORRECT: N_("Corrected"),
    Reason.OK_FIRST_BIDDER: N_("Bids first"),
    Reason.OK_BID: N_("Bids"),
    Reason.OK_FORCED_BID: N_("All passed: the last one plays the lowest bid"),
    Reason.OK_FORCED_PASS: N_("Spoke out of turn: that counts as a pass"),
    Reason.OK_EXCHANGE: N_("Centre tile taken, one tile laid aside"),
    Reason.OK_TRUMP: N_("Names trumps"),
    Reason.OK_PLAY: N_("Plays to the trick"),
    Reason.ALL_PASS_REDEAL: N_("All passed: deal again"),
    Reason.FISH: N_("Blocked: nobody can play"),
    Reason.NO_SUCH_TILE: N_("There is no such tile in the set"),
    Reason.TILE_ALREADY_PLAYED: N_("This tile already lies on the table"),
    Reason.CELL_OCCUPIED: N_("Another tile lies in this place"),
    Reason.NOT_CONNECTED: N_("It touches no other tile"),
    Reason.ONE_CORNER_ONLY: N_("It touches by one corner only"),
    Reason.CORNER_CONTACT_NOT_ALLOWED: N_("It must join by a whole side, not by corners"),
    Reason.EDGE_MISMATCH: N_("The touching sides do not match"),
    Reason.CORNER_MISMATCH: N_("A touching corner does not match"),
    Reason.END_MISMATCH: N_("It does not match that end of the line"),
    Reason.WRONG_OPENER: N_("Another player has to open"),
    Reason.WRONG_OPENING_TILE: N_("A higher tile has to open"),
    Reason.NEEDS_TRIPLE: N_("A triple has to open"),
    Reason.OUT_OF_TURN: N_("It is another player's turn"),
    Reason.DRAW_WHILE_ABLE: N_("A tile in hand fits: no drawing"),
    Reason.PASS_WITH_STOCK: N_("There are tiles to draw: no passing yet"),
    Reason.PASS_WHILE_ABLE: N_("A tile in hand fits: no passing"),
    Reason.STOCK_EMPTY: N_("There are no tiles left to draw"),
    Reason.DRAW_LIMIT: N_("No more draws in this turn"),
    Reason.NOT_IN_HAND: N_("This tile is not in that hand"),
    Reason.HAND_COUNT_WRONG: N_("The number of tiles in hand is not right"),
    Reason.NOT_NOW: N_("That cannot be done now"),
    Reason.NO_SUCH_SEAT: N_("There is no such player"),
    Reason.NO_SUCH_ENTRY: N_("There is nothing to undo or change there"),
    Reason.BID_RANGE: N_("There is no such bid"),
    Reason.BID_TOO_LOW: N_("A bid must be higher than the last one"),
    Reason.BID_CLOSED: N_("The auction is over"),
    Reason.NO_SUCH_TRUMP: N_("There are no such trumps"),
    Reason.MUST_DISCARD: N_("One tile must be laid aside first"),
    Reason.NO_SUCH_SUIT: N_("That number cannot be asked for"),
    Reason.REVOKE: N_("A tile of the suit asked for is in the hand"),
    Reason.REVOKE_PROVEN: N_("An earlier tile should have followed suit"),
    Reason.NO_DISCARD_PROVEN: N_("The bidder has kept his discard"),
    Reason.FALSE_PASS_PROVEN: N_("An earlier pass was wrong: a tile fitted"),
    Reason.FALSE_DRAW_PROVEN: N_("An earlier draw was needless: a tile fitted"),
    Reason.WRONG_OPENER_PROVEN: N_("Somebody else should have opened"),
    Reason.OK_EXPOSE: N_("A tile in hand was seen"),
    Reason.OK_RECOUNT: N_("Tiles in hand counted"),
    Reason.OK_COUNT_STOCK: N_("Stock counted"),
    Reason.OK_ADJUST: N_("Points changed by hand"),
    Reason.OK_TURN: N_("Turn set by hand"),
    Reason.OK_REDEAL: N_("The round does not count: deal again"),
    Reason.MUST_PLAY_EXPOSED: N_("The open tile must be played first"),
    Reason.DRAWN_TILE_STAYS: N_("A tile drawn too many stays in the hand"),
    Reason.WRONG_DEAL: N_("Wrong deal: return or draw tiles until it is right"),
    Reason.NOT_BLOCKED: N_("Not blocked: play goes on"),
    Reason.NEEDS_CONFIRMING: N_("The match is over: confirm to change it"),
    Reason.TRIPLE_NOT_SHOWN: N_("The higher triple was not shown"),
    Reason.TILE_COUNT_WRONG: N_("Tiles are missing, or there are too many"),
    Reason.OK_STOCK_EXPOSED: N_("A tile of the stock was seen: mix the stock"),
    Reason.OK_DRAW_TOTAL: N_("Tiles drawn named"),
    Reason.OK_WRONG_DEAL: N_("A wrong deal was found"),
    Reason.OK_BLOCK_CALLED: N_("Right: nobody can play any more"),
    Reason.BLOCK_WITH_STOCK: N_("Nobody can play, but there are tiles to draw first"),
    Reason.NOT_IN_STOCK: N_("This tile cannot be in the stock: a hand holds it"),
    Reason.LAP_NOT_OVER: N_("The others draw a tile first, then the highest triple opens"),
    Reason.DRAW_NOT_BOOKED: N_("The stock has fewer tiles: who has drawn?"),
    Reason.DRAW_TOTAL_WRONG: N_("Another number of tiles was drawn: the count rules"),
    Reason.WRONG_DEAL_PROVEN: N_("The deal was wrong"),
}

AWARDS: dict[str, str] = {
    "tile": "",  # the numbers of the tile itself need no word
    "edge": "",
    "opening": N_("opening"),
    "hexagon": N_("hexagon"),
    "bridge": N_("bridge"),
    "two_side": N_("two sides"),
    "three_side": N_("three sides"),
    "two_corner": N_("two corners"),
    "three_corner": N_("three corners"),
    "draws": N_("drawing"),
    "empty_stock": N_("nothing to draw"),
    "out": N_("going out"),
    "others": N_("others' tiles"),
    "own": N_("own tiles"),
    "hand": N_("tiles in hand"),
    "bid": N_("bid"),
    "moon": N_("all tricks bid"),
    "tricks": N_("tricks"),
    "no_discard": N_("no discard"),
    "revoke": N_("revoke"),
    "difference": N_("difference of hands"),
    "false_pass": N_("false pass"),
    "needless_draw": N_("needless draw"),
    "draw_too_many": N_("drawn too many"),
    "wrong_tile": N_("wrong tile"),
    "wrong_deal": N_("wrong deal"),
    "adjusted": N_("by hand"),
    "void": N_("round void"),
}

TRICKS: dict[str, str] = {
    "highest-trump": N_("{name} takes the trick: {tile} is the highest trump"),
    "highest-of-suit": N_("{name} takes the trick: {tile} is the highest of the suit that was led, and nobody trumped"),
    "nobody-followed": N_("{name} takes the trick: nobody followed {tile}, and nobody trumped"),
}

QUESTIONS: dict[str, str] = {
    "which-tile": N_("Which tile is this?"),
    "already-laid": N_("This tile lies here twice? Which is it?"),
    "not-in-set": N_("Not in the set? Which tile is it?"),
    "unclear-place": N_("Unclear where this tile belongs"),
    "who-opens": N_("Who laid the opening tile?"),
    "two-at-once": N_("Two tiles at once: this one, too?"),
    "missing": N_("A tile is gone. What happened?"),
    "awaiting-removal": N_("Taken back, but it still lies there"),
    "open-revoke": N_("This tile did not follow suit. Put it right?"),
    "no-longer-stands": N_("This move no longer stands. What now?"),
    "show-triple": N_("Opened with 0-0-0: which is his highest triple?"),
}

OPTIONS: dict[str, str] = {
    "shows-triple": N_("Shows this one"),
    "is-highest": N_("0-0-0 is the highest"),
    "count-again": N_("Count again"),
    "holds": N_("The hand has so many"),
    "missing": N_("A tile is missing"),
    "dealt": N_("So many were dealt"),
    "void": N_("The round does not count"),
    "tile": N_("This one"),
    "stands": N_("It stands"),
    "place": N_("In its one place"),
    "place-left": N_("Left end"),
    "place-right": N_("Right end"),
    "opens": N_("Opens"),
    "not-a-move": N_("Not a move"),
    "it-lies-there": N_("It lies there"),
    "take-back": N_("Taken back"),
    "take-out": N_("Take it out"),
    "put-right": N_("Put it right"),
    "stays-open": N_("Lies open until played"),
    "redeal": N_("Deal again"),
}

ACTIONS: dict[str, str] = {
    "draws": N_("Draw"),
    "passes": N_("Pass"),
    "undo": N_("Undo"),
    "overrule": N_("Let it stand"),
    "begin": N_("Begin"),
    "clear": N_("Next round"),
    "shows": N_("This hand is shown"),
    "announces": N_("Name the best tile"),
    "first": N_("Bids first"),
    "bids": N_("Bid"),
    "discards": N_("Lay one aside"),
    "names": N_("Name trumps"),
    "plays": N_("Play"),
    "exposes": N_("A tile was seen"),
    "holds": N_("Count a hand"),
    "stock": N_("Count the stock"),
    "calls": N_("Say it is blocked"),
    "gets": N_("Change points"),
    "turn": N_("Set the turn"),
    "redeal": N_("Deal again"),
}

STATUSES: dict[str, str] = {
    "placed": "",
    "seen": "",
    "illegal": N_("illegal"),
    "doubt": N_("asked"),
    "missing": N_("missing"),
    "removal": N_("take back"),
}

PHASES: dict[str, str] = {
    "": N_("No game yet"),
    "deal": N_("Deal the tiles and leave the table empty"),
    "play": N_("Play"),
    "show-hands": N_("The round is over: show your hands"),
    "clearing": N_("Clear the table for the next round"),
    "over": N_("The match is over"),
}

CAMERA: dict[str, str] = {
    "ok": N_("camera on"),
    "lost": N_("no camera"),
    "frozen": N_("camera frozen"),
    "late": N_("camera is slow"),
    "moved": N_("camera or mat was moved"),
    "none": N_("without camera"),
}

CAMERA_TROUBLE: dict[str, str] = {
    "lost": N_("The camera is gone: is its cable in?"),
    "frozen": N_("The camera shows no new pictures"),
    "late": N_("The camera is slow: please play slowly"),
    "moved": N_("The camera or the mat was moved"),
}

SIGNALS: dict[str, str] = {
    "ok": N_("buzzer on"),
    "no-gpio": N_("no buzzer"),
    "no-gpiozero": N_("no buzzer: software missing"),
    "pin-in-use": N_("no buzzer: pins in use"),
    "gpio-failed": N_("buzzer failed"),
}

ANSWERS: dict[str, str] = {
    "stale": N_("The table had just changed: look, then tap again"),
    "no-answer": N_("The table does not answer"),
    "reaches-far": N_("This changes more than that one move"),
}

GAMES: dict[str, str] = {
    "ro-trimino/manufacturer": N_("Trimino"),
    "ro-trimino/club": N_("Trimino, club rules"),
    "cs-triomino": N_("Triomino"),
    "fr-domino": N_("Dominoes"),
    "uk-tridomino": N_("Tri-domino"),
    "kk-moon": N_("Moon"),
    "official-pressman": N_("Tri-Ominos"),
    "official-goliath": N_("Triominos"),
}

_TILE = re.compile(r"(?<![\w-])\d+-\d+(?:-\d+)?(?![\w-])")
NO_PLACE = N_("No tile that is left can be laid anywhere")
MINUS = "\u2212"
_LONGEST_BRIEF = 12


class Words:
    """The language the screen speaks; `catalogue` translates the English texts."""

    def __init__(self, catalogue: NullTranslations | None = None) -> None:
        catalogue = catalogue or NullTranslations()
        self.say = catalogue.gettext
        self._plural = catalogue.ngettext

    def code(self, table: dict[str, str], code: str) -> str:
        """The words for a code, or the code itself with spaces when it is not known."""
        known = table.get(code)
        if known is None:
            return code.replace("-", " ").replace("_", " ")
        return self.say(known) if known else ""

    def count(self, tiles: int) -> str:
        """A number of tiles."""
        return self._plural("{count} tile", "{count} tiles", tiles).format(count=tiles)

    def reason(self, code: str) -> str:
        """Why a move stands or does not."""
        return self.code(REASONS, code)

    def name(self, seats: tuple[Seat, ...], seat: int | None) -> str:
        """A player's name; a player without one is called by his seat's letter."""
        if seat is None or not 0 <= seat < len(seats):
            return ""
        return " ".join(seats[seat].name.split()) or self.say(N_("Player {letter}")).format(letter=letter(seat))

    def brief(self, seats: tuple[Seat, ...], seat: int | None) -> str:
        """A player's name for use in a sentence, short enough to leave room for the rest of it."""
        name = self.name(seats, seat)
        return name if len(name) <= _LONGEST_BRIEF else name[: _LONGEST_BRIEF - 1].rstrip() + "…"

    def ruling(self, seats: tuple[Seat, ...], ruled: Ruled) -> str:
        """Who, and what was ruled, in one line."""
        name = self.brief(seats, ruled.seat)
        reason = self.reason(ruled.reason)
        return f"{name}: {reason}" if name else reason

    def trick(self, seats: tuple[Seat, ...], tricks: Tricks) -> str:
        """Who took the last trick and why, in one line; empty while it is open."""
        tile = next((played.tile for played in tricks.trick if played.seat == tricks.winner), "")
        if tricks.why not in TRICKS or not tile:
            return ""
        return self.say(TRICKS[tricks.why]).format(name=self.brief(seats, tricks.winner), tile=tile)

    def awards(self, seats: tuple[Seat, ...], ruled: Ruled) -> str:
        """The points item by item, such as `10 + 50 hexagon = 60`; names where others than the mover get some."""
        by_seat: dict[int, list[Award]] = {}
        for award in ruled.awards:
            if award.points:
                by_seat.setdefault(award.seat, []).append(award)
        sums = {seat: self._sum(items) for seat, items in by_seat.items()}
        if set(sums) == {ruled.seat}:
            return next(iter(sums.values()))
        return " · ".join(f"{self.brief(seats, seat)} {text}" for seat, text in sums.items())

    def _sum(self, awards: list[Award]) -> str:
        parts: list[str] = []
        for award in awards:
            word = self.code(AWARDS, award.what)
            sign = MINUS if award.points < 0 else "+"
            lead = f"{sign} " if parts else (MINUS if award.points < 0 else "")
            parts.append(f"{lead}{abs(award.points)}{' ' + word if word else ''}")
        if len(parts) > 1:
            parts.append(f"= {number(sum(award.points for award in awards))}")
        return " ".join(parts)

    def proven(self, seats: tuple[Seat, ...], ruled: Ruled) -> list[str]:
        """What a ruling has brought to light, and by which tiles, a line each."""
        told = []
        for each in ruled.proven:
            who = " ".join(filter(None, (self.brief(seats, each.seat), f"({each.entry})" if each.entry else "")))
            tiles = f" ({', '.join(each.evidence)})" if each.evidence else ""
            told.append(f"{who}: {self.reason(each.reason)}{tiles}" if who else f"{self.reason(each.reason)}{tiles}")
        return told

    def clauses(self, clauses: tuple[str, ...]) -> str:
        """The clauses of the rules that a ruling rests on; which rules is known from the game."""
        short = dict.fromkeys(clause.rpartition(" ")[2] if "§" in clause else clause for clause in clauses)
        return self.say(N_("Rule {clauses}")).format(clauses=", ".join(short)) if clauses else ""

    def about(self, seats: tuple[Seat, ...], ruled: Ruled) -> str:
        """Which entry a question is about, and how it is ruled now."""
        what = "-".join(map(str, tile_in(ruled.line))) or ruled.line.partition(" ")[2] or ruled.line
        who = " ".join(filter(None, (self.brief(seats, ruled.seat), what)))
        return f"{ruled.entry}: {who} · {self.reason(ruled.reason)}"

    def missed(self, seats: tuple[Seat, ...], better: Better) -> str:
        """What a player could have laid, and what it would have earned."""
        tile, others = self._place(better)
        if better.beside:
            text = self.say(N_("{name} could have laid {tile} beside {others}: {points} instead of {earned}"))
        else:
            text = self.say(N_("{name} could have laid {tile}: {points} instead of {earned}"))
        points, earned = number(better.points), number(better.earned)
        return text.format(name=self.brief(seats, better.seat), tile=tile, others=others, points=points, earned=earned)

    def better(self, better: Better) -> str:
        """Where the tile that was laid last would have earned more."""
        tile, others = self._place(better)
        if better.beside:
            text = self.say(N_("Better for {tile}: beside {others}, {points} instead of {earned}"))
        else:
            text = self.say(N_("There is a better place for {tile}: {points} instead of {earned}"))
        return text.format(tile=tile, others=others, points=number(better.points), earned=number(better.earned))

    def _place(self, better: Better) -> tuple[str, str]:
        """The tile, and the tiles it would have joined."""
        tile = "-".join(map(str, smallest_rotation(tile_in(better.line))))
        return tile, self.say(N_(" and ")).join(better.beside)

    def dispute(self, seats: tuple[Seat, ...], dispute: Dispute) -> str:
        """Whose tile does not stand."""
        name = self.brief(seats, dispute.seat)
        if name:
            return self.say(N_("{name}: {tile} is illegal")).format(name=name, tile=dispute.tile)
        return self.say(N_("{tile} is illegal")).format(tile=dispute.tile)

    def answer(self, answer: Answer) -> str:
        """Why an order was not carried out."""
        if answer.status == "stale":
            return self.code(ANSWERS, "stale")
        if answer.reason in REASONS:
            return self.code(REASONS, answer.reason)
        if answer.reason in ANSWERS:
            return self.code(ANSWERS, answer.reason)
        return answer.message or self.code(REASONS, answer.reason or Reason.NOT_NOW)


def letter(seat: int) -> str:
    """The letter of a seat in the notation, `A` for seat 0."""
    return chr(ord("A") + seat)


def number(value: int) -> str:
    """A whole number with a proper minus sign."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def signed(value: int) -> str:
    """A whole number with its sign, also for zero and more."""
    return number(value) if value < 0 else f"+{value}"


def tile_in(line: str) -> tuple[int, ...]:
    """The tile that a line of notation is about, () when it is about none or about a whole hand."""
    found = None if " shows " in line else _TILE.search(line)
    return tuple(map(int, found.group().split("-"))) if found else ()
