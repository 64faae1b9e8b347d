"""Calls of captchas: the slide puzzle for signing in, pictures for signed-in users."""

from zcbus.control.features.captcha import pictures, slide
from zcbus.control.features.captcha.schemas import (
    CaptchaAnswer,
    CaptchaPicture,
    SlideAnswer,
    SlideChoice,
    SlidePuzzle,
    SlideState,
)
from zcbus.control.platform.authorisation import public, signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("captcha")

_TO_SIGN_IN = public("needed to sign in")


@api.change("/api/zcbus/sys/authentication/slide", _TO_SIGN_IN, unit=Unit.OWN, audited=False)
def get_slide(call: Call) -> SlidePuzzle:
    """A slide puzzle, good once and for two minutes."""
    call.services.anonymous_quota.spend(call.where.address)
    return slide.create_puzzle(call.services)


@api.read("/api/zcbus/sys/authentication/slide/state", _TO_SIGN_IN, unit=Unit.OWN)
def get_slide_state(call: Call, body: SlideChoice) -> SlideState:
    """Whether a puzzle can still be solved; the console polls each second."""
    return slide.state_of(call.services, body.uuid)


@api.change("/api/zcbus/sys/authentication/slide/check", _TO_SIGN_IN, unit=Unit.OWN, audited=False)
def check_slide(call: Call, body: SlideAnswer) -> str:
    """The ticket for the login, when the piece is in its place. The puzzle is used up either way. Codes 40104 and
    40105: it was too late or missed."""
    return slide.solve(call.services, body.uuid, body.x)


@api.read("/api/zcbus/common/captcha/code", signed_in(), method="GET", unit=Unit.OWN)
def get_code(call: Call) -> CaptchaPicture:
    """A picture to be read before something is deleted, good once and for three minutes."""
    return pictures.create_captcha(call.services)


@api.read("/api/zcbus/common/verify/get", signed_in(), method="GET", unit=Unit.OWN)
def get_plain_picture(call: Call) -> CaptchaPicture:
    """The same without noise, for whom the first picture failed or could not be read."""
    return pictures.create_captcha(call.services, plain=True)


@api.read("/api/zcbus/common/captcha/check", signed_in(), unit=Unit.OWN)
def check(call: Call, body: CaptchaAnswer) -> bool:
    """Whether the digits are right. Either way the picture is used up."""
    return pictures.is_right(call.services, body.uuid, body.code)
