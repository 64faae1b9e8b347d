"""What can go wrong with system parameters."""

from zcbus.control.platform.errors import BusinessError


class ParameterUnknownError(BusinessError):
    """Facts: name."""

    code = "parameter-unknown"


class ParameterValueError(BusinessError):
    """Facts: name, place (the part of the value that is wrong)."""

    code = "parameter-value"
    field = "value"
