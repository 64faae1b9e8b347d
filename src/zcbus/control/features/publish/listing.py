"""Publish nodes and their tables as they are shown."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, String, cast

from zcbus.bus.topics import full_topic, real_topic
from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.publish import views
from zcbus.control.features.publish.schemas import (
    NODES,
    PUBLISHED_TABLES,
    NodeAction,
    NodeInfo,
    NodeMoment,
    NodePageRequest,
    NodeRecord,
    PublishCounts,
    PublishedPageRequest,
    PublishedRecord,
)
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.among import among
from zcbus.control.store.search import any_contains, any_named
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.model.reduction.services import Worker, is_held_up, is_stale
from zcbus.model.states import DesiredState, PublishState, ServiceState
from zcbus.model.table_verbs import PublishedFacts, published_verbs


def find_node(store: Connection, principal: Principal, node_id: str) -> Row[Any]:
    """A node of the caller's, as `views.nodes` has it. Raises RecordNotFoundError."""
    row = store.execute(views.nodes(principal).where(publish_node.c.id == node_id)).first()
    if row is None:
        raise RecordNotFoundError(kind="publish-node", id=node_id)
    return row


def destination_of(node: Row[Any], now: datetime) -> Destination:
    """The agent of a node; any of its container while that one is silent."""
    silent = is_stale(node.agent_seen_at, now)
    return Destination(node.container_id, node.container_name, None if silent else node.agent_id)


def node_listing(
    principal: Principal, request: NodePageRequest, texts: ReasonTexts, now: datetime
) -> Listing[NodeRecord]:
    """The caller's publish nodes."""
    node = views.nodes(principal).subquery("node")
    statement = node.select()
    if request.search:
        searched = (node.c.name, cast(node.c.options, String))
        statement = statement.where(any_contains(searched, request.search))
    if request.state:
        statement = statement.where(node.c.current_state.in_([state.value for state in request.state]))
    return Listing(NODES, statement, [node.c.created_at, node.c.id], lambda row: node_record(row, texts, now))


def node_record(row: Row[Any], texts: ReasonTexts, now: datetime) -> NodeRecord:
    """A node as a record."""
    return NodeRecord(**_node_values(row, texts, now))


def node_moment(row: Row[Any], texts: ReasonTexts, now: datetime) -> NodeMoment:
    """What the head of a node's page shows of the moment at which its row was read."""
    values = _node_values(row, texts, now)
    return NodeMoment(**{name: values[name] for name in NodeMoment.model_fields})


def node_info(store: Connection, principal: Principal, node: Row[Any], texts: ReasonTexts, now: datetime) -> NodeInfo:
    """A node with its service."""
    (service,) = containers.list_services(store, principal, texts, now, [node.service_id])
    values = _node_values(node, texts, now)
    return NodeInfo(**values, bcp_id=service.id, parent_id=service.container_id, service=service)


def select_tables(store: Connection, node_id: str, table_ids: Sequence[str] | None = None) -> Sequence[Row[Any]]:
    """Tables of a node with their present state, by name; None: all."""
    statement = views.tables().where(published_table.c.node_id == node_id)
    if table_ids is not None:
        statement = statement.where(among(published_table.c.id, table_ids))
    return store.execute(statement.order_by(published_table.c.schema_name, published_table.c.table_name)).all()


def table_listing(request: PublishedPageRequest, is_steered: bool, texts: ReasonTexts) -> Listing[PublishedRecord]:
    """A node's tables."""
    table = views.tables().where(published_table.c.node_id == request.node_master).subquery("node_table")
    statement = table.select()
    if request.search:
        name = table.c.schema_name + "." + table.c.table_name
        statement = statement.where(any_named([name], request.search))
    if request.state:
        statement = statement.where(table.c.current_state.in_([state.value for state in request.state]))
    usual = [table.c.schema_name, table.c.table_name]
    return Listing(PUBLISHED_TABLES, statement, usual, lambda row: table_record(row, is_steered, texts))


def table_record(row: Row[Any], is_steered: bool, texts: ReasonTexts) -> PublishedRecord:
    """A published table as a record. `is_steered`: a sync link controls the node."""
    return PublishedRecord(
        id=row.id,
        schema=row.schema_name,
        table=row.table_name,
        key=row.key_columns,
        append_only=row.append_only,
        state=row.current_state,
        state_since=row.current_since,
        reason=texts.record(row.current_reason),
        generation=row.generation,
        real_topic=real_topic(row.node_id),
        full_topic=full_topic(row.node_id, row.id, row.generation) if row.generation else "",
        rows_total=row.rows_total,
        rows_read=row.rows_read,
        inserts=row.inserts,
        updates=row.updates,
        deletes=row.deletes,
        delay_ms=row.current_delay_ms,
        last_change_at=row.last_change_at,
        expires_at=row.expires_at,
        reported_at=row.reported_at,
        subscribers=row.subscribers,
        actions=[] if is_steered else published_verbs(facts_of(row)),
    )


def facts_of(row: Row[Any]) -> PublishedFacts:
    """Facts that decide which verbs a table allows."""
    return PublishedFacts(
        state=PublishState(row.current_state),
        received=row.subscribers > 0,
        computed=row.computed > 0,
        stopped=row.stopped_generation == row.generation,
    )


def counts_of(node: Row[Any]) -> PublishCounts:
    """Number of a node's tables by state."""
    return PublishCounts(
        total=node.total,
        releasing=node.releasing,
        publishing=node.publishing,
        waiting=node.waiting,
        failed=node.failed,
    )


def node_actions(row: Row[Any]) -> list[NodeAction]:
    """The actions of a node without a link."""
    if row.link_id is not None:
        return []
    if row.desired != DesiredState.RUNNING:
        steering = [NodeAction.START]
    elif row.current_state == ServiceState.ABNORMAL:
        steering = [NodeAction.START, NodeAction.STOP]
    else:
        steering = [NodeAction.STOP]
    deletion = [] if row.subscribers else [NodeAction.DELETE]
    return [*steering, NodeAction.EDIT, *deletion]


def _node_values(row: Row[Any], texts: ReasonTexts, now: datetime) -> dict[str, Any]:
    stale = row.agent_id is not None and is_stale(row.agent_seen_at, now)
    is_measured = row.worker == Worker.WORKING and not stale
    reason = containers.reported_reason(row, texts)
    return {
        "id": row.id,
        "name": row.name,
        "source": ConnectionRecord(kind=row.kind, **row.options),
        "container_name": row.container_name,
        "state": row.current_state,
        "state_since": row.current_since,
        "reason": reason,
        "held_up": is_held_up(row.current_state, reason),
        "stale": stale,
        "as_of": row.agent_seen_at,
        "lag_ms": row.lag_ms if is_measured else None,
        "backlog_bytes": row.backlog_bytes if is_measured else None,
        "tables": counts_of(row),
        "subscribers": row.subscribers,
        "link_id": row.link_id,
        "link_name": row.link_name,
        "retention_hours": row.retention_hours,
        "held_log_gb": row.held_log_gb,
        "created_at": row.created_at,
        "actions": node_actions(row),
    }
