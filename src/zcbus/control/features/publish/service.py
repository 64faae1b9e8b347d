"""The rules of publishing: a node reads one source database and publishes tables of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container.service import create_service
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import repository
from zcbus.control.features.publish.errors import JsonTopicTakenError, TablesComputedFromError
from zcbus.control.platform.json_topics import keep_json_topics
from zcbus.control.platform.outlines import Outline
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.among import among
from zcbus.control.store.tables.publish import published_table
from zcbus.protocol.base import Connection as Source
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.reports import PublishTableReport
from zcbus.protocol.tasks import PublishedTable, PublishTask

RETENTION_HOURS = 72
SERVICE_TYPE = "publish"
_MAX_NAMES = 10
_RENAMED = "table-renamed"
"""A reason of connectors.errors.TableRefused."""


@dataclass(frozen=True, slots=True)
class RowKey:
    """How rows of a table are identified: by chosen columns, by the table's own key, or not at all."""

    columns: tuple[str, ...] = ()
    append_only: bool = False

    @classmethod
    def of(cls, row: Row[Any]) -> "RowKey":
        """Of a published or a subscribed table's row."""
        return cls(tuple(row.key_columns), row.append_only)


@dataclass(frozen=True, slots=True)
class TableToPublish:
    """A table to publish on a node. `snapshot`: whether with full data."""

    source: TableRef
    key: RowKey
    snapshot: bool


def create_node(
    connection: Connection, *, tenant_id: str, container_id: str, name: str, data_source_id: str, now: datetime
) -> str:
    """Create a node with its service, stopped at first."""
    service_id = create_service(
        connection, tenant_id=tenant_id, container_id=container_id, kind=SERVICE_TYPE, name=name, now=now
    )
    return repository.insert_node(
        connection,
        tenant_id=tenant_id,
        name=name,
        data_source_id=data_source_id,
        service_id=service_id,
        retention_hours=RETENTION_HOURS,
        created_at=now,
    )


def set_json_topic(connection: Connection, secrets: SecretBox, node_id: str, name: str | None) -> None:
    """Export the node's changes as JSON to a topic of that name; None: stop it. Raises JsonTopicTakenError."""
    if name is not None and repository.json_topic_owner(connection, name) not in (None, node_id):
        raise JsonTopicTakenError(name=name)
    repository.change_node(connection, node_id, json_topic=name)
    keep_json_topics(connection, secrets, {name} if name is not None else ())


def set_retention(connection: Connection, node_id: str, hours: int) -> None:
    """How long the node's topics keep their records. The caller notifies the agents."""
    repository.change_node(connection, node_id, retention_hours=hours)


def set_retained_log_limit(connection: Connection, node_id: str, limit_gb: int | None) -> None:
    """How much log the source may keep for the node, in GiB; None: as much as it must."""
    repository.change_node(connection, node_id, held_log_gb=limit_gb)


def retained_log_limit_bytes(node: Row[Any]) -> int | None:
    """The limit of a node's row."""
    return node.held_log_gb << 30 if node.held_log_gb is not None else None


def fail_tables(connection: Connection, node_id: str, reason: Reason, now: datetime) -> None:
    """Store an error of all tables of a node whose service is stopped and cannot report it."""
    repository.fail_tables(connection, node_id, reason.model_dump(), now)


def find_node(connection: Connection, node_id: str) -> Row[Any]:
    """A node's row: data_source_id, service_id, retention_hours, held_log_gb."""
    return repository.find_node(connection, node_id)


def tables_of(connection: Connection, node_id: str) -> Sequence[Row[Any]]:
    """A node's tables by schema and name."""
    return repository.select_tables(connection, [node_id])


def add_tables(
    connection: Connection, node_id: str, tables: Sequence[TableToPublish], now: datetime
) -> dict[TableRef, str]:
    """Publish further tables; returns their ids."""
    rows = [
        repository.new_table_row(
            node_id,
            now,
            schema_name=table.source.schema_name,
            table_name=table.source.table,
            key_columns=list(table.key.columns),
            append_only=table.key.append_only,
            generation=1 if table.snapshot else 0,
        )
        for table in tables
    ]
    repository.insert_tables(connection, rows)
    return {table.source: str(row["id"]) for table, row in zip(tables, rows, strict=True)}


def change_tables(connection: Connection, changes: Mapping[str, tuple[RowKey, int]]) -> None:
    """Set key and desired generation of tables by id."""
    repository.change_tables(
        connection,
        [
            {
                "table_id": table_id,
                "new_key_columns": list(key.columns),
                "new_append_only": key.append_only,
                "new_generation": generation,
            }
            for table_id, (key, generation) in changes.items()
        ],
    )


def retry(connection: Connection, table_ids: Iterable[str]) -> None:
    """Order a retry of tables that could not be published; their service checks them when it starts."""
    repository.forget_failures(connection, table_ids)


