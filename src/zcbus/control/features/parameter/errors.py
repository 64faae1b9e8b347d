"""What can go wrong with system parameters."""

from zcbus.control.platform.errors import BusinessError


class ParameterUnknownError(BusinessError):
    """Facts: name."""

    code = "parameter-unknown"
