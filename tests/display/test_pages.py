"""Pages as data: what stands where, and what a tap would say."""

from __future__ import annotations

from gettext import NullTranslations
from itertools import combinations
from typing import Any

import msgspec
import pytest

from display import draw, lettering, pages, theme
from display.dialogue import MORE
from display.outlook import LEAVE
from display.pages import page
from display.sentences import Words
from display.widgets import Badge, Button, Code, Face, Label, Page, Panel, Rect, Table
from referee.umpire import Match, opened
from referee.wire import Answer, Dispute, LaidTile, Option, Question, Ruled, View
from tests.display import gallery

HAIR = 0.01

PAGE_RECT = Rect(0, 0, theme.WIDTH, theme.HEIGHT)


class Longer(NullTranslations):
    """A language whose texts are 40 % longer."""

    def gettext(self, message: str) -> str:
        """The message and then some."""
        return message + " " + "ünd" * (len(message) * 4 // 30 + 1)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The same for numbers of things."""
        return self.gettext(one if n == 1 else many)


def texts(drawn: Page) -> str:
    """All texts of a page, a line each."""
    return "\n".join(part.text for part in draw.parts(drawn) if isinstance(part, Label))


def buttons(drawn: Page) -> dict[str, Button]:
    """The buttons of a page by their order."""
    return {widget.order: widget for widget in drawn.widgets if isinstance(widget, Button)}


def overlap(one: Rect, other: Rect) -> bool:
    """True when two rectangles share more than an edge."""
    return (
        one.x + HAIR < other.right
        and other.x + HAIR < one.right
        and one.y + HAIR < other.bottom
        and other.y + HAIR < one.bottom
    )


def inside(inner: Rect, outer: Rect) -> bool:
    """True when a rectangle does not leave another."""
    return (
        inner.x >= outer.x - HAIR
        and inner.y >= outer.y - HAIR
        and inner.right <= outer.right + HAIR
        and inner.bottom <= outer.bottom + HAIR
        and inner.w > 0
        and inner.h > 0
    )


def changed(view: View, **fields: Any) -> View:
    """The same view but for some fields."""
    return msgspec.structs.replace(view, **fields)


@pytest.mark.parametrize("live", [True, False])
def test_nothing_overlaps_or_leaves_the_page(scene: View, live: bool) -> None:
    for words in (Words(), Words(Longer())):
        parts = list(draw.parts(page(scene, live, words, notice="Not your turn")))
        assert all(inside(part.rect, PAGE_RECT) for part in parts)
        leaves = [part for part in parts if not isinstance(part, Panel)]
        for one, other in combinations(leaves, 2):
            assert not overlap(one.rect, other.rect), (one, other)


def test_what_an_order_would_change_is_a_page_of_its_own(scenes: Any, asked: Answer) -> None:
    shown = page(scenes["six-players"], asked=asked)
    assert buttons(shown).keys() == {"undo! 12", LEAVE}
    text = texts(shown)
    assert "This changes more than that one move" in text
    assert "Joins by one side (7)" in text
    assert "undone" in text
    assert "A tile in hand fits: no drawing" in text
    assert "and 7 more" in text
    assert "Ana 112 → 105 (−7) · Ұлжан" not in text
    assert "Ana 112 → 105 (−7)" in text
    for words in (Words(), Words(Longer())):
        parts = list(draw.parts(page(scenes["play"], words=words, asked=asked)))
        assert all(inside(part.rect, PAGE_RECT) for part in parts)
        leaves = [part for part in parts if not isinstance(part, Panel)]
        assert not any(overlap(one.rect, other.rect) for one, other in combinations(leaves, 2))


def test_an_old_page_asks_nothing(scenes: Any, asked: Answer) -> None:
    assert buttons(page(scenes["play"], live=False, asked=asked)) == {}


def test_without_a_changed_score_the_page_says_so(scenes: Any, asked: Answer) -> None:
    assert asked.outlook is not None
    same = msgspec.structs.replace(asked.outlook, changes=asked.outlook.changes[:2], more=0, becomes=(112, 87, 131))
    text = texts(page(scenes["play"], asked=msgspec.structs.replace(asked, outlook=same)))
    assert "No score changes" in text
    assert "more" not in text.replace("changes more", "")


def test_a_move_that_does_not_stand_any_more_is_asked_about_by_entry_and_reason(scenes: Any) -> None:
    shown = page(scenes["unsettled"])
    assert {"overrule 21", "undo 21"} <= buttons(shown).keys()
    assert "21: Bogdan 2-3-4" not in texts(shown)
    assert "21: Bogdan 3-4-2 · A touching corner does not match" in texts(shown)
    assert "8 more" in texts(shown)


def test_what_has_been_proven_is_told_with_its_entry_and_its_tiles(scenes: Any) -> None:
    text = texts(page(scenes["proven"]))
    assert "Bogdan (31): An earlier pass was wrong: a tile fitted (0-0-5)" in text
    assert "Tiles are missing, or there are too many (56, 55)" in text
    assert "Bogdan −10 false pass · Ana 13 others' tiles" in text


def test_after_a_round_the_best_that_was_missed_is_told(scenes: Any) -> None:
    text = texts(page(scenes["missed"]))
    assert "Bogdan could have laid 0-1-1 beside 1-1-1 and 0-1-4: 52 instead of 0" in text
    assert "Chiara could have laid 1-2-3: 9 instead of 8" in text
    assert "Better for 2-2-3 beside" not in text
    assert "Better for 2-2-3: beside 1-3-3, 0-2-2 and 2-4-4, 47 instead of 7" in texts(page(scenes["training"]))


def test_panels_do_not_cut_through_others(scene: View) -> None:
    parts = list(draw.parts(page(scene)))
    panels = [part.rect for part in parts if isinstance(part, Panel)]
    for one, other in combinations(panels, 2):
        assert not overlap(one, other) or inside(one, other) or inside(other, one)
    for part in parts:
        if not isinstance(part, Panel):
            assert all(inside(part.rect, panel) for panel in panels if overlap(part.rect, panel)), part


@pytest.mark.parametrize("size", [(800, 480), (640, 480), (1280, 720)])
def test_every_text_fits_its_box_even_when_longer(scene: View, size: tuple[int, int]) -> None:
    scale = draw.Frame.of(size).scale
    for words in (Words(), Words(Longer())):
        for part in draw.parts(page(scene, words=words)):
            if isinstance(part, Label) and part.text:
                pixels, lines = lettering.fit(part.text, part, scale)
                font = draw.pieces.font(theme.BOLD if part.bold else theme.REGULAR, pixels)
                assert lines
                assert all(font.size(line)[0] <= part.rect.w * scale for line in lines), part
                assert pixels * 1.1 * len(lines) <= part.rect.h * scale + 1, part


def test_every_button_is_large_enough_for_a_finger(scene: View) -> None:
    for button in buttons(page(scene)).values():
        assert button.rect.w >= theme.LEAST_TARGET
        assert button.rect.h >= theme.LEAST_TARGET


def test_draw_and_pass_speak_for_the_player_whose_turn_it_is(scenes: Any) -> None:
    orders = buttons(page(scenes["play"]))
    assert orders.keys() == {"B draws 1", "B passes", "@open turn", "undo 20", MORE}


def test_buttons_are_shown_only_when_they_make_sense(scenes: Any) -> None:
    assert buttons(page(changed(scenes["play"], actions=()))).keys() == {MORE}
    assert buttons(page(changed(scenes["dispute"], actions=("passes",)))).keys() == {
        "B passes",
        "@open turn",
        "overrule 21",
        MORE,
    }
    taken_back = msgspec.structs.replace(scenes["dispute"].dispute, options=(Option("", "take-back"),))
    nothing = buttons(page(changed(scenes["dispute"], actions=("passes",), dispute=taken_back)))
    assert nothing.keys() == {"B passes", "@open turn", MORE}


def test_a_dispute_has_a_key_for_each_remedy_with_its_points(scenes: Any) -> None:
    shown = page(scenes["out-of-turn"])
    keys = buttons(shown)
    assert (keys["C exposes 3-4-5 laid"].text, keys["C exposes 3-4-5 laid"].note) == ("Lies open until played", "")
    assert (keys["overrule 21"].text, keys["overrule 21"].note) == ("Let it stand", "+62")
    assert "Take it back" in texts(shown)
    only = msgspec.structs.replace(scenes["dispute"].dispute, options=scenes["dispute"].dispute.options[1:])
    assert "Take it back" not in texts(page(changed(scenes["dispute"], dispute=only)))


def test_a_dispute_is_put_into_words_with_its_clause_and_can_be_overruled(scenes: Any) -> None:
    shown = page(scenes["dispute"])
    text = texts(shown)
    assert "Bogdan: 3-4-5 is illegal" in text
    assert "The touching sides do not match" in text
    assert "Rule §2.1.8, §1.G4" in text
    assert "overrule 21" in buttons(shown)
    assert any(isinstance(widget, Badge) and widget.sign == "✗" for widget in shown.widgets)


def test_undo_names_the_newest_move_that_stands(scenes: Any) -> None:
    legal = Ruled(7, 0, "A lays 0-0-1 at 0,0,D", "ok-edge", True)
    undone = Ruled(9, 1, "B passes", "ok-pass", True, void=True)
    illegal = Ruled(10, 1, "B lays 4-4-5 at 1,0,U", "edge-mismatch", False)
    undo = Ruled(11, None, "undo 9", "ok-undo", True)
    view = changed(scenes["play"], log=(legal, undone, illegal, undo), last=undo)
    assert "undo 7" in buttons(page(view))
    assert buttons(page(changed(view, log=(), last=None))).keys() == {"B draws 1", "B passes", "@open turn", MORE}


def test_the_last_ruling_is_itemised(scenes: Any) -> None:
    text = texts(page(scenes["hexagon"]))
    assert "Bogdan: Hexagon!" in text
    assert "9 + 50 hexagon = 59" in text
    assert "+59" in text


def test_a_question_offers_its_answers_as_drawn_tiles(scenes: Any) -> None:
    shown = page(scenes["which-tile"])
    orders = buttons(shown)
    assert [f"answer q1 {number}" in orders for number in range(6)] == [True] * 6
    assert orders["answer q1 1"].face == (2, 3, 5)
    assert orders["answer q1 1"].note == "22%"
    assert orders["answer q1 5"].text == "Not a tile"
    assert "Which tile is this?" in texts(shown)
    assert "B draws 1" not in orders  # first the answer


def test_play_goes_on_beside_a_question_that_can_wait(scenes: Any) -> None:
    waiting = Question("q3", "awaiting-removal", (Option("answer q3 0", "stands", "2-3-4", 1),))
    orders = buttons(page(changed(scenes["play"], questions=(waiting,))))
    assert orders.keys() == {"answer q3 0", "B draws 1", "B passes", "@open turn", "undo 20", MORE}
    assert orders["answer q3 0"].face == (2, 3, 4)


def test_a_question_about_players_offers_names(scenes: Any) -> None:
    orders = buttons(page(scenes["who-opens"]))
    assert [orders[f"answer q1 {seat}"].text for seat in range(3)] == ["Ana", "Bogdan", "Chiara"]


def test_only_the_player_to_move_has_the_light_card_with_an_arrow(scenes: Any) -> None:
    shown = page(scenes["play"])
    light = [w for w in shown.widgets if isinstance(w, Panel) and w.look == theme.TURN]
    arrows = [w for w in shown.widgets if isinstance(w, Badge) and w.sign == "▶"]
    assert len(light) == len(arrows) == 1
    assert inside(arrows[0].rect, light[0].rect)
    assert texts(shown).count("to play") == 1


def test_the_open_ends_of_a_line_are_drawn(scenes: Any) -> None:
    faces = [widget.values for widget in page(scenes["dominoes"]).widgets if isinstance(widget, Face)]
    assert (0,) in faces
    assert (2,) in faces
    assert "Boneyard 11" in texts(page(scenes["dominoes"]))


def test_the_ends_of_a_line_and_of_its_arms_are_shown_with_what_they_count(scenes: Any) -> None:
    faces = [widget.values for widget in page(scenes["arms"]).widgets if isinstance(widget, Face)]
    assert faces[:4] == [(0,), (2,), (6,), (4,)]
    assert "Ends: 16" in texts(page(scenes["arms"]))
    silent = msgspec.structs.replace(scenes["arms"], count=None)
    assert "Ends" in texts(page(silent))


def test_a_hand_that_is_seen_whole_can_be_shown(scenes: Any) -> None:
    orders = buttons(page(scenes["show-hands"]))
    assert "B shows 0-0-5 1-2-5" in orders
    assert not any(order.startswith("C shows") for order in orders)  # two of three tiles are no hand


def test_tiles_that_were_counted_already_are_not_counted_again(scenes: Any) -> None:
    view = scenes["show-hands"]
    counted = Ruled(31, 1, "B shows 0-0-5 1-2-5", "ok-show-hand", True)
    more = tuple(LaidTile("triomino", (n, n, n), 400 + 40 * n, 300, 0, "seen") for n in range(3))
    seats = (view.seats[0], msgspec.structs.replace(view.seats[1], shown=True), view.seats[2])
    after = changed(view, last=counted, layout=(*view.layout, *more), seats=seats)
    assert "C shows 0-0-0 1-1-1 2-2-2" in buttons(page(after))


def test_each_phase_says_what_to_do_and_offers_it(scenes: Any) -> None:
    assert "begin" in buttons(page(scenes["deal"]))
    assert "clear" in buttons(page(scenes["clearing"]))
    assert "show your hands" in texts(page(scenes["show-hands"]))
    assert "Clear the table" in texts(page(scenes["clearing"]))
    assert "Waiting for the table" in texts(page(None, live=False))


def test_the_result_names_the_winner_and_shares_places(scenes: Any) -> None:
    assert "Ana wins the match!" in texts(page(scenes["over"]))
    assert texts(page(scenes["six-at-the-end"])).split("\n").count("2.") == 2
    shared = changed(scenes["over"], ranking=((0, 2), (1,)))
    assert "A shared win: Ana, Chiara" in texts(page(shared))
    assert "3." in texts(page(shared))


def test_an_old_page_says_so_and_has_nothing_to_tap(scene: View) -> None:
    old = page(scene, live=False)
    assert not old.live
    assert buttons(old) == {}
    assert any("Reconnecting" in part.text for part in old.notice if isinstance(part, Label))


def test_the_page_says_who_can_reach_the_phone_page(scenes: Any) -> None:
    assert "http://192.168.1.23:8420/ (whole network)" in texts(page(scenes["play"]))
    assert "http://127.0.0.1:8420/ (this machine only)" in texts(page(scenes["dominoes"]))
    assert "no phone page" in texts(page(changed(scenes["play"], phones="")))
    codes = [widget.text for widget in page(scenes["deal"]).widgets if isinstance(widget, Code)]
    assert codes == ["http://192.168.1.23:8420/"]
    alone = changed(scenes["deal"], phones="http://[::1]:8420/")
    assert not any(isinstance(widget, Code) for widget in page(alone).widgets)


def test_trouble_is_said_above_the_felt(scenes: Any) -> None:
    assert "The camera is gone" in texts(page(changed(scenes["play"], camera="lost")))
    assert "cannot be saved" in texts(page(changed(scenes["play"], saved=False)))
    assert "no buzzer" in texts(page(changed(scenes["play"], signals="no-gpio")))
    assert "It is another player's turn" in texts(page(scenes["play"], notice="It is another player's turn"))


def test_without_a_camera_the_latest_rulings_stand_on_the_felt(scenes: Any) -> None:
    text = texts(page(scenes["by-touch"]))
    assert "Chiara: Joins by one side\n+7" in text
    assert text.count("Draws from the stock\n−5") == 4
    assert "without camera" in text


def test_each_status_has_its_own_word_and_the_last_tile_is_marked(scenes: Any) -> None:
    table = next(widget for widget in page(scenes["everything"]).widgets if isinstance(widget, Table))
    words = {piece.status: piece.word for piece in table.pieces}
    assert {words[status] for status in ("illegal", "doubt", "missing", "removal")} == {
        "illegal",
        "asked",
        "missing",
        "take back",
    }
    assert [piece.last for piece in table.pieces].count(True) == 1


def test_a_dispute_of_nobody_and_codes_of_a_newer_table_are_shown_too(scenes: Any) -> None:
    odd = changed(
        scenes["dispute"], dispute=Dispute(21, None, "3-4-5", "too-loud", ()), phase="halftime", camera="asleep"
    )
    assert "3-4-5 is illegal" in texts(page(odd))
    assert "too loud" in texts(page(odd))


def test_the_same_view_gives_the_same_page(scene: View) -> None:
    assert page(scene) == pages.page(scene)


def test_a_dispute_tells_its_clause_in_words_and_draws_its_tile_where_the_house_rules_are_known(scenes: Any) -> None:
    state = opened(Match("ro-trimino/manufacturer", ("Ana", "Bogdan", "Chiara")))
    shown = pages.page(scenes["dispute"], state=state)
    assert "Rule §2.1.8, §1.G4: A tile lies against another by a whole side" in texts(shown)
    assert any(isinstance(each, Face) and each.values == (3, 4, 5) and each.rect.h >= 100 for each in shown.widgets)


def test_fixed_a_question_in_a_game_of_tricks_leaves_the_trick_in_sight() -> None:
    texts = [part.text for part in page(gallery.views("en")["moon-which-first"]).widgets if isinstance(part, Label)]
    assert "No tiles in sight" not in texts
    assert any("6" in text and "5" in text for text in texts), "the bid and the trumps"
