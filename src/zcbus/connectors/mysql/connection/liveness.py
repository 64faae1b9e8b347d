"""The server's thread of a connection; see connectors.liveness."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol

from zcbus.kit.errors import TransientError, ZcbusError

_WAITS_FOR_US = ("reading from net", "writing to net", "receiving from client", "sending to client")


class QuerySession(Protocol):
    """A session that questions are put to."""

    def execute(self, sql: str) -> int: ...
    def named_rows(self, sql: str) -> list[dict[str, Any]]: ...


class MySQLProcess:
    """See connectors.liveness.ServerProcess."""

    def __init__(self, connect: Callable[[], AbstractContextManager[QuerySession]], number: int) -> None:
        """`connect` opens a session whose waits are short; `number`: CONNECTION_ID()."""
        self._connect, self._number = connect, number

    def is_at_work(self) -> bool:
        try:
            with self._connect() as session:
                threads = session.named_rows("SHOW PROCESSLIST")
        except TransientError:
            return False
        except ZcbusError:
            return True
        return any(_is_at_work(thread) for thread in threads if int(thread["id"]) == self._number)

    def end(self) -> None:
        with suppress(ZcbusError), self._connect() as session:
            session.execute(f"KILL {self._number}")


def _is_at_work(thread: dict[str, Any]) -> bool:
    state = str(thread["state"] or "").lower()
    return str(thread["command"]).lower() != "sleep" and not state.startswith(_WAITS_FOR_US)
