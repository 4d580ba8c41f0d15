"""The rules in words, in any language: a rule sheet is read part by part, with its numbers set apart.

The sheets themselves are the games' own (`referee.games`). What they can say is listed in `RULES`: each sentence, or
what stands of one between semicolons, without its full stop, and with a gap for every number and every tile in it.
"""

from __future__ import annotations

import re
from itertools import count

from display.sentences.codes import N_

_ENDS = re.compile(r"(?<=[.?!]) (?=[A-Z0-9])")
_GAP = re.compile(
    r"(?<![\w-])(?:"
    r"\d+ with \d+(?:, \d+ with \d+)*"  # tiles with players
    r"|\d+(?: or \d+)+"
    r"|\d+ to \d+"
    r"|-?\d+(?:-\d+)*"  # a number, or a tile
    r")(?![\w-])"
)


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; an empty one has an empty sentence."""
    return _ENDS.split(paragraph)


def parts(paragraph: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of a paragraph without their full stops, each cut at its semicolons."""
    return tuple(tuple(sentence.removesuffix(".").split("; ")) for sentence in sentences(paragraph))


def with_gaps(part: str) -> tuple[str, tuple[str, ...]]:
    """A part of a sentence with numbered gaps for its numbers and tiles, and what stood there, in figures alone."""
    numbers = count()
    figures = tuple(_in_figures(found) for found in _GAP.findall(part))
    return _GAP.sub(lambda _: f"{{{next(numbers)}}}", part), figures


def _in_figures(text: str) -> str:
    """`2 to 4`, `2 or 4` and `9 with 2, 7 with 3` as every language writes them: `2–4`, `2, 4` and `2: 9, 3: 7`."""
    if " with " in text:
        pairs = (pair.split(" with ") for pair in text.split(", "))
        return ", ".join(f"{players}: {tiles}" for tiles, players in pairs)
    return text.replace(" to ", "–").replace(" or ", ", ").replace("-", "−", 1 if text.startswith("-") else 0)


