"""Errors of the recycle bin."""

from zcbus.control.platform.errors import BusinessError


class RecycledNameTakenError(BusinessError):
    """Another object has the name by now. Facts: name."""

    code = "recycled-name-taken"
