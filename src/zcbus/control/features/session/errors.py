"""What can go wrong when signing in."""

from zcbus.control.platform.errors import BusinessError


class CaptchaExpiredError(BusinessError):
    code = "captcha-expired"
    wire_code = 40104


class CaptchaWrongError(BusinessError):
    code = "captcha-wrong"
    wire_code = 40105


class CredentialsWrongError(BusinessError):
    code = "credentials-wrong"
    wire_code = 40106


class AccountDisabledError(BusinessError):
    code = "account-disabled"
