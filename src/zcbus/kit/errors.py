"""The root of every error the platform raises on purpose.

An error's class says whether a retry can help, its `code` names the cause for the message catalogues, and its `facts`
fill the message. Text for people is produced only by the API and the command line.
"""

from typing import ClassVar


class ZcbusError(Exception):
    """Base of all deliberate errors. Raise a subclass of `TransientError` or `TerminalError`."""

    code: ClassVar[str] = "error"

    def __init__(self, **facts: object) -> None:
        self.facts = facts
        super().__init__(self._describe())

    def _describe(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code}: {details}" if details else self.code


class TransientError(ZcbusError):
    """A later retry may succeed (connection lost, server starting, disk full)."""

    code = "transient"


class TerminalError(ZcbusError):
    """A retry cannot help until a person changes something (wrong password, missing privilege)."""

    code = "terminal"
