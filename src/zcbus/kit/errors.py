"""The root of every error the platform raises on purpose.

An error's class says whether trying again can help, its `code` names the cause for the message catalogues,
and its `facts` are what a message needs. Text for people is made only at the edges.
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
    """Trying the same thing again later may succeed (connection lost, server starting, disk full)."""

    code = "transient"


class TerminalError(ZcbusError):
    """Trying again cannot help until somebody changes something (wrong password, missing right)."""

    code = "terminal"
