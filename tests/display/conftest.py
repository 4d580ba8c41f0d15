"""Views as the table would send them, one for every situation the screen knows.

A test that takes `scene` runs once for each of them; `scenes` is all of them by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import atan2, degrees
from pathlib import Path

import msgspec
import pytest

from referee.config import Places
from referee.laying.lattice import Cell, centre, position
from referee.tiles import smallest_rotation
from referee.wire import (
    Answer,
    Award,
    Better,
    Change,
    Dispute,
    LaidTile,
    Option,
    Outlook,
    Proven,
    Question,
    Ruled,
    Seat,
    View,
)
from tests.display.phones import LONGEST_S, FakeLink, House, house

SIDE_MM = 40.0
LAID = (
    ("0,0,U", (1, 3, 4)),
    ("-1,0,D", (1, 1, 3)),
    ("-1,1,U", (1, 3, 3)),
    ("-1,0,U", (2, 1, 1)),
    ("0,-1,D", (0, 1, 4)),
    ("-1,1,D", (3, 3, 2)),
    ("0,0,D", (4, 3, 4)),
    ("-1,-1,D", (2, 2, 1)),
    ("-2,0,D", (2, 5, 1)),
    ("1,-1,U", (0, 4, 5)),
    ("-2,0,U", (4, 5, 2)),
    ("1,0,U", (4, 4, 2)),
    ("-2,1,U", (5, 1, 1)),
    ("1,0,D", (2, 4, 0)),
    ("2,0,U", (2, 0, 0)),
    ("-1,-1,U", (3, 2, 2)),
)


def triomino(cell: str, values: tuple[int, ...], entry: int | None, status: str = "placed") -> LaidTile:
    """A triomino in a cell of a lattice that lies straight on the mat."""
    at = Cell.parse(cell)
    x, y = centre(at)
    normal = smallest_rotation(values)
    first = next(i for i in range(3) if values[i:] + values[:i] == normal)
    corner = position(at.vertices[first])
    angle = degrees(atan2(-(corner[1] - y), corner[0] - x))
    return LaidTile("triomino", normal, 300 + x * SIDE_MM, 200 - y * SIDE_MM, angle, status, entry, 0)


def domino(
    values: tuple[int, int], x_mm: float, y_mm: float, angle_deg: float, entry: int | None, status: str = "placed"
) -> LaidTile:
    """A domino on the mat."""
    return LaidTile("domino", values, x_mm, y_mm, angle_deg, status, entry, 0)


TRIOMINOES = tuple(triomino(cell, values, 5 + index) for index, (cell, values) in enumerate(LAID))
SEATS = (Seat("Ana", 112, 64, 4), Seat("Bogdan", 87, -15, 6), Seat("Chiara", 131, 27, 3))
EDGE = Ruled(
    20, 2, "C lays 3-2-2 at -1,-1,U", "ok-edge", True, (Award(2, "tile", 7),), ("ro-trimino/manufacturer §1.G5",)
)

PLAY = View(
    epoch="e",
    seq=40,
    game="ro-trimino/manufacturer",
    target=400,
    round=2,
    phase="play",
    seats=SEATS,
    turn=1,
    stock=23,
    tile_mm=(SIDE_MM, SIDE_MM * 0.866),
    layout=TRIOMINOES,
    last=EDGE,
    log=(EDGE,),
    actions=("draws", "passes", "undo"),
    phones="http://192.168.1.23:8420/",
)

HEXAGON = msgspec.structs.replace(
    PLAY,
    turn=2,
    layout=(*TRIOMINOES, triomino("-2,-1,D", (3, 4, 2), 21)),
    last=Ruled(
        21,
        1,
        "B lays 3-4-2 at -2,-1,D",
        "ok-hexagon",
        True,
        (Award(1, "tile", 9), Award(1, "hexagon", 50)),
        ("ro-trimino/manufacturer §2.1.10",),
    ),
)

DISPUTE = msgspec.structs.replace(
    PLAY,
    layout=(*TRIOMINOES, triomino("-2,-1,D", (3, 4, 5), 21, "illegal")),
    last=Ruled(21, 1, "B lays 3-4-5 at -2,-1,D", "edge-mismatch", False, (), ("G4",)),
    dispute=Dispute(
        21,
        1,
        "3-4-5",
        "edge-mismatch",
        ("ro-trimino/manufacturer §2.1.8", "ro-trimino/manufacturer §1.G4"),
        (Option("", "take-back", seat=1), Option("overrule 21", "stands", seat=1, awards=(Award(1, "tile", 12),))),
    ),
    actions=("draws", "passes", "undo", "overrule"),
    signals="no-gpio",
)

PICTURED = msgspec.structs.replace(
    DISPUTE,
    last=Ruled(21, 1, "B lays 3-4-5 at -2,-1,D", "edge-mismatch", False, (), ("G4",), evidence="1-21-0"),
    dispute=msgspec.structs.replace(DISPUTE.dispute, evidence="1-21-0"),
    evidence="ok",
)

OUT_OF_TURN = msgspec.structs.replace(
    DISPUTE,
    last=Ruled(21, 2, "C lays 3-4-5 at -2,-1,D", "out-of-turn", False, (Award(2, "wrong_tile", -20),), ("7.2",)),
    dispute=Dispute(
        21,
        2,
        "3-4-5",
        "out-of-turn",
        ("ro-trimino/manufacturer §7.2",),
        (
            Option("C exposes 3-4-5 laid", "stays-open", seat=2),
            Option("", "take-back", seat=2),
            Option("overrule 21", "stands", seat=2, awards=(Award(2, "tile", 12), Award(2, "hexagon", 50))),
        ),
    ),
)

WHICH_TILE = msgspec.structs.replace(
    PLAY,
    layout=(*TRIOMINOES, triomino("-2,-1,D", (3, 4, 2), None, "doubt")),
    questions=(
        Question(
            "q1",
            "which-tile",
            (
                Option("answer q1 0", "tile", "2-3-4", 1, 0.61),
                Option("answer q1 1", "tile", "2-3-5", 1, 0.22),
                Option("answer q1 2", "tile", "2-4-4", 1, 0.09),
                Option("answer q1 3", "tile", "1-3-4", 1, 0.05),
                Option("answer q1 4", "tile", "2-3-3", 1, 0.03),
                Option("answer q1 is", "any-tile"),
                Option("", "missed-one"),
                Option("answer q1 5", "not-a-tile"),
            ),
        ),
    ),
)

DOUBT_PICTURED = msgspec.structs.replace(
    WHICH_TILE, questions=(msgspec.structs.replace(WHICH_TILE.questions[0], evidence="1-21-0"),)
)

UNREAD = msgspec.structs.replace(
    WHICH_TILE,
    questions=(msgspec.structs.replace(WHICH_TILE.questions[0], options=WHICH_TILE.questions[0].options[5:]),),
)

UNCLEAR = msgspec.structs.replace(
    WHICH_TILE,
    questions=(
        Question(
            "q1",
            "unclear-place",
            (
                Option("answer q1 0", "place", "2-3-4", 1),
                Option("answer q1 1", "stands", "2-3-4", 1),
                Option("", "missed-one"),
                Option("answer q1 2", "not-a-move"),
            ),
        ),
    ),
)

WHO_OPENS = msgspec.structs.replace(
    PLAY,
    turn=None,
    layout=(triomino("0,0,U", (5, 5, 5), None, "doubt"),),
    last=None,
    log=(),
    actions=("announces",),
    questions=(
        Question(
            "q1",
            "who-opens",
            (
                *(Option(f"answer q1 {seat}", "opens", "5-5-5", seat) for seat in range(3)),
                Option("answer q1 3", "not-a-move"),
            ),
        ),
    ),
)

EVERYTHING = msgspec.structs.replace(
    DISPUTE,
    layout=(
        *TRIOMINOES[:-2],
        triomino("2,0,U", (2, 0, 0), 18, "missing"),
        triomino("-1,-1,U", (3, 2, 2), 19, "removal"),
        triomino("-3,1,D", (1, 1, 2), None, "seen"),
        triomino("-2,-1,D", (3, 4, 5), 21, "illegal"),
        triomino("-2,1,D", (1, 1, 5), None, "doubt"),
        LaidTile("triomino", (), 420, 240, 10, "seen", face_up=False),
    ),
    questions=(
        Question("q7", "missing", (Option("answer q7 0", "it-lies-there"), Option("answer q7 1", "take-back"))),
        *WHICH_TILE.questions,
    ),
    camera="moved",
    saved=False,
)

AWAITING = msgspec.structs.replace(
    PLAY,
    layout=(*TRIOMINOES, triomino("-2,-1,D", (3, 4, 2), 21, "removal")),
    questions=(
        Question("q3", "awaiting-removal", (Option("answer q3 0", "stands", "2-3-4", 1),)),
        Question("q4", "missing", (Option("answer q4 0", "it-lies-there"), Option("answer q4 1", "take-back"))),
    ),
)

UNSETTLED = msgspec.structs.replace(
    PLAY,
    layout=(*TRIOMINOES, triomino("-2,-1,D", (3, 4, 2), 21, "doubt")),
    questions=(
        Question(
            "e21",
            "no-longer-stands",
            (Option("overrule 21", "stands", seat=1), Option("undo 21", "take-out", seat=1)),
            triomino("-2,-1,D", (3, 4, 2), 21, "doubt"),
            Ruled(21, 1, "B lays 3-4-2 at -2,-1,D", "corner-mismatch", False),
        ),
        Question("e22", "no-longer-stands", (Option("undo 22", "take-out", seat=2),), None, EDGE),
        *AWAITING.questions,
    ),
    unasked=5,
)

TRAINING = msgspec.structs.replace(
    PLAY, training=True, better=Better(20, 2, "C lays 3-2-2 at 1,1,D", 47, 7, ("1-3-3", "0-2-2", "2-4-4"))
)

DOMINOES = View(
    epoch="e",
    seq=12,
    game="fr-domino",
    target=101,
    lowest_wins=True,
    round=1,
    phase="play",
    seats=(Seat("Maëlle", 0, 0, 4), Seat("Théo", 0, 0, 5)),
    turn=0,
    stock=11,
    drawn=1,
    tile_mm=(48.0, 24.0),
    layout=(
        domino((6, 6), 300, 200, 90, 3),
        domino((3, 6), 264, 200, 0, 4),
        domino((3, 3), 228, 200, 90, 5),
        domino((1, 3), 192, 200, 0, 6),
        domino((1, 4), 156, 212, 270, 8),
        domino((0, 4), 156, 164, 90, 10),
        domino((5, 6), 336, 200, 180, 7),
        domino((2, 5), 384, 200, 180, 9),
        domino((2, 2), 420, 200, 90, 11),
    ),
    ends=(0, 2),
    last=Ruled(11, 1, "B lays 2-2 at right", "ok-place", True, (), ("fr-domino §3.4",)),
    actions=("draws", "passes", "undo"),
    phones="http://127.0.0.1:8420/",
)

ARMS = msgspec.structs.replace(
    DOMINOES,
    game="all-fives",
    target=100,
    lowest_wins=False,
    seats=(Seat("Maëlle", 35, 35, 4), Seat("Théo", 20, 20, 5)),
    drawn=0,
    layout=(
        domino((5, 5), 300, 200, 90, 3),
        domino((0, 5), 264, 200, 0, 4),
        domino((2, 5), 336, 200, 180, 5),
        domino((5, 6), 300, 152, 270, 6),
        domino((4, 5), 300, 248, 270, 7),
        domino((4, 4), 300, 284, 0, 8),
        domino((0, 0), 228, 200, 90, 9),
    ),
    ends=(0, 2, 6, 4),
    count=16,
    last=Ruled(9, 1, "B lays 0-0 at left", "ok-place", True, (), ("all-fives §8.3.4",)),
    actions=("draws", "passes", "claims", "undo"),
)

BY_TOUCH = msgspec.structs.replace(
    PLAY,
    layout=(),
    camera="none",
    log=(
        *(
            Ruled(3 + n, n % 3, f"{'ABC'[n % 3]} draws 1", "ok-draw", True, (Award(n % 3, "draws", -5),))
            for n in range(5)
        ),
        Ruled(18, 1, "B lays 3-4-4 at 1,1,U", "edge-mismatch", False),
        EDGE,
    ),
)

DEAL = View(
    epoch="e",
    seq=2,
    game="ro-trimino/manufacturer",
    target=400,
    round=1,
    phase="deal",
    seats=(Seat("Ana", 0, 0, 7), Seat("Bogdan", 0, 0, 7), Seat("Chiara", 0, 0, 7)),
    actions=("begin", "announces"),
    phones="http://192.168.1.23:8420/",
)

SHOW_HANDS = msgspec.structs.replace(
    PLAY,
    phase="show-hands",
    turn=None,
    seats=(Seat("Ana", 112, 64, 0, True), Seat("Bogdan", 87, -15, 2), Seat("Chiara", 131, 27, 3)),
    layout=(
        *TRIOMINOES,
        LaidTile("triomino", (0, 0, 5), 190, 280, 20, "seen"),
        LaidTile("triomino", (1, 2, 5), 240, 290, 65, "seen"),
    ),
    actions=("shows", "undo"),
)

CLEARING = msgspec.structs.replace(
    PLAY,
    phase="clearing",
    turn=None,
    layout=(),
    last=Ruled(
        44,
        2,
        "C shows 0-0-5 1-2-5",
        "ok-show-hand",
        True,
        (Award(0, "out", 25), Award(0, "others", 31)),
        ("ro-trimino/manufacturer §2.1.15",),
    ),
    actions=("clear", "undo"),
)

MISSED = msgspec.structs.replace(
    CLEARING,
    missed=(
        Better(12, 0, "A lays 5-5-5 at 1,1,D", 40, 12, ("0-5-5",)),
        Better(22, 1, "B lays 1-0-1 at 1,1,D", 52, 0, ("1-1-1", "0-1-4")),
        Better(32, 2, "C lays 1-2-3 at 0,2,U", 9, 8),
    ),
)

PROVEN = msgspec.structs.replace(
    SHOW_HANDS,
    last=Ruled(
        45,
        1,
        "B shows 0-0-5 1-2-5",
        "ok-show-hand",
        True,
        (Award(1, "false_pass", -10), Award(0, "others", 13)),
        proven=(
            Proven("false-pass-proven", 1, 31, ("0-0-5",)),
            Proven("tile-count-wrong", evidence=("56", "55")),
        ),
    ),
)

OVER = msgspec.structs.replace(
    CLEARING,
    phase="over",
    seats=(Seat("Ana", 412, 99, 0, True), Seat("Bogdan", 287, -15, 2, True), Seat("Chiara", 331, 27, 3, True)),
    ranking=((0,), (2,), (1,)),
    actions=("undo",),
)

SIX_PLAYERS = msgspec.structs.replace(
    DISPUTE,
    seats=(
        Seat("Ana", -1234, -120, 12),
        Seat("Wolfeschlegelsteinhausenbergerdorffwelche", 87, -15, 6),
        Seat("", 0, 0, 7),
        Seat("Ұлжан Қайратқызы", 1234, 27, 3),
        Seat("小林 🙂 עברית", 9, 0, 1),
        Seat("Łukasz\tŚwięty\x00", 55, 4, 2),
    ),
    turn=3,
    stock=12,
)

SIX_AT_THE_END = msgspec.structs.replace(
    SIX_PLAYERS, phase="over", turn=None, dispute=None, layout=(), ranking=((3,), (1, 5), (4,), (2,), (0,))
)

SCENES = {
    "play": PLAY,
    "hexagon": HEXAGON,
    "dispute": DISPUTE,
    "which-tile": WHICH_TILE,
    "doubt-pictured": DOUBT_PICTURED,
    "unread": UNREAD,
    "unclear": UNCLEAR,
    "dispute-pictured": PICTURED,
    "who-opens": WHO_OPENS,
    "awaiting": AWAITING,
    "everything": EVERYTHING,
    "dominoes": DOMINOES,
    "arms": ARMS,
    "by-touch": BY_TOUCH,
    "deal": DEAL,
    "show-hands": SHOW_HANDS,
    "clearing": CLEARING,
    "over": OVER,
    "six-players": SIX_PLAYERS,
    "six-at-the-end": SIX_AT_THE_END,
    "unsettled": UNSETTLED,
    "training": TRAINING,
    "missed": MISSED,
    "out-of-turn": OUT_OF_TURN,
    "proven": PROVEN,
    "over-missed": msgspec.structs.replace(SIX_AT_THE_END, missed=MISSED.missed),
    "no-match": View(epoch="e", seq=1),
}


ASKED = Answer(
    "id",
    "confirm",
    "reaches-far",
    outlook=Outlook(
        "undo! 12",
        tuple(
            Change(
                Ruled(12 + n, n % 3, f"{'ABC'[n % 3]} {what}", "ok-edge", True, (Award(n % 3, "tile", 7),)),
                Ruled(12 + n, n % 3, f"{'ABC'[n % 3]} {what}", reason, False, void=not n),
                bool(n),
            )
            for n, (what, reason) in enumerate(
                [("lays 3-4-2 at -2,-1,D", "ok-edge"), ("draws 1", "draw-while-able"), ("shows 1-2-3", "not-now")] * 3
            )
        ),
        3,
        (112, 87, 131),
        (105, 87, -9),
    ),
)


@pytest.fixture
def asked() -> Answer:
    """What the table says to an order that changes more than one entry."""
    return ASKED


@dataclass(frozen=True, slots=True)
class Scenes:
    """All scenes by name."""

    by_name: dict[str, View]

    def __getitem__(self, name: str) -> View:
        return self.by_name[name]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a `scene` once for each."""
    if "scene" in metafunc.fixturenames:
        metafunc.parametrize("scene", SCENES.values(), ids=SCENES.keys())


@pytest.fixture
def scenes() -> Scenes:
    """All scenes by name."""
    return Scenes(SCENES)


# --- a bridge that serves on loopback ---------------------------------------------------------------


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Directories of this test alone."""
    return Places(tmp_path / "state", tmp_path).make()


@pytest.fixture
def in_house(places: Places) -> Callable[..., None]:
    """Run a test's story inside a serving bridge, for a limited time."""

    def run(story: Callable[[House], Awaitable[None]], link: FakeLink | None = None) -> None:
        async def limited() -> None:
            async with asyncio.timeout(LONGEST_S), house(places, link or FakeLink()) as serving:
                await story(serving)

        asyncio.run(limited())

    return run
