"""What a match, and what many of them, amount to: score sheets, results, and how each player has fared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee import umpire
from referee.moves import Clear, Place, Play, Redeal
from referee.rulings import Award, Ruling
from referee.state import Phase
from referee.umpire import Act, Match, Record

OUT, BLOCKED = "out", "blocked"


@dataclass(frozen=True, slots=True)
class Round:
    """One line of a score sheet.

    `points` are what the round has brought each seat, `scores` what that came to in all. `opener` laid or led the first
    tile. `items` say what the points are for, added up by seat. `end` is `out` or `blocked`, empty while the round goes
    on, `out` the seat that went out.
    """

    number: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    opener: int | None = None
    items: tuple[Award, ...] = ()
    end: str = ""
    out: int | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The tile that has earned a player most at one stroke."""

    tile: str
    points: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in one line, everything by seat; `ranking` is empty until it is over."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    rounds: int
    lowest_wins: bool
    best: tuple[Best | None, ...]
    illegal: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """A match of the journal; `begun_ms` is None where the clock cannot have been right.

    `is_here` when it is the match on the table, over or not.
    """

    number: int
    begun_ms: int | None
    summary: Summary
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Career:
    """How a player has fared in one game, in all matches that were played to their end.

    `wins` are all, `shared` those among them with others; `total` adds up the final scores; `best` is the tile that
    earned most, None in games in which no tile earns anything; `top` is the best final score, in games that the
    lowest score wins the lowest. `illegal` counts tiles that did not stand and what was proven later.
    """

    name: str
    game: str
    games: int
    wins: int
    shared: int
    total: int
    top: int
    best: Best | None
    illegal: int
    lowest_wins: bool

    @property
    def average(self) -> float:
        """The mean final score."""
        return self.total / self.games


def sheet(record: Record) -> tuple[Round, ...]:
    """The score sheet of the newest match of a record, a line for each round, the one under way included.

    What was undone has earned nothing; a penalty counts in the round in which it was found.
    """
    lines: list[Round] = []
    acts = umpire.acts(record)
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        if ruling is None:
            continue
        act = acts.get(entry.seq, entry.what)
        if isinstance(act, Match) and ruling.is_legal:
            lines = []
        if not lines or (isinstance(act, Clear) and ruling.is_legal):
            lines.append(Round(ruling.state.round, (0,) * ruling.state.players, ruling.state.scores))
        lines[-1] = _with(lines[-1], act, ruling)
    return tuple(lines)


def _with(line: Round, act: Act, ruling: Ruling) -> Round:
    """The line of a round after one more ruling."""
    state, opener = ruling.state, line.opener
    if isinstance(act, Redeal) and ruling.is_legal:
        opener = None
    elif opener is None and isinstance(act, Place | Play) and ruling.is_legal:
        opener = act.seat
    is_over = state.phase in (Phase.CLEARING, Phase.OVER)
    return Round(
        number=state.round,
        points=tuple(points + ruling.points(seat) for seat, points in enumerate(line.points)),
        scores=state.scores,
        opener=opener,
        items=_added(line.items, ruling.awards) if ruling.awards else line.items,
        end="" if not is_over else BLOCKED if state.blocked else OUT if state.out is not None else "",
        out=state.out,
    )


def _added(items: Iterable[Award], more: Iterable[Award]) -> tuple[Award, ...]:
    """Points added up by seat and by what they are for."""
    sums: dict[tuple[int, str], int] = {}
    for each in (*items, *more):
        sums[each.seat, each.what] = sums.get((each.seat, each.what), 0) + each.points
    return tuple(Award(seat, what, points) for (seat, what), points in sums.items() if points)


def summary(record: Record) -> Summary:
    """A match in one line."""
    state = record.state
    seats = range(state.players)
    best: list[Best | None] = [None for _ in seats]
    illegal = [0 for _ in seats]
    unsettled = umpire.unsettled(record)
    for seat, act, counted in _moves(record):
        if isinstance(act, Place):
            earned = counted.points(seat) if counted.is_legal else 0
            known = best[seat]
            if earned > (known.points if known else 0):
                best[seat] = Best(str(act.tile), earned)
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        if ruling is None:
            continue
        if isinstance(entry.what, Place | Play) and not ruling.is_legal and entry.seq not in unsettled:
            illegal[entry.what.seat] += 1
        for proof in ruling.proven:
            if proof.seat in seats:
                illegal[proof.seat] += 1
    return Summary(
        game=state.game,
        names=state.names,
        scores=state.scores,
        ranking=state.ranking,
        rounds=len(sheet(record)),
        lowest_wins=state.settings.lowest_wins,
        best=tuple(best),
        illegal=tuple(illegal),
    )


def _moves(record: Record) -> Iterator[tuple[int, Act, Ruling]]:
    """The moves of a seat that count, as they are now, with their rulings."""
    for entry in umpire.effective(record):
        seat, ruling = getattr(entry.what, "seat", None), record.rulings[entry.seq - 1]
        if seat is not None and ruling is not None:
            yield seat, entry.what, ruling


def careers(summaries: Iterable[Summary]) -> tuple[Career, ...]:
    """How everybody has fared, by name and within that by game; a name counts as it was entered.

    Matches that were not played to their end count for nothing.
    """
    found: dict[tuple[str, str], Career] = {}
    for each in summaries:
        if not each.ranking:
            continue
        for seat, name in enumerate(each.names):
            now = _one(each, seat)
            before = found.get((name, each.game))
            found[name, each.game] = now if before is None else _both(before, now)
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0].casefold(), key)))


def _one(match: Summary, seat: int) -> Career:
    first = match.ranking[0]
    is_won, score = seat in first, match.scores[seat]
    return Career(
        name=match.names[seat],
        game=match.game,
        games=1,
        wins=int(is_won),
        shared=int(is_won and len(first) > 1),
        total=score,
        top=score,
        best=match.best[seat],
        illegal=match.illegal[seat],
        lowest_wins=match.lowest_wins,
    )


def _both(one: Career, other: Career) -> Career:
    bests = [best for best in (one.best, other.best) if best is not None]
    return replace(
        one,
        games=one.games + other.games,
        wins=one.wins + other.wins,
        shared=one.shared + other.shared,
        total=one.total + other.total,
        top=min(one.top, other.top) if one.lowest_wins else max(one.top, other.top),
        best=max(bests, key=lambda best: best.points, default=None),
        illegal=one.illegal + other.illegal,
    )
