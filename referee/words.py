"""The words of a line of notation, taken one by one, and what is wrong with one of them."""

from __future__ import annotations

from referee.tiles import parse_values

SEATS = "ABCDEF"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:_-")


class NotationError(ValueError):
    """A line that says no act: what was expected, what came instead, and at which word (from 1)."""

    def __init__(self, expected: str, got: str, word: int) -> None:
        super().__init__(f"expected {expected}, got {got!r} at word {word}")
        self.expected = expected
        self.got = got
        self.word = word


class Words:
    """The words of a line, taken one by one."""

    def __init__(self, line: str) -> None:
        self._words = line.split()
        self._next = 0

    @property
    def is_at_end(self) -> bool:
        """True when all words are taken."""
        return self._next == len(self._words)

    def peek(self) -> str:
        """The next word, empty at the end."""
        return "" if self.is_at_end else self._words[self._next]

    def take(self, expected: str) -> str:
        """The next word, which is taken.

        Raises:
            NotationError: at the end of the line; so do the others below for a word that is not as expected.
        """
        if self.is_at_end:
            raise NotationError(expected, "the end of the line", self._next + 1)
        self._next += 1
        return self._words[self._next - 1]

    def wrong(self, expected: str) -> NotationError:
        """The error that the word taken last is not what was expected."""
        return NotationError(expected, self._words[self._next - 1], self._next)

    def number(self, expected: str, end: str = "") -> int:
        """A whole number, written in front of `end`."""
        word = self.take(expected)
        digits = word.removesuffix(end)
        if not word.endswith(end) or not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise self.wrong(expected)
        return int(digits)

    def signed(self, expected: str) -> int:
        """A whole number that may be negative."""
        sign = -1 if self.peek().startswith("-") else 1
        digits = self.take(expected).removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise self.wrong(expected)
        return sign * int(digits)

    def seat(self) -> int:
        """A seat by its letter, counted from 0."""
        word = self.take("a seat (A to F)")
        if len(word) != 1 or word not in SEATS:
            raise self.wrong("a seat (A to F)")
        return SEATS.index(word)

    def takes(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self.peek() != word:
            return False
        self.take(word)
        return True

    def after(self, word: str) -> Words:
        """These words when the next one, which is taken, is this one."""
        if self.take(word) != word:
            raise self.wrong(word)
        return self

    def values(self) -> tuple[int, ...]:
        """The numbers of a tile in the order in which they are written."""
        word = self.take("a tile")
        try:
            return parse_values(word)
        except ValueError:
            raise self.wrong("a tile such as 3-5 or 0-1-4") from None

    def end(self) -> None:
        """Nothing more may follow."""
        if not self.is_at_end:
            self.take("")
            raise self.wrong("the end of the line")


def quote(text: str) -> str:
    """The text with all but letters, digits and a few signs written as bytes in hexadecimal digits."""
    return "".join(char if char in PLAIN else "".join(f"%{byte:02X}" for byte in char.encode()) for char in text)


def unquote(text: str) -> str:
    """Undo `quote`.

    Raises:
        ValueError: if a % is not followed by two hexadecimal digits, or the bytes are not UTF-8.
    """
    first, *rest = text.split("%")
    if any(len(part) < 2 for part in rest):
        raise ValueError(text)
    return (first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in rest)).decode()
