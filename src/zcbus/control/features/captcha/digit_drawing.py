"""Draws digits that a person reads easily and a program does not."""

import io

from captcha.image import ImageCaptcha
from PIL import Image, ImageDraw, ImageFont

_WIDTH, _HEIGHT = 120, 44
_PLAIN_SIZE = 36


def draw(digits: str) -> bytes:
    """A PNG picture with noise."""
    picture: bytes = ImageCaptcha(width=_WIDTH, height=_HEIGHT, font_sizes=(32, 36, 38)).generate(digits).getvalue()
    return picture


def draw_plain(digits: str) -> bytes:
    """A PNG picture without noise."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    font = ImageFont.load_default(_PLAIN_SIZE)
    ImageDraw.Draw(image).text((_WIDTH / 2, _HEIGHT / 2), digits, "black", font, anchor="mm")
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()
