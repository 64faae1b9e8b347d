"""Tasks and reports of services that apply tables: those of subscribers and those of processes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection

from zcbus.control.features.datasource import connections
from zcbus.control.features.subscribe import queries, schema_changes, service, table_repository
from zcbus.control.platform.outlines import Outline
from zcbus.control.platform.secrets import Lasting, SecretBox
from zcbus.model.services import SERVICE_OF_CLIENT
from zcbus.protocol.base import Connection as Source
from zcbus.protocol.reports import ChangeCounts, SyncTableReport
from zcbus.protocol.tasks import SubscribeTask


def tables_read_directly(connection: Connection, publishing: Collection[str], applying: Collection[str]) -> set[str]:
    """Published tables whose full load need not go over the bus, by id: one agent has the service that publishes them
    and the only one that applies them, so the rows can be read from the source by the latter."""
    return set(table_repository.select_tables_read_once(connection, publishing, applying))


def outlines_of(
    connection: Connection,
    secrets: SecretBox,
    service_ids: Iterable[str],
    sources: Mapping[str, Source],
    direct: Collection[str],
) -> dict[str, Outline]:
    """The tasks of services that apply tables; one deleted meanwhile has none. `sources`: those that their agent reads,
    by node; `direct`: see `tables_read_directly`."""
    channels = queries.channels_of_services(connection, service_ids)
    targets = connections.open_known(connection, secrets, {channel.target_id for channel in channels})
    tables: dict[str, dict[str, tuple[Any, ...]]] = {channel.id: {} for channel in channels}
    for row in table_repository.select_desired(connection, tables):
        tables[row.channel_id][row.id] = (row, row.published_table_id in direct)
    mask_key = SecretStr(secrets.derive_lasting(Lasting.MASK).hex())
    return {
        channel.service_id: Outline(
            SubscribeTask(
                type=SERVICE_OF_CLIENT[channel.client_type],
                service=channel.service_id,
                subscription=channel.id,
                node=channel.node_id,
                source_kind=channel.source_kind,
                source=sources.get(channel.node_id),
                target=connections.written(targets[channel.target_id], channel.load_type),
                tables=(),
                load_threads=channel.load_threads,
                apply_lanes=channel.apply_lanes,
                retention_hours=channel.retention_hours,
                mask_key=mask_key,
            ),
            tables[channel.id],
            service.wire_table,
        )
        for channel in channels
        if channel.target_id in targets
    }


def save_reports(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[SyncTableReport]]
) -> None:
    """Store the reports of services (by id) about their tables."""
    reporting = set(own_services) & reports.keys()
    if not reporting:
        return
    for channel in queries.channels_of_services(connection, reporting):
        newest = {report.table: report for report in reports[channel.service_id]}
        rows = [_report_row(newest[table]) for table in sorted(newest)]
        schema_changes.record(connection, channel.id, rows)
        table_repository.save_reports(connection, channel.id, rows)


def _report_row(report: SyncTableReport) -> dict[str, Any]:
    counts = report.counts or ChangeCounts()
    return {
        "table_id": report.table,
        "new_changes_handled": counts.handled if report.counts is not None else None,
        "new_changes_skipped": counts.skipped,
        "new_changes_filtered": counts.filtered,
        "new_changes_refused": counts.refused,
        "new_changes_epoch": counts.epoch,
        "new_changes_base": counts.base,
        "new_changes_difference": counts.difference,
        "new_changes_compared_at": counts.compared_at,
        "new_state": report.state.value,
        "new_reason": report.reason.model_dump() if report.reason else None,
        "new_reported_generation": report.generation,
        "new_rows_total": report.rows_total,
        "new_rows_loaded": report.rows_loaded,
        "new_bytes_loaded": report.bytes_loaded,
        "new_rows_per_second": report.rows_per_second,
        "new_inserts": report.inserts,
        "new_updates": report.updates,
        "new_deletes": report.deletes,
        "new_ddl_seen": report.ddl_seen,
        "new_ddl_followed": report.ddl_followed,
        "new_ddl_skipped": report.ddl_skipped,
        "new_last_ddl_at": report.last_ddl_at,
        "new_reported_skip_revision": report.skip_revision,
        "new_dml_skip_left": report.dml_skip_left,
        "new_ddl_skip_left": report.ddl_skip_left,
        "new_errors": report.errors,
        "new_row_errors": report.row_errors,
        "new_lag_ms": report.lag_ms,
        "new_load_started_at": report.load_started_at,
        "new_load_finished_at": report.load_finished_at,
        "new_last_change_at": report.last_change_at,
        "new_expires_at": report.expires_at,
        "new_reported_moves": report.moves,
        "new_reported_at": report.at,
    }
