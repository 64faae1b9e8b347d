"""Errors of the operation log."""

from zcbus.control.platform.errors import BusinessError


class VerificationRunsError(BusinessError):
    """The operation log is being verified already."""

    code = "audit-verification-runs"
