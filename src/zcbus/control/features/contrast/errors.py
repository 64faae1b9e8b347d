"""Errors of comparisons; the codes are the specification's."""

from zcbus.control.platform.errors import BusinessError


class RepairContentError(BusinessError):
    """Only comparisons of contents find the rows to repair. No facts."""

    code = "repair-content"
    wire_code = 60102
