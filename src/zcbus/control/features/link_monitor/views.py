"""Channels with the last heartbeat that each service passed on."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, literal, or_, select

from zcbus.control.features.container.views import trouble_of
from zcbus.control.features.link_monitor.schemas import BeatState, Hop
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import DesiredState

STALLED_AFTER = timedelta(seconds=30)
"""An idle source emits a heartbeat each second, and the target commits one at least every ten."""

_publish, _subscribe = service.alias("publish"), service.alias("subscribe")
_publish_agent, _subscribe_agent = agent.alias("publish_agent"), agent.alias("subscribe_agent")
_source, _target = data_source.alias("source"), data_source.alias("target")

_BEATS = {
    Hop.CAPTURE: (_publish.c.came_at, _publish.c.came_ms),
    Hop.BUS: (_publish.c.went_at, _publish.c.went_ms),
    Hop.APPLY: (_subscribe.c.came_at, _subscribe.c.came_ms),
    Hop.TARGET: (_subscribe.c.went_at, _subscribe.c.went_ms),
}


def channels(principal: Principal, now: datetime) -> Select[Any]:
    """The caller's channels: one row each. Per hop `<hop>_at`, `<hop>_ms` and `<hop>_state`; `state` and `stands_at` as
    in MonitorRecord."""
    hops = {hop: _hop_state(at, now) for hop, (at, _) in _BEATS.items()}
    return (
        select(
            channel.c.id,
            channel.c.name.label("channel_name"),
            func.coalesce(sync_link.c.name, customer.c.name).label("name"),
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.id.label("customer_id"),
            customer.c.name.label("customer_name"),
            publish_node.c.name.label("node_name"),
            sync_link.c.id.label("link_id"),
            sync_task.c.id.label("task_id"),
            *_address("source", _source),
            *_address("target", _target),
            *_service("publish", _publish, _publish_agent),
            *_service("subscribe", _subscribe, _subscribe_agent),
            *(at.label(f"{hop}_at") for hop, (at, _) in _BEATS.items()),
            *(duration.label(f"{hop}_ms") for hop, (_, duration) in _BEATS.items()),
            _sum_of_hops().label("took_ms"),
            *(state.label(f"{hop}_state") for hop, state in hops.items()),
            _state(hops).label("state"),
            _stalled_at(hops).label("stands_at"),
        )
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(_publish, _publish.c.id == publish_node.c.service_id)
        .join(_subscribe, _subscribe.c.id == channel.c.service_id)
        .join(_source, _source.c.id == publish_node.c.data_source_id)
        .join(_target, _target.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .outerjoin(_publish_agent, _publish_agent.c.id == _publish.c.agent_id)
        .outerjoin(_subscribe_agent, _subscribe_agent.c.id == _subscribe.c.agent_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .where(principal.visible(customer.c.tenant_id))
    )


def _address(name: str, of: Any) -> list[ColumnElement[Any]]:
    return [of.c.kind.label(f"{name}_kind"), of.c.options.label(f"{name}_options")]


def _service(name: str, of: Any, its_agent: Any) -> list[ColumnElement[Any]]:
    columns = ("id", "worker")
    return [
        *(of.c[column].label(f"{name}_{column}") for column in columns),
        trouble_of(of).label(f"{name}_trouble"),
        its_agent.c.heartbeat_at.label(f"{name}_agent_seen_at"),
    ]


def _stopped() -> ColumnElement[bool]:
    running = DesiredState.RUNNING.value
    return or_(_publish.c.desired != running, _subscribe.c.desired != running)


def _hop_state(at: ColumnElement[Any], now: datetime) -> ColumnElement[str]:
    """State of the newest heartbeat at a hop."""
    return case(
        (_stopped(), literal(BeatState.STOPPED.value)),
        (at.is_(None), literal(BeatState.UNMEASURED.value)),
        (at < now - STALLED_AFTER, literal(BeatState.STANDING.value)),
        else_=literal(BeatState.BEATING.value),
    )


_WORST_FIRST = (BeatState.STOPPED, BeatState.STANDING, BeatState.UNMEASURED)


def _state(hops: Mapping[Hop, ColumnElement[str]]) -> ColumnElement[str]:
    """State of a channel's heartbeat: the worst of its hops."""
    return case(
        *((or_(*(hop == state.value for hop in hops.values())), literal(state.value)) for state in _WORST_FIRST),
        else_=literal(BeatState.BEATING.value),
    )


def _stalled_at(hops: Mapping[Hop, ColumnElement[str]]) -> ColumnElement[Any]:
    """The first hop whose newest heartbeat is too old; NULL: there is none."""
    return case(*((state == BeatState.STANDING.value, literal(hop.value)) for hop, state in hops.items()))


def _sum_of_hops() -> ColumnElement[Any]:
    capture, bus, apply, target = (duration for _, duration in _BEATS.values())
    return capture + bus + apply + target
