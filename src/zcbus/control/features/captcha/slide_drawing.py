"""Draws the slide puzzle: a picture with a hole, and the piece that was cut out of it."""

import io
import secrets
from dataclasses import dataclass
from random import SystemRandom

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH, HEIGHT = 350, 155
PIECE = 50

# Far enough to the right that the piece must be moved, wherever the hole is.
_MIN_X = PIECE + 30
_MARGIN = 8
# Drawn larger and then reduced: that smooths the edges.
_SCALE = 3
_BODY = 36
_KNOB = 14
_BLOBS = 26

_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Two PNG pictures; `x` and `y` are the left upper corner of the piece in the background, in pixels."""

    background: bytes
    piece: bytes
    x: int
    y: int


def draw() -> Drawing:
    """A new puzzle."""
    scene, mask = _scene(), _piece_mask()
    x = _MIN_X + secrets.randbelow(WIDTH - PIECE - _MARGIN - _MIN_X)
    y = _MARGIN + secrets.randbelow(HEIGHT - PIECE - 2 * _MARGIN)
    piece = scene.crop((x, y, x + PIECE, y + PIECE)).convert("RGBA")
    piece.putalpha(mask)
    piece.paste("white", mask=_outline(mask))
    _dig_hole(scene, mask, x, y)
    return Drawing(_png(scene), _png(piece), x, y)


def _scene() -> Image.Image:
    """Soft shapes over a gradient, different each time."""
    image = Image.linear_gradient("L").resize((WIDTH, HEIGHT)).rotate(_random.choice((0, 180)))
    scene = Image.composite(Image.new("RGB", image.size, _colour()), Image.new("RGB", image.size, _colour()), image)
    canvas = ImageDraw.Draw(scene, "RGBA")
    for _ in range(_BLOBS):
        left, top = _random.randint(-30, WIDTH), _random.randint(-30, HEIGHT)
        box = (left, top, left + _random.randint(12, 90), top + _random.randint(12, 70))
        shape = _random.choice((canvas.ellipse, canvas.rectangle))
        shape(box, fill=(*_colour(), _random.randint(60, 190)))
    return scene.filter(ImageFilter.GaussianBlur(0.7))


def _colour() -> tuple[int, int, int]:
    return _random.randint(40, 225), _random.randint(40, 225), _random.randint(40, 225)


def _piece_mask() -> Image.Image:
    """A square with a knob at the top or not, one at the right, and a dent at the left."""
    size = PIECE * _SCALE
    mask = Image.new("L", (size, size), 0)
    canvas = ImageDraw.Draw(mask)
    body, knob, low = _BODY * _SCALE, _KNOB * _SCALE, (PIECE - _BODY) * _SCALE
    canvas.rectangle((0, low, body, size), fill=255)
    _circle(canvas, (body, low + body // 2), knob // 2, 255)
    _circle(canvas, (body // 2, low), knob // 2, 255)
    _circle(canvas, (0, low + body // 2), knob // 2, 0)
    return mask.resize((PIECE, PIECE), Image.Resampling.LANCZOS)


def _circle(canvas: ImageDraw.ImageDraw, middle: tuple[int, int], radius: int, fill: int) -> None:
    across, down = middle
    canvas.ellipse((across - radius, down - radius, across + radius, down + radius), fill=fill)


def _outline(mask: Image.Image) -> Image.Image:
    return ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(3)))


def _dig_hole(scene: Image.Image, mask: Image.Image, x: int, y: int) -> None:
    scene.paste(Image.new("RGB", mask.size, (20, 24, 34)), (x, y), mask.point(lambda value: int(value * 0.62)))
    scene.paste(Image.new("RGB", mask.size, "white"), (x, y), _outline(mask))


def _png(image: Image.Image) -> bytes:
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()
