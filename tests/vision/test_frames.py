"""Folders, videos and names of sources."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Camera, Mat, Profile
from referee.sighting import CameraStatus
from referee.tiles import Shape
from vision.frames import Frame, FrameSource, SourceError, read_picture
from vision.sources import open_source


def picture(shade: int, width: int = 64, height: int = 48) -> np.ndarray:
    return np.full((height, width, 3), shade, np.uint8)


def profile(width: int, height: int) -> Profile:
    return Profile("test", Camera(width, height, np.eye(3), np.zeros(5)), Mat(), Shape.domino())


def all_of(source: FrameSource) -> list[Frame]:
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    return frames


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, shade in (("b_2.png", 30), ("a_1.png", 10), ("a_2.png", 20)):
        cv2.imwrite(str(tmp_path / name), picture(shade))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


def test_pictures_come_by_name_and_stand_for_frames_on_their_own_clock(folder: Path) -> None:
    frames = all_of(open_source(f"folder:{folder}?hold=2&fps=10"))
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 10, 20, 20, 30, 30]
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4, 5]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_a_picture_stands_for_five_frames_of_a_fifteenth_second_by_itself(folder: Path) -> None:
    frames = all_of(open_source(f"folder:{folder}"))
    assert len(frames) == 15
    assert frames[-1].time_s == pytest.approx(14 / 15)


def test_only_pictures_that_match_are_shown(folder: Path) -> None:
    source = open_source(f"folder:{folder}?match=a_*&hold=1")
    assert [int(frame.image[0, 0, 0]) for frame in all_of(source)] == [10, 20]
    assert source.status is CameraStatus.OK


def test_a_frame_cannot_be_painted_over(folder: Path) -> None:
    frame = open_source(f"folder:{folder}").read()
    assert frame is not None
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0] = 0


def test_a_closed_folder_has_ended(folder: Path) -> None:
    source = open_source(f"folder:{folder}")
    source.close()
    assert source.read() is None


def test_no_camera_is_a_source_that_has_ended() -> None:
    source = open_source("none")
    assert source.read() is None
    assert source.status is CameraStatus.OK


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff half a picture"])
def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.jpg").write_bytes(content)
    with pytest.raises(SourceError, match=rf"expected a picture, got .*x\.jpg.*\({len(content)} bytes\)"):
        open_source(f"folder:{tmp_path}").read()


def test_a_small_file_that_claims_a_huge_picture_is_refused(tmp_path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    (tmp_path / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + data)
    with pytest.raises(SourceError, match=r"at most 120 megapixels, got .*huge\.png"):
        read_picture(tmp_path / "huge.png")


def test_a_picture_of_another_size_than_the_profiles_is_refused(folder: Path) -> None:
    with pytest.raises(SourceError, match="expected 100 x 50 pixels as in the profile, got 64 x 48"):
        open_source(f"folder:{folder}", profile(100, 50)).read()
    assert open_source(f"folder:{folder}", profile(64, 48)).read() is not None


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("", "expected a source such as pi, usb:N"),
        ("webcam:0", "got 'webcam:0'"),
        ("none:1", "got 'none:1'"),
        ("usb:", "got 'usb:'"),
        ("usb", "got 'usb'"),
        ("pi:2", "got 'pi:2'"),
        ("folder:", "got 'folder:'"),
        ("folder:/nowhere/at/all", "expected a folder of pictures, got /nowhere/at/all"),
        ("video:/nowhere.mp4", "expected a video file, got /nowhere.mp4"),
        ("virtual:/nowhere.json", "expected a file of directions, got /nowhere.json"),
        ("virtual:kind=domino", "expected virtual:SCRIPT.json or virtual:stage="),
    ],
)
def test_a_source_that_cannot_be_says_what_was_expected(spec: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        open_source(spec)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("hold=0", "expected hold to be a whole number of at least 1, got '0'"),
        ("hold=1.5", "got '1.5'"),
        ("fps=0", "expected fps to be frames per second"),
        ("fps=nan", "got 'nan'"),
        ("speed=3", "expected the options match, hold, fps, got speed"),
        ("fast", "expected options such as match=…, got 'fast'"),
        ("match=z*", r"expected pictures that match 'z\*'"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(folder: Path, query: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        open_source(f"folder:{folder}?{query}")


def test_a_video_keeps_the_clock_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 12.0, (64, 48))
    for shade in (40, 120, 200):
        writer.write(picture(shade))
    writer.release()
    frames = all_of(open_source(f"video:{path}", profile(64, 48)))
    assert [round(float(frame.image.mean()), -1) for frame in frames] == [40, 120, 200]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 1 / 12, 2 / 12])
    with pytest.raises(SourceError, match="expected 10 x 10 pixels"):
        open_source(f"video:{path}", profile(10, 10))


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"not a film at all")
    with pytest.raises(SourceError, match=r"of which no picture can be read"):
        open_source(f"video:{tmp_path / 'film.mp4'}")
