"""Checks of what is connected: cameras and how they see the table, display, touch, letters, pins."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands.findings import FAIL, OK, WARN, Finding, judged

if TYPE_CHECKING:
    from calibration.profile import Profile
    from hardware.camera import Locks
    from vision.frames import Frame, FrameSource

FIRST_S = 8.0  # a camera is opened, and its light and focus settle
WATCHED_S = 2.5
LEAST_FPS = 10.0
BY_ID = Path("/dev/v4l/by-id")
INPUTS = Path("/proc/bus/input/devices")
LETTERS = "ӘҒҚҢӨҰҮҺІәғқңөұүһіҐЄЇȘȚŘĚŮÇŒ"
ALIKE = dict(zip("ӘҒҚҢӨҰҺҐЄЇȘȚŘĚŮÇ", "АГКНОҮНГЕІSTREUC", strict=True))  # fonts that lack the first may draw the second
IN_NO_FONT = "\uf8ff"
DRIVERS = ("wayland", "kmsdrm", "x11")


def listed(folder: Path = BY_ID) -> tuple[str, ...]:
    """The cameras that there are, as `--camera` names them: ribbon cameras, then USB cameras by their lasting names."""
    return (*("pi" for _ in _ribbon()[:1]), *(f"usb:{name}" for name in _usb(folder)))


def cameras(folder: Path = BY_ID) -> list[Finding]:
    """What cameras there are."""
    ribbon = [f"ribbon camera {model}" for model in _ribbon()]
    found = [*ribbon, *_usb(folder)]
    cure = "plug in a USB camera, or connect a ribbon camera and install python3-picamera2; by touch it goes without"
    return [judged("cameras", bool(found), ", ".join(found) or "none", cure)]


def _usb(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*index0")) if folder.is_dir() else []


def _ribbon() -> list[str]:
    """The models of the ribbon cameras."""
    from hardware.camera import CameraLibraryError, picamera_class

    try:
        known = picamera_class().global_camera_info()  # libcamera tells of USB cameras too
        return [str(each.get("Model", "?")) for each in known if "usb" not in str(each.get("Id", "")).lower()]
    except (CameraLibraryError, RuntimeError, OSError):
        return []


def camera(name: str, profile: Profile | None) -> list[Finding]:
    """Whether a camera gives pictures, how fast, and how well it sees the table of a profile."""
    from vision.live import LiveSource
    from vision.sources import open_source

    try:
        source = open_source(name, profile)
    except ValueError as error:
        return [Finding("camera", FAIL, str(error), "see what there is under `cameras`")]
    try:
        frames, rate = _watched(source)
        status = str(source.status)
        locks = source.locks if isinstance(source, LiveSource) else None
    finally:
        source.close()
    if not frames:
        return [
            Finding(
                "camera", FAIL, f"{name} gives no pictures ({status})", "check its cable; is another program using it?"
            )
        ]
    height, width = frames[-1].image.shape[:2]
    told = f"{name}: {width} x {height}, {rate:.0f} pictures a second"
    cure = "choose a smaller size or MJPG; a USB 2 hub shares its speed"
    found = [judged("camera", rate >= LEAST_FPS, told, cure)]
    if locks is not None:
        found.append(_locked(locks))
    return found + ([] if profile is None else _table(frames[-1], profile))


def _locked(locks: Locks) -> Finding:
    """Whether exposure, colours and focus are held; one that is not may change when a hand comes in."""
    held = ", ".join(f"{name} {getattr(locks, name)}" for name in locks.held) or "nothing"
    is_well = locks.exposure_us is not None and (locks.colour_gains is not None or locks.colour_k is not None)
    cure = "its driver does not let them be set: play in even light, or use another camera"
    return judged("locks", is_well, f"holds {held}", cure)


def profile_file(named: str | None) -> list[Finding]:
    """Whether the table's profile is whole, or its last good copy stands in for it."""
    from calibration.profile import trouble

    if named is None:
        return []
    wrong = trouble(named)
    told = f"{wrong}; its last good copy is used instead" if wrong else named
    return [judged("profile", not wrong, told, "run referee calibrate again")]


def _watched(source: FrameSource) -> tuple[list[Frame], float]:
    """The pictures of a few seconds that are new, and how many come in one."""
    frames: list[Frame] = []
    until_s = time.monotonic() + FIRST_S
    while time.monotonic() < until_s and (frame := source.read()) is not None:
        if str(source.status) != "ok" or (frames and frame.number == frames[-1].number):
            continue
        if not frames:
            until_s = time.monotonic() + WATCHED_S
        frames.append(frame)
    if len(frames) < 2:
        return frames, 0.0
    return frames, (len(frames) - 1) / max(frames[-1].time_s - frames[0].time_s, 1e-6)


