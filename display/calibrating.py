"""Measuring camera and table on the touchscreen: the live picture, what is missing, how far it is, and the result.

What is measured, and how, is not known here: somebody else looks at the pictures and says how things stand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pygame

from display import draw, outlines, preparing, theme, touch
from display.aside import Aside, Desk
from display.heading import BODY, heading
from display.preparing import Size
from display.sentences import CAMERA, N_, Words
from display.widgets import GAP, Badge, Button, Label, Page, Panel, Rect, Widget

FRAMES_PER_S = 15
SIDE_W = 250.0
FOOT = 88.0
PICTURE = Rect(BODY.x, BODY.y, BODY.w - SIDE_W - GAP, BODY.h - FOOT - GAP)
SIDE = Rect(BODY.right - SIDE_W, BODY.y, SIDE_W, BODY.h)
CANCEL, AGAIN, SAVE, CORNERS = "@cancel", "@again", "@save", "@corners"
BEGIN = "@begin"

TITLES = {
    "waiting": N_("The game gives the camera away. One moment."),
    "camera": N_("Which camera looks at the table?"),
    "sizes": N_("How large are the tiles and the mat?"),
    "lens": N_("Hold the lens board before the camera: near and far, tilted, into every corner"),
    "table": N_("Lay the mat under the camera and take everything off it"),
    "result": N_("The camera and the table are measured"),
}
CORNER_NAMES = (
    N_("Tap the far left corner of the mat"),
    N_("Tap the far right corner of the mat"),
    N_("Tap the near right corner of the mat"),
    N_("Tap the near left corner of the mat"),
)
CLOSER = N_("Now tap exactly the outer corner of its black square")
TWICE = N_("Each corner is tapped twice: roughly here, then exactly.")
MISSING = {
    "no-board": N_("The board is not seen. Hold it into the picture, its printed side to the camera."),
    "old-board": N_("This board has another pattern. Print the lens board of this referee."),
    "cut-off": N_("Too little of the board is seen. Hold it into the picture."),
    "blurred": N_("The board is blurred. Hold it still, or not so near."),
    "glare": N_("A lamp is reflected on the board. Tilt it, or move the lamp."),
    "same-view": N_("That is good. Now hold the board another way."),
    "other-size": N_("The camera has changed the size of its pictures. Begin again."),
    "few-views": N_("There are too few pictures of the board. Go on."),
    "little-covered": N_("The board was not in every corner of the picture yet. Hold it there too."),
    "not-tilted": N_("The board was held too straight. Tilt it more."),
    "bad-fit": N_("The pictures do not agree. Is the board flat? Begin again."),
    "no-markers": N_("The black squares of the mat are not seen. Put the whole mat into the picture."),
    "some-hidden": N_("Not all four black squares of the mat are seen. Take away what covers them."),
    "other-mat": N_("This is another mat. Lay the one that was printed for this table."),
    "misfit": N_("This does not fit the mat. Is it flat, and is its size right?"),
    "mirrored": N_("The picture is mirrored. Switch that off in the camera."),
    "not-saved": N_("It cannot be saved: the card is full or broken."),
}
ADVICE = {
    "coarse": N_("Tiles are seen too small. Bring the camera nearer."),
    "clipped": N_("Parts of the mat are too bright. Less light is better."),
    "dark": N_("The mat is too dark. More light is better."),
    "leaning": N_("The camera leans much. Hang it more above the middle."),
}

HELD = {"light": N_("light"), "colours": N_("colours"), "focus": N_("focus")}

MEASURING = (
    N_("When the camera, its place or its lens has changed, it is measured anew. This takes a few minutes."),
    N_("Print the mat and the lens board once: referee mat, and referee mat --board"),
    N_("The game waits meanwhile. Then it goes on where it was."),
    N_("You can stop at any time. Then everything stays as it was."),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """How well it was measured: misfits in pixels, the coarsest scale on the mat, and what could be better.

    The lens's misfit is None where a known lens was kept. `held` is what the camera holds, of `HELD`, so that a hand
    that comes in changes nothing.
    """

    residual_px: float
    px_per_mm: float
    tilt_deg: float
    lens_px: float | None = None
    advice: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """How things stand: the step (of `TITLES`, or `corners`), how far it is, what is wrong with the last picture.

    Before pictures are taken `cameras` are those that can be chosen, `sizes` the lengths that are asked for, `kind`
    that of the tiles where it can be changed; `is_kept` tells whether there is a lens that can be kept, `is_left`
    whether the match under way is played with other tiles.

    `corners` are those that were tapped, as parts of the picture's width and height; `is_close` while a part of the
    picture is shown enlarged to tap the same corner again; `camera` a word for its status.
    """

    step: str
    good: int = 0
    wanted: int = 1
    covered: float = 0.0
    missing: str = ""
    camera: str = "ok"
    corners: tuple[tuple[float, float], ...] = ()
    is_close: bool = False
    measured: Measured | None = None
    cameras: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = ()
    kind: str = ""
    is_kept: bool = False
    is_left: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What the camera sees: rows of RGB bytes."""

    rgb: bytes
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the window shows."""

    stage: Stage
    picture: Picture | None = None


def page(stage: Stage, words: Words) -> Page:
    """Everything but the picture itself."""
    head = _head(stage, words)
    if stage.step == "waiting":
        return Page(tuple(head))
    if stage.step == "camera":
        return Page((*head, *preparing.cameras(stage.cameras, words)))
    if stage.step == "sizes":
        return Page((*head, *preparing.sizes(stage.sizes, stage.kind, stage.is_kept, stage.is_left, words)))
    return Page((*head, *_foot(stage, words), *_side(stage, words)))


def picture_box(picture: Picture) -> Rect:
    """Where the picture lies on the page, as large as it can be."""
    scale = min(PICTURE.w / picture.size[0], PICTURE.h / picture.size[1])
    width, height = picture.size[0] * scale, picture.size[1] * scale
    return Rect(PICTURE.x + (PICTURE.w - width) / 2, PICTURE.y + (PICTURE.h - height) / 2, width, height)


def _head(stage: Stage, words: Words) -> Iterator[Widget]:
    if stage.step == "corners":
        title = CLOSER if stage.is_close else CORNER_NAMES[len(stage.corners) % len(CORNER_NAMES)]
    else:
        title = TITLES[stage.step]
    yield from heading(words, words.say(title), keys=((words.say("Cancel"), CANCEL),), back="")


def _foot(stage: Stage, words: Words) -> Iterator[Widget]:
    """The one thing that is to be done now, or that all is well."""
    foot = Rect(PICTURE.x, PICTURE.bottom + GAP, PICTURE.w, FOOT)
    if stage.camera not in ("ok", "late", "none"):
        text, is_good = words.code(CAMERA, stage.camera), False
    elif stage.missing:
        text, is_good = words.code(MISSING, stage.missing), stage.missing == "same-view"
    elif stage.measured is not None and stage.measured.advice:
        text, is_good = words.code(ADVICE, stage.measured.advice[0]), False
    else:
        text, is_good = words.say(TWICE) if stage.step == "corners" else words.say("Good."), True
    look = theme.CARD if is_good else theme.NOTE
    yield Panel(foot, look)
    yield Badge(Rect(foot.x + 12, foot.y + 18, 52, 52), "✓" if is_good else "!", theme.GOOD if is_good else look)
    yield Label(Rect(foot.x + 76, foot.y + 6, foot.w - 88, foot.h - 12), text, 22, look, lines=3)


def _side(stage: Stage, words: Words) -> Iterator[Widget]:
    keys = list(_keys(stage, words))
    high = len(keys) * (theme.LEAST_TARGET + GAP)
    room = Rect(SIDE.x, SIDE.y, SIDE.w, SIDE.h - high)
    yield Panel(room, theme.CARD)
    inner = room.inset(14, 10)
    if stage.measured is None and stage.step != "corners":
        yield from _progress(stage, inner, words)
    elif stage.measured is not None:
        yield from _result(stage.measured, inner, words)
    for index, (text, order, look) in enumerate(keys):
        y = room.bottom + GAP + index * (theme.LEAST_TARGET + GAP)
        yield Button(Rect(SIDE.x, y, SIDE.w, theme.LEAST_TARGET), text, order, look, size=22)


def _keys(stage: Stage, words: Words) -> Iterator[tuple[str, str, theme.Look]]:
    if stage.step == "table":
        yield words.say("Tap the corners instead"), CORNERS, theme.KEY
    yield words.say("Begin again"), AGAIN, theme.KEY
    if stage.measured is not None:
        yield words.say("Save"), SAVE, theme.TURN


def _progress(stage: Stage, room: Rect, words: Words) -> Iterator[Widget]:
    """How many pictures of those that are wanted, as a bar too, and how much of the view they cover."""
    text = words.say("{good} of {wanted} pictures").format(good=stage.good, wanted=stage.wanted)
    yield Label(Rect(room.x, room.y, room.w, 34), text, 22, theme.CARD, bold=True)
    bar = Rect(room.x, room.y + 42, room.w, 18)
    yield Panel(bar, theme.KEY, 9)
    share = min(1.0, stage.good / max(1, stage.wanted))
    if share > 0:
        yield Panel(Rect(bar.x, bar.y, max(18.0, bar.w * share), bar.h), theme.TURN, 9)
    if stage.step == "lens":
        text = words.say("{share} of the picture covered").format(share=words.percent(stage.covered))
        yield Label(Rect(room.x, room.y + 72, room.w, 56), text, 19, theme.CARD, soft=True, lines=2)


def _result(measured: Measured, room: Rect, words: Words) -> Iterator[Widget]:
    lines = [
        words.say("Mat: off by {pixels} pixels").format(pixels=words.decimal(measured.residual_px)),
        words.say("{scale} pixels a millimetre").format(scale=words.decimal(measured.px_per_mm)),
        words.say("Camera leans {degrees}°").format(degrees=words.decimal(measured.tilt_deg)),
    ]
    if measured.lens_px is not None:
        lines.insert(0, words.say("Lens: off by {pixels} pixels").format(pixels=words.decimal(measured.lens_px)))
    held = ", ".join(words.say(HELD[each]) for each in measured.held)
    lines.append(words.say("Held: {what}").format(what=held) if held else words.say("The camera holds nothing"))
    for row, text in zip(room.rows(5, 2), lines, strict=False):
        yield Label(row, text, 18, theme.CARD, lines=2)


@dataclass(frozen=True, slots=True)
class Explained(Aside):
    """What measuring is, before it is begun."""

    def page(self, desk: Desk) -> Page:
        """A few sentences, and the key that begins."""
        return Page(tuple(_explained(desk)))

    def tapped(self, word: str, desk: Desk) -> None:
        """Begin, or leave it."""
        if word == BEGIN:
            desk.measure()


def explained(desk: Desk) -> Explained:  # noqa: ARG001  # as every aside is opened
    """The page that leads to measuring."""
    return Explained()


def _explained(desk: Desk) -> Iterator[Widget]:
    words = desk.words
    yield from heading(words, words.say("Measure the camera"), desk.notice)
    room = Rect(BODY.x, BODY.y, BODY.w, BODY.h - FOOT - GAP)
    yield Panel(room, theme.CARD)
    rows = room.inset(20, 10).rows(len(MEASURING), GAP)
    for row, text in zip(rows, MEASURING, strict=True):
        yield Label(row, words.say(text), 22, theme.CARD, lines=3)
    begin = Rect(BODY.x, room.bottom + GAP, BODY.w, FOOT)
    yield Button(begin, words.say("Begin to measure"), BEGIN, theme.TURN, size=28)


class Window:
    """Shows how things stand and says what people tap: a word, or a point of the picture.

    Args:
        shown: how things stand now.
        say: hears the orders of the keys, such as `@cancel`.
        point: hears where the picture was tapped while corners are asked for, as parts of its width and height.
        surface: the window's.
        words: the language.
        rotate_deg: how far the picture is turned clockwise.
        flip: shows what was drawn.
    """

    def __init__(
        self,
        shown: Callable[[], Shown],
        say: Callable[[str], None],
        point: Callable[[float, float], None],
        surface: Callable[[], pygame.Surface],
        words: Words,
        rotate_deg: int = 0,
        clock: Callable[[], float] = time.monotonic,
        flip: Callable[[], None] = pygame.display.flip,
    ) -> None:
        self._shown = shown
        self._say = say
        self._point = point
        self._surface = surface
        self._words = words
        self._rotate_deg = rotate_deg
        self._touches = touch.Touches(clock)
        self._flip = flip
        self._pressed: Button | None = None
        self._drawn: object = None

    def run(self, is_over: Callable[[], bool]) -> None:
        """Go on until it is over or the window is closed, which is as good as `@cancel`."""
        ticks = pygame.time.Clock()
        while not is_over():
            for event in pygame.event.get():
                self.handle(event)
            self.step()
            ticks.tick(FRAMES_PER_S)

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self._say(CANCEL)
            return
        touched = self._touches.take(event, self._surface().get_size(), self._rotate_deg)
        if touched is None:
            return
        shown = self._shown()
        x, y = self._frame().page_from_window(*touched.pixel)
        button = outlines.button_at(page(shown.stage, self._words), x, y)
        if touched.is_down:
            self._pressed = button
            return
        pressed, self._pressed = self._pressed, None
        if pressed is not None and pressed == button:
            self._say(pressed.order)
        elif pressed is None and shown.picture is not None and shown.stage.step == "corners":
            box = picture_box(shown.picture)
            if box.holds(x, y):
                self._point((x - box.x) / box.w, (y - box.y) / box.h)

    def step(self) -> bool:
        """Draw if that changes what is seen; True when it was drawn."""
        shown, window = self._shown(), self._surface()
        state = (shown, self._pressed, window.get_size())
        if state == self._drawn:
            return False
        self._drawn = state
        size = touch.seen(window.get_size(), self._rotate_deg)
        picture = draw.draw(page(shown.stage, self._words), size, self._pressed)
        if shown.picture is not None:
            _blit(picture, shown.picture, shown.stage, draw.Frame.of(size))
        window.blit(pygame.transform.rotate(picture, -self._rotate_deg) if self._rotate_deg else picture, (0, 0))
        self._flip()
        return True

    def _frame(self) -> draw.Frame:
        return draw.Frame.of(touch.seen(self._surface().get_size(), self._rotate_deg))


def _blit(surface: pygame.Surface, picture: Picture, stage: Stage, frame: draw.Frame) -> None:
    """The picture in its box, and on it the corners that were tapped."""
    box = frame.pixels(picture_box(picture))
    seen = pygame.image.frombuffer(picture.rgb, picture.size, "RGB")
    surface.blit(pygame.transform.scale(seen, box.size), box)
    if stage.is_close:
        return
    for x, y in stage.corners:
        at = (round(box.x + x * box.w), round(box.y + y * box.h))
        radius = max(4, round(9 * frame.scale))
        pygame.draw.circle(surface, theme.ROOM.paper, at, radius + 2, width=max(2, radius // 2))
        pygame.draw.circle(surface, theme.TURN.paper, at, radius, width=max(2, radius // 3))
