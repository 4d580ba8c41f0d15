"""The course of a match on the proving ground: deals, turns, mistakes and what is done about them."""

from __future__ import annotations

from referee import people, takers
from referee.commands.torture import tricks
from referee.commands.torture.faults import disturbed
from referee.commands.torture.hall import FPS, Course
from referee.commands.torture.mistakes import MISTAKES, best, given_back, lay
from referee.commands.torture.people import Party
from referee.moves import Announce, Draw, Pass, ShowHand
from referee.state import Phase
from vision.virtual import Clear, Hover

STARTING = 20 * FPS
FAULTS_SHARE, MISTAKES_SHARE = 0.2, 0.2  # of all moves


class NoRoomError(Exception):
    """There is a legal move, but no room for it on the mat."""


def match(
    party: Party,
    most_rounds: int | None,
    mishaps: tuple[float, float] = (FAULTS_SHARE, MISTAKES_SHARE),
    thinking_s: tuple[int, int] = (0, 0),
    spared: tuple[str, ...] = (),
) -> Course:
    """Play until the match is over, or for so many rounds.

    Args:
        mishaps: the shares of all moves before which something goes wrong at the table, and which are mistakes.
        thinking_s: how long people think before a move, seconds at least and at most.
        spared: what is not to go wrong.

    Raises:
        AstrayError: when the referee says something else than what happened.
    """
    dealt, truth, account = 0, party.truth, party.account
    yield from party.until(party.is_quiet, STARTING)
    if not party.is_quiet():
        truth.wrong("missed", "the table was not found")
    try:
        while truth.state.phase is not Phase.OVER and account.rounds != most_rounds:
            truth.doing = "at rest"
            deal = takers.deals(truth.record) if party.game.in_tricks else truth.state.round
            if deal != dealt and truth.state.phase is not Phase.CLEARING:
                _deal(party)
                dealt = deal
            elif truth.state.phase is Phase.PLAY and party.is_dealt:
                yield from party.frames(FPS * party.random.randint(*thinking_s))
                if party.random.random() < mishaps[0]:
                    yield from disturbed(party, spared)
                yield from _turn(party, mishaps[1])
            else:
                yield from _between(party)
        account.ended = "to the end" if truth.state.phase is Phase.OVER else "one round"
    except NoRoomError:
        account.ended = "no room on the mat"
    account.rounds += truth.state.phase is not Phase.DEAL
    yield from _swept(party)


def _between(party: Party) -> Course:
    """What is said and done before play has begun and after it has ended."""
    state = party.truth.state
    if state.phase is Phase.CLEARING:
        yield from _cleared(party)
        party.account.rounds += 1
    elif state.phase is Phase.SHOW_HANDS:
        seat = state.shown.index(None)
        party.say(ShowHand(seat, tuple(party.hands[seat])))
    elif not party.game.in_tricks and not all(state.heard):
        seat = state.heard.index(False)
        party.say(Announce(seat, max(party.hands[seat], key=party.game.rank)))
    else:
        yield from _begun(party)


def _deal(party: Party) -> None:
    tiles = sorted(party.game.tiles_of(party.truth.state.settings))
    party.random.shuffle(tiles)
    party.hands = [[tiles.pop() for _ in range(count)] for count in party.truth.state.hands]
    party.stock = tiles


def _begun(party: Party) -> Course:
    """Everybody has announced, or tiles were shuffled above the empty table: play begins by itself."""
    yield from party.until(lambda: party.truth.state.phase is not Phase.DEAL, FPS)
    if party.truth.state.phase is Phase.DEAL:
        yield Hover(90.0)
        yield from party.until(lambda: party.truth.state.phase is not Phase.DEAL)
    if party.truth.state.phase is Phase.DEAL:
        party.truth.wrong("missed", "play has not begun on an empty table")


def _cleared(party: Party) -> Course:
    party.truth.doing = "clearing"
    yield from _swept(party)
    yield from party.until(lambda: party.truth.state.phase is not Phase.CLEARING)
    if party.truth.state.phase is Phase.CLEARING:
        party.truth.wrong("missed", "the table was cleared, and the next round is not dealt")


def _swept(party: Party) -> Course:
    party.provoked = True
    while party.hall.lying:
        yield Clear(90.0)
    yield from party.frames(FPS)
    party.provoked = False


# One turn


def _turn(party: Party, mistakes: float) -> Course:
    """Somebody lays a tile, draws or passes, perhaps after a mistake."""
    truth, seat = party.truth, party.truth.state.turn
    party.account.moves += 1
    if party.game.in_tricks:
        truth.doing = "calling"
        yield from tricks.turn(party, lay, given_back)
        return
    if seat is None:
        truth.doing = "drawing to open"
        seat = people.drawing_to_open(truth.state)
        party.say(Draw(seat))
        party.hands[seat].append(party.stock.pop())
        return
    if party.random.random() < mistakes:
        name = party.random.choice(tuple(MISTAKES))
        truth.doing = name.replace("_", " ")
        before = len(truth.record.entries)
        yield from MISTAKES[name](party, seat)
        party.provoked = False
        if len(truth.record.entries) > before:
            party.account.count(name)
        if truth.state.turn != seat or truth.state.phase is not Phase.PLAY:
            return
    truth.doing = "laying"
    scene = party.scene()
    idea = best(party, scene, party.hands[seat])
    if idea is not None:
        yield from lay(party, idea)
    elif people.roomless_move(scene, party.hands[seat]) is not None:
        raise NoRoomError
    elif party.stock and truth.judged(Draw(seat)).is_legal:
        party.say(Draw(seat))
        party.hands[seat].append(party.stock.pop())
    else:
        party.say(Pass(seat))
