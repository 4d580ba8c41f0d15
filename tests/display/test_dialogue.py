"""What is entered by hand: the pages, what their keys say, and when an order is complete."""

from __future__ import annotations

from dataclasses import replace
from gettext import NullTranslations
from itertools import combinations
from typing import Any

import msgspec
import pytest

from display import choices, dialogue, draw, outlines, theme
from display.beside import ASIDES
from display.dialogue import ACTS, CLOSE, ERASE, LOCAL, Dialogue
from display.outlook import LEAVE
from display.pages import page
from display.sentences import Words
from display.widgets import Button, Face, Label, Page, Panel, Rect, Table
from referee import notation
from referee.umpire import Match, opened
from referee.wire import Answer, LaidTile, Option, Played, Ruled, Seat, Told, Tricks, View
from tests.display.test_pages import PAGE_RECT

WORDS = Words()
GHOSTS = (LaidTile("triomino", (), 320, 190, 30, "offer"), LaidTile("triomino", (), 340, 190, 90, "offer"))


class Longer(NullTranslations):
    """A language whose texts are 40 % longer."""

    def gettext(self, message: str) -> str:
        """The message and then some."""
        return message + " " + "ünd" * (len(message) * 4 // 30 + 1)


def shown(view: View, now: Dialogue, words: Words = WORDS, notice: str = "") -> Page:
    """The page of a dialogue."""
    return page(view, words=words, notice=notice, dialogue=now)


def keys(view: View, now: Dialogue) -> dict[str, Button]:
    """What can be tapped on it, by what it says."""
    return {button.order: button for button in outlines.buttons(shown(view, now))}


def after(view: View, *words: str, about: Ruled | None = None) -> Dialogue:
    """The dialogue after these taps, each on a key that is there; about an entry where one is to be put right."""
    now = Dialogue("more") if about is None else Dialogue("history", entry=about)
    for word in words:
        if not word.startswith("@open"):
            assert word in keys(view, now), word
        went_on = dialogue.tapped(now, word, view, None)
        assert went_on is not None
        now = went_on
    return now


def texts(drawn: Page) -> str:
    """All texts of a page, a line each."""
    return "\n".join(part.text for part in draw.parts(drawn) if isinstance(part, Label))


def overlap(one: Rect, other: Rect) -> bool:
    """True when two rectangles share more than an edge."""
    hair = 0.01
    return (
        one.x + hair < other.right
        and other.x + hair < one.right
        and one.y + hair < other.bottom
        and other.y + hair < one.bottom
    )


def stages(view: View) -> list[Dialogue]:
    """Every page that can be reached from a view with a few taps, one of each kind of key."""
    found, new = [], [Dialogue("more"), *(Dialogue("history", entry=ruled) for ruled in view.log[:1])]
    while new:
        now = new.pop()
        found.append(now)
        kinds: dict[str, str] = {}
        for word in keys(view, now):
            if word.startswith("@open"):
                kinds[word] = word
            elif word.startswith(LOCAL) and word not in (CLOSE, ERASE, "@further", "@sign", *ASIDES):
                kinds.setdefault(word.split(" ")[0], word)
        if len(now.numbers) + len(now.tiles) + len(now.digits) < 3:
            went_on = (dialogue.tapped(now, word, view, None) for word in kinds.values())
            new += [each for each in went_on if each is not None]
    return found


def moon(**fields: Any) -> View:
    """A deal of Moon in the middle of a trick."""
    tricks = Tricks(
        step="tricks", first=0, bidder=1, bid=5, trump="6", taken=(1, 0, 2), trick=(Played(2, "3-5"),), suit="5"
    )
    seats = (Seat("Ana", 3, 0, 4), Seat("Bogdan", 5, 0, 4), Seat("Chiara", 0, 0, 3))
    view = View(epoch="e", seq=9, game="kk-moon", target=21, round=1, phase="play", seats=seats, turn=0, tricks=tricks)
    return msgspec.structs.replace(view, actions=("plays", "undo"), camera="none", **fields)


def test_no_page_of_a_dialogue_overlaps_itself_or_has_keys_too_small_for_a_fingertip(scene: View) -> None:
    if not scene.game:
        return
    for now in stages(scene):
        for words in (WORDS, Words(catalogue=Longer())):
            drawn = shown(scene, now, words, "It is another player's turn" if words is WORDS else "")
            parts = list(draw.parts(drawn))
            for part in parts:
                assert part.rect.w > 0
                assert part.rect.h > 0
                assert PAGE_RECT.holds(part.rect.x, part.rect.y)
                assert part.rect.right <= PAGE_RECT.right
                assert part.rect.bottom <= PAGE_RECT.bottom + 0.01
            leaves = [part for part in parts if not isinstance(part, Panel)]
            assert not any(overlap(one.rect, other.rect) for one, other in combinations(leaves, 2)), now
            for button in (widget for widget in drawn.widgets if isinstance(widget, Button)):
                assert min(button.rect.w, button.rect.h) >= theme.LEAST_TARGET - 0.01, (now, button)


def test_every_order_of_every_page_can_be_read(scene: View) -> None:
    if not scene.game:
        return
    orders = {word for now in stages(scene) for word in keys(scene, now) if not word.startswith(LOCAL)}
    for order in orders:
        notation.parse(order)


@pytest.mark.parametrize(
    ("taps", "order"),
    [
        (["@open announces", "@seat 0"], "A announces nothing"),
        (["@open announces", "@seat 1", "@number 5", "@number 5"], "B announces 5-5-5"),
        (["@open exposes", "@seat 2", "@number 1"], "C exposes 1-2-5"),
        (["@open exposes", "@seat 2", "@number 5", "@number 1"], "C exposes 1-2-5"),
        (["@open stock-shows", "@number 0"], "stock shows 0-0-0"),
        (["@open holds", "@seat 1"], "B holds 7"),
        (["@open dealt", "@seat 1"], "B dealt 8"),
        (["@open says", "@seat 1"], "B says 4 drawn"),
        (["@open draws"], "B draws 3"),
        (["@open stock"], "stock 22"),
        (["@open stock", "@further"], "stock 30"),
        (["@open calls"], "C calls block"),
        (["@open claims", "@seat 0", "@digit 1", "@digit 5"], "A claims 15"),
        (["@open gets", "@seat 0", "@digit 5", "@digit 0", "@sign"], "A gets -50"),
        (["@open turn"], "turn A"),
        (["@open redeal"], "redeal"),
        (["@open shows", "@seat 1", "@number 0", "@tile 0-0-5"], "B shows 0-0-5"),
    ],
)
def test_an_order_takes_only_a_few_taps(taps: list[str], order: str, scenes: Any) -> None:
    view = msgspec.structs.replace(scenes["play"], layout=())
    assert order in keys(view, after(view, *taps))


@pytest.mark.parametrize(
    ("taps", "order"),
    [
        ([], "undo 20"),
        (["@open other-seat"], "correct 20: A lays 3-2-2 at -1,-1,U"),
        (["@open other-tile", "@number 2"], "correct 20: C lays 3-1-2 at -1,-1,U"),
        (["@open gets", "@digit 5"], "C gets 5"),
    ],
)
def test_a_move_is_put_right_with_a_few_taps(taps: list[str], order: str, scenes: Any) -> None:
    view = msgspec.structs.replace(scenes["play"], layout=())
    assert order in keys(view, after(view, *taps, about=view.last))


def test_the_places_of_a_move_that_is_put_right_are_those_of_that_time(scenes: Any) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(*words: str) -> Told:
        asked.append(words)
        return Told("", ("7 ok-edge C lays 2-2-3 at 1,1,U",), tiles=(LaidTile("triomino", (), 1, 2, 3, "offer"),))

    view = scenes["play"]
    now, error = dialogue.with_places(after(view, "@open other-place", about=view.last), ask)
    assert asked == [("places", "2-2-3", "C", "20")]
    assert not error
    drawn = shown(view, now)
    order = "correct 20: C lays 2-2-3 at 1,1,U"
    assert order in {button.order for button in drawn.widgets if isinstance(button, Button)}
    assert [
        target.order for table in drawn.widgets if isinstance(table, Table) for target in outlines.targets(table)
    ] == [order]


def test_a_triomino_of_a_correction_is_turned_as_the_old_one_lay(scenes: Any) -> None:
    entry = Ruled(20, 2, "C lays 4-0-3 at -1,-1,U", "ok-edge", True)
    view = msgspec.structs.replace(scenes["play"], log=(entry,), last=entry, layout=())
    now = after(view, "@open other-tile", "@number 0", about=entry)
    assert "correct 20: C lays 5-0-3 at -1,-1,U" in keys(view, now)


def test_numbers_that_no_tile_left_has_are_greyed(scenes: Any) -> None:
    view = scenes["dominoes"]  # 2-2, 2-5 and 6-6, 5-6 and 3-6 lie there
    drawn = shown(view, after(view, "@open lays", "@number 6"))
    live = {int(widget.text) for widget in drawn.widgets if isinstance(widget, Button) and widget.text.isdigit()}
    assert live == {0, 1, 2, 4}
    grey = {widget.text for widget in drawn.widgets if isinstance(widget, Label) and widget.text.isdigit()}
    assert grey == {"3", "5", "6"}


def test_a_hand_says_how_many_tiles_it_has_and_how_many_it_should_have(scenes: Any) -> None:
    view = scenes["show-hands"]
    now = after(view, "@open shows", "@seat 1", "@number 0", "@tile 0-0-5")
    assert "1 of 2" in texts(shown(view, now))
    assert (0, 0, 5) in [widget.values for widget in shown(view, now).widgets if isinstance(widget, Face)]
    assert keys(view, now)["B shows 0-0-5"].look == theme.KEY
    assert keys(view, replace(now, tiles=("0-0-5", "1-2-5")))["B shows 0-0-5 1-2-5"].look == theme.MAIN_KEY
    erased = dialogue.tapped(now, ERASE, view, None)
    assert erased is not None
    assert erased.tiles == ()


def test_places_are_lit_with_their_points_and_listed_best_first(scenes: Any) -> None:
    offers = ("12 ok-edge B lays 3-4-2 at 0,0,D", "3 ok-edge B lays 0-1-2 at 1,0,U")
    now = Dialogue("lays", seat=1, tiles=("2-3-4",), offers=offers, ghosts=GHOSTS)
    drawn = shown(scenes["play"], now)
    listed = [widget for widget in drawn.widgets if isinstance(widget, Button) and " lays " in widget.order]
    assert [(key.text, key.note) for key in listed] == [("1: +12", "Joins by one side"), ("2: +3", "Joins by one side")]
    table = next(widget for widget in drawn.widgets if isinstance(widget, Table))
    lit = [(piece.status, piece.word) for piece in table.pieces if piece.status != "placed"]
    assert lit == [("offer", "1: +12"), ("offer", "2: +3")]
    assert len(table.pieces) == len(scenes["play"].layout) + 2


def test_a_finger_between_two_places_means_the_nearer_one(scenes: Any) -> None:
    offers = ("12 ok-edge B lays 3-4-2 at 0,0,D", "3 ok-edge B lays 0-1-2 at 1,0,U")
    view = msgspec.structs.replace(scenes["play"], layout=())
    drawn = shown(view, Dialogue("lays", seat=1, tiles=("2-3-4",), offers=offers, ghosts=GHOSTS))
    one, other = (
        target.rect for table in drawn.widgets if isinstance(table, Table) for target in outlines.targets(table)
    )
    at = [(rect.x + rect.w / 2, rect.y + rect.h / 2) for rect in (one, other)]
    for share, order in ((0.3, "B lays 3-4-2 at 0,0,D"), (0.7, "B lays 0-1-2 at 1,0,U")):
        x, y = (a + (b - a) * share for a, b in zip(*at, strict=True))
        found = outlines.button_at(drawn, x, y)
        assert found is not None
        assert found.order == order


def test_more_places_than_have_room_are_turned_over(scenes: Any) -> None:
    offers = tuple(f"{9 - n} ok-edge B lays 3-4-2 at {n},0,D" for n in range(9))
    now = Dialogue("lays", seat=1, tiles=("2-3-4",), offers=offers)
    seen = set()
    for turned in range(3):
        drawn = shown(scenes["play"], replace(now, page=turned))
        seen |= {key.text for key in drawn.widgets if isinstance(key, Button) and " lays " in key.order}
    assert len(seen) == 9


def test_the_leader_of_a_trick_chooses_the_number_only_where_the_rules_let_him(state_of_moon: Any) -> None:
    view = moon()
    assert view.tricks is not None
    lead = msgspec.structs.replace(view, tricks=msgspec.structs.replace(view.tricks, trick=(), suit=""))
    free, bound = state_of_moon("yes"), state_of_moon("no")
    now = Dialogue("plays", seat=0)
    assert dialogue.said(now, "@tile 3-5", lead, bound) == "A plays 3-5"
    assert dialogue.said(now, "@tile 3-5", lead, free) == "@tile 3-5"
    assert dialogue.said(now, "@tile 3-6", lead, free) == "A plays 3-6"  # a trump
    assert dialogue.said(now, "@tile 3-3", lead, free) == "A plays 3-3"
    assert dialogue.said(now, "@tile 3-5", view, free) == "A plays 3-5"  # he follows
    picked = replace(now, tiles=("3-5",))
    orders = {key.order for key in page(lead, dialogue=picked, state=free).widgets if isinstance(key, Button)}
    assert orders == {"A plays 3-5 as 5", "A plays 3-5 as 3", CLOSE}


@pytest.fixture
def state_of_moon() -> Any:
    """A match of Moon in which the leader may name the suit, or may not."""
    return lambda free: opened(Match("kk-moon", ("Ana", "Bogdan", "Chiara"), (("leader_names_suit", free),)))


def test_the_trick_table_shows_who_played_what_and_who_has_taken_how_many() -> None:
    text = texts(page(moon()))
    assert "Bid of Bogdan: 5 · trumps: 6" in text
    assert "Ana: 5 is asked for" in text
    assert [text.count(f"tricks: {count}") for count in (0, 1, 2)] == [1, 1, 1]
    assert (3, 5) in [widget.values for widget in page(moon()).widgets if isinstance(widget, Face)]


def test_only_acts_of_the_phase_and_of_the_game_are_offered(scenes: Any) -> None:
    assert "calls" in choices.offered(scenes["play"])
    assert "calls" not in choices.offered(moon())
    assert "redeal" not in choices.offered(scenes["deal"])
    assert choices.offered(scenes["over"]) == ("history",)
    assert set(choices.offered(scenes["play"])) <= set(ACTS)


def test_an_order_that_is_refused_shows_the_ways_out(scenes: Any) -> None:
    stands = Option("A plays 3-5 overruled", "stands", seat=0)
    refused = Answer("id", "refused", "revoke", options=(Option("", "take-back"), stands))
    drawn = page(scenes["play"], asked=refused)
    orders = {widget.order for widget in drawn.widgets if isinstance(widget, Button)}
    assert orders == {"A plays 3-5 overruled", LEAVE}
    assert "A tile of the suit asked for is in the hand" in texts(drawn)


def test_of_a_game_that_is_not_known_here_nothing_is_entered_by_hand(scenes: Any) -> None:
    newer = {"game": "mars-domino", "camera": "lost", "tricks": None}
    for name in ("play", "show-hands", "deal", "who-opens"):
        drawn = page(msgspec.structs.replace(scenes[name], **newer))
        assert not any(widget.order.startswith(LOCAL) for widget in drawn.widgets if isinstance(widget, Button))
