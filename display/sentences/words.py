"""Sentences in the language of whoever looks at them, made of codes, names and numbers."""

from __future__ import annotations

import re
from gettext import NullTranslations

from display import languages
from display.sentences import sheets
from display.sentences.codes import ANSWERS, AWARDS, DEEDS, N_, REASONS, TRICKS
from referee.rulings import Reason
from referee.tiles import smallest_rotation
from referee.wire import Answer, Award, Better, Dispute, Ruled, Seat, Tricks

MINUS = "\u2212"
_TILE = re.compile(r"(?<![\w-])\d+-\d+(?:-\d+)?(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?![\w-])")
_LONGEST_BRIEF = 12


class Words:
    """A language.

    Args:
        language: its code, such as `ro`.
        catalogue: translates the English texts; that of the language if none is given.
    """

    def __init__(self, language: str = languages.ENGLISH, catalogue: NullTranslations | None = None) -> None:
        self.language = language
        self._catalogue = languages.catalogue(language) if catalogue is None else catalogue

    def say(self, message: str) -> str:
        """A text in this language."""
        return self._catalogue.gettext(message) if message else ""

    def plural(self, one: str, many: str, count: int, **values: object) -> str:
        """A text that depends on a number, which stands in it as `{count}`."""
        return self._catalogue.ngettext(one, many, count).format(count=count, **values)

    def code(self, table: dict[str, str], code: str) -> str:
        """The words for a code, or the code itself with spaces when it is not known."""
        known = table.get(code)
        return code.replace("-", " ").replace("_", " ") if known is None else self.say(known)

    def count(self, tiles: int) -> str:
        """A number of tiles."""
        return self.plural("{count} tile", "{count} tiles", tiles)

    def told(self, about: str, text: str) -> str:
        """A text and what or whom it is about; the text alone where that has no name."""
        return self.say(N_("{name}: {text}")).format(name=about, text=text) if about else text

    def decimal(self, value: float, places: int = 1) -> str:
        """A number with decimals, as this language writes it."""
        text = f"{value:.{places}f}".replace("-", MINUS)
        return text if self.language == languages.ENGLISH else text.replace(".", ",")

    def percent(self, share: float) -> str:
        """A share from 0 to 1 as a whole percentage."""
        return self.say(N_("{number}%")).format(number=round(share * 100))

    def date(self, year: int, month: int, day: int) -> str:
        """A day of the calendar."""
        return self.say(N_("{day:02}/{month:02}/{year}")).format(day=day, month=month, year=year)

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
        return self.told(self.brief(seats, ruled.seat), self.reason(ruled.reason))

    def act(self, line: str) -> str:
        """What a line of notation is about, in words and without its seat: its tile, else its verb and its number."""
        tile = tile_in(line)
        if tile:
            return "-".join(map(str, tile))
        verb = next((word for word in line.split() if word in DEEDS), "")
        found = _NUMBER.search(line)
        if not verb:
            return line
        return self.told(self.say(DEEDS[verb]), number(int(found.group()))) if found else self.say(DEEDS[verb])

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
            told.append(self.told(who, f"{self.reason(each.reason)}{tiles}"))
        return told

    def clauses(self, clauses: tuple[str, ...]) -> str:
        """The clauses of the rules that a ruling rests on; which rules is known from the game."""
        short = dict.fromkeys(clause.rpartition(" ")[2] if "§" in clause else clause for clause in clauses)
        return self.say(N_("Rule {clauses}")).format(clauses=", ".join(short)) if clauses else ""

    def sheet(self, paragraph: str) -> str:
        """A paragraph of a rule sheet (`referee.games.Game.sheet`) in this language."""
        return " ".join(self._sentence(parts) for parts in sheets.parts(paragraph))

    def _sentence(self, parts: tuple[str, ...]) -> str:
        whole = ""
        for part in parts:
            message, figures = sheets.with_gaps(part)
            text = self.say(message)
            said = part if text == message else text.format(*figures)
            whole = self.say(N_("{one}; {two}")).format(one=whole, two=said) if whole else said
        return whole[:1].upper() + whole[1:] + "."

    def about(self, seats: tuple[Seat, ...], ruled: Ruled) -> str:
        """Which entry a question is about, and how it is ruled now, unless what was done says that already."""
        name, act = self.brief(seats, ruled.seat), self.act(ruled.line)
        said = (" ".join(filter(None, (name, act))),) if tile_in(ruled.line) else (name, act)
        verdict = "" if ruled.legal and not tile_in(ruled.line) else self.reason(ruled.reason)
        return self.told(str(ruled.entry), " · ".join(filter(None, (*said, verdict))))

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
        return tile, self.all_of(better.beside)

    def all_of(self, things: tuple[str, ...]) -> str:
        """Several things as one."""
        *others, last = things or ("",)
        return self.say(N_("{others} and {last}")).format(others=", ".join(others), last=last) if others else last

    def dispute(self, seats: tuple[Seat, ...], dispute: Dispute) -> str:
        """Whose tile does not stand."""
        return self.told(self.brief(seats, dispute.seat), self.say(N_("{tile} is illegal")).format(tile=dispute.tile))

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
