"""Recordings: frames kept on disk and looked at again are the same frames, and give the same sightings."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.__main__ import main
from referee.commands import record
from referee.sighting import Sighting
from vision.frames import TIMES, FolderSource, Frame, FrameSource, SourceError, VideoSource
from vision.kinds import kinds
from vision.recording import MOST_WAITING, PART, Recorder, encoded
from vision.sources import NoSource, open_source
from vision.virtual import Lay, profile_for
from vision.virtual.stage import encode
from vision.watch import Watcher

SCRIPT = (
    Lay("triomino", (0, 3, 5), 300.0, 200.0, -90.0, 90.0),
    Lay("triomino", (3, 5, 5), 380.0, 230.0, 90.0, 210.0),
)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("script") / "script.json"
    path.write_bytes(b"[" + b",".join(encode(each) for each in SCRIPT) + b"]")
    return path


@pytest.fixture(scope="module")
def recorded(script: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of the script, made by the command."""
    folder = tmp_path_factory.mktemp("recorded") / "evening"
    assert main(["record", str(folder), "--camera", f"virtual:{script}?size=1280x880"]) == 0
    return folder


def all_frames(source: FrameSource) -> list[Frame]:
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    source.close()
    return frames


def told(source: FrameSource, script: Path) -> list[Sighting]:
    eye = Watcher(profile_for(f"{script}?size=1280x880"), 5, kinds()["triomino"], epoch="one")
    sightings = []
    while (frame := source.read()) is not None:
        sightings.append(eye.see(frame))
    source.close()
    return [sighting for sighting in sightings if sighting is not None]


def blank(number: int, time_s: float, level: int = 0) -> Frame:
    return Frame(np.full((40, 60, 3), level, np.uint8), time_s, number)


def test_a_recording_gives_the_very_frames_and_sightings_of_the_camera(script: Path, recorded: Path) -> None:
    camera, again = open_source(f"virtual:{script}?size=1280x880"), open_source(f"folder:{recorded}")
    while (frame := camera.read()) is not None:
        twin = again.read()
        assert twin is not None
        assert (twin.number, twin.time_s) == (frame.number, frame.time_s)
        assert np.array_equal(twin.image, frame.image)
    assert again.read() is None
    sightings = told(open_source(f"virtual:{script}?size=1280x880"), script)
    assert [tile.values for tile in sightings[-1].tiles] == [(0, 3, 5), (3, 5, 5)]
    assert told(open_source(f"folder:{recorded}"), script) == sightings


def test_a_video_tells_the_same_every_time_it_is_played(recorded: Path, script: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    source = FolderSource(recorded)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 15.0, (1280, 880))
    while (frame := source.read()) is not None:
        writer.write(frame.image)
    writer.release()
    first, second = (told(VideoSource(film), script) for _ in range(2))
    assert first == second
    assert [tile.values for tile in first[-1].tiles] == [(0, 3, 5), (3, 5, 5)]


def test_a_recording_keeps_numbers_and_times_that_no_fixed_rate_would_give(tmp_path: Path) -> None:
    frames = [blank(3, 10.1), blank(4, 10.166666666666666, 9), blank(9, 11.000000001, 18)]
    with Recorder(tmp_path / "one", 10**6) as recorder:
        assert all(recorder.keep(frame) for frame in frames)
    again = all_frames(open_source(f"folder:{tmp_path / 'one'}"))
    assert [(frame.number, frame.time_s, int(frame.image[0, 0, 0])) for frame in again] == [
        (3, 10.1, 0),
        (4, 10.166666666666666, 9),
        (9, 11.000000001, 18),
    ]


def test_a_recording_can_still_be_played_with_a_time_of_ones_own(tmp_path: Path) -> None:
    with Recorder(tmp_path / "one", 10**6) as recorder:
        recorder.keep(blank(3, 10.1))
    again = all_frames(open_source(f"folder:{tmp_path / 'one'}?hold=2&fps=10"))
    assert [(frame.number, frame.time_s) for frame in again] == [(0, 0.0), (1, 0.1)]


def test_a_recording_ends_before_it_is_larger_than_allowed(tmp_path: Path) -> None:
    with Recorder(tmp_path / "one", 5000) as recorder:
        kept = [recorder.keep(blank(number, number / 15)) for number in range(50)]
    assert kept[0]
    assert not kept[-1]
    size = sum(path.stat().st_size for path in (tmp_path / "one").iterdir())
    assert size == recorder.bytes <= 5000
    again = all_frames(FolderSource(tmp_path / "one"))
    assert [frame.number for frame in again] == list(range(recorder.frames))
    assert 1 <= recorder.frames <= sum(kept) <= recorder.frames + MOST_WAITING


