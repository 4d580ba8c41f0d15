"""`referee judge`: which joins of a photographed layout are legal, and when it says that it cannot tell."""

import json
from pathlib import Path

import cv2
import pytest

from referee.__main__ import main
from referee.commands.judging import Judged, judge
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.tiles import Shape, domino_set, triomino_set

PICTURES = Path(__file__).parents[1] / "fixtures"
LEGAL = PICTURES / "dominoes_legal.jpg"
END_MISMATCH = PICTURES / "dominoes_end_mismatch.jpg"
CORNER_MISMATCH = PICTURES / "triominoes_corner_mismatch.jpg"

DOMINO = Shape.domino(48, 24)
TRIOMINO = Shape.triomino(40)


def dominoes(*tiles, unsure=(), has_spinner=False):
    """Judge dominoes given as (values, x, y, angle); `unsure` are numbers of tiles whose reading is not."""
    seen = [SeenTile("domino", values, x, y, angle) for values, x, y, angle in tiles]
    judged = [Judged(number, tile, number not in unsure) for number, tile in enumerate(seen, 1)]
    return judge(judged, DOMINO, frozenset(domino_set(6)), has_spinner)


def triominoes(*tiles):
    seen = [SeenTile("triomino", values, x, y, angle) for values, x, y, angle in tiles]
    judged = [Judged(number, tile, True) for number, tile in enumerate(seen, 1)]
    return judge(judged, TRIOMINO, frozenset(triomino_set(5)))


def test_a_line_whose_numbers_meet_is_legal():
    answer = dominoes(((1, 2), 0, 0, 0), ((2, 2), 37, 0, 90), ((2, 5), 74, 0, 0), ((5, 6), 86, 37, 90))
    assert answer.verdict == "legal"
    assert [join.values for join in answer.joins] == [((2, 2),), ((2, 2),), ((5, 5),)]
    assert {join.reason for join in answer.joins} == {Reason.OK_PLACE}
    assert answer.groups == ((1, 2, 3, 4),)


def test_an_end_that_differs_is_illegal_and_named():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 49, 0, 0))
    assert answer.verdict == "illegal"
    assert (answer.joins[0].a, answer.joins[0].b, answer.joins[0].reason) == (1, 2, Reason.END_MISMATCH)


def test_one_surely_illegal_join_is_enough_whatever_else_is_unclear():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 49, 0, 0), ((0, 6), 98, 0, 0), unsure={3})
    assert answer.verdict == "illegal"
    assert [join.legal for join in answer.joins] == [False, None]


def test_an_unsure_reading_at_a_join_is_never_called_illegal():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 49, 0, 0), unsure={2})
    assert answer.verdict == "cannot tell"
    assert answer.unclear[0].tiles == (1, 2)


def test_tiles_that_do_not_touch_lie_aside_and_nothing_can_be_told():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 70, 0, 0))
    assert (answer.verdict, answer.aside) == ("cannot tell", (1, 2))
    assert answer.unclear[0].why == "no two tiles touch"


CROSS = (((5, 5), 0, 0, 90), ((0, 5), -36.8, 0, 0), ((2, 5), 36.8, 0, 180), ((5, 6), 0, -48.5, 270))


def test_where_there_is_a_spinner_one_double_may_be_joined_at_all_its_sides():
    fourth = ((4, 5), 0, 48.5, 270)
    assert dominoes(*CROSS, fourth, has_spinner=True).verdict == "legal"
    assert dominoes(*CROSS, fourth).verdict == "cannot tell"
    answer = dominoes(*CROSS, ((4, 5), 0, 48.5, 90), has_spinner=True)
    assert (answer.verdict, [join.values for join in answer.joins if not join.legal]) == ("illegal", [((5, 4),)])


def test_a_second_double_that_is_joined_three_times_is_unclear_though_there_is_a_spinner():
    second = (((6, 6), 0, -85.3, 0), ((1, 6), -48.5, -85.3, 0), ((3, 6), 48.5, -85.3, 180))
    assert dominoes(*CROSS, *second, has_spinner=True).verdict == "cannot tell"


def test_a_loose_tile_does_not_disturb_a_legal_line():
    answer = dominoes(((1, 2), 0, 0, 0), ((2, 5), 49, 0, 0), ((0, 3), 0, 90, 20), unsure={3})
    assert (answer.verdict, answer.aside) == ("legal", (3,))


def test_groups_are_judged_separately():
    answer = dominoes(((1, 2), 0, 0, 0), ((2, 5), 49, 0, 0), ((3, 3), 0, 200, 0), ((4, 6), 49, 200, 0))
    assert answer.groups == ((1, 2), (3, 4))
    assert [join.legal for join in answer.joins] == [True, False]


def test_a_half_that_meets_two_tiles_is_unclear():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 49, 0, 0), ((4, 6), 12, 37, 90))
    assert answer.verdict == "cannot tell"


def test_a_tile_that_was_seen_twice_is_doubted_before_it_is_called_illegal():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 5), 49, 0, 0), ((3, 5), 300, 0, 0))
    assert answer.verdict == "cannot tell"
    assert any("more than once" in one.why for one in answer.unclear)


def test_a_tile_that_is_not_in_the_set_is_doubted():
    answer = dominoes(((1, 2), 0, 0, 0), ((3, 9), 49, 0, 0))
    assert answer.verdict == "cannot tell"
    assert any("not in the set" in one.why for one in answer.unclear)


