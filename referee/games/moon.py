"""Moon: tricks with dominoes for three; the highest bidder names trumps and plays alone against the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from referee import houserules
from referee.games import Game
from referee.houserules import HouseRuleError, choice, flag, span, table, whole
from referee.moves import DOUBLES, NO_TRUMP, FirstBidder, Move, Play, Spot
from referee.rulings import Offer, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import DOMINO, Tile, domino_set
from referee.tricks import deals, trick
from referee.tricks import offers as trickoffers
from referee.tricks.bidding import MOON, REDEAL
from referee.tricks.pack import Pack, dealt
from referee.tricks.trick import Step, TrickState, Why


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of the rule.

    Attributes:
        players, hands: how many may play; tiles dealt to each, by number of players. One tile of the set
            is left over and lies in the centre.
        max_number: the set: numbers from 0 up to this.
        opening: `rule` when the first bidder is drawn by lot, `any` for whoever calls first.
        least_bid: the lowest bid.
        all_pass: what follows when all pass: dealt again, or the last one plays the lowest bid.
        trump_before_widow: whether trumps are named before the centre tile is taken.
        moon_made: whether all tricks bid and made win the match, or count as that many points.
        bidder_goes_out: whether the bidder wins when he and another have reached the target.
        leader_names_suit: whether the leader of a tile may ask for its lower number.
        revoke_remedy: whether a revoke in an earlier trick stops the deal, is only reported, or has it dealt again.
        out_of_turn_bid: whether a bid out of turn is void, or counts as a pass.
        out_of_turn_remedy: whether a tile played out of turn is taken back, or lies open and must be played.
        exposed_tile_remedy: whether a hand tile that was seen goes back to the hand, or must be played.
        tile_missing_remedy: whether a wrong number of tiles is reported only, or voids the deal.
        target: the score that ends the match.
    """

    players: tuple[int, int] = span((3, 3))
    hands: tuple[tuple[int, int], ...] = table(((3, 7),))
    max_number: int = whole(6, least=1, most=18)
    opening: str = choice("rule", "any")
    least_bid: int = whole(4, least=1)
    all_pass: str = choice(REDEAL, "forced")
    trump_before_widow: bool = flag(False)
    moon_made: str = choice("wins", "points")
    bidder_goes_out: bool = flag(False)
    leader_names_suit: bool = flag(False)
    revoke_remedy: str = choice("stop", "report", "replay")
    out_of_turn_bid: str = choice("void", "pass")
    out_of_turn_remedy: str = choice("take_back", "stays_open")
    exposed_tile_remedy: str = choice("to_hand", "must_play")
    tile_missing_remedy: str = choice("report", "void")
    target: int = whole(21, least=1)

    @property
    def lowest_wins(self) -> bool:
        """The most points win."""
        return False


def start(game: Game, names: tuple[str, ...], settings: Settings) -> State:
    """The state before the first deal.

    Raises:
        ValueError: for a wrong number of players.
    """
    count = len(names)
    if count not in houserules.deals(settings):
        raise ValueError(f"expected {houserules.players(settings)} for {game.id}, got {count}")
    return dealt(_pack(settings), TrickState(game.id, settings, names, (0,) * count, round=0), None)


def vary(settings: Settings, changed: dict[str, str]) -> Settings:
    """Settings with house rules changed.

    Raises:
        HouseRuleError: for a house rule that does not exist or cannot be so, for hands that do not leave one tile
            for the centre, and for a lowest bid that is more than a hand.
    """
    varied = houserules.vary(settings, changed)
    tiles = len(_pack(varied).tiles)
    houserules.check_hands(varied, tiles)
    for count, hand in houserules.deals(varied).items():
        if count == 1 or tiles - count * hand != 1:
            expected = f"hands of several players that leave one of {tiles} tiles for the centre"
            raise HouseRuleError("hands", f"house rule hands: expected {expected}, got {count}:{hand}")
        if varied.least_bid > hand:
            message = f"house rule least_bid: expected a lowest bid of at most {hand}, got {varied.least_bid}"
            raise HouseRuleError("least_bid", message)
    return varied


