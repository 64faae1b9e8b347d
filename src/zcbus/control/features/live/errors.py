"""Errors of live events."""

from zcbus.control.platform.errors import BusinessError


class TooManyFeedsError(BusinessError):
    """Facts: limit."""

    code = "live-too-many"
