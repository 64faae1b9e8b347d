"""The log that keeps the state of targets that cannot keep it themselves.

The process says where such logs are (`keep_in`): the engine keeps them on the bus, so that the state is where the
changes are, and another host that takes a service over has it as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zcbus.connectors.errors import DatabaseFailed


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of a log."""

    offset: int
    data: bytes


class StateLog(Protocol):
    """A durable log that all processes share. Raises TransientError while it is unavailable. Not for several threads at
    once."""

    def newest(self) -> Entry | None:
        """The last record; None: there is none."""

    def read(self, offset: int) -> list[Entry]:
        """All records from an offset to the end. Raises TerminalError where the first of them is not there any more."""

    def append(self, offset: int, data: bytes, kept: int) -> None:
        """Add the record with that offset, durably. `kept`: how many bytes before the end must stay readable. Raises
        ConcurrentCommit where it is not the next offset: another writer was faster.

        After a TransientError `newest` shows whether it was done.
        """


OpenLog = Callable[[str], StateLog]
_opener: list[OpenLog] = []


def keep_in(open_log: OpenLog) -> None:
    """From now on this process keeps the state of a place in the log that this opens."""
    _opener[:] = [open_log]


def state_log(kind: str, place: str) -> StateLog:
    """The log of a place: one target as one tenant sees it. Raises DatabaseFailed in a process that keeps none."""
    if not _opener:
        raise DatabaseFailed(kind=kind, detail="this process keeps no state of targets")
    return _opener[0](place)
