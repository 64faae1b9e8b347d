"""Errors of tenants."""

from zcbus.control.platform.errors import BusinessError


class TenantCodeTakenError(BusinessError):
    """Facts: code."""

    code = "tenant-code-taken"
    field = "code"


class TenantNeededError(BusinessError):
    """The tenant that the platform came with stays. Facts: name."""

    code = "tenant-needed"


class TenantInUseError(BusinessError):
    """Facts: name, users, records (counts; records are all that is not a user)."""

    code = "tenant-in-use"
