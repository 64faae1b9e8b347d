"""Replication slots: names, creation, state."""

from dataclasses import dataclass

from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture.lsn import parse_lsn
from zcbus.connectors.postgresql.connection.errors import translate, translated
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.kit.errors import ZcbusError
from zcbus.model.position import Position

WAIT_SECONDS = 60.0


def object_name(node: str) -> str:
    """Name of a node's slot and publication. Slot names allow lower-case letters, digits and `_`, at most 63."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in node.lower())
    return f"zcbus_{kept}"[:63]


@dataclass(frozen=True, slots=True)
class Slot:
    """A logical slot as in pg_replication_slots."""

    name: str
    active: bool
    confirmed_flush: int | None
    """confirmed_flush_lsn."""
    restart: int | None
    """restart_lsn: the log from here on is retained."""
    failover: bool
    """Its standbys have it too (PostgreSQL 17)."""
    synced: bool
    """A standby's copy of its primary's (PostgreSQL 17)."""
    lost: str
    """Reason for the loss of its log (wal_status, invalidation_reason); empty: the log is available."""


def read_slot(connection: Connection, name: str) -> Slot | None:
    """The slot's state; None if it does not exist."""
    row = connection.execute(_SLOT, [name]).fetchone()
    if row is None:
        return None
    confirmed_flush, restart = (parse_lsn(text) if text else None for text in row[1:3])
    details = row[3]
    lost = details.get("invalidation_reason") or ("lost" if details.get("wal_status") == "lost" else "")
    return Slot(
        name, row[0], confirmed_flush, restart, bool(details.get("failover")), bool(details.get("synced")), lost
    )


def create_slot(
    wire: WireConnection, options: ConnectionOptions, name: str, snapshot: str, *, lasting: bool, failover: bool = False
) -> Position:
    """Create a slot; returns its start position.

    `snapshot`: the replication command's keyword for the snapshot. `failover`: keep the slot on standbys too
    (persistent slots, PostgreSQL 17 or newer). The server waits for open transactions: after a minute SourceUnavailable
    names them, so that the cause is visible.
    """
    kind = "" if lasting else "TEMPORARY "
    try:
        # The old spelling of the option is understood by all versions.
        how = "(SNAPSHOT 'nothing', FAILOVER true)" if failover else snapshot
        row = wire.query(f'CREATE_REPLICATION_SLOT "{name}" {kind}LOGICAL pgoutput {how}', WAIT_SECONDS)[0]
    except TimeoutError:
        raise _still_waiting(wire, options) from None
    except (ServerError, ConnectionLost) as error:
        raise slot_refused(error, options) from error
    return Position(0, parse_lsn(row[1] or "0/0"))


def keep_on_standbys(wire: WireConnection, name: str) -> None:
    """Enable `failover` for a slot that was created before the server supported it."""
    wire.query(f'ALTER_REPLICATION_SLOT "{name}" (FAILOVER true)', WAIT_SECONDS)


def _still_waiting(wire: WireConnection, options: ConnectionOptions) -> SourceUnavailable:
    with translated(options, "source"), connect(options, "source") as connection:
        open_since = connection.execute(_OPEN_TRANSACTIONS).fetchall()
        # Otherwise the server would not notice the closed connection, and would keep the unfinished slot.
        connection.execute("SELECT pg_catalog.pg_cancel_backend(%s)", [wire.process_id])
    detail = "waiting for open transactions: " + "; ".join(f"pid {row[0]} since {row[1]}" for row in open_since)
    return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)


def slot_refused(error: ServerError | ConnectionLost, options: ConnectionOptions) -> ZcbusError:
    """The reason why a slot could not be created."""
    if isinstance(error, ServerError) and error.sqlstate == "53400":
        setting = "max_wal_senders" if "wal_senders" in error.message else "max_replication_slots"
        return SourceNotReady(kind=options.kind, setting=setting, value="all in use", expected="a free one")
    if isinstance(error, ServerError) and error.sqlstate == "55000" and "wal_level" in error.message:
        return SourceNotReady(kind=options.kind, setting="wal_level", value="not logical", expected="logical")
    return translate(error, options, "source")


_OPEN_TRANSACTIONS = """
SELECT pid, date_trunc('second', xact_start)::text FROM pg_catalog.pg_stat_activity
 WHERE backend_xid IS NOT NULL ORDER BY xact_start LIMIT 5
"""

_SLOT = """
SELECT active, confirmed_flush_lsn::text, restart_lsn::text, to_jsonb(s)
  FROM pg_catalog.pg_replication_slots s WHERE slot_name = %s
"""
