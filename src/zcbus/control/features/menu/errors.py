"""Errors of the menu."""

from zcbus.control.platform.errors import BusinessError


class MenuUnknownError(BusinessError):
    """Facts: key."""

    code = "menu-unknown"


class MenuNestedError(BusinessError):
    """A group cannot be in another entry, and only groups have entries. Facts: key."""

    code = "menu-nested"


class MenuNeededError(BusinessError):
    """Without this entry it could not be shown again. Facts: key."""

    code = "menu-needed"


class MenuShippedError(BusinessError):
    """Only groups that an administrator made can be deleted. Facts: key."""

    code = "menu-shipped"
