"""Errors of the recycle bin."""

from zcbus.control.platform.errors import BusinessError


class RecycledNameTakenError(BusinessError):
    """Another object has the name by now. Facts: name."""

    code = "recycled-name-taken"


class RecycledParentGoneError(BusinessError):
    """What the object belongs to was deleted. Facts: name, parents."""

    code = "recycled-parent-gone"


class RecycledUserAboveError(BusinessError):
    """A deleted user may do more than the caller. Facts: name."""

    code = "recycled-user-above"
