"""A long evening in a house whose clocks run faster: match after match, with people, phones and faults."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from random import Random

from display.link import Link
from referee import games, notation
from referee.commands.company import Account, Company, Hope, Stage
from referee.commands.house import House
from referee.commands.torture.people import NOT_A_MOVE
from referee.commands.trick_company import TrickCompany
from referee.config import Places
from referee.supervisor import Supervisor
from referee.umpire import Match
from referee.wire import View
from tests.serving import two_free_ports
from tests.soak.watching import Grown, Watch
from vision.virtual import Bump, Clear, Direction, Fail, Flash, Flicker, Glow, Hover, Light, Shadow

FPS = 15
HOUR_S = 3600.0
THINKING_S = (5.0, 45.0)  # before a move
FAULT_EVERY_S = (40.0, 200.0)
STUCK_S = 600.0  # without an entry: the people and the record have come apart
LEAST_AN_HOUR = 20  # tiles laid, or it was no evening of games
MOST_BROKEN_OFF = 0.1  # of the matches
MOST_BUSY_S = 240.0  # without the table once at rest: longer than any hand is waited for while a room stands still
CLEARING_S = 10.0
CLOSE_MM = 40.0  # what is asked about a tile so near is meant of that tile
FROZEN_S = (0.2, 2.0)  # of real time, for which a room does not run at all
START_S = 60.0
SLOWEST = 6  # times the time that is planned
LAST_LINES = 30  # of the log, told when something went wrong
SEEN = ("light", "flash", "flicker", "shadow", "glow", "knock", "fail", "hover")
FAULTS = ("halt", "photograph", *SEEN)
NAMES = ("Ana", "Bo", "Cy")


@dataclass(frozen=True, slots=True)
class Plan:
    """How long an evening is, by how much its clocks are faster, and what is played: presets with the same tiles.

    Of what may go wrong (`FAULTS`) only `faults` do, `often` times as often as usual. To a low `target` matches are
    short, and the table is cleared more often.
    """

    hours: float = 8.0
    factor: float = 12.0
    game: str = "ro-trimino/manufacturer"
    seed: int = 1
    faults: tuple[str, ...] = FAULTS
    often: float = 1.0
    target: int = 60

    @property
    def presets(self) -> tuple[str, ...]:
        """The games of the evening, one after another."""
        first = games.game(self.game)
        fitting = (each for each in games.games() if games.game(each).tiles == first.tiles)
        return tuple(sorted(fitting, key=lambda each: (each != self.game, each)))


@dataclass(slots=True)
class Evening:
    """What happened."""

    hours: float = 0.0
    minutes: float = 0.0
    matches: int = 0
    broken_off: int = 0
    laid: int = 0
    read: int = 0
    faults: int = 0
    logged: int = 0
    busy_s: float = 0.0
    trouble: str = ""
    notes: list[str] = field(default_factory=list)
    rooms: dict[str, Grown] = field(default_factory=dict)

    @property
    def complaint(self) -> str:
        """What was wrong with it: nothing when every room lived through it and has not grown."""
        growing = [name for name, each in self.rooms.items() if not each.is_flat]
        if self.trouble or growing:
            return self.trouble or f"{' and '.join(growing)} grew"
        if self.broken_off > MOST_BROKEN_OFF * self.matches:
            return f"{self.broken_off} of {self.matches} matches were broken off"
        if self.busy_s > MOST_BUSY_S:
            return f"the table was not at rest for {self.busy_s:.0f} s"
        return "" if self.laid >= LEAST_AN_HOUR * self.hours else "hardly anything was played"

    @property
    def has_passed(self) -> bool:
        """Whether there is nothing to complain of."""
        return not self.complaint

    def count(self, account: Account) -> None:
        """Add up what was laid in a match."""
        self.laid += account.laid
        self.read += account.read


class People:
    """The company of one match after another; they think before they move."""

    def __init__(self, plan: Plan, places: Places, stage: str, clock: Callable[[], float]) -> None:
        self._plan, self._stage, self._clock = plan, Stage(stage), clock
        self.random = Random(plan.seed)  # a game, not a secret
        self._link = Link(places, "evening")
        self._company: Company | None = None
        self._entry, self._entry_s, self._due_s, self._moves = 0, 0.0, 0.0, 0
        self._rest_s = 0.0
        self.evening = Evening()
        self.code = ""

    def close(self) -> None:
        """Go home."""
        if self._company is not None:
            self.evening.count(self._company.account)
        self._stage.close()
        self._link.close()

    def turn(self) -> None:
        """Do what comes next: begin a match, or go on with it."""
        company = self._company
        if company is None:
            self._company = self._begun()
        elif company.finished or company.at_a_loss or self._clock() - self._entry_s > STUCK_S:
            if not company.finished:
                self._note(company)
            self.evening.count(company.account)
            self.direct(Clear(90.0))
            self._company = None
            self._due_s = self._clock() + CLEARING_S
        else:
            view = company.act()
            if view is not None:
                self._rest_s = self._rest_s if view.busy else self._clock()
                self.evening.busy_s = max(self.evening.busy_s, self._clock() - self._rest_s)
            if view is not None and view.last is not None and view.last.entry != self._entry:
                self._entry, self._entry_s = view.last.entry, self._clock()

    def _note(self, company: Company) -> None:
        """Remember how the table stood when a match was broken off."""
        self.evening.broken_off += 1
        view = company.view
        if view is not None:
            asked = ", ".join(question.what for question in view.questions) or "nothing asked"
            stood = f"{view.phase}, camera {view.camera}, {'busy' if view.busy else 'at rest'}, {asked}"
            self.evening.notes.append(f"match {self.evening.matches} broken off: {stood}, last {view.last}"[:300])

    def direct(self, direction: Direction) -> None:
        """Have something happen on the table."""
        self._stage.direct(direction)

    def _begun(self) -> Company | None:
        """Begin a match as soon as the table is clear; None as long as that has not come about."""
        self._link.poll(0.05)
        if self._clock() < self._due_s:
            return None
        presets = self._plan.presets
        game = games.game(presets[self.evening.matches % len(presets)])
        players = min(max(game.min_players, len(NAMES)), game.max_players)
        seats = tuple(round(Company.side_deg(seat, players)) for seat in range(players))
        target = () if game.in_tricks else (("target", str(self._plan.target)),)
        line = notation.write(Match(game.id, NAMES[:players], target, seats))
        if not self._ordered(line.replace("match", "match!", 1)):  # one that was broken off is left as it is
            return None
        self.evening.matches += 1
        self._entry_s = self._clock()
        told = self._link.ask("joining").invitation
        self.code = told.code if told is not None else ""
        kind = _thoughtful(TrickCompany if game.in_tricks else Company)
        return kind(self._link, self._stage.direct, self.random.randrange(2**31), self._clock)

    def _ordered(self, line: str) -> bool:
        """Say a line, and say that it is meant; True when it is done."""
        order_id, until_s = self._link.order(line), time.monotonic() + START_S
        while time.monotonic() < until_s:
            self._link.poll(0.05)
            for answer in self._link.answers():
                if answer.id != order_id:
                    continue
                if answer.status == "confirm" and answer.outlook is not None:
                    order_id = self._link.order(answer.outlook.line, answer)
                else:
                    return answer.status in ("done", "repeated")
        return False


def _thoughtful(kind: type[Company]) -> type[Company]:
    """Such a company, but thinking before each move, and knowing that it is asked of what it has not done."""

    class Thoughtful(kind):  # type: ignore[misc,valid-type]  # one of two
        _until_s = 0.0

        def _reply(self, view: View, hope: Hope) -> None:
            question = view.questions[0]
            tile = question.tile
            if tile is None or hypot(tile.x_mm - hope.pose.x_mm, tile.y_mm - hope.pose.y_mm) < CLOSE_MM:
                super()._reply(view, hope)
                return
            option = next((each for what in NOT_A_MOVE for each in question.options if each.what == what), None)
            if option is not None and option.line:
                self._order(option.line)

        def _do_next(self, view: View) -> None:
            if self._hope is None and self._clock() < self._until_s:
                return
            before = self._moves
            super()._do_next(view)
            if self._moves != before:
                self._until_s = self._clock() + self._random.uniform(*THINKING_S)

    return Thoughtful


class Faults:
    """What goes wrong in an evening, one thing after another."""

    def __init__(self, plan: Plan, people: People, supervisor: Supervisor, clock: Callable[[], float]) -> None:
        self._plan, self._people, self._supervisor, self._clock = plan, people, supervisor, clock
        self._chance = Random(people.random.random())  # a game, not a secret
        self._due_s = 0.0
        self._frozen: tuple[int, float] | None = None

    def turn(self) -> None:
        """Do the next thing if it is time to."""
        if self._frozen is not None and time.monotonic() > self._frozen[1]:
            self.thaw()
        if self._frozen is not None or self._clock() < self._due_s:
            return
        self._due_s = self._clock() + self._chance.uniform(*FAULT_EVERY_S) / self._plan.often
        self._people.evening.faults += 1
        what = self._chance.choice(self._plan.faults)
        if what == "halt":
            self._freeze(self._chance.choice(tuple(self._supervisor.rooms)))
        elif what == "photograph":
            self._photograph()
        else:
            for direction in self._directions(what):
                self._people.direct(direction)

    def thaw(self) -> None:
        """Let a room run again."""
        if self._frozen is not None:
            os.kill(self._frozen[0], signal.SIGCONT)
            self._frozen = None

    def _freeze(self, name: str) -> None:
        process = self._supervisor.rooms[name].process
        if process is not None:
            os.kill(process.pid, signal.SIGSTOP)
            self._frozen = process.pid, time.monotonic() + self._chance.uniform(*FROZEN_S)

    def _photograph(self) -> None:
        """Somebody takes a picture of the screen."""
        room = self._supervisor.rooms["screen"]
        if room.process is not None and room.progress > 0:
            os.kill(room.process.pid, signal.SIGUSR1)

    def _directions(self, what: str) -> tuple[Direction, ...]:
        chance = self._chance
        x_mm, y_mm, side = chance.uniform(60, 540), chance.uniform(50, 350), chance.choice((0.0, 90.0, 180.0, 270.0))
        pan, tilt, roll = (chance.uniform(-1.2, 1.2) for _ in range(3))
        some = chance.randint(10, 90)
        choices: tuple[tuple[Direction, ...], ...] = (
            (Light(chance.uniform(0.6, 1.15), frames=1), Light(1.0, frames=20)),
            (Flash(chance.randint(1, 4)),),
            (Flicker(chance.uniform(0.03, 0.15), chance.uniform(0.1, 0.45), some),),
            (Shadow(side, some, chance.uniform(0.2, 0.6)),),
            (Glow(x_mm, y_mm, some),),
            (Bump(pan, tilt, roll), Hover(side), Bump(-pan, -tilt, -roll)),
            (Fail(chance.choice(("frozen", "lost")), 2 * some),),
            (Hover(side, x_mm, y_mm, some),),
        )
        return choices[SEEN.index(what)]


@contextmanager
def phones(port: int) -> Iterator[subprocess.Popen[str]]:
    """The phones, as long as the block runs."""
    command = (sys.executable, "-m", "tests.soak.phones", str(port))
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.terminate()


def play(plan: Plan, folder: Path, say: Callable[[str], None]) -> Evening:
    """Have an evening and tell what became of it."""
    places = Places(folder / "state", folder / "run").make()
    stage, port = places.endpoint("stage"), two_free_ports()
    first = games.game(plan.game)
    built = House(
        places=places,
        table=(),
        camera=f"virtual:stage={stage}&kind={first.kind}&seed={plan.seed}&pace=real&fps={FPS}&size=1280x880&stills=4",
        kind=first.kind,
        highest=max(max(tile.values) for tile in first.tiles),
        port=port,
    )
    environment = {**built.environment(), "GPIOZERO_PIN_FACTORY": "mock", "SDL_VIDEODRIVER": "dummy"}
    log = folder / "log"
    program = (sys.executable, "-m", "tests.soak.hurry", str(plan.factor), str(log))
    with ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(places, built.commands(), environment, say, program=program))

        def clock() -> float:
            return max(supervisor.rooms["vision"].progress, 0) / FPS

        people = stack.enter_context(closing(People(plan, places, stage, clock)))
        faults = Faults(plan, people, supervisor, clock)
        stack.callback(faults.thaw)
        crowd = stack.enter_context(phones(port))
        _run(plan, supervisor, people, faults, crowd, say)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    people.evening.logged = len(lines)
    if people.evening.trouble:
        say("\n".join(lines[-LAST_LINES:]))
    return people.evening


def _run(
    plan: Plan,
    supervisor: Supervisor,
    people: People,
    faults: Faults,
    crowd: subprocess.Popen[str],
    say: Callable[[str], None],
) -> None:
    """Let the evening pass."""
    evening, begun_s, code = people.evening, time.monotonic(), ""
    watch = Watch(min(HOUR_S, plan.hours * HOUR_S / 4))
    most_s = START_S + SLOWEST * plan.hours * HOUR_S / plan.factor
    told_h = 0.0
    while evening.hours < plan.hours and not evening.trouble:
        supervisor.watch()
        people.turn()
        if any(room.progress < 1 for room in supervisor.rooms.values()):
            evening.trouble = "" if time.monotonic() - begun_s < START_S else "a room does not start"
            continue
        faults.turn()
        if people.code != code and crowd.stdin is not None:
            code = people.code
            crowd.stdin.write(code + "\n")
            crowd.stdin.flush()
        evening.hours = supervisor.rooms["vision"].progress / FPS / HOUR_S
        evening.minutes = (time.monotonic() - begun_s) / 60
        pids = {name: room.process.pid for name, room in supervisor.rooms.items() if room.process is not None}
        if watch.turn(pids, evening.hours * HOUR_S):
            evening.rooms = watch.grown()
            if evening.hours >= told_h:
                told_h += 0.25
                say("\n".join((*evening.notes, _standing(evening, watch))))
                evening.notes.clear()
        evening.trouble = _trouble(supervisor, evening.minutes * 60 > most_s)


def _trouble(supervisor: Supervisor, is_too_slow: bool) -> str:
    """Why an evening cannot go on; nothing when it can."""
    ended = [room.name for room in supervisor.rooms.values() if room.restarts or room.code is not None]
    if ended:
        return f"{' and '.join(ended)} ended"
    if supervisor.told is not None:
        return "it was broken off"
    return "the machine is too slow for it" if is_too_slow else ""


def _standing(evening: Evening, watch: Watch) -> str:
    now = ", ".join(f"{name} {looks[-1].mb:.0f} MB {looks[-1].handles} handles" for name, looks in watch.looks.items())
    played = f"{evening.matches} matches ({evening.broken_off} broken off), {evening.faults} faults"
    return f"{evening.hours:5.2f} h after {evening.minutes:4.1f} min, {played}: {now}"
