"""How far a long command has come is told to people at a terminal, and to nobody else."""

import io

from referee.commands.progress import Progress, line, told


class Terminal(io.StringIO):
    def isatty(self):
        return True


def ticking(step_s):
    """A clock that goes on by so much each time it is looked at."""
    now_s = 0.0
    while True:
        yield now_s
        now_s += step_s


def test_what_is_quick_is_not_told_where_no_person_looks():
    stream = io.StringIO()
    assert list(told("abc", str, stream, ticking(1.0).__next__)) == ["a", "b", "c"]
    assert stream.getvalue() == ""


def test_what_takes_long_is_told_in_a_plain_line_now_and_then_where_no_person_looks():
    stream = io.StringIO()
    list(told(range(20), "picture {}".format, stream, ticking(10.0).__next__))
    lines = stream.getvalue().splitlines()
    assert len(lines) == 6, "one in thirty seconds"
    assert lines[0] == f"[{'#' * 2}{'.' * 22}] 2/20  4:30 left  picture 2"
    assert not set("\r\x1b") & set(stream.getvalue())


def test_where_nobody_knows_how_much_there_is_the_time_is_told():
    stream = Terminal()
    progress = Progress(None, stream, ticking(61.0).__next__)
    progress.step(lambda: "12 frames")
    assert stream.getvalue().endswith("1:01  12 frames")
    progress.end()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_standard_output_is_left_to_programs(capsys):
    progress = Progress(None, clock=ticking(31.0).__next__)
    progress.step(lambda: "half of it")
    assert capsys.readouterr() == ("", "0:31  half of it\n")


def test_at_a_terminal_every_thing_is_named_with_the_time_left_and_the_line_is_gone_at_the_end():
    stream = Terminal()
    assert list(told("abcd", str.upper, stream, ticking(10.0).__next__)) == list("abcd")
    lines = stream.getvalue().split("\r\x1b[K")[1:]
    assert [each.split()[-1:] for each in lines] == [["A"], ["B"], ["C"], ["D"], []]
    assert "2/4  0:30 left" in lines[2]


def test_the_line_is_not_written_for_every_quick_thing():
    stream = Terminal()
    list(told(range(1000), str, stream, ticking(0.001).__next__))
    assert stream.getvalue().count("\r") < 15


def test_the_line_is_gone_also_when_the_work_breaks_off():
    stream = Terminal()
    steps = told("ab", str, stream)
    assert next(steps) == "a"
    assert stream.getvalue().endswith("a")
    steps.close()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_line_has_a_bar_a_count_and_the_time_left():
    assert line(6, 12, 65.0, "one.jpg") == f"[{'#' * 12}{'.' * 12}] 6/12  1:05 left  one.jpg"
    assert "-:-- left" in line(0, 12, 0.0, "one.jpg")