RULES: tuple[str, ...] = (
    N_("A bid out of turn counts as a pass"),
    N_(
        "A bid out of turn is void if the next in turn objects, though all have heard it: the seat speaks "
        "again in its turn"
    ),
    N_("A bid that is too low, and a second one, is refused"),
    N_("A bidder who has laid nothing aside is stopped before the first lead"),
    N_("A bridge, one side and the opposite corner, earns {0} more"),
    N_("A draw that was not announced is booked when it is found"),
    N_("A hand tile that was seen goes back to it"),
    N_("A hand tile that was seen goes back to the hand"),
    N_("A hand tile that was seen must be played at the first chance"),
    N_("A hand with a wrong number of tiles is put right before the first lead"),
    N_("A needless draw costs {0}, however many tiles it took"),
    N_("A number: every tile with it is a trump and nothing else, the double highest"),
    N_("A pass or draw that claimed what tiles shown later disprove is reported as soon as it is proven"),
    N_("A pass proven false costs {0}"),
    N_("A revoke is a tile outside the suit asked for while one inside it is in the hand"),
    N_("A round that was opened by the wrong seat does not count and is played again"),
    N_("A seat that could play may draw too"),
    N_("A seat that could play may not draw"),
    N_("A seat that could play may not pass"),
    N_("A seat that could play may pass as well"),
    N_("A tile drawn too many goes back unseen and costs {0}"),
    N_("A tile drawn too many goes back unseen, its cost is refunded, and costs {0}"),
    N_("A tile drawn too many stays in the hand"),
    N_("A tile drawn too many stays in the hand and costs what it costs"),
    N_("A tile earns the sum of its numbers"),
    N_("A tile laid out of turn is taken back"),
    N_("A tile laid out of turn lies open before its player and must be played at the first chance"),
    N_("A tile laid where it does not fit is taken back and costs {0}"),
    N_("A tile led or played out of turn is taken back"),
    N_("A tile led or played out of turn lies open and must be played at the first chance"),
    N_("A tile lies against another by a whole side"),
    N_("A tile of the stock that was seen is mixed in again"),
    N_("A tile on three corners without a side is allowed and earns {0} besides its sum"),
    N_("A tile on two corners without a side is allowed and earns {0} besides its sum"),
    N_("A tile that touches by corners only is not allowed"),
    N_("A triple is not needed to open"),
    N_("A trump that is led asks for trumps, any other tile for its higher number"),
    N_("A wrong deal is put right before the first play"),
    N_("A wrong opening is taken back while nobody has acted since"),
    N_(
        "After each tile the open ends are added up, a double at an end with both its halves, an arm once it has a tile"
    ),
    N_("After each deal: whoever has {0} ends the match"),
    N_("After it he loses his bid, and the deal is played to its end"),
    N_("After the opening nobody draws"),
    N_("All pass: the last one has bid {0}"),
    N_("All pass: the tiles are dealt again"),
    N_("Bids, trumps, tricks and numbers of tiles are public, faces are not"),
    N_("Clockwise, one tile a turn"),
    N_("Clockwise, one tile a turn, at the left or right end, equal halves touching"),
    N_("Closing a hexagon earns {0} more"),
    N_("Closing two at once earns {0} more, three {1}"),
    N_("Doubles: they leave their numbers and rank from {0} down to {1}"),
    N_("Each other seat pays the winner the difference of their hands"),
    N_("Equals at the top play one more round"),
    N_("Every other player scores {0} a trick"),
    N_("Every seat loses the sum of its own hand"),
    N_("Fish: all {0} tiles of each open number lie on the table, or all seats in a row have passed"),
    N_(
        "Fish: all {0} tiles of each open number lie on the table, with an empty stock, or all seats in a "
        "row have passed"
    ),
    N_(
        "Fish: all {0} tiles of each open number lie on the table, with at most {1} tiles in the stock, or "
        "all seats in a row have passed"
    ),
    N_("He names trumps before he takes the centre tile: a number from {0}, doubles, or none"),
    N_("He names trumps only after the discard: a number from {0}, doubles, or none"),
    N_("How many tiles a hand and the stock hold is public, the faces are not"),
    N_("How many tiles a hand holds is public, the faces are not"),
    N_("It earns nothing"),
    N_("It is blocked when all seats in a row have passed"),
    N_("It is blocked when all seats in a row have passed with an empty stock"),
    N_("It is blocked when all seats in a row have passed with at most {0} tiles in the stock"),
    N_("Later a wrong opener keeps the points of his tile and loses the bonus"),
    N_("Later it is reported only"),
    N_("Later it stands"),
    N_("Later rounds open like the first"),
    N_("Later rounds open with any tile of the winner of the last one"),
    N_("Later rounds open with any tile of the winner of the last one, without bonus"),
    N_("Later the deal does not count and is dealt again"),
    N_("Later the deal stops: a bidder who has revoked loses his bid"),
    N_("It is blocked when all {0} tiles of each open number lie on the table, or all seats in a row have passed"),
    N_("No double is a spinner: the line has two ends"),
    N_("No other tile opens"),
    N_("No tile has to open"),
    N_("Nobody wins it"),
    N_("Nobody draws: the stock stays where it is"),
    N_("Of a blocked round the lowest hand, of equals nobody, gains its difference with each other hand"),
    N_("Of a blocked round the lowest hand, of equals nobody, gains the pips of the others less its own"),
    N_("None: nothing trumps, and doubles top their own suits"),
    N_("Nothing is drawn after the discard: a revoke is proven when the tile that was held back appears"),
    N_("Of several there the bidder wins"),
    N_("One call each: pass, or more than any bid before, from {0}, or {1} for all {2} tricks, which ends the auction"),
    N_("One tile stays face down in the centre"),
    N_("Opening with {0} earns {1} in all"),
    N_("Otherwise it stands, and the auction goes on from there"),
    N_("Scores may fall below {0}"),
    N_("That seat may open with {0} instead"),
    N_(
        "That seat may open with {0} instead, and shows that triple before play goes on, or loses what it "
        "earned above that"
    ),
    N_("The bidder leads the first trick with any tile"),
    N_("The bidder scores his bid if he takes that many tricks or more, else loses it"),
    N_("The double is the highest of its suit, then the others by their other number"),
    N_("The first double is the spinner: once both its long sides are covered, tiles may join its short ends too"),
    N_("The fewest tiles in hand wins it, of equals nobody"),
    N_("The fewest tiles in hand wins it, of equals the lower value, then nobody"),
    N_("The first bidder is drawn by lot for the first deal and moves clockwise with every deal"),
    N_("The first bidder is whoever calls first in the first deal and moves clockwise with every deal"),
    N_("The first seat opens with any tile"),
    N_("The first seat opens with any tile, for its sum alone"),
    N_("The highest bidder takes the centre tile and lays one of his tiles, perhaps the same, face down"),
    N_("The highest total wins"),
    N_("The highest trump takes the trick"),
    N_("The holder of the highest double opens with it"),
    N_("The holder of the highest triple opens with it, for its sum and {0} more"),
    N_("The holder of {0} opens with it"),
    N_("The last {0} tiles of the stock are not drawn"),
    N_("The lowest hand, of equals nobody, has made the fish"),
    N_("The lowest value in hand wins it, of equals nobody"),
    N_("The match ends at {0}, at once"),
    N_("The match ends at {0}, when the round is over"),
    N_("The match ends when somebody has {0}"),
    N_("The match is over after {0} rounds, no target ends it"),
    N_("The match is over after {0} rounds, the highest score wins"),
    N_("The rest is the stock"),
    N_("The round ends when a hand is empty: {0} for going out"),
    N_("The stock is face down, common to all"),
    N_("The stock is face down, split evenly: each seat draws from its own part"),
    N_("The suits are the numbers {0}"),
    N_("The winner gains the sum of the other hands and loses that of its own"),
    N_("Then of several there the winner of the round wins"),
    N_("Then the highest score wins"),
    N_("These gains are not rounded"),
    N_("These gains are rounded down to a multiple of five"),
    N_("These gains are rounded to the nearest multiple of five"),
    N_("These gains are rounded up to a multiple of five"),
    N_("They may set the turn and change points"),
    N_("Three sides without a hexagon earn {0} more"),
    N_("Tiles dealt to each: {0} players"),
    N_("Totals may be negative"),
    N_("Two sides without a hexagon earn {0} more"),
    N_("Undo, overruling and correction are written down like moves"),
    N_("Until the next trick is led it is put right, and those who have followed may change their tiles"),
    N_("What the hands then show counts too"),
    N_("What the people at the table let stand is played"),
    N_("What the people at the table let stand stays where it lies"),
    N_("What the people at the table let stand stays where it lies and earns its value"),
    N_("Where a player names another number of tiles drawn, the count rules"),
    N_("Where a tile fits both ends, its player chooses"),
    N_("Where nobody has a triple, all draw one tile in turn, free of charge, until one has"),
    N_("Where nobody has a triple, the highest sum opens without bonus"),
    N_("Where table, hands and centre are not the whole set, that is reported, and the deal does not count"),
    N_("Where table, hands and centre are not the whole set, that is reported, and the deal stands"),
    N_("Where table, hands and stock are not the whole set, that is reported"),
    N_("Whoever cannot lay a tile draws, as often as needed, for {0} each, until one fits"),
    N_("Whoever cannot lay a tile draws, at most {0} in a turn, for {1} each, until one fits"),
    N_("Whoever cannot play passes and loses {0}"),
    N_("Whoever goes out gains the pips left in the other hands"),
    N_("Whoever goes out or has the fish writes {0}, every other player the pips left in hand"),
    N_("Whoever has no fitting tile passes"),
    N_("Whoever has no fitting tile draws one by one, free of charge, until one fits, and lays it"),
    N_("Whoever holds a tile of the suit that is asked for plays one"),
    N_("Whoever laid the last tile has made the fish"),
    N_("Whoever looks at the centre tile before the auction is over has the tiles dealt again"),
    N_("Whoever plays alone does not win it"),
    N_("Whoever takes the trick gathers it and leads the next"),
    N_("With an empty stock whoever cannot play passes"),
    N_("With an empty stock whoever cannot play passes and loses {0}"),
    N_("With an empty stock whoever cannot play passes and loses {0}, after the last allowed draw {1}"),
    N_("With at most {0} tiles in the stock whoever cannot play passes"),
    N_("With at most {0} tiles in the stock whoever cannot play passes and loses {1}"),
    N_("With at most {0} tiles in the stock whoever cannot play passes and loses {1}, after the last allowed draw {2}"),
    N_("Without a trump in it the trick goes to the highest tile of the suit that was led"),
    N_("Without a trump, and with nobody following, the trick goes to the tile that was led"),
    N_("a double belongs to one suit"),
    N_("a multiple of five goes to whoever names it first, before the next player acts"),
    N_("a multiple of five scores at once"),
    N_("a tie for it is played on"),
    N_("a tile on three corners without a side is allowed and earns {0} besides its sum"),
    N_("after a false pass the round does not count"),
    N_("after drawing it lays one that fits"),
    N_("after drawing it may lay it or end the turn, free of charge except with an empty stock"),
    N_("after drawing it may lay it or end the turn, free of charge except with at most {0} tiles in the stock"),
    N_("after it the deal does not count"),
    N_("after the last allowed draw {0}"),
    N_("any of equal sums"),
    N_("each other seat loses the sum of its own hand"),
    N_("equals at the top play one more round"),
    N_("every corner that touches has the same number"),
    N_("found later, it is reported and play goes on, and it costs {0}"),
    N_("found later, the round does not count, and it costs {0}"),
    N_("if the next player has acted it may stand, and the turn goes on from there"),
    N_("if the next player has acted it may stand, with its score, and the turn goes on from there"),
    N_("if the next player has played too, or two have followed a lead, it stands"),
    N_("its leader may ask for its lower number instead"),
    N_("its player tries again"),
    N_("no target ends it"),
    N_("of equal sums the larger numbers"),
    N_("once all hands are counted, the round does not count"),
    N_("one that was seen stays"),
    N_("otherwise he is credited with it, and the tricks of the player who has revoked score nothing"),
    N_("otherwise the highest total, and a tie for it is played on"),
    N_("play goes clockwise"),
    N_("the fewest points win, equal points share a place"),
    N_("the first to {0} wins"),
    N_("the last {0} tiles of the stock are not drawn"),
    N_("the lower may not be asked for"),
    N_("the others draw theirs of that lap, and the highest triple opens"),
    N_("the round stands"),
    N_("the sum of all other hands"),
    N_("what follows is judged anew"),
    N_("where nobody has a double, the highest sum"),
    N_("where nobody has it the highest double, then the highest sum"),
    N_("where nobody won it, like the first"),
    N_("who can play by corners only counts as able to play"),
    N_("who can play by corners only does not count as able to play"),
    N_("whoever holds none plays any tile"),
    N_("{0} counts {1}"),
    N_("{0} is a suit alone"),
    N_("{0} made scores {1}, failed it costs {2}"),
    N_("{0} made wins the match, failed it costs {1}"),
    N_("{0} player, each alone"),
    N_("{0} players, each alone"),
    N_("{0} tiles, numbers {1}"),
    N_("{0} tiles, numbers {1}, rising clockwise"),
    N_("{0} tiles, numbers {1}, rising clockwise and their mirror images"),
    N_("{0} tiles, numbers {1}, rising counter-clockwise"),
    N_("{0} tiles, numbers {1}, rising counter-clockwise and their mirror images"),
    N_("{0} tiles: numbers {1}, of the blanks only {2}"),
)
