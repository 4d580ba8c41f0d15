"""Every message that passes between rooms, and nothing else.

JSON, validated by msgspec into frozen types; a message has a `type`. A message that is too large, is
not JSON or does not fit its type raises `WireError`. Lines of play travel as notation (see
`referee.notation`), so that the journal, the wire and the terminal speak one language.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec

from referee.sighting import Facts, SeenTile, Sighting
from referee.statistics import Career, Past, Round

PROTOCOL = 1
LARGEST_MESSAGE_BYTES = 256 * 1024
MOST_CHANGES = 30  # told of one order
MOST_QUESTIONS = 40  # in one view
MOST_CAREERS = 300  # in one reply
LONGEST_LINE = 4000  # six long names in letters that are written as bytes, and house rules
MOST_GUESTS = 64  # told of in one view

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Token = Annotated[str, msgspec.Meta(max_length=80)]


class WireError(ValueError):
    """A message that is not what the protocol says."""


class Award(msgspec.Struct, frozen=True):
    """Points for one seat and what they are for."""

    seat: int
    what: str
    points: int


class Proven(msgspec.Struct, frozen=True):
    """An irregularity that a ruling has brought to light: whose, from which entry on, by which tiles."""

    reason: str
    seat: int | None = None
    entry: int | None = None
    evidence: tuple[str, ...] = ()


class Ruled(msgspec.Struct, frozen=True):
    """One ruling as people see it: who did what, whether it stands, why, what it was worth, what it proved.

    `evidence` names the two pictures of the tile, empty where there are none (see `referee.config.Places.picture`).
    """

    entry: int
    seat: int | None
    line: str
    reason: str
    legal: bool
    awards: tuple[Award, ...] = ()
    clauses: tuple[str, ...] = ()
    void: bool = False
    proven: tuple[Proven, ...] = ()
    evidence: str = ""


class Seat(msgspec.Struct, frozen=True):
    """One player: name, score of the match so far, points of this round, tiles in hand, hand shown and which it was."""

    name: str
    score: int
    round_points: int
    tiles: int
    shown: bool = False
    hand: tuple[str, ...] = ()


class LaidTile(msgspec.Struct, frozen=True):
    """A tile on the table as it lies, and how it is judged.

    `status`: `placed` (accepted), `illegal` (disputed), `doubt` (asked about), `missing` (accepted but no
    longer seen), `removal` (taken back, still lying there), `seen` (lies there, means nothing now), `offer` (could
    be laid there). `open` are the sides of a triomino that another tile could join, side 0 between its first two
    numbers.
    """

    kind: str
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    status: str
    entry: int | None = None
    seat: int | None = None
    face_up: bool = True
    open: tuple[int, ...] = ()


class Option(msgspec.Struct, frozen=True):
    """One answer to a question, or one way out of a dispute; `line` is sent back as the order's line.

    It is empty where nothing is to be said: `take-back`, the tile is taken away; `missed-one`, a tile that was laid
    earlier and not seen is entered by hand like any other, and what is asked about is judged again. `any-tile` is sent
    with a tile behind it: `answer q7 is 2-3-4`. `awards` is what it would earn.
    """

    line: str
    what: str
    tile: str | None = None
    seat: int | None = None
    probability: float | None = None
    awards: tuple[Award, ...] = ()


class Dispute(msgspec.Struct, frozen=True):
    """An illegal tile that lies on the table: the LED is lit while this is in the view.

    `options` are the remedies that the rules offer, the one that they prefer first. `evidence` names the two pictures
    of the tile, empty where there are none.
    """

    entry: int
    seat: int | None
    tile: str
    reason: str
    clauses: tuple[str, ...]
    options: tuple[Option, ...] = ()
    evidence: str = ""


class Question(msgspec.Struct, frozen=True):
    """A doubt put to the people: `what` is a stable code (`which-tile`, `who-opens`, `missing` ...).

    `tile` is the one on the table that is asked about, `about` the entry that is, with its ruling as it is now.
    `evidence` names the two pictures of the tile, empty where there are none.
    """

    id: str
    what: str
    options: tuple[Option, ...]
    tile: LaidTile | None = None
    about: Ruled | None = None
    evidence: str = ""


class Better(msgspec.Struct, frozen=True):
    """What a seat could have laid instead of the move of an entry, which earned less.

    `line` is the move in notation, `beside` the tiles that it would have joined by a side.
    """

    entry: int
    seat: int
    line: str
    points: int
    earned: int
    beside: tuple[str, ...] = ()


class Change(msgspec.Struct, frozen=True):
    """An entry as it is and as it would be; `asked` when a move that stands would not stand any more."""

    before: Ruled
    after: Ruled
    asked: bool = False


class Outlook(msgspec.Struct, frozen=True):
    """What would come of an order that reaches beyond the entry that it names.

    `line` said as an order carries it out. `changes` are the entries that would change, in order, `more` how
    many there are besides. `scores` and `becomes` are the scores by seat as they are and as they would be.
    """

    line: str
    changes: Annotated[tuple[Change, ...], msgspec.Meta(max_length=MOST_CHANGES)]
    more: int
    scores: tuple[int, ...]
    becomes: tuple[int, ...]


class Call(msgspec.Struct, frozen=True):
    """One call of an auction; 0 is a pass."""

    seat: int
    bid: int


class Played(msgspec.Struct, frozen=True):
    """One tile of a trick."""

    seat: int
    tile: str


class Tricks(msgspec.Struct, frozen=True):
    """What is public in a deal of a game of tricks.

    `step`: `auction`, `exchange`, `trump` or `tricks`. `first` bids first; `bidder` has the highest bid so
    far. `trump` is a number, `doubles` or `none`, empty while it has not been named. `taken` counts the
    tricks of each seat. `trick` is the one under way, or the last finished one, then with its `winner` and
    `why` (`highest-trump`, `highest-of-suit`, `nobody-followed`); `suit` is what it asks for, a number or
    `trumps`. `choices` are the bids or the trumps that the seat to move may call now.
    """

    step: str
    first: int | None = None
    calls: tuple[Call, ...] = ()
    bidder: int | None = None
    bid: int = 0
    trump: str = ""
    taken: tuple[int, ...] = ()
    trick: tuple[Played, ...] = ()
    suit: str = ""
    winner: int | None = None
    why: str = ""
    choices: tuple[str, ...] = ()


class Guest(msgspec.Struct, frozen=True):
    """A phone, or another device that is not the house's own.

    `role`: `watcher`, `player` (of `seat`) or `host`. `here` while it is connected.
    """

    id: str
    device: str
    role: str = "watcher"
    seat: int | None = None
    here: bool = True


class View(msgspec.Struct, frozen=True, kw_only=True, tag="view"):
    """The complete public picture, numbered by `(epoch, seq)`; a client needs no other.

    It is sent whole whenever it changed, when somebody subscribes, and every second as heartbeat. The match ends at
    the score `target`, or after so many `rounds`; the other is 0. `actions` are the order words that make sense now
    (`draws`, `passes`, `undo`, `overrule`, `begin`, `clear`, `shows`, `announces`, `claims`). `ends` are the open
    numbers of a domino line: left, right, and those of its side arms once these are open, up and down; `count` is
    what they count together, where that is played for and no secret. `phones` says where the phone page is served,
    `phones_named` by the machine's name; `guests` are those who look in or have joined. `tricks` is there only in a
    game of tricks. `unasked` counts the questions that wait besides those listed. `missed` tells after a round, and
    never before, the best that each seat let pass. `drawn` tiles have been taken in this turn, at the cost of
    `drawn_points`. `sheet` is the score sheet of the match, told when a round is over. In training, `better` tells a
    better place for the tile that was laid last. `dead` when no tile that is left can be laid anywhere. `resumed`
    when a match goes on from an earlier run of the table, until somebody says or lays something. `saved` unless the
    disk takes nothing now; `kept` is `restored` or `anew` when the record was found damaged at the start: its backup
    took its place, or there was none. Where zones of the mat are watched, `boneyard` is how many tiles are seen in
    the boneyard, and `showing` the seat whose hand is to be laid into the show zone; else None. `evidence` tells how
    the pictures of rulings fare: `ok`, `off` or `failed`.
    """

    epoch: str
    seq: int
    protocol: int = PROTOCOL
    game: str = ""
    target: int = 0
    rounds: int = 0
    lowest_wins: bool = False
    round: int = 0
    phase: str = ""
    seats: tuple[Seat, ...] = ()
    turn: int | None = None
    stock: int = 0
    drawn: int = 0
    drawn_points: int = 0
    mat_mm: tuple[float, float] = (600.0, 400.0)
    tile_mm: tuple[float, float] = (0.0, 0.0)
    layout: tuple[LaidTile, ...] = ()
    ends: tuple[int, ...] = ()
    count: int | None = None
    last: Ruled | None = None
    log: tuple[Ruled, ...] = ()
    dispute: Dispute | None = None
    questions: Annotated[tuple[Question, ...], msgspec.Meta(max_length=MOST_QUESTIONS)] = ()
    unasked: int = 0
    actions: tuple[str, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    tricks: Tricks | None = None
    missed: tuple[Better, ...] = ()
    training: bool = False
    better: Better | None = None
    dead: bool = False
    busy: bool = False
    camera: str = "ok"
    signals: str = "ok"
    saved: bool = True
    kept: str = "ok"
    phones: str = ""
    phones_named: str = ""
    guests: Annotated[tuple[Guest, ...], msgspec.Meta(max_length=MOST_GUESTS)] = ()
    resumed: bool = False
    boneyard: int | None = None
    showing: int | None = None
    sheet: tuple[Round, ...] = ()
    evidence: str = "off"


class Order(msgspec.Struct, frozen=True, kw_only=True, tag="order"):
    """Somebody wants something: a line of notation, and the view it was said to.

    `id` is the sender's own, unique for ever: a repeated order is applied once. An order about an older
    view is answered `stale`. `by` names the sender (`screen`, `phone:...`, `people`). A guest says with its `token` who
    it is; then the table itself fills in `by`.
    """

    id: Id
    epoch: Annotated[str, msgspec.Meta(max_length=80)]
    seq: int
    by: Annotated[str, msgspec.Meta(max_length=60, pattern=r"^\S+$")]
    line: Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)]
    token: Token = ""


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """What became of an order: `done`, `refused` (with the reason), `stale`, `repeated`, `asked`, or `confirm`.

    `asked`: nothing has happened yet; somebody else has to agree, and the view has the question.
    `confirm`: nothing has happened yet; `outlook` tells what would. `options` are what the rules offer where a
    move was refused.
    """

    id: str
    status: str
    reason: str = ""
    message: str = ""
    epoch: str = ""
    seq: int = 0
    outlook: Outlook | None = None
    options: tuple[Option, ...] = ()


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """A read-only question for what is not in a view; `referee.chronicle` says what can be asked."""

    id: str
    what: str
    args: tuple[str, ...] = ()
    token: Token = ""


class Invitation(msgspec.Struct, frozen=True):
    """What somebody needs to join: the code of this game; for other programs the key and the address of the table."""

    code: str
    key: str = ""
    native: str = ""


class Told(msgspec.Struct, frozen=True, tag="told"):
    """The reply to an `Ask`: lines of text, or an error in words, or what was asked for as data.

    `tiles` tell where the tiles of the lines would lie, as far as that can be drawn. `moves` are entries of a match,
    `matches` what was played, both newest first; `more` tells how many there are besides. `sheet` is the score sheet
    of the one match listed. `players` are how everybody has fared in all matches but the `more` not yet counted.
    `picture` is a JPEG of at most 20 KiB, `invitation` is told to the house alone.
    """

    id: str
    lines: tuple[str, ...] = ()
    error: str = ""
    tiles: tuple[LaidTile | None, ...] = ()
    moves: tuple[Ruled, ...] = ()
    matches: tuple[Past, ...] = ()
    sheet: tuple[Round, ...] = ()
    players: tuple[Career, ...] = ()
    more: int = 0
    picture: bytes = b""
    invitation: Invitation | None = None


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """A room's sign of life for the supervisor; `progress` grows only while the room does its work."""

    room: str
    epoch: str
    progress: int


