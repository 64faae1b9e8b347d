"""What can go wrong with comparisons; the codes are the specification's."""

from zcbus.control.platform.errors import BusinessError


class RepairContentError(BusinessError):
    """Only comparisons of contents tell which rows are to be repaired. No facts."""

    code = "repair-content"
    wire_code = 60102
