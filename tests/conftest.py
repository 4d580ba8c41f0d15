"""What every test runs with: no window, no sound, one OpenCV thread, the same random examples everywhere."""

from __future__ import annotations

import os

import cv2
from hypothesis import settings

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
cv2.setNumThreads(1)

# A loaded machine is no reason to fail, and the same examples on every machine make a failure repeatable.
settings.register_profile("referee", deadline=None, derandomize=True)
settings.load_profile("referee")