def rule(state: State, move: Move) -> Ruling:
    """The answer to a move."""
    assert isinstance(state, TrickState)
    return deals.rule(_pack(state.settings), state, move)


def places(_state: State, _tile: Tile) -> tuple[Spot, ...]:
    """None: where a tile of a trick lies means nothing (see `plays`)."""
    return ()


def plays(state: State, tiles: Iterable[Tile]) -> tuple[Play, ...]:
    """All legal plays of these tiles, taken as the whole hand of the seat to move."""
    assert isinstance(state, TrickState)
    seat = state.turn
    if state.phase is not Phase.PLAY or state.step is not Step.TRICKS or seat is None or state.trump is None:
        return ()
    moves = [Play(seat, tile) for tile in trick.playable(tiles, trick.asked(state), state.trump)]
    if state.settings.leader_names_suit and trick.asked(state) is None:
        moves += [Play(seat, move.tile, suit) for move in moves for suit in trick.suits_of(move.tile, state.trump)[1:]]
    return tuple(move for move in moves if deals.refusal(_pack(state.settings), state, move) is None)


def calls(state: State) -> tuple[str, ...]:
    """What the seat to move may bid, or the bidder name as trumps, lowest first."""
    assert isinstance(state, TrickState)
    if state.phase is not Phase.PLAY:
        return ()
    if state.step is Step.AUCTION:
        return tuple(str(bid) for bid in deals.bids(_pack(state.settings), state) if bid > state.bid)
    numbers = range(state.settings.max_number + 1)
    return tuple(map(str, (*numbers, DOUBLES, NO_TRUMP))) if state.step is Step.TRUMP else ()


def lots(state: State) -> tuple[Move, ...]:
    """The moves among which chance decides: who bids first, in a deal in which nobody knows."""
    assert isinstance(state, TrickState)
    if state.phase is not Phase.PLAY or state.turn is not None or state.settings.opening != "rule":
        return ()
    return tuple(FirstBidder(seat) for seat in range(state.players))


def lies(state: State) -> tuple[Placed, ...]:
    """The tiles of the trick under way: a finished one may be taken away at any time."""
    assert isinstance(state, TrickState)
    return trick.open_trick(state)


