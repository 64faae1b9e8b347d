"""Orders to single tables while the others run: reload, start at a position, resume.

Rows are those of `views.tables`. Whether a table allows it is decided before, by `model.table_verbs`.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.publish import service as publish
from zcbus.control.features.subscribe import service
from zcbus.control.features.subscribe.tables import lacks_changes
from zcbus.model.reduction.subscribed_tables import PUBLISH_FAILED, begins_with_load
from zcbus.model.states import CleanMode, PublishState
from zcbus.model.table_states import FAILED
from zcbus.protocol.tasks import Begin

K = TypeVar("K", bound=Hashable)


def reload(connection: Connection, rows: Sequence[Row[Any]], beside: bool | None) -> None:
    """Start a new generation with a full load. `beside`: whether it uses a shadow table; see `Begin`."""
    by_way = _grouped(rows, lambda row: row.clean_mode == CleanMode.NONE if beside is None else beside)
    for way, alike in by_way.items():
        start_generation(connection, alike, Begin(mode="full", beside=way), suspended=False)
    notify_agents(connection, rows)


def accept_gaps(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    """Continue with the changes behind those that are lost."""
    lost = {row.id: row for row in rows if lacks_changes(row)}
    publish.accept_gaps(connection, [row.published_table_id for row in lost.values()])
    by_gap = _grouped(rows, lambda row: int(row.published_gap) + (row.id in lost))
    for gap, alike in by_gap.items():
        start_generation(connection, alike, Begin(mode="incremental", gap=gap), suspended=False)
    notify_agents(connection, rows)


def resume(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    """Resume tables at their positions and retry failed ones."""
    service.set_suspended(connection, [row.id for row in rows], False)
    _revive(connection, rows)
    waiting = [row for row in rows if row.published_generation < row.generation]
    loading = [row for row in waiting if begins_with_load(row.load_mode, row.begin)]
    _publish(connection, loading, {row.id: row.generation for row in loading})
    try_again(connection, [row for row in rows if not row.suspended or row.current_state in FAILED])
    notify_agents(connection, rows)


def start_generation(connection: Connection, rows: Sequence[Row[Any]], begin: Begin | None, *, suspended: bool) -> None:
    """Start a new generation, giving up the tables' positions. A suspended one needs no snapshot until it resumes."""
    generations = {row.id: service.next_generation(row) for row in rows}
    service.start_generation(connection, generations, begin, suspended=suspended)
    if not suspended:
        _revive(connection, rows)
        plain = begin.model_dump() if begin is not None else None
        _publish(connection, [row for row in rows if begins_with_load(row.load_mode, plain)], generations)


def try_again(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    """Clear the reports of failed tables and order them again."""
    failed = [row for row in rows if row.current_state in FAILED]
    refused = [row for row in failed if row.publish_state in PUBLISH_FAILED]
    unpublished = [row for row in refused if row.publish_state != PublishState.PUBLISH_STOPPED]
    service.retry(connection, [row.id for row in failed])
    publish.retry(connection, [row.published_table_id for row in unpublished])
    # The publish service checks its tables when it starts.
    containers.restart(connection, sorted({row.publish_service_id for row in unpublished}))


def notify_agents(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    """Notify the agents of both sides of tables of changed orders."""
    services = {row.publish_service_id for row in rows} | {row.subscribe_service_id for row in rows}
    containers.notify_services(connection, sorted(services))


def _revive(connection: Connection, rows: Sequence[Row[Any]]) -> None:
    """Restart services that ended for good: the order to their tables may be the repair."""
    ended = {row.subscribe_service_id for row in rows if row.worker_ended}
    if ended:
        containers.restart(connection, sorted(ended))


def _grouped(rows: Sequence[Row[Any]], of: Callable[[Row[Any]], K]) -> dict[K, list[Row[Any]]]:
    """Tables grouped by what is done with them, so that thousands take a few statements."""
    groups: dict[K, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        groups[of(row)].append(row)
    return groups


def _publish(connection: Connection, rows: Sequence[Row[Any]], generations: Mapping[str, int]) -> None:
    """Order snapshots with these numbers (by subscribed table). A published table has one snapshot: other subscribers
    that wait for the previous one, or read it, take the new one."""
    newest: dict[str, int] = {}
    for row in rows:
        newest[row.published_table_id] = max(newest.get(row.published_table_id, 0), generations[row.id])
    keys = {row.published_table_id: _published_key(row) for row in rows}
    publish.change_tables(connection, {table: (keys[table], number) for table, number in newest.items()})
    service.take_newest_snapshot(connection, newest)


def _published_key(row: Row[Any]) -> publish.RowKey:
    return publish.RowKey(tuple(row.published_key_columns), row.published_append_only)
