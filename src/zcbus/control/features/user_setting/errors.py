"""Errors of a user's settings."""

from zcbus.control.platform.errors import BusinessError


class TooManySettingsError(BusinessError):
    """Facts: limit."""

    code = "too-many-settings"