def offers(state: State, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
    """What can be done about a call or a tile that was refused, the default of the rules first."""
    assert isinstance(state, TrickState)
    return trickoffers.offers(_pack(state.settings), state, move, has_gone_on)


def goes_on(state: State, move: Move, since: Collection[int]) -> bool:
    """Whether play has gone on after a call or a tile that was refused, by the seats that have acted since."""
    assert isinstance(state, TrickState)
    return trickoffers.has_gone_on(state, move, since)


# --- the sheet ----------------------------------------------------------------------------------------

CLAUSES: Mapping[str, tuple[Reason, ...]] = MappingProxyType(
    {
        "4.1": (Reason.NO_SUCH_SEAT,),
        "4.2": (
            *(Reason.OK_BEGIN, Reason.OK_CLEAR, Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED),
            *(Reason.NOT_IN_HAND, Reason.NOT_NOW),
        ),
        "4.5": (
            *(Reason.OK_FIRST_BIDDER, Reason.OK_BID, Reason.OK_PASS, Reason.BID_RANGE, Reason.BID_TOO_LOW),
            *(Reason.BID_CLOSED, Reason.OUT_OF_TURN),
        ),
        "4.6": (Reason.ALL_PASS_REDEAL, Reason.OK_FORCED_BID),
        "4.7": (Reason.OK_EXCHANGE, Reason.MUST_DISCARD),
        "4.8": (Reason.OK_TRUMP, Reason.NO_SUCH_TRUMP),
        "4.10": (Reason.NO_SUCH_SUIT,),
        "4.11": (Reason.OK_PLAY,),
        "4.13": (Reason.REVOKE, Reason.REVOKE_PROVEN),
        "4.16": (Reason.OK_SHOW_HAND, Reason.OK_RECOUNT, Reason.OK_COUNT_STOCK, Reason.HAND_COUNT_WRONG),
        "7.2.1": (Reason.OK_FORCED_PASS,),
        "7.2.3": (Reason.OK_EXPOSE, Reason.MUST_PLAY_EXPOSED),
        "7.2.4": (Reason.NO_DISCARD_PROVEN,),
        "7.2.5": (Reason.WRONG_DEAL, Reason.TILE_COUNT_WRONG),
        "7.2.6": (Reason.OK_REDEAL,),
        "7.2.7": (Reason.OK_OVERRULED, Reason.OK_ADJUST, Reason.OK_TURN),
    }
)
TRICK_CLAUSES = {
    Why.TRUMP: "4.12.1",
    Why.SUIT: "4.12.2",
    Why.ALONE: "4.12.3",
    "score": "4.14",
    "end": "4.15",
    Step.AUCTION: "4.5",
    Step.EXCHANGE: "4.7",
    Step.TRUMP: "4.8",
    Step.TRICKS: "4.9",
}


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    return (*_bidding_sheet(settings), *_trick_sheet(settings), *_score_sheet(settings), *_fault_sheet(settings))


def _bidding_sheet(s: Settings) -> tuple[tuple[str, str], ...]:
    deals = houserules.deals(s)
    hand = " or ".join(map(str, deals.values()))
    dealt = ", ".join(f"{tiles} with {count}" for count, tiles in deals.items())
    order = "before he takes the centre tile" if s.trump_before_widow else "only after the discard"
    first = "is drawn by lot for the first deal" if s.opening == "rule" else "is whoever calls first in the first deal"
    forced = (
        "All pass: the tiles are dealt again."
        if s.all_pass == REDEAL
        else f"All pass: the last one has bid {s.least_bid}."
    )
    return (
        ("4.1", f"{houserules.players(s)}, each alone; the first to {s.target} wins."),
        (
            "4.2",
            f"{len(_pack(s).tiles)} tiles: numbers 0 to {s.max_number}, of the blanks only 0-0. "
            f"Tiles dealt to each: {dealt} players. One tile stays face down in the centre.",
        ),
        ("4.3", f"The suits are the numbers 0 to {s.max_number}; a double belongs to one suit; 0-0 is a suit alone."),
        ("4.4", "The double is the highest of its suit, then the others by their other number."),
        (
            "4.5",
            f"The first bidder {first} and moves clockwise with every deal. One call each: pass, or more than any bid "
            f"before, from {s.least_bid} to {hand}, or {MOON} for all {hand} tricks, which ends the auction.",
        ),
        ("4.6", forced),
        ("4.7", "The highest bidder takes the centre tile and lays one of his tiles, perhaps the same, face down."),
        ("4.8", f"He names trumps {order}: a number from 0 to {s.max_number}, doubles, or none."),
        ("4.8.1", "A number: every tile with it is a trump and nothing else, the double highest."),
        ("4.8.2", f"Doubles: they leave their numbers and rank from {s.max_number}-{s.max_number} down to 0-0."),
        ("4.8.3", "None: nothing trumps, and doubles top their own suits."),
    )


def _trick_sheet(s: Settings) -> tuple[tuple[str, str], ...]:
    named = (
        "its leader may ask for its lower number instead." if s.leader_names_suit else "the lower may not be asked for."
    )
    return (
        ("4.9", "The bidder leads the first trick with any tile; play goes clockwise."),
        ("4.10", f"A trump that is led asks for trumps, any other tile for its higher number; {named}"),
        ("4.11", "Whoever holds a tile of the suit that is asked for plays one; whoever holds none plays any tile."),
        ("4.12", "Whoever takes the trick gathers it and leads the next."),
        ("4.12.1", "The highest trump takes the trick."),
        ("4.12.2", "Without a trump in it the trick goes to the highest tile of the suit that was led."),
        ("4.12.3", "Without a trump, and with nobody following, the trick goes to the tile that was led."),
        ("4.13", "A revoke is a tile outside the suit asked for while one inside it is in the hand. " + _revoke(s)),
    )


def _revoke(s: Settings) -> str:
    open_trick = "Until the next trick is led it is put right, and those who have followed may change their tiles."
    if s.revoke_remedy == "report":
        return f"{open_trick} Later it is reported only."
    if s.revoke_remedy == "replay":
        return f"{open_trick} Later the deal does not count and is dealt again."
    return (
        f"{open_trick} Later the deal stops: a bidder who has revoked loses his bid; otherwise he is credited "
        "with it, and the tricks of the player who has revoked score nothing. What the hands then show counts too."
    )


def _score_sheet(s: Settings) -> tuple[tuple[str, str], ...]:
    moon = "wins the match" if s.moon_made == "wins" else f"scores {MOON}"
    tie = (
        "Of several there the bidder wins; otherwise the highest total, and a tie for it is played on."
        if s.bidder_goes_out
        else "The highest total wins; a tie for it is played on."
    )
    return (
        (
            "4.14",
            f"The bidder scores his bid if he takes that many tricks or more, else loses it; {MOON} made {moon}, "
            f"failed it costs {MOON}. Every other player scores 1 a trick.",
        ),
        ("4.15", f"After each deal: whoever has {s.target} ends the match. {tie} Scores may fall below 0."),
        ("4.16", "Bids, trumps, tricks and numbers of tiles are public, faces are not."),
    )


def _fault_sheet(s: Settings) -> tuple[tuple[str, str], ...]:
    bid = (
        "is void if the next in turn objects, though all have heard it: the seat speaks again in its turn. Otherwise "
        "it stands, and the auction goes on from there."
        if s.out_of_turn_bid == "void"
        else "counts as a pass."
    )
    must_play = "must be played at the first chance"
    out_of_turn = (
        "is taken back; if the next player has played too, or two have followed a lead, it stands"
        if s.out_of_turn_remedy == "take_back"
        else f"lies open and {must_play}"
    )
    missing = "stands" if s.tile_missing_remedy == "report" else "does not count"
    exposed = "goes back to the hand" if s.exposed_tile_remedy == "to_hand" else must_play
    return (
        ("7.1", "Nothing is drawn after the discard: a revoke is proven when the tile that was held back appears."),
        ("7.2.1", f"A bid out of turn {bid} A bid that is too low, and a second one, is refused."),
        ("7.2.2", f"A tile led or played out of turn {out_of_turn}."),
        ("7.2.3", f"A hand tile that was seen {exposed}."),
        (
            "7.2.4",
            "A bidder who has laid nothing aside is stopped before the first lead. After it he loses his bid, and the "
            "deal is played to its end.",
        ),
        (
            "7.2.5",
            "A hand with a wrong number of tiles is put right before the first lead; after it the deal does not count. "
            f"Where table, hands and centre are not the whole set, that is reported, and the deal {missing}.",
        ),
        ("7.2.6", "Whoever looks at the centre tile before the auction is over has the tiles dealt again."),
        ("7.2.7", "What the people at the table let stand is played. They may set the turn and change points."),
        ("7.3", "Undo, overruling and correction are written down like moves; what follows is judged anew."),
    )


@lru_cache(maxsize=32)
def _pack(settings: Settings) -> Pack:
    tiles = frozenset(tile for tile in domino_set(settings.max_number) if tile.is_uniform or 0 not in tile.values)
    clauses: dict[str, str] = {reason: clause for clause, reasons in CLAUSES.items() for reason in reasons}
    return Pack(tiles, MappingProxyType(dict(settings.hands)), MappingProxyType({**clauses, **TRICK_CLAUSES}))


def _rank(tile: Tile) -> tuple[int, ...]:
    return (int(tile.is_uniform), *sorted(tile.values, reverse=True))


def _preset(preset: str, settings: Settings) -> Game:
    low, high = settings.players
    tiles = tuple(sorted(_pack(settings).tiles))
    return Game(
        *(preset, DOMINO, tiles, settings, low, high, start, rule, places, vary, sheet, _rank),
        tiles_of=lambda varied: _pack(varied).tiles,
        lots=lots,
        calls=calls,
        offers=offers,
        goes_on=goes_on,
        in_tricks=True,
        lies=lies,
    )


GAMES = (_preset("kk-moon", Settings()),)
