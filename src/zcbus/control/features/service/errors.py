"""Errors of services; in a bulk call each concerns one service."""

from zcbus.control.platform.errors import BusinessError


class ServiceActionRefusedError(BusinessError):
    """The service's state does not allow the action. Facts: name, action, state."""

    code = "service-action-refused"


class ServiceUnknownError(BusinessError):
    """No such service, or one of a tenant the caller may not see. Facts: id."""

    code = "service-unknown"


class ServiceOwnerUnknownError(BusinessError):
    """No such publish node or customer, or one of a tenant the caller may not see. Facts: id."""

    code = "service-owner-unknown"


class ServiceTypeAbsentError(BusinessError):
    """This version has no services of the type. Facts: type, types (those it has)."""

    code = "service-type-absent"


class ServiceStatusRefusedError(BusinessError):
    """No operation leads to the status. Facts: status."""

    code = "service-status-refused"
    field = "status"


class ServiceThereError(BusinessError):
    """The service is in a container already. Facts: name, container."""

    code = "service-there"


class ServiceUnplacedError(BusinessError):
    """No host has the service yet, so it cannot be pinned there. Facts: name."""

    code = "service-unplaced"


class HostElsewhereError(BusinessError):
    """The host is none of the service's container. Facts: name, container."""

    code = "service-host-elsewhere"


class HostBusElsewhereError(BusinessError):
    """The service's data lies on a bus that the host does not reach. Facts: name, host."""

    code = "service-host-bus"


class HostAwayError(BusinessError):
    """The host that is to run the service is not connected. Facts: name, host."""

    code = "service-host-away"


class HostSilentError(BusinessError):
    """The host that may be running the service is not connected, so it is unknown when it stops the service. Facts:
    name, host."""

    code = "service-host-silent"


class RegistrationOverError(BusinessError):
    """Services are not started while the registration is over. Facts: name."""

    code = "registration-over"


class BusElsewhereError(BusinessError):
    """The service's data lies on a bus that the other container's hosts do not reach. Facts: name, container."""

    code = "service-bus-elsewhere"