def test_an_end_across_a_seam_is_illegal_when_it_suits_neither_tile():
    row = (((3, 0), 0, 0, 0), ((0, 0), 49, 0, 0))
    answer = dominoes(*row, ((6, 4), 24.5, 37, 90))
    assert answer.verdict == "illegal"
    assert [join.legal for join in answer.joins] == [True, False, False]
    assert dominoes(*row, ((0, 4), 24.5, 37, 90)).verdict == "cannot tell"


def test_an_end_at_a_seam_that_is_held_elsewhere_is_only_unclear():
    row = (((3, 0), 0, 0, 0), ((0, 0), 49, 0, 0))
    answer = dominoes(*row, ((6, 4), 24.5, 37, 90), ((4, 4), 24.5, 74, 0))
    assert answer.verdict == "cannot tell"


def test_triominoes_that_agree_along_a_side_are_legal():
    answer = triominoes(((0, 1, 1), 0, 0, -90), ((2, 1, 1), 0, 23.09, 90))
    assert answer.verdict == "legal"
    assert (answer.joins[0].values, answer.joins[0].reason) == (((1, 1), (1, 1)), Reason.OK_EDGE)


def test_a_side_that_differs_is_an_edge_mismatch():
    answer = triominoes(((0, 1, 1), 0, 0, -90), ((3, 1, 3), 0, 23.09, 90))
    assert answer.verdict == "illegal"
    assert (answer.joins[0].values, answer.joins[0].reason) == (((1, 3), (1, 1)), Reason.EDGE_MISMATCH)


def test_a_corner_that_differs_within_a_group_is_a_corner_mismatch():
    # Three cells around one vertex: the outer two touch only there.
    answer = triominoes(((0, 1, 1), 0, 0, -90), ((1, 0, 0), 20, -11.55, 90), ((0, 5, 5), 40, 0, -90))
    reasons = {(join.a, join.b): join.reason for join in answer.joins}
    assert reasons == {
        (1, 2): Reason.OK_EDGE,
        (1, 3): Reason.CORNER_MISMATCH,
        (2, 3): Reason.EDGE_MISMATCH,
    }


def test_groups_that_touch_by_a_corner_only_are_unclear():
    answer = triominoes(((0, 1, 2), 0, 0, -90), ((3, 4, 5), 40, 0, -90))
    assert answer.verdict == "cannot tell"
    assert "by a corner only" in answer.unclear[0].why


def run(capsys, *arguments):
    code = main(["judge", *map(str, arguments)])
    return code, capsys.readouterr()


def test_a_legal_photograph_exits_with_0(capsys):
    code, output = run(capsys, LEGAL, "--game", "fr-domino")
    assert code == 0
    assert output.out.splitlines()[-1] == "legal: 11 legal"


def test_an_illegal_photograph_exits_with_1_and_names_the_join(capsys):
    code, output = run(capsys, END_MISMATCH, "--game", "fr-domino", "--json")
    answer = json.loads(output.out)
    bad = [join for join in answer["joins"] if join["legal"] is False]
    values = {tile["id"]: tile["values"] for tile in answer["tiles"]}
    assert (code, answer["verdict"], len(bad)) == (1, "illegal", 1)
    assert sorted([values[bad[0]["a"]], values[bad[0]["b"]]]) == [[2, 4], [5, 5]]
    assert (sorted(bad[0]["values"]), bad[0]["reason"]) == ([4, 5], "end-mismatch")
    assert all(tile["group"] == 1 and len(tile["corners"]) == 4 for tile in answer["tiles"])


def test_a_triomino_whose_corner_differs_is_found_on_a_photograph(capsys, tmp_path):
    drawn = tmp_path / "seen.png"
    code, output = run(capsys, CORNER_MISMATCH, "--game", "ro-trimino/manufacturer", "--json", "--annotate", drawn)
    answer = json.loads(output.out)
    bad = [join for join in answer["joins"] if join["legal"] is False]
    assert (code, [join["reason"] for join in bad]) == (1, ["corner-mismatch"])
    assert len(answer["tiles"]) == 13
    # Enlarged until the numbers on the small tiles can be read.
    assert cv2.imread(str(drawn)).shape[1] > cv2.imread(str(CORNER_MISMATCH)).shape[1]


@pytest.mark.parametrize(
    ("photo", "game", "says"),
    [
        ("missing.jpg", "fr-domino", "missing.jpg"),
        ("text.jpg", "fr-domino", "expected a picture"),
        ("empty.jpg", "fr-domino", "expected a picture"),
        ("text.jpg", "chess", "expected a game"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_64(capsys, tmp_path, photo, game, says):
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").write_bytes(b"")
    code, output = run(capsys, tmp_path / photo, "--game", game)
    assert code == 64
    assert says in output.err
    assert output.err.count("\n") == 1
    assert not output.out


def test_a_picture_that_cannot_be_written_is_told_before_any_verdict(capsys, tmp_path):
    code, output = run(capsys, LEGAL, "--game", "fr-domino", "--annotate", tmp_path / "out.txt")
    assert code == 64
    assert "out.txt" in output.err


def test_a_game_of_tricks_has_no_layout_to_look_at(capsys):
    code, output = run(capsys, LEGAL, "--game", "kk-moon")
    assert code == 64
    assert "played in tricks" in output.err
