"""Errors of cache management."""

from zcbus.control.platform.errors import BusinessError


class CacheUnknownError(BusinessError):
    """No feature declares this cache. Facts: name."""

    code = "cache-unknown"
