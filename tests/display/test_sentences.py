"""Every code has words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest

from display import sentences
from display.sentences import ACTIONS, Words, number, signed, tile_in
from display.sentences.codes import DEEDS
from hardware import signals
from referee.games import goat, triomino
from referee.laying import rounds
from referee.rulings import Reason
from referee.seen import reader, tabletop
from referee.sighting import CameraStatus
from referee.state import Phase
from referee.tricks import deals
from referee.wire import Answer, Award, Ruled, Seat

WORDS = Words()
SEATS = (Seat("Ana", 0, 0, 7), Seat(" ", 0, 0, 7))


def calls(module: object) -> Iterator[ast.Call]:
    """All calls in a module's source."""
    tree = ast.parse(Path(str(getattr(module, "__file__", ""))).read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def texts(node: ast.AST) -> Iterator[str]:
    """All texts inside an expression."""
    return (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def award_codes() -> set[str]:
    """What points are given for, as the games and the rounds write it."""
    codes = set()
    for module in (rounds, deals, goat, triomino):
        for call in calls(module):
            if getattr(call.func, "id", "") == "Award":
                codes |= set(texts(call.args[1]))
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Tuple) or len(node.elts) not in (2, 3):
                continue
            *reason, what, points = node.elts  # (reason, "bridge", points) or ("tile", points)
            if isinstance(what, ast.Constant) and (reason or not isinstance(points, ast.Constant)):
                codes |= set(texts(what))
    return codes


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    assert sentences.REASONS[reason]
    assert WORDS.reason(reason.value) == sentences.REASONS[reason]


def test_every_award_of_the_games_has_a_word() -> None:
    codes = award_codes()
    assert {"tile", "hexagon", "bridge", "draws", "empty_stock", "out", "others", "hand"} <= codes
    assert codes - {"two", "three"} <= set(sentences.AWARDS)  # those two count corners


def test_every_question_and_every_answer_to_one_has_words() -> None:
    asked = {"already-laid", "not-in-set"}  # chosen in a variable
    choices: set[str] = set()
    for call in [*calls(reader), *calls(tabletop)]:
        match getattr(call.func, "id", ""):
            case "_doubt":
                asked |= set(texts(call.args[0]))
            case "Doubt":
                asked |= set(texts(call.args[1])) - {""}
            case "Choice":
                choices |= set(texts(call.args[1]))
    assert {"which-tile", "who-opens", "missing", "awaiting-removal"} <= asked <= set(sentences.QUESTIONS)
    choices |= set(reader.AT_END.values())
    assert {"tile", "not-a-move", "stands"} <= choices <= set(sentences.OPTIONS)


def test_every_state_of_the_house_has_words() -> None:
    assert {phase.value for phase in Phase} <= set(sentences.PHASES)
    assert {status.value for status in CameraStatus} <= set(sentences.CAMERA)
    assert {status.value for status in CameraStatus} - {"ok", "none"} == set(sentences.CAMERA_TROUBLE)
    codes = {signals.OK, signals.NO_LIBRARY, signals.NO_PINS, signals.PIN_IN_USE, signals.FAILED}
    assert codes == set(sentences.SIGNALS)


def test_a_code_from_a_newer_table_is_shown_as_it_is() -> None:
    assert WORDS.reason("moon-eclipse") == "moon eclipse"


def test_points_are_itemised_with_their_sum() -> None:
    ruled = Ruled(3, 0, "A lays 0-5-5 at 0,0,U", "ok-hexagon", True, (Award(0, "tile", 10), Award(0, "hexagon", 50)))
    assert WORDS.awards(SEATS, ruled) == "10 + 50 hexagon = 60"


def test_costs_carry_a_minus_sign_and_nothing_is_said_of_zero() -> None:
    costs = Ruled(3, 0, "A passes", "ok-pass", True, (Award(0, "draws", -15), Award(0, "empty_stock", -10)))
    assert WORDS.awards(SEATS, costs) == "−15 drawing − 10 nothing to draw = −25"
    nothing = Ruled(3, 0, "A draws 1", "ok-draw", True, (Award(0, "draws", 0),))
    assert WORDS.awards(SEATS, nothing) == ""


def test_points_of_others_than_the_mover_carry_names() -> None:
    ruled = Ruled(3, 0, "A shows 1-1", "ok-show-hand", True, (Award(0, "hand", 2), Award(1, "hand", 7)))
    assert WORDS.awards(SEATS, ruled) == "Ana 2 tiles in hand · Player B 7 tiles in hand"


def test_a_clause_is_named_once_and_without_the_game() -> None:
    assert WORDS.clauses(("fr-domino §3.4", "fr-domino §3.4", "G4")) == "Rule §3.4, G4"
    assert WORDS.clauses(()) == ""


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    assert WORDS.name(SEATS, 1) == "Player B"
    assert WORDS.name(SEATS, 7) == ""


def test_a_long_name_leaves_room_for_what_is_said_about_it() -> None:
    seats = (Seat("Wolfeschlegelsteinhausenbergerdorff", 0, 0, 7),)
    assert WORDS.ruling(seats, Ruled(3, 0, "A passes", "ok-pass", True)) == "Wolfeschleg…: Passes"


def test_refused_orders_are_answered_in_words() -> None:
    assert WORDS.answer(Answer("x", "refused", "draw-while-able")) == "A tile in hand fits: no drawing"
    assert WORDS.answer(Answer("x", "stale")).startswith("The table had just changed")
    assert WORDS.answer(Answer("x", "refused", "no-answer")) == "The table does not answer"
    assert WORDS.answer(Answer("x", "refused", "notation", "expected a seat")) == "expected a seat"
    assert WORDS.answer(Answer("x", "refused")) == "That cannot be done now"


def test_a_catalogue_translates_what_is_said() -> None:
    class Mirror(NullTranslations):
        def gettext(self, message: str) -> str:
            return message[::-1]

    assert Words(catalogue=Mirror()).reason("ok-pass") == sentences.REASONS["ok-pass"][::-1]


def test_numbers_and_tiles_in_lines_are_found() -> None:
    assert (number(-1234), signed(5), signed(0), signed(-5)) == ("−1234", "+5", "+0", "−5")
    assert tile_in("A lays 0-5-5 at 0,-1,U") == (0, 5, 5)
    assert tile_in("B lays 3-5 at left by 3") == (3, 5)
    assert tile_in("A passes") == ()
    assert tile_in("undo 12") == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A lays 0-5-5 at 0,-1,U", "0-5-5"),
        ("A draws 3", "Tiles drawn: 3"),
        ("undo 12", "Undone: 12"),
        ("A gets -5", "Points changed by hand: −5"),
        ("begin", "Play begins"),
        ("correct 12: A draws 3", "Corrected: 12"),
        ("A sings 7", "A sings 7"),
    ],
)
def test_a_line_of_notation_is_told_in_words(line: str, told: str) -> None:
    assert WORDS.act(line) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "29: Chiara · Tiles drawn: 1"),
        ("ro", "29: Chiara · Piese trase: 1"),
        ("cs", "29: Chiara · Líznuté kameny: 1"),
        ("fr", "29\u00a0: Chiara · Tuiles piochées\u00a0: 1"),
        ("uk", "29: Chiara · Добрані кісточки: 1"),
        ("kk", "29: Chiara · Алынған тастар: 1"),
    ],
)
def test_what_somebody_did_is_told_and_not_asked_for_in_the_words_of_its_key(language: str, told: str) -> None:
    seats = (Seat("Chiara", 0, 0, 3),)
    drawn = Ruled(29, 0, "A draws 1", "ok-draw", True)
    assert Words(language).about(seats, drawn) == told


