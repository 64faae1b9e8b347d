"""Errors of the encode tool."""

from zcbus.control.platform.errors import BusinessError


class NotEncodedHereError(BusinessError):
    """A text that this installation did not encrypt, or that was altered."""

    code = "not-encoded-here"
