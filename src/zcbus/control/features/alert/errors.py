"""Errors of alerts."""

from zcbus.control.platform.errors import BusinessError, HttpError


class DeliveryRefusedError(HttpError):
    """Only users of certain types deliver messages, and no remote client."""

    code = "alert-delivery-refused"
    status = 403
    wire_code = 40103


class AlertOverError(BusinessError):
    """The alert's condition is over: it needs no assignee."""

    code = "alert-over"


class AlertTransientError(BusinessError):
    """Messages and ends of long calls occur once: they cannot be muted."""

    code = "alert-transient"


class AssigneeUnknownError(BusinessError):
    """The user is no user of the alert's tenant, or may not sign in."""

    code = "alert-assignee-unknown"
    field = "userId"


class MuteTimeError(BusinessError):
    """A mute ends in the future, and not too far in it. Facts: days."""

    code = "alert-mute-time"
    field = "until"


class TooManyMutesError(BusinessError):
    """Facts: most."""

    code = "alert-mutes-full"