def test_a_folder_has_its_name_only_when_the_recording_is_whole(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "one", 10**6)
    for number in range(20):
        recorder.keep(blank(number, number / 15))
    assert not (tmp_path / "one").exists()
    left = all_frames(FolderSource(tmp_path / f"one{PART}"))
    assert [frame.number for frame in left] == list(range(len(left))), "what a power cut leaves can be played"
    assert len(left) >= 20 - MOST_WAITING
    recorder.__exit__(None, None, None)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert len(all_frames(FolderSource(tmp_path / "one"))) == 20


def noisy(number: int, size: tuple[int, int] = (1080, 1920)) -> Frame:
    """What a camera gives of a table: soft shapes and the noise of its sensor."""
    random = np.random.default_rng(number)
    soft = cv2.resize(random.integers(40, 220, (12, 20, 3), np.uint8), size[::-1], interpolation=cv2.INTER_CUBIC)
    noise = random.integers(-4, 5, (*size, 3), np.int16)
    return Frame(np.clip(soft + noise, 0, 255).astype(np.uint8), number / 15, number)


def test_pictures_packed_by_several_threads_are_in_order_and_exact_whatever_their_size(tmp_path: Path) -> None:
    frames = [noisy(number, (61 + number, 301 - 13 * number)) for number in range(12)]
    with Recorder(tmp_path / "one", 10**7, threads=3) as recorder:
        assert all(recorder.keep(frame) for frame in frames)
    again = all_frames(FolderSource(tmp_path / "one"))
    assert [frame.number for frame in again] == list(range(12))
    assert all(np.array_equal(one.image, other.image) for one, other in zip(again, frames, strict=True))


def test_a_picture_of_1080_lines_is_packed_before_the_next_one_comes() -> None:
    frame, used_s = noisy(1), []
    for _ in range(4):
        before_s = time.process_time()
        size = len(encoded(frame))
        used_s.append(time.process_time() - before_s)
    assert min(used_s) < 1 / 15
    assert size < 0.7 * frame.image.nbytes


def test_a_reader_of_the_camera_waits_for_a_slow_disk_only_when_it_is_far_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    can_write, write = threading.Event(), Path.write_bytes

    def slow(path: Path, data: bytes) -> int:
        assert can_write.wait(20)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", slow)
    with Recorder(tmp_path / "one", 10**6) as recorder:
        for number in range(MOST_WAITING):
            assert recorder.keep(blank(number, number / 15))
        assert recorder.frames == 0, "nothing could be written yet"
        can_write.set()
    assert recorder.frames == MOST_WAITING


def test_a_disk_that_takes_no_more_ends_a_recording_and_what_was_kept_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "000005.png":
            write(path, data[:9])
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)

    def record_many() -> None:
        with Recorder(tmp_path / "one", 10**6) as recorder:
            for number in range(50):
                recorder.keep(blank(number, number / 15))

    with pytest.raises(OSError, match="No space left"):
        record_many()
    assert [frame.number for frame in all_frames(FolderSource(tmp_path / "one"))] == [0, 1, 2, 3, 4]
    assert len(list((tmp_path / "one").iterdir())) == 6, "no half of a picture"


def test_frames_that_came_too_fast_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = iter((4, 5, 5, 8, 9))

    class Fast(NoSource):
        """A camera whose newest frames alone are given."""

        def read(self) -> Frame | None:
            number = next(numbers, None)
            return None if number is None else blank(number, number / 15)

    monkeypatch.setattr("vision.sources.open_source", lambda _: Fast())
    assert main(["record", str(tmp_path / "one"), "--camera", "usb:0"]) == 0
    assert capsys.readouterr().out.endswith("(the source has ended); 2 came too fast to be written and are missing\n")


def test_a_folder_with_something_in_it_is_not_recorded_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dear.png").write_bytes(b"x")
    assert main(["record", str(tmp_path), "--camera", "virtual:stage=ipc:///nowhere/stage"]) == 64
    assert main(["record", str(tmp_path / "new"), "--camera", "none"]) == 64
    assert "expected a camera that gives frames, got none" in capsys.readouterr().err
    with pytest.raises(ValueError, match="expected a folder that is not there yet or is empty, got"):
        Recorder(tmp_path, 10**6)


def test_a_list_of_times_that_is_damaged_is_refused_with_the_line(tmp_path: Path) -> None:
    with Recorder(tmp_path / "one", 10**6) as recorder:
        recorder.keep(blank(0, 0.0))
    with (tmp_path / "one" / TIMES).open("a", encoding="ascii") as times:
        times.write("000001.png soon\n")
    with pytest.raises(SourceError, match=r"expected a picture, its number and its time in .*times.txt, line 2"):
        all_frames(FolderSource(tmp_path / "one"))


def test_a_recording_ends_after_the_time_that_was_given(script: Path, tmp_path: Path) -> None:
    camera = f"virtual:{script}?size=1280x880"
    assert main(["record", str(tmp_path / "short"), "--camera", camera, "--seconds", "1"]) == 0
    assert all_frames(FolderSource(tmp_path / "short"))[-1].time_s == pytest.approx(1.0)
    assert record.MOST_S >= 8 * 3600
