"""The flow path, put together from nodes, channels, services and tables."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.schemas import ServiceRecord
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.flow_path import repository
from zcbus.control.features.flow_path.schemas import FlowPageRequest, FlowRecord, FlowSubscription
from zcbus.control.features.publish.listing import node_record
from zcbus.control.platform.paging import Page
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts


def page_flows(
    connection: Connection, principal: Principal, request: FlowPageRequest, texts: ReasonTexts, now: datetime
) -> Page[FlowRecord]:
    """A part of the caller's nodes, by name, each with everything that receives from it."""
    found = repository.nodes(principal, request.search)
    total = connection.execute(select(func.count()).select_from(found.subquery())).scalar_one()
    part = found.order_by("name", "id").limit(request.size).offset((request.current - 1) * request.size)
    nodes = connection.execute(part).all()
    node_ids = [node.id for node in nodes]
    channels = repository.select_channels(connection, principal, node_ids)
    ids = [row.service_id for row in (*nodes, *channels)]
    services = {one.id: one for one in containers.list_services(connection, principal, texts, now, ids)}
    received = _subscriptions(channels, repository.select_figures(connection, node_ids), services)
    records = [
        FlowRecord(
            id=node.id,
            bcp_id=node.service_id,
            node=node_record(node, texts, now),
            service=services[node.service_id],
            subscriptions=received[node.id],
        )
        for node in nodes
    ]
    return Page(records=records, total=total)


def _subscriptions(
    channels: Sequence[Row[Any]], figures: Mapping[str, Row[Any]], services: Mapping[str, ServiceRecord]
) -> Mapping[str, list[FlowSubscription]]:
    received: dict[str, list[FlowSubscription]] = defaultdict(list)
    for row in channels:
        received[row.node_id].append(_subscription(row, figures.get(row.id), services[row.service_id]))
    return received


def _subscription(row: Row[Any], figures: Row[Any] | None, service: ServiceRecord) -> FlowSubscription:
    is_measured = figures is not None and not service.stale
    return FlowSubscription(
        id=row.id,
        bcp_id=row.service_id,
        parent_id=row.node_id,
        name=row.name,
        channel_name=row.channel_name,
        client_type=row.client_type,
        target=ConnectionRecord(kind=row.kind, **row.options),
        service=service,
        tables=figures.tables if figures is not None else 0,
        failed=figures.failed if figures is not None else 0,
        rows_per_second=round(figures.rows_per_second, 1) if is_measured and figures is not None else 0.0,
        lag_ms=figures.lag_ms if is_measured and figures is not None else None,
        link_id=row.link_id,
    )
