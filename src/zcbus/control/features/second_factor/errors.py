"""Errors of second factors."""

from zcbus.control.platform.errors import BusinessError


class SecondFactorWrongError(BusinessError):
    """Neither the present code of the authenticator nor a recovery code that was not used; or a code used before."""

    code = "second-factor-wrong"
    field = "code"


class SecondFactorOnError(BusinessError):
    """It is turned on already: turn it off to have another secret."""

    code = "second-factor-on"


class SecondFactorOffError(BusinessError):
    """The account has none. Facts: name."""

    code = "second-factor-off"


class SecondFactorRequiredError(BusinessError):
    """The tenant requires it, so it cannot be turned off."""

    code = "second-factor-required-here"


class SetUpOverError(BusinessError):
    """The secret was shown too long ago, or to another user."""

    code = "set-up-over"
