"""Calls of captchas for people who are signed in."""

from zcbus.control.features.captcha import pictures
from zcbus.control.features.captcha.schemas import CaptchaAnswer, CaptchaPicture
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("captcha")


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
