"""What can go wrong with dictionaries."""

from zcbus.control.platform.errors import BusinessError


class DictionaryUnknownError(BusinessError):
    """Facts: type."""

    code = "dictionary-unknown"
