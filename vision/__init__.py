"""The eye: camera frames in, sightings out. It never knows what would be legal."""

import os

# A small file may claim a picture far larger than memory; OpenCV reads its limit once, when it is loaded.
MOST_PIXELS = 120_000_000
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
