"""Errors of captchas."""

from zcbus.control.platform.errors import BusinessError


class CaptchaExpiredError(BusinessError):
    code = "captcha-expired"
    wire_code = 40104


class CaptchaWrongError(BusinessError):
    code = "captcha-wrong"
    wire_code = 40105


class SlideNeededError(BusinessError):
    """The login came without the ticket of a solved slide puzzle."""

    code = "slide-needed"
    wire_code = 40105


class SlideExpiredError(BusinessError):
    code = "slide-expired"
    wire_code = 40104


class SlideMissedError(BusinessError):
    code = "slide-missed"
    wire_code = 40105
