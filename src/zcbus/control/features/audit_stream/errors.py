"""Errors of streaming the operation log."""

from zcbus.kit.errors import TransientError


class AuditReceiverError(TransientError):
    """A receiver did not take records. Facts: receiver, detail."""

    code = "audit-receiver-failed"
