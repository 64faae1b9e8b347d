"""Errors of dictionaries."""

from zcbus.control.platform.errors import BusinessError


class DictionaryUnknownError(BusinessError):
    """Facts: type."""

    code = "dictionary-unknown"


class DictionaryTypeTakenError(BusinessError):
    """Facts: type."""

    code = "dictionary-type-taken"
    field = "dictType"


class DictionaryBuiltInError(BusinessError):
    """The platform itself reads these keys. Facts: type."""

    code = "dictionary-built-in"


class DictionaryKeyTwiceError(BusinessError):
    """Facts: key."""

    code = "dictionary-key-twice"
    field = "busDictItems"
