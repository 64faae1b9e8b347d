"""Requests and answers of captchas."""

from pydantic import Field

from zcbus.control.platform.schema import Schema


class CaptchaPicture(Schema):
    """A picture with digits as a data URL; `uuid` goes back with the answer."""

    uuid: str
    img: str


class SlidePuzzle(Schema):
    """A background of 350 × 155 pixels with a hole, and the piece (50 × 50) that belongs `y` pixels from the top, both
    as data URLs."""

    uuid: str
    background: str
    piece: str
    y: int


class SlideChoice(Schema):
    """One puzzle."""

    uuid: str = Field(max_length=64)


class SlideAnswer(SlideChoice):
    """How far the piece was moved from the left, in pixels."""

    x: int = Field(ge=0, le=1000)


class SlideState(Schema):
    """Whether a puzzle can still be solved, and for how long (milliseconds)."""

    is_open: bool
    remaining_ms: int


class CaptchaAnswer(Schema):
    """The digits that a user read in a picture."""

    uuid: str = Field(default="", max_length=64)
    code: str = Field(default="", max_length=20)
