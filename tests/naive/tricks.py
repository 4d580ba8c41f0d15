"""A second judge of tricks: the suits are written out from the highest tile down, and looked up by eye."""

from __future__ import annotations

Tile = tuple[int, int]

SUITS = {
    6: "66 65 64 63 62 61",
    5: "55 65 54 53 52 51",
    4: "44 64 54 43 42 41",
    3: "33 63 53 43 32 31",
    2: "22 62 52 42 32 21",
    1: "11 61 51 41 31 21",
    0: "00",
}
DOUBLES = "66 55 44 33 22 11 00"
SET = sorted({word for suit in SUITS.values() for word in suit.split()})


def suits(trump: int | str) -> dict[str, list[str]]:
    """All suits from the highest tile down; trumps belong to `trump` and to no other."""
    trumps = DOUBLES.split() if trump == "doubles" else SUITS[trump].split() if isinstance(trump, int) else []
    named = {str(number): [word for word in text.split() if word not in trumps] for number, text in SUITS.items()}
    return named | {"trump": trumps}


def asked(trump: int | str, led: str) -> list[str]:
    """The suit that a led tile asks for, from the highest tile down."""
    known = suits(trump)
    return known["trump"] if led in known["trump"] else known[max(led)]


def allowed(trump: int | str, led: str, hand: list[str]) -> list[str]:
    """The tiles of a hand that may follow a led tile."""
    return [word for word in hand if word in asked(trump, led)] or hand


def winner(trump: int | str, plays: list[str]) -> int:
    """Which of the tiles of a trick takes it, in the order of playing."""
    for suit in (suits(trump)["trump"], asked(trump, plays[0])):
        for word in suit:
            if word in plays:
                return plays.index(word)
    raise AssertionError("the led tile belongs to the suit that it asks for")
