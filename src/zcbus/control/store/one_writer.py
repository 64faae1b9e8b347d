"""One transaction writes at a time, on PostgreSQL as on SQLite, over all replicas.

States are reduced from rows that others change (`store.reduction`). With one writer there is no order of locks to keep,
no deadlock, and no state reduced from what another transaction is about to change. The lock is taken before the
first statement that writes or locks rows, and held until the transaction ends: slow work stays outside of transactions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event, text

_KEY = "zcbus_writes"
# Any number will do, as long as every replica takes the same one.
_LOCK = 7_232_028
_TIMEOUT = "15s"
"""As long as SQLite waits; then the store is busy."""

_TAKE = text("SELECT set_config('lock_timeout', :timeout, true), pg_advisory_xact_lock(:lock)")


def let_one_write(engine: Engine) -> None:
    """Have the transactions of an engine on PostgreSQL wait for each other; SQLite does so itself (BEGIN IMMEDIATE)."""
    if engine.dialect.name == "postgresql":
        event.listen(engine, "before_execute", _lock_first)


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """A transaction that is about to write."""
    connection.info[_KEY] = False
    try:
        yield
    finally:
        connection.info.pop(_KEY, None)


def _lock_first(connection: Connection, statement: Any, *_: object) -> None:
    has_lock = connection.info.get(_KEY, True)
    if not has_lock and (
        getattr(statement, "is_dml", False) or getattr(statement, "_for_update_arg", None) is not None
    ):
        connection.info[_KEY] = True
        connection.execute(_TAKE, {"timeout": _TIMEOUT, "lock": _LOCK})
