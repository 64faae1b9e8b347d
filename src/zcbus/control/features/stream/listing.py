"""Stream queries as they are shown."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.stream import repository, views
from zcbus.control.features.stream.schemas import (
    INPUTS,
    STREAM_QUERIES,
    InputPageRequest,
    InputRecord,
    StreamQueryAction,
    StreamQueryInputRecord,
    StreamQueryPageRequest,
    StreamQueryRecord,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains, qualified
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import customer, customer_database
from zcbus.model.reduction.services import is_stale
from zcbus.model.services import AT_REST
from zcbus.model.states import ERROR_STATES, DesiredState, ServiceState


def listing(call: Call, request: StreamQueryPageRequest) -> Listing[StreamQueryRecord]:
    """The caller's stream queries."""
    statement = views.stream_queries(call.principal)
    if request.search:
        searched = (
            computation.c.name,
            computation.c.statement,
            qualified(computation.c.target_schema, computation.c.target_table),
            customer.c.name,
            customer_database.c.name,
        )
        statement = statement.where(any_contains(searched, request.search))
    if request.state:
        statement = statement.where(computation.c.current_state.in_(request.state))
    return Listing(STREAM_QUERIES, statement, [computation.c.created_at, computation.c.id], _recorder(call))


def _recorder(call: Call) -> Callable[[Row[Any]], StreamQueryRecord]:
    texts, now = ReasonTexts.of(call), call.services.clock.now()
    # Each stream query is a service, so there are few; a list that is streamed has no transaction for more.
    own = call.connection.execute(views.stream_queries(call.principal).with_only_columns(computation.c.id)).scalars()
    inputs = repository.inputs_of(call.connection, own)
    return lambda row: record(row, inputs[row.id], texts, now)


def record(row: Row[Any], inputs: Sequence[Row[Any]], texts: ReasonTexts, now: datetime) -> StreamQueryRecord:
    """One stream query."""
    live = row.observed == ServiceState.STARTED and not is_stale(row.agent_seen_at, now)
    known = row.reported_generation == row.generation
    own = texts.record(row.reason) if known else None
    return StreamQueryRecord(
        id=row.id,
        name=row.name,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        database_id=row.database_id,
        database_name=row.database_name,
        target=ConnectionRecord(kind=row.target_kind, **row.target_options),
        target_schema=row.target_schema,
        target_table=row.target_table,
        inputs=[_input(one, row.input_rows) for one in inputs],
        sql=row.statement,
        key=list(row.key_columns),
        interval_ms=row.interval_ms,
        most_rows=row.most_rows,
        most_state_mb=row.most_state_mb,
        service_id=row.service_id,
        container_name=row.container_name,
        service_state=row.service_state,
        state=row.current_state,
        reason=own or texts.record(row.service_reason) or (texts.record(row.report_reason) if live else None),
        rows=row.rows,
        inserts=row.inserts,
        updates=row.updates,
        deletes=row.deletes,
        state_bytes=row.state_bytes,
        computed_ms=row.computed_ms,
        computed_at=row.computed_at,
        lag_ms=row.lag_ms if live else None,
        last_change_at=row.last_change_at,
        created_at=row.created_at,
        actions=actions_of(row),
    )


def actions_of(row: Row[Any]) -> list[StreamQueryAction]:
    """The actions that a stream query's present state allows."""
    is_to_run = row.desired == DesiredState.RUNNING
    failed = row.current_state in ERROR_STATES or row.service_state == ServiceState.ABNORMAL
    actions = [StreamQueryAction.STOP] if is_to_run else []
    if not is_to_run or failed:
        actions.append(StreamQueryAction.START)
    actions += [StreamQueryAction.RESET, StreamQueryAction.EDIT]
    if not is_to_run and row.observed in AT_REST:
        actions.append(StreamQueryAction.DELETE)
    return actions


def _input(row: Row[Any], rows: dict[str, int]) -> StreamQueryInputRecord:
    return StreamQueryInputRecord(
        table=row.published_table_id,
        name=row.name,
        node_id=row.node_id,
        node_name=row.node_name,
        source=f"{row.schema_name}.{row.table_name}",
        rows=rows.get(row.name),
    )


def input_listing(call: Call, request: InputPageRequest) -> Listing[InputRecord]:
    """Published tables that stream queries may read."""
    statement = repository.published(call.principal)
    names = (qualified(published_table.c.schema_name, published_table.c.table_name), publish_node.c.name)
    if request.search:
        statement = statement.where(any_contains(names, request.search))
    order = [publish_node.c.name, published_table.c.schema_name, published_table.c.table_name, published_table.c.id]
    return Listing(INPUTS, statement, order, _input_record)


def _input_record(row: Row[Any]) -> InputRecord:
    return InputRecord(
        id=row.id,
        table=f"{row.schema_name}.{row.table_name}",
        node_id=row.node_id,
        node_name=row.node_name,
        container_name=row.container_name,
        state=row.current_state,
    )
