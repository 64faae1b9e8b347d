"""Records of customers, databases, masters and channels, with their allowed actions."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, String, Subquery, cast, or_

from zcbus.control.features.container import service as containers
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.subscribe import queries
from zcbus.control.features.subscribe.schemas import (
    CHANNELS,
    CUSTOMERS,
    DATABASES,
    MASTERS,
    ChannelPageRequest,
    ChannelRecord,
    DatabasePageRequest,
    DatabaseRecord,
    MasterPageRequest,
    MasterRecord,
    MasterSettings,
    SubscribeAction,
    SubscriberPageRequest,
    SubscriberRecord,
    TableCounts,
)
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.subscribe import customer_database
from zcbus.model.reduction.services import is_held_up, is_stale
from zcbus.model.services import SERVICE_OF_CLIENT
from zcbus.model.states import DesiredState, ServiceState


def customer_listing(principal: Principal, request: SubscriberPageRequest) -> Listing[SubscriberRecord]:
    """The caller's customers."""
    row = queries.customers(principal).subquery("listed_customer")
    statement = _of_type(row, request.client_type)
    if request.search:
        searched = customer_database.join(data_source, data_source.c.id == customer_database.c.data_source_id)
        holding = searched.select().with_only_columns(customer_database.c.customer_id)
        options = cast(data_source.c.options, String)
        by_database = row.c.id.in_(holding.where(options.icontains(request.search, autoescape=True)))
        statement = statement.where(or_(row.c.name.icontains(request.search, autoescape=True), by_database))
    return Listing(CUSTOMERS, statement, [row.c.created_at, row.c.id], customer_record)


def customer_record(row: Row[Any]) -> SubscriberRecord:
    """A customer as a record."""
    deletion = [] if row.masters else [SubscribeAction.DELETE]
    masters = [] if row.client_type not in SERVICE_OF_CLIENT else [SubscribeAction.ADD_MASTER]
    return SubscriberRecord(
        id=row.id,
        name=row.name,
        client_type=row.client_type,
        databases=row.databases,
        masters=row.masters,
        channels=row.channels,
        tables=_counts(row),
        link_id=row.link_id,
        link_name=row.link_name,
        created_at=row.created_at,
        actions=[] if row.link_id else [*masters, SubscribeAction.EDIT, *deletion],
    )


def database_listing(principal: Principal, request: DatabasePageRequest) -> Listing[DatabaseRecord]:
    """Databases of the caller's customers."""
    row = queries.databases(principal).subquery("listed_database")
    statement = _of_type(row, request.client_type)
    if request.customer_id:
        statement = statement.where(row.c.customer_id == request.customer_id)
    if request.database_id:
        statement = statement.where(row.c.id == request.database_id)
    if request.search:
        searched = (row.c.name, row.c.customer_name, cast(row.c.options, String))
        statement = statement.where(any_contains(searched, request.search))
    return Listing(DATABASES, statement, [row.c.created_at, row.c.id], database_record)


def database_record(row: Row[Any]) -> DatabaseRecord:
    """A customer's database as a record. A customer keeps its first one."""
    deletion = [] if row.masters or row.data_source_id == row.first_id else [SubscribeAction.DELETE]
    return DatabaseRecord(
        id=row.id,
        name=row.name,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        target=ConnectionRecord(kind=row.kind, **row.options),
        load_type=row.load_type,
        masters=row.masters,
        link_id=row.link_id,
        created_at=row.created_at,
        actions=[] if row.link_id else [SubscribeAction.EDIT, *deletion],
    )


def master_listing(principal: Principal, request: MasterPageRequest) -> Listing[MasterRecord]:
    """Masters of the caller's customers."""
    row = queries.masters(principal).subquery("listed_master")
    statement = _of_type(row, request.client_type)
    if request.customer_id:
        statement = statement.where(row.c.customer_id == request.customer_id)
    if request.node_master:
        statement = statement.where(row.c.node_id == request.node_master)
    if request.search:
        names = (row.c.name, row.c.customer_name, row.c.node_name)
        statement = statement.where(any_contains(names, request.search))
    return Listing(MASTERS, statement, [row.c.created_at, row.c.id], master_record)


