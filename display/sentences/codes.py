"""The English words for every code that comes in a view; a catalogue translates them."""

from __future__ import annotations

from referee.rulings import Reason


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
    Reason.LAP_NOT_OVER: N_("First the others draw too, then the highest triple opens"),
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
    "moved": N_("This tile now lies somewhere else"),
    "another-tile": N_("Another tile lies here now"),
    "not-in-record": N_("This tile lies there, but was not recorded"),
    "who-played": N_("Who played this tile?"),
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
    "plays": N_("Played"),
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
    "dealt": N_("Wrong deal"),
    "says": N_("Tiles drawn"),
    "correct": N_("Correct"),
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
    "play": N_("The round goes on"),
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
    "other-tiles": N_("The camera is set up for other tiles"),
    "still-here": N_("This match is still on the table"),
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

NO_PLACE = N_("No tile that is left can be laid anywhere")
