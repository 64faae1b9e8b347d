"""Requests and answers of captchas."""

from pydantic import Field

from zcbus.control.platform.schema import Schema


class CaptchaPicture(Schema):
    """A picture with digits as a data URL; `uuid` goes back with the answer."""

    uuid: str
    img: str


class CaptchaAnswer(Schema):
    """What somebody read in a picture."""

    uuid: str = Field(default="", max_length=64)
    code: str = Field(default="", max_length=20)