def master_record(row: Row[Any]) -> MasterRecord:
    """A master as a record."""
    return MasterRecord(
        id=row.id,
        name=row.name,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        node_master=row.node_id,
        node_name=row.node_name,
        source_kind=row.source_kind,
        database_id=row.database_id,
        target=ConnectionRecord(kind=row.target_kind, **row.target_options),
        load_type=row.load_type,
        settings=None if row.link_id else MasterSettings.model_validate(row.settings),
        channels=row.channels,
        tables=_counts(row),
        link_id=row.link_id,
        created_at=row.created_at,
        actions=_master_actions(row),
    )


def _master_actions(row: Row[Any]) -> list[SubscribeAction]:
    if row.link_id:
        return []
    rebalance = [SubscribeAction.REBALANCE] if row.channels > 1 else []
    return [
        SubscribeAction.ADD_TABLES,
        SubscribeAction.ADD_CHANNEL,
        *rebalance,
        SubscribeAction.EDIT,
        SubscribeAction.DELETE,
    ]


def channel_listing(
    principal: Principal, request: ChannelPageRequest, texts: ReasonTexts, now: datetime
) -> Listing[ChannelRecord]:
    """Channels of the caller's customers."""
    row = queries.channels(principal).subquery("listed_channel")
    statement = _of_type(row, request.client_type)
    if request.customer_id:
        statement = statement.where(row.c.customer_id == request.customer_id)
    if request.control_id:
        statement = statement.where(row.c.master_id == request.control_id)
    if request.search:
        names = (row.c.name, row.c.master_name, row.c.customer_name)
        statement = statement.where(any_contains(names, request.search))
    usual = [row.c.created_at, row.c.name, row.c.id]
    return Listing(CHANNELS, statement, usual, lambda one: channel_record(one, texts, now))


def channel_record(row: Row[Any], texts: ReasonTexts, now: datetime) -> ChannelRecord:
    """A channel as a record."""
    stale = row.agent_id is not None and is_stale(row.agent_seen_at, now)
    reason = containers.reported_reason(row, texts)
    return ChannelRecord(
        id=row.id,
        name=row.name,
        control_id=row.master_id,
        control_name=row.master_name,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        service_id=row.service_id,
        container_name=row.container_name,
        state=row.current_state,
        state_since=row.service_since,
        reason=reason,
        held_up=is_held_up(row.current_state, reason),
        stale=stale,
        as_of=row.agent_seen_at,
        threads=row.load_threads,
        lanes=row.apply_lanes,
        tables=_counts(row),
        lag_ms=None if stale or row.lag_ms is None else int(row.lag_ms),
        link_id=row.link_id,
        created_at=row.created_at,
        actions=channel_actions(row),
    )


def channel_actions(row: Row[Any]) -> list[SubscribeAction]:
    """The actions of a channel without a link."""
    if row.link_id is not None:
        return []
    if row.desired != DesiredState.RUNNING:
        steering = [SubscribeAction.START]
    else:
        steering = (
            [SubscribeAction.START, SubscribeAction.STOP]
            if row.current_state == ServiceState.ABNORMAL
            else [SubscribeAction.STOP]
        )
    return [
        *steering,
        SubscribeAction.EDIT,
        *([] if row.tables_total or row.tables_leaving else [SubscribeAction.DELETE]),
    ]


def _of_type(row: Subquery, client_type: str) -> Select[Any]:
    return row.select().where(row.c.client_type == client_type) if client_type else row.select()


def _counts(row: Row[Any]) -> TableCounts:
    return TableCounts(**{name: getattr(row, f"tables_{name}") for name in queries.GROUPS})
