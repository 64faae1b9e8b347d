"""Errors of containers and their hosts."""

from zcbus.control.platform.errors import BusinessError


class ContainerNameTakenError(BusinessError):
    """Facts: name."""

    code = "container-name-taken"
    field = "containerName"


class ContainerNeededError(BusinessError):
    """The container that the platform came with stays. Facts: name."""

    code = "container-needed"


class ContainerInUseError(BusinessError):
    """Services are in the container. Facts: name, count, services (names, the first ones, comma-separated)."""

    code = "container-in-use"


class TenantUnknownError(BusinessError):
    """Facts: id."""

    code = "container-tenant-unknown"
    field = "customerid"


class JoinTokenRefusedError(BusinessError):
    """The join token is unknown, was used, or is too old."""

    code = "join-token-refused"


class HostIdTakenError(BusinessError):
    """The agent's id belongs to another host. Facts: host."""

    code = "host-id-taken"


class CertificateRequestRefusedError(BusinessError):
    """The host's data is not a signing request."""

    code = "certificate-request-refused"


class HostAliveError(BusinessError):
    """A connected host cannot be removed: its agent would come back at once. Facts: host."""

    code = "host-alive"


class HostNeededError(BusinessError):
    """Services that are to run are on the host, and no other host that is online reaches their bus. Facts: host, count,
    services (names, the first ones, comma-separated)."""

    code = "host-needed"
