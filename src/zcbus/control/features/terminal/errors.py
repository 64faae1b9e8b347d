"""Errors of terminals."""

from zcbus.control.platform.errors import BusinessError


class LogCommandError(BusinessError):
    """Facts: command."""

    code = "log-command"
