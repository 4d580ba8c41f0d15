"""A second judge of Moon: everything said and played is written down, and looked through again after every word.

Tiles are words such as `66`, seats count from 0; of a seat's hand there is a list of words, None while it is hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.naive.tricks import SET, asked, suits

HOUSE: dict[str, str] = {
    "least_bid": "4",
    "all_pass": "redeal",
    "trump_before_widow": "no",
    "moon_made": "wins",
    "bidder_goes_out": "no",
    "leader_names_suit": "no",
    "revoke_remedy": "stop",
    "out_of_turn_bid": "void",
    "target": "21",
}
SEATS = (0, 1, 2)


@dataclass
class Played:
    """A tile in a trick, and whether somebody who did not follow with it may yet be blamed for that."""

    seat: int
    word: str
    may_be_blamed: bool = True


@dataclass
class Trick:
    """The suit asked for, from the highest tile down, and what has been played."""

    suit: list[str]
    plays: list[Played] = field(default_factory=list)


class Judge:
    """One match, by the rules as they are printed."""

    def __init__(self, **house: str) -> None:
        self.house = HOUSE | house
        self.scores = [0, 0, 0]
        self.winner: int | None = None
        self.news: list[tuple[int, str, str]] = []  # revokes that the last word has brought to light
        self.turn: int | None = None
        self.first: int | None = None
        self.deal()

    def deal(self) -> None:
        """Nothing has been said yet."""
        self.step = "deal"
        self.calls: list[tuple[int, int]] = []
        self.trump: int | str | None = None
        self.discarded = False
        self.tricks: list[Trick] = []
        self.seen: list[tuple[int, str]] = []  # every tile played or seen in a hand, and whose
        self.hands: list[list[str] | None] = [None, None, None]
        self.blamed: list[str] = []

    def clear(self) -> None:
        """The deal has been scored, and the table is empty."""
        self.news = []
        self.dealt_again()

    def dealt_again(self) -> None:
        """The tiles are mixed; the first bid moves to the left."""
        if self.first is not None:
            self.first = (self.first + 1) % 3
        self.turn = self.first
        self.deal()

    def begin(self) -> None:
        """The tiles are dealt."""
        self.news = []
        self.step = "auction"

    def bids_first(self, seat: int) -> None:
        """Somebody has been drawn."""
        self.first = self.turn = seat

    # --- the auction --------------------------------------------------------------------------------------

    @property
    def highest(self) -> tuple[int | None, int]:
        """Who has bid most, and how much."""
        bids = [(bid, seat) for seat, bid in self.calls if bid > 0]
        return (max(bids)[1], max(bids)[0]) if bids else (None, 0)

    def call(self, seat: int, bid: int) -> str:
        """A bid; 0 is a pass, said as such."""
        self.news = []
        if self.step != "auction":
            return "bid-closed"
        if bid not in (0, 21) and not int(self.house["least_bid"]) <= bid <= 7:
            return "bid-range"
        if seat in [caller for caller, _ in self.calls]:
            return "out-of-turn"
        if seat != self.turn:
            if self.house["out_of_turn_bid"] == "void":
                return "out-of-turn"
            self.calls.append((seat, 0))
            return "ok-forced-pass"
        if bid and bid <= self.highest[1]:
            return "bid-too-low"
        said = "ok-bid" if bid else "ok-pass"
        self.calls.append((seat, bid))
        if len(self.calls) == 3 and self.highest[0] is None:
            if self.house["all_pass"] == "redeal":  # noqa: S105  # a rule, not a password
                self.dealt_again()
                return "all-pass-redeal"
            self.calls[-1] = (seat, int(self.house["least_bid"]))
            said = "ok-forced-bid"
        if bid == 21 or len(self.calls) == 3:
            self.turn = self.highest[0]
            self.step = "trump" if self.house["trump_before_widow"] == "yes" else "discard"
        else:
            called = [caller for caller, _ in self.calls]
            self.turn = next(other for other in ((seat + 1) % 3, (seat + 2) % 3) if other not in called)
        return said

    def discard(self) -> None:
        """The bidder has taken the centre tile and laid one aside."""
        self.news = []
        self.discarded = True
        self.step = "play" if self.trump is not None else "trump"

    def name(self, trump: int | str) -> None:
        """The bidder has named trumps."""
        self.trump = trump
        self.step = "play" if self.discarded else "discard"

    # --- the tricks ---------------------------------------------------------------------------------------

    def play(self, seat: int, word: str, number: int | None = None, let_stand: bool = False) -> str:
        """A tile of a seat, and the number that its player asks for, if he says so."""
        self.news = []
        if self.step != "play":
            return "not-now"
        fault = self._fault(seat, word, number)
        blame = True
        if let_stand and fault not in ("no-such-tile", "tile-already-played") and not self._has_played(seat):
            blame = fault == "out-of-turn"
            fault = None
        elif fault is not None:
            return fault
        assert self.trump is not None
        if self._is_lead():
            suit = asked(self.trump, word)
            if number is not None and str(number) in word and word not in suits(self.trump)["trump"]:
                suit = suits(self.trump)[str(number)]
            self.tricks.append(Trick(suit))
        self.tricks[-1].plays.append(Played(seat, word, blame))
        self.seen.append((seat, word))
        self._forget(seat, word)
        self._go_on(seat)
        return "ok-overruled" if let_stand else "ok-play"

    def expose(self, seat: int, word: str) -> str:
        """All have seen a tile in a hand."""
        self.news = []
        hand = self.hands[seat] or []
        if self.tricks and (seat, word) in [(each.seat, each.word) for each in self.tricks[-1].plays]:
            return "ok-expose"  # it is the one that lies there
        if word not in SET:
            return "no-such-tile"
        if word in [each.word for trick in self.tricks for each in trick.plays]:
            return "tile-already-played"
        if any(word in (self.hands[other] or []) for other in SEATS if other != seat):
            return "not-in-hand"
        if word not in hand and len(hand) >= self._left(seat):
            return "not-in-hand"
        self.hands[seat] = hand if word in hand else [*hand, word]
        self.seen.append((seat, word))
        self._settle()
        return "ok-expose"

    def _fault(self, seat: int, word: str, number: int | None) -> str | None:
        assert self.trump is not None
        hand = self.hands[seat]
        if word not in SET:
            return "no-such-tile"
        if word in [each.word for trick in self.tricks for each in trick.plays]:
            return "tile-already-played"
        if seat != self.turn:
            return "out-of-turn"
        if any(word in (self.hands[other] or []) for other in SEATS if other != seat):
            return "not-in-hand"
        if hand is not None and word not in hand and len(hand) == self._left(seat):
            return "not-in-hand"
        if number is not None and not self._may_ask(word, number):
            return "no-such-suit"
        if not self._is_lead() and hand is not None:
            suit = self.tricks[-1].suit
            if word not in suit and any(each in suit for each in hand):
                return "revoke"
        return None

    def _may_ask(self, word: str, number: int) -> bool:
        assert self.trump is not None
        if not self._is_lead() or word in suits(self.trump)["trump"] or str(number) not in word:
            return False
        return number == int(max(word)) or self.house["leader_names_suit"] == "yes"

    def _left(self, seat: int) -> int:
        """How many tiles a seat still holds."""
        return 7 - [each.seat for trick in self.tricks for each in trick.plays].count(seat)

    def _is_lead(self) -> bool:
        return not self.tricks or len(self.tricks[-1].plays) == 3

    def _has_played(self, seat: int) -> bool:
        return not self._is_lead() and seat in [each.seat for each in self.tricks[-1].plays]

    def _forget(self, seat: int, word: str) -> None:
        hand = self.hands[seat]
        if hand is not None and word not in hand and len(hand) > self._left(seat):
            self.hands[seat] = None  # so it was not his hand at all
        for held in self.hands:
            if held is not None and word in held:
                held.remove(word)

    def _go_on(self, seat: int) -> None:
        last = self.tricks[-1]
        if len(last.plays) == 3:
            self.turn = self.taker(last)
        else:
            played = [each.seat for each in last.plays]
            self.turn = next(other for other in ((seat + 1) % 3, (seat + 2) % 3) if other not in played)
        self._settle()

    def _settle(self) -> None:
        """What the last tile seen has brought to light, and whether the deal is over."""
        last_word = self.seen[-1][1]
        self.news = [(who, what, last_word) for who, what in self.revokes() if what not in self.blamed]
        self.blamed += [what for _, what, _ in self.news]
        earlier = [each for each in self.revokes() if self._is_of_earlier_trick(each)]
        if earlier and self.house["revoke_remedy"] == "replay":
            self.dealt_again()
        elif (earlier and self.house["revoke_remedy"] == "stop") or sum(len(t.plays) == 3 for t in self.tricks) == 7:
            self._score()

    def taker(self, trick: Trick) -> int:
        """Who takes a full trick: the highest trump in it, else the highest tile of the suit."""
        assert self.trump is not None
        for word in (*suits(self.trump)["trump"], *trick.suit):
            for each in trick.plays:
                if each.word == word:
                    return each.seat
        raise AssertionError("the tile that was led belongs to its suit")

    def taken(self) -> list[int]:
        """How many tricks each seat has taken."""
        takers = [self.taker(trick) for trick in self.tricks if len(trick.plays) == 3]
        return [takers.count(seat) for seat in SEATS]

    def revokes(self) -> list[tuple[int, str]]:
        """Every tile that did not follow although its player has shown a tile of that suit since: seat and tile."""
        found = []
        for trick in self.tricks:
            for each in trick.plays[1:]:
                at = max(i for i, seen in enumerate(self.seen) if seen == (each.seat, each.word))
                later = {word for seat, word in self.seen[at + 1 :] if seat == each.seat}
                if each.may_be_blamed and each.word not in trick.suit and later & set(trick.suit):
                    found.append((each.seat, each.word))
        return found

    def _is_of_earlier_trick(self, blame: tuple[int, str]) -> bool:
        return blame[1] not in [each.word for each in self.tricks[-1].plays]

    # --- the score ----------------------------------------------------------------------------------------

    def _score(self) -> None:
        bidder, bid = self.highest
        assert bidder is not None
        taken = self.taken()
        guilty = {seat for seat, _ in self.revokes()} if self.house["revoke_remedy"] != "report" else set()
        is_made = taken[bidder] >= (7 if bid == 21 else bid) or bool(guilty)
        if bidder in guilty:
            is_made = False
        for seat in SEATS:
            if seat == bidder:
                self.scores[seat] += bid if is_made else -bid
            elif seat not in guilty:
                self.scores[seat] += taken[seat]
        self.step, self.turn = "scored", None
        self._end(bidder, is_moon_made=bid == 21 and is_made)

    def _end(self, bidder: int, is_moon_made: bool) -> None:
        target = int(self.house["target"])
        best = max(self.scores)
        goes_out = self.house["bidder_goes_out"] == "yes" and self.scores[bidder] >= target
        if goes_out or (is_moon_made and self.house["moon_made"] == "wins"):
            self.winner = bidder
        elif best >= target and self.scores.count(best) == 1:
            self.winner = self.scores.index(best)
        if self.winner is not None:
            self.step = "over"
