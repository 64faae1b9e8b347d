"""Rules of stream queries: creation, changes, orders and reports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource import connections
from zcbus.control.features.publish import service as publish
from zcbus.control.features.stream import repository
from zcbus.control.features.stream.errors import (
    StreamQueryActionRefusedError,
    StreamQueryDatabaseError,
    StreamQueryInputKeylessError,
    StreamQueryInputsApartError,
    StreamQueryInputTwiceError,
    StreamQueryNameTakenError,
    StreamQueryTargetTakenError,
)
from zcbus.control.features.stream.listing import actions_of
from zcbus.control.features.stream.schemas import (
    InputChoice,
    StreamQueryAction,
    StreamQueryChange,
    StreamQueryDefinition,
    StreamQueryInputForm,
)
from zcbus.control.features.subscribe import lookup as subscriptions
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.platform.agent_requests import Destination, add_job
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.secrets import SecretBox
from zcbus.model.states import DesiredState, PublishState
from zcbus.protocol.base import TableRef
from zcbus.protocol.reports import StreamQueryReport
from zcbus.protocol.stream_query_requests import DropStreamQuery
from zcbus.protocol.tasks import StreamQueryInput, StreamTask

SERVICE_TYPE = "stream"


def database_of(call: Call, store: Connection, given: StreamQueryDefinition) -> Row[Any]:
    """The database that a result goes to. Raises RecordNotFoundError, StreamQueryDatabaseError."""
    database = subscriptions.find_database(store, call.principal, given.database_id)
    if database.client_type != SERVICE_TYPE:
        raise StreamQueryDatabaseError(name=database.name)
    return database


def tables_of(call: Call, store: Connection, inputs: Sequence[InputChoice]) -> dict[str, Row[Any]]:
    """The published tables that are inputs, by id. Raises RecordNotFoundError, StreamQueryInputTwiceError,
    StreamQueryInputsApartError."""
    names: set[str] = set()
    for one in inputs:
        if one.name.lower() in names or [other.table for other in inputs].count(one.table) > 1:
            raise StreamQueryInputTwiceError(name=one.name)
        names.add(one.name.lower())
    found = repository.published_tables(store, call.principal, [one.table for one in inputs])
    missing = next((one.table for one in inputs if one.table not in found), None)
    if missing is not None:
        raise RecordNotFoundError(kind="published-table", id=missing)
    keyless = next((row for row in found.values() if row.append_only), None)
    if keyless is not None:
        raise StreamQueryInputKeylessError(table=f"{keyless.schema_name}.{keyless.table_name}")
    if len({row.container_id for row in found.values()}) > 1:
        raise StreamQueryInputsApartError
    return found


def wire_inputs(inputs: Sequence[InputChoice], tables: Mapping[str, Row[Any]]) -> tuple[StreamQueryInput, ...]:
    """The inputs as agents take them."""
    return tuple(_wire(one.name, tables[one.table].id, tables[one.table]) for one in inputs)


def _wire(name: str, table_id: str, row: Row[Any]) -> StreamQueryInput:
    return StreamQueryInput(
        name=name,
        node=row.node_id,
        published=table_id,
        source=TableRef(schema_name=row.schema_name, table=row.table_name),
        key=tuple(row.key_columns),
        generation=max(1, row.generation),
    )


def add(call: Call, store: Connection, given: StreamQueryInputForm) -> str:
    """Make a stream query with its service; returns its id."""
    now = call.services.clock.now()
    database, tables = database_of(call, store, given), tables_of(call, store, given.inputs)
    _check_free(store, database.customer_id, given, None)
    first = next(iter(tables.values()))
    service_id = containers.create_service(
        store,
        tenant_id=database.tenant_id,
        container_id=first.container_id,
        kind=SERVICE_TYPE,
        name=given.name,
        now=now,
    )
    computation_id = repository.insert(
        store, customer_id=database.customer_id, service_id=service_id, created_at=now, **_settings(given)
    )
    repository.set_inputs(store, computation_id, {one.table: one.name for one in given.inputs})
    _publish(store, [row for row in tables.values() if _needs_snapshot(row)])
    if given.start:
        containers.set_desired(store, [service_id], DesiredState.RUNNING)
    containers.notify_services(store, [service_id])
    return computation_id


def change(call: Call, store: Connection, given: StreamQueryChange) -> Row[Any]:
    """Change a stream query; returns its previous row. A change of the result computes everything from scratch."""
    row = repository.find(store, call.principal, given.id)
    database, tables = database_of(call, store, given), tables_of(call, store, given.inputs)
    if database.customer_id != row.customer_id:
        raise StreamQueryDatabaseError(name=database.name)
    if next(iter(tables.values())).container_id != row.container_id:
        raise StreamQueryInputsApartError
    _check_free(store, row.customer_id, given, row.id)
    settings = _settings(given)
    names = {one.table: one.name for one in given.inputs}
    before = {one.published_table_id: one.name for one in repository.inputs_of(store, [row.id])[row.id]}
    same = ("statement", "key_columns", "database_id", "target_schema", "target_table")
    from_scratch = names != before or any(settings[name] != getattr(row, name) for name in same)
    repository.change(store, row.id, {**settings, "generation": row.generation + from_scratch, "retry": row.retry + 1})
    repository.set_inputs(store, row.id, names)
    _publish(store, [one for one in tables.values() if _needs_snapshot(one)])
    _notify_services(store, [row.service_id])
    return row


def act(call: Call, computation_id: str, action: StreamQueryAction) -> Row[Any]:
    """Start, stop or reset a stream query; returns it as it was. Raises StreamQueryActionRefusedError."""
    store = call.connection
    row = allowing(call, computation_id, action)
    if action is StreamQueryAction.RESET:
        inputs = [one.published_table_id for one in repository.inputs_of(store, [row.id])[row.id]]
        _publish(store, list(repository.published_tables(store, call.principal, inputs).values()))
        repository.change(store, row.id, {"generation": row.generation + 1})
    elif action is StreamQueryAction.STOP:
        containers.set_desired(store, [row.service_id], DesiredState.STOPPED)
    elif row.desired == DesiredState.RUNNING:
        repository.change(store, row.id, {"retry": row.retry + 1})
        containers.restart(store, [row.service_id])
    else:
        containers.set_desired(store, [row.service_id], DesiredState.RUNNING)
    _notify_services(store, [row.service_id])
    return row


def delete(call: Call, computation_id: str) -> Row[Any]:
    """Delete a stopped stream query; returns its last row. Its table stays; its agent removes the rest afterwards.
    Raises StreamQueryActionRefusedError."""
    store, services = call.connection, call.services
    row = allowing(call, computation_id, StreamQueryAction.DELETE)
    target = connections.open_stored(store, services.secrets, row.data_source_id)
    destination = Destination(row.container_id, row.container_name, row.agent_id)
    job = DropStreamQuery(service=row.service_id, computation=row.id, target=target)
    add_job(store, services, destination, job, subject=row.name)
    repository.remove(store, row.id)
    containers.remove_services(store, [row.service_id])
    return row


def allowing(call: Call, computation_id: str, action: StreamQueryAction) -> Row[Any]:
    """A stream query with which this can be done now."""
    row = repository.find(call.connection, call.principal, computation_id)
    if action not in actions_of(row):
        raise StreamQueryActionRefusedError(name=row.name)
    return row


def tasks_of(connection: Connection, secrets: SecretBox, service_ids: Iterable[str]) -> dict[str, StreamTask]:
    """The complete tasks of stream services; one deleted meanwhile has none."""
    rows = repository.of_services(connection, service_ids)
    targets = connections.open_known(connection, secrets, {row.data_source_id for row in rows})
    inputs = repository.inputs_of(connection, [row.id for row in rows])
    return {
        row.service_id: StreamTask(
            service=row.service_id,
            computation=row.id,
            generation=row.generation,
            retry=row.retry,
            inputs=tuple(_wire(one.name, one.published_table_id, one) for one in inputs[row.id]),
            sql=row.statement,
            key=tuple(row.key_columns),
            interval_ms=row.interval_ms,
            target=targets[row.data_source_id],
            table=TableRef(schema_name=row.target_schema, table=row.target_table),
            most_rows=row.most_rows,
            most_state_mb=row.most_state_mb,
        )
        for row in rows
        if row.data_source_id in targets and inputs[row.id]
    }


def save_reports(
    connection: Connection, own_services: Iterable[str], reports: Mapping[str, Sequence[StreamQueryReport]]
) -> None:
    """Store the reports of stream services (by id) about their stream queries."""
    for service_id in sorted(set(own_services) & reports.keys()):
        report = reports[service_id][-1]
        fields = report.model_dump(mode="python", exclude={"type", "table", "generation", "inputs", "at"})
        values = {
            **fields,
            "state": report.state.value,
            "reported_generation": report.generation,
            "input_rows": {one.name: one.rows for one in report.inputs if one.loaded},
            "reported_at": report.at,
        }
        repository.save_report(connection, service_id, report.table, values)


def _settings(given: StreamQueryInputForm) -> dict[str, Any]:
    return {
        "database_id": given.database_id,
        "name": given.name,
        "statement": given.sql,
        "key_columns": given.key,
        "interval_ms": given.interval_ms,
        "target_schema": given.target_schema,
        "target_table": given.target_table,
        "most_rows": given.most_rows,
        "most_state_mb": given.most_state_mb,
    }


def _check_free(store: Connection, customer_id: str, given: StreamQueryInputForm, own: str | None) -> None:
    if repository.name_taken(store, customer_id, given.name, own):
        raise StreamQueryNameTakenError(name=given.name)
    writer = repository.writer_of(store, given.database_id, given.target_schema, given.target_table)
    if writer is not None and writer.id != own:
        raise StreamQueryTargetTakenError(table=f"{given.target_schema}.{given.target_table}", name=writer.name)


def _needs_snapshot(row: Row[Any]) -> bool:
    return bool(row.generation == 0 or row.state == PublishState.FULL_TOPIC_EXPIRED)


def _publish(store: Connection, rows: Sequence[Row[Any]]) -> None:
    """Order the full data of published tables again, and notify their readers."""
    if not rows:
        return
    numbers = {row.id: row.generation + 1 for row in rows}
    publish.change_tables(store, {row.id: (publish.RowKey.of(row), numbers[row.id]) for row in rows})
    subscribe.take_newest_snapshot(store, numbers)
    containers.notify_services(store, repository.services_of_tables(store, numbers))


def _notify_services(store: Connection, services: Sequence[str]) -> None:
    containers.void_reports(store, services)
    containers.notify_services(store, services)
