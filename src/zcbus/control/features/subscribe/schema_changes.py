"""Schema changes become history with the report that counts them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, literal, select

from zcbus.control.store.among import among
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.schema_change import schema_change
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.kit.ids import new_id
from zcbus.model.states import SyncState


def record(connection: Connection, channel_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Record what reports count beyond the stored ones, which they replace next. `rows`: as
    `table_repository.save_reports` takes them."""
    reported = {
        row["table_id"]: row
        for row in rows
        # A process that has not read the target yet knows no counts.
        if row["new_last_ddl_at"] is not None and row["new_state"] != SyncState.UNINITIALIZED
    }
    if not reported:
        return
    made = [
        {
            "id": new_id(),
            "tenant_id": table.tenant_id,
            "channel_id": channel_id,
            "table_id": table.id,
            "source_table": table.source_table,
            "recorded_at": reported[table.id]["new_last_ddl_at"],
            "result": result,
            "changes": changes,
        }
        for table in connection.execute(_stored(reported).where(subscribed_table.c.channel_id == channel_id))
        for result, changes in _counted(table, reported[table.id])
    ]
    if made:
        connection.execute(insert(schema_change), made)


def remove_older(connection: Connection, limit: datetime) -> None:
    connection.execute(delete(schema_change).where(schema_change.c.recorded_at < limit))


def _stored(table_ids: Mapping[str, Any]) -> Any:
    table = subscribed_table.c
    source = published_table.c.schema_name + literal(".") + published_table.c.table_name
    found = select(
        *(
            table.id,
            table.reported_generation,
            table.ddl_seen,
            table.ddl_followed,
            table.ddl_skipped,
            table.last_ddl_at,
        ),
        source.label("source_table"),
        customer.c.tenant_id,
    )
    return (
        found.join(published_table, published_table.c.id == table.published_table_id)
        .join(channel, channel.c.id == table.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .where(among(table.id, table_ids))
    )


def _counted(table: Row[Any], report: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """By result, how many schema changes a report has beyond the stored one. Counts begin again with each load."""
    is_same = table.reported_generation == report["new_reported_generation"]

    def beyond(name: str) -> int:
        before: int = getattr(table, name) if is_same else 0
        return max(0, int(report[f"new_{name}"]) - before)

    followed, skipped = beyond("ddl_followed"), beyond("ddl_skipped")
    # One that a table stopped before is seen at once, and followed or skipped when the table is resumed.
    stopped = max(0, beyond("ddl_seen") - followed - skipped)
    counts = {"followed": followed, "skipped": skipped, "stopped": stopped}
    return ((result, changes) for result, changes in counts.items() if changes)