def test_why_a_refused_act_does_not_stand_is_told_with_it() -> None:
    seats = (Seat("Chiara", 0, 0, 3),)
    passed = Ruled(29, 0, "A passes", "pass-while-able", False)
    assert WORDS.about(seats, passed) == "29: Chiara · Passes · A tile in hand fits: no passing"
    laid = Ruled(30, 0, "A lays 3-4-5 at 0,0,U", "ok-edge", True)
    assert WORDS.about(seats, laid) == "30: Chiara 3-4-5 · Joins by one side"


def test_every_act_that_has_a_key_is_told_in_words_of_its_own() -> None:
    assert set(DEEDS) == set(ACTIONS)


def test_who_or_what_a_text_is_about_stands_before_it() -> None:
    assert WORDS.told("Ana", "Passes") == "Ana: Passes"
    assert Words("fr").told("Ana", "Passe") == "Ana\u00a0: Passe"
    assert WORDS.told("", "Table cleared") == "Table cleared"


def test_several_things_are_named_as_one() -> None:
    assert WORDS.all_of(("1-1", "2-2", "3-3")) == "1-1, 2-2 and 3-3"
    assert Words("kk").all_of(("1-1", "2-2")) == "1-1 және 2-2"
    assert WORDS.all_of(("1-1",)) == "1-1"
    assert WORDS.all_of(()) == ""
