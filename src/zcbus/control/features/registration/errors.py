"""Errors of registration."""

from zcbus.kit.errors import TerminalError


class RegistrationKeyMissingError(TerminalError):
    """The installation has no key to check codes with."""

    code = "registration-key-missing"


class RegistrationCodeOverError(TerminalError):
    """The code is genuine, but its time is over. Facts: end."""

    code = "registration-code-over"