class Errand(msgspec.Struct, frozen=True, tag="errand"):
    """What the screen asks of the supervisor, beside the beats."""

    what: Literal["calibrate"]


Message = TypeVar("Message")


def encode(message: Any) -> bytes:
    """Put a message of this module, a `Sighting` or `Facts` into JSON bytes."""
    return msgspec.json.encode(message)


def decode(data: bytes, kind: type[Message]) -> Message:
    """Read JSON bytes as a message of one kind (a union is written `Order | Ask`).

    Raises:
        WireError: if the message is too large, not JSON, or not of this kind.
    """
    if len(data) > LARGEST_MESSAGE_BYTES:
        raise WireError(f"expected at most {LARGEST_MESSAGE_BYTES} bytes, got {len(data)}")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:  # the latter: brackets in brackets in brackets
        raise WireError(f"expected a {getattr(kind, '__name__', kind)} message: {error}") from None


__all__ = [
    "Answer",
    "Ask",
    "Award",
    "Beat",
    "Better",
    "Call",
    "Change",
    "Dispute",
    "Errand",
    "Facts",
    "Guest",
    "Invitation",
    "LaidTile",
    "Option",
    "Order",
    "Outlook",
    "Played",
    "Proven",
    "Question",
    "Ruled",
    "Seat",
    "SeenTile",
    "Sighting",
    "Told",
    "Tricks",
    "View",
    "WireError",
    "decode",
    "encode",
]
