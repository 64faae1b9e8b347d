"""What can go wrong with a captcha."""

from zcbus.control.platform.errors import BusinessError


class CaptchaExpiredError(BusinessError):
    code = "captcha-expired"
    wire_code = 40104


class CaptchaWrongError(BusinessError):
    code = "captcha-wrong"
    wire_code = 40105
