"""One line of text for each act, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.laying.lattice import Cell
from referee.moves import (
    Adjust,
    Announce,
    Begin,
    Bid,
    CallBlock,
    CellSpot,
    ClaimPoints,
    Clear,
    CountDeal,
    CountStock,
    Draw,
    Exchange,
    Expose,
    ExposeStock,
    FirstBidder,
    LineSpot,
    Loose,
    NameTrump,
    Pass,
    Place,
    Play,
    Recount,
    Redeal,
    SayDrawn,
    SetTurn,
    ShowHand,
)
from referee.notation import _SEAT_VERBS, _TABLE_VERBS, NotationError, parse, write
from referee.tiles import Tile
from referee.umpire import Act, Correct, Match, Overrule, Undo

SAID = {
    "match ro-trimino/manufacturer A=Ana B=Bo C=Cy opening=any target=60": Match(
        "ro-trimino/manufacturer", ("Ana", "Bo", "Cy"), (("opening", "any"), ("target", "60"))
    ),
    "match fr-domino A=Ana%20Mar%C3%ADa B=": Match("fr-domino", ("Ana María", "")),
    "match fr-domino A=Ana B=Bo seats=90,270 target=60": Match(
        "fr-domino", ("Ana", "Bo"), (("target", "60"),), (90, 270)
    ),
    "begin": Begin(),
    "A announces 5-5-5": Announce(0, Tile((5, 5, 5))),
    "B announces nothing": Announce(1, None),
    "A lays 5-0-3 at 0,-1,D": Place(0, Tile((0, 3, 5)), CellSpot(Cell(0, -1, "D"), (5, 0, 3))),
    "C lays 3-5 at right": Place(2, Tile((3, 5)), LineSpot("right")),
    "C lays 3-5 at left by 3": Place(2, Tile((3, 5)), LineSpot("left", 3)),
    "F lays 0-1-2 loose": Place(5, Tile((0, 1, 2)), Loose()),
    "A lays 3-5 at right by 5 overruled": Place(0, Tile((3, 5)), LineSpot("right", 5), overruled=True),
    "A lays 0-1-2 loose overruled": Place(0, Tile((0, 1, 2)), Loose(), overruled=True),
    "A draws 2": Draw(0, 2),
    "A passes": Pass(0),
    "A shows 1-2-3 0-4-5": ShowHand(0, (Tile((1, 2, 3)), Tile((0, 4, 5)))),
    "A shows nothing": ShowHand(0, ()),
    "clear": Clear(),
    "first bidder B": FirstBidder(1),
    "A bids 21": Bid(0, 21),
    "A discards 1-2": Exchange(0, Tile((1, 2))),
    "A discards hidden": Exchange(0, None),
    "A names 6": NameTrump(0, 6),
    "A names doubles": NameTrump(0, "doubles"),
    "A names none": NameTrump(0, "none"),
    "A plays 6-6": Play(0, Tile((6, 6))),
    "B plays 3-5 as 3": Play(1, Tile((3, 5)), 3),
    "B plays 3-5 as 3 overruled": Play(1, Tile((3, 5)), 3, overruled=True),
    "A exposes 3-5": Expose(0, Tile((3, 5))),
    "A exposes 3-5 laid": Expose(0, Tile((3, 5)), laid=True),
    "A holds 6": Recount(0, 6),
    "A holds! 0": Recount(0, 0, confirmed=True),
    "A dealt 8": CountDeal(0, 8),
    "A says 4 drawn": SayDrawn(0, 4),
    "A claims 15": ClaimPoints(0, 15),
    "B lays 3-5 at up by 5": Place(1, Tile((3, 5)), LineSpot("up", 5)),
    "stock 11": CountStock(11),
    "stock! 11": CountStock(11, confirmed=True),
    "stock shows 3-5": ExposeStock(Tile((3, 5))),
    "A calls block": CallBlock(0),
    "A gets -50": Adjust(0, -50),
    "turn B": SetTurn(1),
    "redeal": Redeal(),
    "undo 12": Undo(12),
    "overrule 12": Overrule(12),
    "correct 12: A lays 3-5 at left": Correct(12, Place(0, Tile((3, 5)), LineSpot("left"))),
}


VERBS = ", ".join(sorted(_SEAT_VERBS))
TABLE_VERBS = ", ".join(sorted(_TABLE_VERBS))


@pytest.mark.parametrize(("line", "act"), SAID.items(), ids=SAID)
def test_a_line_says_an_act_and_the_act_writes_the_line(line: str, act: Act) -> None:
    assert parse(line) == act
    assert write(act) == line


seats = st.integers(0, 5)
dominoes = st.lists(st.integers(0, 9), min_size=2, max_size=2).map(lambda values: Tile(tuple(values)))
cell_spots = st.builds(
    CellSpot,
    st.builds(Cell, st.integers(-99, 99), st.integers(-99, 99), st.sampled_from("UD")),
    st.tuples(*[st.integers(0, 9)] * 3),
)
tiles = dominoes | cell_spots.map(lambda spot: Tile(spot.values))
moves = st.one_of(
    st.sampled_from([Begin(), Clear()]),
    st.builds(Announce, seats, st.none() | tiles),
    st.builds(lambda seat, spot, over: Place(seat, Tile(spot.values), spot, over), seats, cell_spots, st.booleans()),
    st.builds(
        Place,
        seats,
        dominoes,
        st.builds(LineSpot, st.sampled_from(("left", "right")), st.none() | st.integers(0, 99)),
        st.booleans(),
    ),
    st.builds(Place, seats, tiles, st.just(Loose()), st.booleans()),
    st.builds(Draw, seats, st.integers(0, 999)),
    st.builds(Pass, seats),
    st.builds(Expose, seats, tiles, st.booleans()),
    st.builds(ExposeStock, tiles),
    st.builds(Recount, seats, st.integers(0, 999)) | st.builds(CountDeal, seats, st.integers(0, 999)),
    st.builds(CountStock, st.integers(0, 999)) | st.builds(SayDrawn, seats, st.integers(0, 999)),
    st.builds(ClaimPoints, seats, st.integers(0, 999)),
    st.builds(Adjust, seats, st.integers(-999, 999)) | st.builds(SetTurn, seats) | st.builds(CallBlock, seats),
    st.builds(ShowHand, seats, st.lists(tiles, max_size=5).map(tuple)),
)
rules = st.text(min_size=1).filter(lambda name: name not in ("seats", "zones", *"ABCDEF"))
acts = st.one_of(
    moves,
    st.builds(Undo, st.integers(0, 9999)),
    st.builds(Overrule, st.integers(0, 9999)),
    st.builds(Correct, st.integers(0, 9999), moves),
    st.builds(
        Match,
        st.just("fr-domino"),
        st.lists(st.text(), max_size=6).map(tuple),
        st.lists(st.tuples(rules, st.text()), max_size=3).map(tuple),
        st.just(()),
        st.sampled_from([(), ("draws",), ("hands",), ("draws", "hands")]),
    ),
)


@given(acts)
def test_every_act_reads_back_from_its_line(act: Act) -> None:
    line = write(act)
    assert parse(line) == act
    assert line.isascii()
    assert len(line.splitlines()) == 1


def said_by(text: str) -> Act | NotationError:
    try:
        return parse(text)
    except NotationError as error:
        return error


@given(st.text() | st.lists(st.sampled_from(" ".join(SAID).split()), max_size=6).map(" ".join))
def test_any_text_is_either_an_act_or_refused_with_what_came_and_where(text: str) -> None:
    said = said_by(text)
    if isinstance(said, NotationError):
        assert f"expected {said.expected}, got {said.got!r} at word {said.word}" == str(said)
        assert said.word <= len(text.split()) + 1
    else:
        assert parse(write(said)) == said


@pytest.mark.parametrize(
    ("line", "expected", "got", "word"),
    [
        ("", "a seat (A to F), begin or clear", "the end of the line", 1),
        (
            "G passes",
            "a seat (A to F), begin, clear, first, redeal, stock, turn, match, undo, overrule or correct",
            "G",
            1,
        ),
        ("first B", "bidder", "B", 2),
        ("first bidder b", "a seat (A to F)", "b", 3),
        ("A bids four", "how many tricks", "four", 3),
        ("A discards", "a tile", "the end of the line", 3),
        ("A names sixes", "a number, doubles or none", "sixes", 3),
        ("A plays 3-5 as x", "the number that is asked for", "x", 5),
        ("A says four drawn", "how many tiles", "four", 3),
        ("A says 4 tiles", "drawn", "tiles", 4),
        ("A claims five", "how many points", "five", 3),
        ("A dealt", "how many tiles", "the end of the line", 3),
        ("stock none", "how many tiles, or shows and a tile", "none", 2),
        ("stock shows", "a tile", "the end of the line", 3),
        ("A jumps", f"one of {VERBS}", "jumps", 2),
        ("A lays 3-x at left", "a tile such as 3-5 or 0-1-4", "3-x", 3),
        ("A lays 3-5 at middle", "left, right, up or down", "middle", 5),
        ("A lays 3-5 at 0,0,U", "left, right, up or down", "0,0,U", 5),
        ("A lays 0-1-2 at left", "a cell such as 0,-1,D", "left", 5),
        ("A draws", "how many tiles", "the end of the line", 3),
        ("A draws -1", "how many tiles", "-1", 3),
        ("A draws " + "9" * 5000, "how many tiles", "9" * 5000, 3),
        ("A passes twice", "the end of the line", "twice", 3),
        ("undo x", "the number of an entry", "x", 2),
        ("correct 12 A passes", "the number of an entry and a colon", "12", 2),
        (
            "correct 12: undo 3",
            "a seat (A to F), begin, clear, first, redeal, stock, turn, match, undo, overrule or correct",
            "undo",
            3,
        ),
        ("match fr-domino B=Bo", "the seats in order before the house rules", "B=Bo", 3),
        (
            "match fr-domino A=Ana seats=90,91",
            "degrees from 0 to 359 for each of 1 seats, before the house rules",
            "seats=90,91",
            4,
        ),
        (
            "match fr-domino A=Ana seats=360",
            "degrees from 0 to 359 for each of 1 seats, before the house rules",
            "seats=360",
            4,
        ),
        (
            "match fr-domino A=Ana zones=tiles",
            "draws or hands to be seen in zones, or both with a comma",
            "zones=tiles",
            4,
        ),
        (
            "match fr-domino A=Ana zones=draws zones=hands",
            "what is seen in zones once, before the house rules",
            "zones=hands",
            5,
        ),
        ("match fr-domino A=Ana zones=draws B=Bo", "the seats in order before the house rules", "B=Bo", 5),
        ("match fr-domino A=%zz", "text with % and two hexadecimal digits for odd letters", "A=%zz", 3),
        ("match fr-domino A=%", "text with % and two hexadecimal digits for odd letters", "A=%", 3),
        ("match fr-domino A=%f", "text with % and two hexadecimal digits for odd letters", "A=%f", 3),
    ],
)
def test_a_line_that_says_nothing_is_refused(line: str, expected: str, got: str, word: int) -> None:
    with pytest.raises(NotationError) as error:
        parse(line)
    assert (error.value.expected, error.value.got, error.value.word) == (expected, got, word)


@pytest.mark.parametrize(
    "act",
    [Pass(6), Pass(-1), Place(0, Tile((0, 1, 2)), CellSpot(Cell(0, 0, "U"), (0, 2, 1))), Draw(7)],
)
def test_what_no_line_can_say_is_refused_in_writing(act: Act) -> None:
    with pytest.raises(NotationError):
        write(act)