def stop_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    """Stop capturing tables until another snapshot of them is desired or an operator accepts the gap."""
    repository.stop_tables(connection, table_ids)


def accept_gaps(connection: Connection, table_ids: Iterable[str]) -> None:
    """Let tables be captured again though changes of them are missing."""
    repository.accept_gaps(connection, table_ids)


def renamed_tables(connection: Connection) -> set[str]:
    """Tables of running nodes that were renamed in the source, by id; the facts of their reason have the new name."""
    rows = repository.select_failed_tables(connection)
    return {row.id for row in rows if row.reason and row.reason["facts"].get("reason") == _RENAMED}


def is_published(connection: Connection, node_id: str, table: TableRef) -> bool:
    """Whether a node publishes a table of that name."""
    return any(
        (row.schema_name, row.table_name) == (table.schema_name, table.table) for row in tables_of(connection, node_id)
    )


def rename_table(connection: Connection, table_id: str, source: TableRef) -> None:
    """Publish a table under the name that it has in the source now."""
    repository.rename_table(connection, table_id, source.schema_name, source.table)


def remove_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    """No longer publish tables. Raises TablesComputedFromError."""
    ids = list(table_ids)
    _refuse_computed_from(repository.select_computed_from(connection, among(published_table.c.id, ids)))
    repository.delete_tables(connection, ids)


def remove_node(connection: Connection, node_id: str) -> None:
    """Forget a node and its tables. Raises TablesComputedFromError."""
    _refuse_computed_from(repository.select_computed_from(connection, published_table.c.node_id == node_id))
    repository.delete_node(connection, node_id)


def _refuse_computed_from(inputs: Sequence[Row[Any]]) -> None:
    if inputs:
        tables = sorted({f"{row.schema_name}.{row.table_name}" for row in inputs})
        computations = sorted({row.computation_name for row in inputs})
        raise TablesComputedFromError(tables=_names(tables), computations=_names(computations))


def _names(names: Sequence[str]) -> str:
    more = ", …" if len(names) > _MAX_NAMES else ""
    return ", ".join(names[:_MAX_NAMES]) + more


def outlines_of(
    connection: Connection, secrets: SecretBox, service_ids: Iterable[str], direct: Collection[str]
) -> dict[str, Outline]:
    """The tasks of publish services; one deleted meanwhile has none. `direct`: tables whose only reader reads the rows
    of a snapshot from the source."""
    nodes = repository.select_nodes_of_services(connection, service_ids)
    sources = connections.open_known(connection, secrets, {node.data_source_id for node in nodes})
    tables: dict[str, dict[str, tuple[Any, ...]]] = {node.id: {} for node in nodes}
    for row in repository.select_desired(connection, tables):
        tables[row.node_id][row.id] = (row, row.id in direct)
    return {
        node.service_id: Outline(_wire_node(node, sources[node.data_source_id]), tables[node.id], _wire_table)
        for node in nodes
        if node.data_source_id in sources
    }


def _wire_node(node: Row[Any], source: Source) -> PublishTask:
    return PublishTask(
        service=node.service_id,
        node=node.id,
        source=source,
        tables=(),
        retention_hours=node.retention_hours,
        json_topic=node.json_topic or "",
        held_log_bytes=retained_log_limit_bytes(node),
    )


def save_reports(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[PublishTableReport]]
) -> None:
    """Store the reports of publish services (by id) about their tables."""
    reporting = set(own_services) & reports.keys()
    if not reporting:
        return
    for node in repository.select_nodes_of_services(connection, reporting):
        newest = {report.table: report for report in reports[node.service_id]}
        repository.save_reports(connection, node.id, [_report_row(newest[table]) for table in sorted(newest)])


def _wire_table(row: Row[Any], direct: bool) -> PublishedTable:
    return PublishedTable(
        id=row.id,
        source=TableRef(schema_name=row.schema_name, table=row.table_name),
        key=tuple(row.key_columns),
        append_only=row.append_only,
        generation=row.generation,
        gap=row.gap,
        direct=direct,
        stopped=row.stopped_generation == row.generation,
    )


def _report_row(report: PublishTableReport) -> dict[str, Any]:
    return {
        "table_id": report.table,
        "new_state": report.state.value,
        "new_reason": report.reason.model_dump() if report.reason else None,
        "new_reported_generation": report.generation,
        "new_rows_total": report.rows_total,
        "new_rows_read": report.rows_read,
        "new_inserts": report.inserts,
        "new_updates": report.updates,
        "new_deletes": report.deletes,
        "new_changes_epoch": report.epoch,
        "new_changes": report.changes,
        "new_expires_at": report.expires_at,
        "new_delay_ms": report.delay_ms,
        "new_last_change_at": report.last_change_at,
        "new_reported_at": report.at,
    }
