"""Errors of system parameters."""

from zcbus.control.platform.errors import BusinessError


class ParameterUnknownError(BusinessError):
    """Facts: name."""

    code = "parameter-unknown"


class ParameterValueError(BusinessError):
    """Facts: name, place (the invalid part of the value)."""

    code = "parameter-value"
    field = "value"
