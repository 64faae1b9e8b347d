"""Errors of signing in."""

from zcbus.control.platform.errors import BusinessError


class CredentialsWrongError(BusinessError):
    code = "credentials-wrong"
    wire_code = 40106


class AccountDisabledError(BusinessError):
    code = "account-disabled"


class NoAccountError(BusinessError):
    """Facts: name. The user of a provider or directory has no account here that may sign in so."""

    code = "no-account"


class SignInOverError(BusinessError):
    """The password was given too long ago, or followed by too many wrong codes: sign in again."""

    code = "sign-in-over"
    wire_code = 40107


class LoginFreeAbsentError(BusinessError):
    """The platform is not set up to be used without signing in."""

    code = "login-free-absent"


class LoginFreeAccountError(BusinessError):
    """The account of the login-free mode is not there, disabled or built in. Facts: name."""

    code = "login-free-account"


class SessionGoneError(BusinessError):
    """The caller has no such open session. Facts: id."""

    code = "session-gone"
