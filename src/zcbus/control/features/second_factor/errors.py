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


class KeysUnavailableError(BusinessError):
    """Browsers use no security keys at this platform's address."""

    code = "keys-unavailable"


class KeyRefusedError(BusinessError):
    """The answer of a security key does not fit the question, the platform's address, or the user. The log has the
    details."""

    code = "key-refused"


class KeyCopiedError(BusinessError):
    """The key counted fewer signatures than before: another person may have a copy. Facts: name."""

    code = "key-copied"


class KeyCeremonyOverError(BusinessError):
    """The key was asked too long ago, answered twice, or was asked for something else."""

    code = "key-ceremony-over"


class KeyKnownError(BusinessError):
    """The key is registered already, with this or another account."""

    code = "key-known"


class KeyGoneError(BusinessError):
    """The caller has no such key. Facts: id."""

    code = "key-gone"


class TooManyKeysError(BusinessError):
    """Facts: limit."""

    code = "too-many-keys"


class LastFactorError(BusinessError):
    """It is the only second factor: turning two-step verification off removes it."""

    code = "last-factor"


class SecondFactorRequiredError(BusinessError):
    """The tenant requires it, so it cannot be turned off."""

    code = "second-factor-required-here"


class SetUpOverError(BusinessError):
    """The secret was shown too long ago, or to another user."""

    code = "set-up-over"
