"""Standbys as sources, PostgreSQL 16 and newer: they decode the log by slots of their own.

Writes go to their primary with the same account, at the address from which the standby streams.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg

from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture.publication_state import read_publication
from zcbus.connectors.postgresql.capture.slots import Slot
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.postgresql.connection.wire import WireConnection

FIRST_VERSION = 160000
_ARRIVAL_SECONDS = 30.0
_CHECK_SECONDS = 0.05
_REQUEST_SECONDS = 0.2


def is_standby(connection: Connection) -> bool:
    """Whether the server follows another one."""
    row = connection.execute("SELECT pg_catalog.pg_is_in_recovery()").fetchone()
    return row is None or bool(row[0])


def check_slot_usable(connection: Connection, options: ConnectionOptions, slot: Slot | None, is_new: bool) -> None:
    """Raise SourceUnavailable unless the slot is the standby's own, or will be (`is_new`).

    A standby may be about to be promoted, and its copies of the primary's slots must not be used before.
    """
    if not is_standby(connection):
        return
    own = is_new if slot is None else not slot.synced
    if connection.info.server_version < FIRST_VERSION or not own:
        raise _unavailable(options, "a standby answers that is not promoted")


@contextmanager
def primary(connection: Connection, options: ConnectionOptions, timeout: int = 10) -> Iterator[Connection]:
    """A session that may write: this one, or one with the primary that the server follows.

    Raises SourceNotReady if the server does not name its primary, SourceUnavailable, AccessDenied.
    """
    if not is_standby(connection):
        yield connection
        return
    above = _sender(connection, options)
    with connect(above, "source", timeout=timeout) as session, primary(session, above, timeout) as found:
        yield found


def wait_for_publication(connection: Connection, written: Connection, name: str, options: ConnectionOptions) -> None:
    """Wait until a publication has arrived from the primary. Raises SourceUnavailable.

    A slot cannot read log that is older than the publication, and snapshots must be newer.
    """
    deadline = time.monotonic() + _ARRIVAL_SECONDS
    while connection is not written and read_publication(connection, name) != read_publication(written, name):
        if time.monotonic() > deadline:
            raise _unavailable(options, "the standby is far behind its primary")
        time.sleep(_CHECK_SECONDS)


@contextmanager
def standby_snapshot(wire: WireConnection, options: ConnectionOptions) -> Iterator[None]:
    """Ask the primary for a log record of its open transactions while a slot is created.

    On a standby the creation ends with that record. Without the right to ask for it, the primary writes it within about
    15 seconds.
    """
    if wire.query("SELECT pg_catalog.pg_is_in_recovery()")[0][0] != "t":
        yield
        return
    done = threading.Event()
    with translated(options, "source"), connect(options, "source") as session, primary(session, options) as writing:
        thread = threading.Thread(target=_request_snapshots, args=(writing, done), name="standby-snapshot", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def _request_snapshots(writing: Connection, done: threading.Event) -> None:
    statement = "SELECT pg_catalog.pg_log_standby_snapshot()"
    while not done.is_set():
        try:
            writing.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            # The primary does so itself, but only if something was written since.
            statement = "SELECT pg_catalog.pg_logical_emit_message(false, 'zcbus', '')"
        except psycopg.Error:
            return  # the waiting session reports the time-out
        done.wait(_REQUEST_SECONDS)


def _sender(connection: Connection, options: ConnectionOptions) -> ConnectionOptions:
    row = connection.execute("SELECT sender_host, sender_port FROM pg_catalog.pg_stat_wal_receiver").fetchone()
    if row is None:
        raise _unavailable(options, "the standby does not reach its primary")
    if row[0] is None:
        expected = f"GRANT pg_read_all_stats TO {options.user}"
        raise SourceNotReady(kind=options.kind, setting="pg_stat_wal_receiver", value="not visible", expected=expected)
    return replace(options, host=str(row[0]), port=int(row[1]))


def _unavailable(options: ConnectionOptions, detail: str) -> SourceUnavailable:
    return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)