def _table(frame: Frame, profile: Profile) -> list[Finding]:
    """How the mat is seen."""
    from calibration.survey import SurveyError, survey
    from referee.commands.calibrate import ADVICE

    size = (profile.camera.width, profile.camera.height)
    if (frame.image.shape[1], frame.image.shape[0]) != size:
        told = f"pictures of {frame.image.shape[1]} x {frame.image.shape[0]}, calibrated for {size[0]} x {size[1]}"
        return [Finding("table", FAIL, told, "calibrate again with this camera")]
    try:
        seen = survey(frame.image, profile.camera, profile.mat, profile.shape)
    except SurveyError as error:
        return [Finding("table", FAIL, str(error), "lay the mat out whole, or run referee calibrate")]
    scales = " ".join(f"{scale:.1f}" for scale in seen.px_per_mm)
    told = f"{scales} pixels a millimetre in the corners, off by {seen.residual_px:.1f} pixels"
    return [judged("table", not seen.advice, told, "; ".join(ADVICE[each] for each in seen.advice))]


def display() -> list[Finding]:
    """Which ways of drawing pygame's SDL has, and whether it finds a display."""
    import pygame

    names = _drivers(Path(pygame.__file__).parent)
    told = ", ".join(names) or "SDL does not tell"
    cure = "on a bare console install `cage`, which gives the screen a window (systemd/referee-screen.service does so)"
    found = [judged("drawing", bool(set(names) & set(DRIVERS)), f"{told} (pygame {pygame.version.ver})", cure)]
    cards = sorted(path.name for path in Path("/dev/dri").glob("card*")) if Path("/dev/dri").is_dir() else []
    cure = "connect a display before power-on; the phone page and `--headless` go without"
    return [*found, judged("display", bool(cards), ", ".join(cards) or "none", cure)]


def _drivers(package: Path) -> list[str]:
    """The video drivers of the SDL that pygame brings, as SDL itself lists them."""
    libraries = [*package.parent.glob("pygame*.libs/libSDL2-2*"), *package.parent.glob("pygame*.libs/libSDL2*")]
    if not libraries:
        return []
    sdl = ctypes.CDLL(str(libraries[0]))
    sdl.SDL_GetVideoDriver.restype = ctypes.c_char_p
    return [sdl.SDL_GetVideoDriver(number).decode() for number in range(sdl.SDL_GetNumVideoDrivers())]


def touch(state: Path, listed: Path = INPUTS) -> Finding:
    """Whether there is something to touch, and how the picture is turned."""
    from display import preferences

    turned = preferences.load(state / preferences.FILE).rotate_deg
    try:
        names = [line for line in listed.read_text(errors="replace").splitlines() if line.startswith("N: Name=")]
    except OSError:
        names = []
    pads = [name[9:-1] for name in names if "touch" in name.lower() or "ft5406" in name.lower()]
    told = f"{', '.join(pads) or 'none'}; picture turned by {turned} degrees, and touch with it"
    return judged("touch", bool(pads), told, "a mouse does as well; check the panel's ribbon and its USB cable")


def letters(font: Path | None = None) -> Finding:
    """Whether the shipped font draws every letter of the six languages, and none like another one."""
    import pygame

    from display import theme

    pygame.font.init()
    face = pygame.font.Font(str(font or theme.REGULAR), 40)

    def drawn(letter: str) -> bytes:
        return pygame.image.tobytes(face.render(letter, False, "black", "white"), "RGB")

    wrong = [each for each in LETTERS if drawn(each) in (drawn(IN_NO_FONT), drawn(ALIKE.get(each, IN_NO_FONT)))]
    return judged("letters", not wrong, "".join(wrong) or "all", "install the referee anew: its font is damaged", FAIL)


def pins() -> Finding:
    """Whether buzzer and light can be driven; says nothing of what is wired."""
    from hardware.signals import NO_LIBRARY, NO_PINS, PIN_IN_USE, SilentSignals, open_signals

    signals = open_signals()
    status = signals.status
    detail = signals.detail if isinstance(signals, SilentSignals) else f"driven by {_factory()}"
    signals.close()
    cures = {
        NO_LIBRARY: "pip install gpiozero",
        NO_PINS: "on a Raspberry Pi: sudo apt install python3-lgpio, and add the user to the group gpio",
        PIN_IN_USE: "a running referee has them; if none runs, another program does",
    }
    mark = OK if status == "ok" else WARN
    return Finding("pins", mark, detail or status, cures.get(status, "check the wiring"))


def _factory() -> str:
    """What gpiozero drives pins with: LGPIOFactory on a Raspberry Pi."""
    from gpiozero import Device

    return type(Device.pin_factory).__name__
