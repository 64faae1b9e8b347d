"""Errors of drivers."""

from zcbus.control.platform.errors import BusinessError


class DriverNameTakenError(BusinessError):
    """Facts: name."""

    code = "driver-name-taken"
    field = "name"


class DriverUnsignedError(BusinessError):
    """None of the configured keys made the signature. Facts: name, keys (their names)."""

    code = "driver-unsigned"
    field = "signature"


class DriverUnconfirmedError(BusinessError):
    """The confirmed checksum is not the file's. Facts: name, sha256 (the file's)."""

    code = "driver-unconfirmed"
    field = "sha256"


class PackageUnknownError(BusinessError):
    """The file is no jar file, or no package of agents with this name and version. Facts: name, found (what it is)."""

    code = "package-unknown"
    field = "name"


class TooManyDriversError(BusinessError):
    """Facts: most."""

    code = "too-many-drivers"
