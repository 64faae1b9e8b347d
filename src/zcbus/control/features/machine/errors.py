"""Errors of machines."""

from zcbus.control.platform.errors import BusinessError


class MachineUnknownError(BusinessError):
    """No credentials of this host are stored yet."""

    code = "machine-unknown"


class MachinePasswordNeededError(BusinessError):
    """A stored password is for the host, port and user that it was given for."""

    code = "machine-password-needed"
    field = "password"


class MachineUnreachableError(BusinessError):
    """Facts: host, port, detail."""

    code = "machine-unreachable"


class MachineRefusedError(BusinessError):
    """The host does not take user and password. Facts: host, port, user."""

    code = "machine-refused"
    field = "password"


class MachineKeyChangedError(BusinessError):
    """The host shows another key than the one that was pinned. Facts: host, port, known, shown (fingerprints)."""

    code = "machine-key-changed"
    field = "hostKey"
