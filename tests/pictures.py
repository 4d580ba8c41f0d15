"""The pictures of README.md, made by the program itself: `python -m tests.pictures FOLDER`.

The same sources give the same pictures, but for the phone's, on which a browser has a say; it needs Chromium and
Playwright (`.requirements/browser.sh`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

PROJECT = Path(__file__).resolve().parent.parent
MATCH = ("demo", "--players", "2", "--tiles", "8", "--seed", "6", "--language", "en")
PHOTOGRAPH = PROJECT / "tests/fixtures/triominoes_corner_mismatch.jpg"
JUDGED_PX, TILES = 390, ((0.37, 0.60), (0.27, 0.61))  # across, and down, as shares of the picture
PHONE_PX = {"width": 390, "height": 640}
NAMES = ("demo.webp", "dispute.png", "judge.jpg", "phone.png")


def referee(*words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command and return what it prints."""
    command = [sys.executable, "-m", "referee", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT)
    assert done.returncode in codes, done.stderr or done.stdout
    return done.stdout


def film(folder: Path) -> None:
    """The film of a short match, and a picture of the screen from it."""
    with tempfile.TemporaryDirectory() as scratch:
        referee(*MATCH, "--film", str(folder / "demo.webp"), "--screenshots", scratch)
        shutil.copy(sorted(Path(scratch).glob("*-edge-mismatch.png"))[0], folder / "dispute.png")


def judged(folder: Path) -> None:
    """A photograph with what `referee judge` saw in it, cut to the tiles."""
    with tempfile.TemporaryDirectory() as scratch:
        seen = Path(scratch) / "seen.png"
        referee("judge", str(PHOTOGRAPH), "--game", "cs-triomino", "--annotate", str(seen), codes=(1,))
        whole = cv2.imread(str(seen))
    assert whole is not None
    height, width = whole.shape[:2]
    (left, right), (top, bottom) = TILES
    part = whole[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    size = (JUDGED_PX, round(JUDGED_PX * part.shape[0] / part.shape[1]))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / "judge.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 88])


def phone(folder: Path) -> None:
    """The phone page while the same match is played."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import PHONE, STALE, becomes, chromium

    with _playing() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_context(
            **{**PHONE, "viewport": PHONE_PX, "device_scale_factor": 1, "locale": "en"}
        ).new_page()
        page.goto(address)
        becomes(page, f"!{STALE}")
        page.screenshot(path=str(folder / "phone.png"))
        browser.close()


@contextmanager
def _playing() -> Iterator[str]:
    """The address of a demo's phone page when all its tiles have been laid."""
    with tempfile.TemporaryDirectory() as scratch:
        words = (*MATCH, "--port", "0", "--linger", "60", "--screenshots", scratch)
        command = [sys.executable, "-m", "referee", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as demo:
            assert demo.stdout is not None
            address = ""
            for line in demo.stdout:
                if line.startswith("Phone page: "):
                    address = line.split()[2]
                if line.startswith("result: "):
                    break
            try:
                yield address
            finally:
                demo.terminate()


def main(folder: Path) -> None:
    """Make all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for make in (film, judged, phone):
        make(folder)
    for name in NAMES:
        sys.stdout.write(f"{name:<14}{(folder / name).stat().st_size / 1000:6.0f} kB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
