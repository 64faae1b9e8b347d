"""Present subjects of a kind, and their figures in the newest sample."""

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, Select, func, literal, null, select

from zcbus.control.features.metric.catalogue import METRICS, Metric, MetricType, SubjectKind
from zcbus.control.store.metrics.store import MAX_STEP, MetricStore
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import DesiredState

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Subjects:
    """One element each. `tenants`: None: all tenants use it. `services`: None: none. `wanted`: it is to run, so that a
    missing figure is a gap."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    tenants: npt.NDArray[Any]
    services: npt.NDArray[Any]
    containers: npt.NDArray[Any]
    wanted: Flags
    scopes: dict[tuple[str | None, ...], Flags] = field(default_factory=dict)
    """What `in_scope` found: most rules share their scope with others."""

    def places_of(self, ids: Iterable[str]) -> list[int]:
        """The elements of those that are there."""
        return [self._places[one] for one in ids if one in self._places]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {one: place for place, one in enumerate(self.ids)}


@dataclass(frozen=True, slots=True)
class Frame:
    """Subjects with their figures, NaN where there is none; of counters per second."""

    subjects: Subjects
    columns: Mapping[str, Floats]


def subjects_of(connection: Connection, kind: SubjectKind) -> Subjects:
    """Of all tenants."""
    rows = connection.execute(_SUBJECTS[kind]).all()
    return Subjects(
        ids=tuple(row.id for row in rows),
        names=tuple(row.name for row in rows),
        tenants=_objects(rows, "tenant_id"),
        services=_objects(rows, "service_id"),
        containers=_objects(rows, "container_id"),
        wanted=np.array([row.wanted in (None, DesiredState.RUNNING) and not row.suspended for row in rows], dtype=bool),
    )


def services_of_links(connection: Connection) -> Mapping[str, set[str]]:
    """The services that a link's data pass, by the link's id."""
    publishing = select(sync_link.c.id, publish_node.c.service_id).join(
        publish_node, publish_node.c.id == sync_link.c.node_id
    )
    subscribing = select(sync_task.c.link_id, channel.c.service_id).join(
        channel, channel.c.id == sync_task.c.channel_id
    )
    found: dict[str, set[str]] = {}
    for link_id, service_id in (*connection.execute(publishing), *connection.execute(subscribing)):
        found.setdefault(link_id, set()).add(service_id)
    return found


def newest_frame(store: MetricStore, kind: SubjectKind, subjects: Subjects, now: float) -> Frame:
    """The newest sample's figures; none where it is outdated."""
    metrics = METRICS[kind]
    newest = store.newest(kind, len(metrics), 0)
    nothing = np.full(len(subjects.ids), np.nan)
    if newest is None or now - newest.at > MAX_STEP:
        return Frame(subjects, {metric.name: nothing for metric in metrics})
    places = {subject: place for place, subject in enumerate(newest.subjects)}
    at = np.array([places.get(one, -1) for one in subjects.ids], dtype=np.int64)
    # The last row stands for what was never measured.
    values = np.vstack([newest.values, np.full(len(metrics), np.nan)])[at]
    seconds = np.append(newest.seconds, 0.0)[at]
    return Frame(
        subjects,
        {metric.name: per_second(metric, values[:, column], seconds) for column, metric in enumerate(metrics)},
    )


def per_second(metric: Metric, values: Floats, seconds: Floats) -> Floats:
    """Figures of a metric: of counters by how much they grew each second."""
    measured = np.where(seconds > 0, seconds, np.nan)
    return values / measured if metric.type is MetricType.COUNTER else np.where(seconds > 0, values, np.nan)


def in_scope(rule: Any, subjects: Subjects, links: Mapping[str, set[str]]) -> Flags:
    """Which subjects a rule is about: those of its tenant, and of no tenant, that its scope names."""
    scope = (rule.tenant_id, rule.container_id, rule.service_id, rule.link_id, rule.pattern)
    if scope not in subjects.scopes:
        subjects.scopes[scope] = _in_scope(rule, subjects, links)
    return subjects.scopes[scope]


def _in_scope(rule: Any, subjects: Subjects, links: Mapping[str, set[str]]) -> Flags:
    chosen = (subjects.tenants == rule.tenant_id) | (subjects.tenants == None)  # noqa: E711  element by element
    if rule.container_id:
        chosen &= subjects.containers == rule.container_id
    if rule.service_id:
        chosen &= subjects.services == rule.service_id
    if rule.link_id:
        chosen &= np.isin(subjects.services.astype(str), list(links.get(rule.link_id, ())))
    if rule.pattern:
        chosen &= _matching(rule.pattern, subjects.names)
    return np.asarray(chosen, dtype=bool)


@lru_cache(maxsize=256)
def _matching(pattern: str, names: tuple[str, ...]) -> Flags:
    # Names of thousands of tables are compared only when one of them changed.
    matches = re.compile(fnmatch.translate(pattern.casefold())).match
    return np.array([matches(name.casefold()) is not None for name in names], dtype=bool)


def _objects(rows: Sequence[Row[Any]], name: str) -> npt.NDArray[Any]:
    found = np.empty(len(rows), dtype=object)
    found[:] = [getattr(row, name) for row in rows]
    return found


def _of_channels(chosen: Select[Any]) -> Select[Any]:
    return (
        chosen.join(service, service.c.id == channel.c.service_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
    )


_OF_SERVICE = (
    service.c.id.label("service_id"),
    service.c.container_id,
    service.c.desired.label("wanted"),
    service.c.tenant_id,
)
_NOT_SUSPENDED = literal(0).label("suspended")

_SUBJECTS: Mapping[SubjectKind, Select[Any]] = {
    SubjectKind.TABLE: _of_channels(
        select(
            subscribed_table.c.id,
            (subscribed_table.c.target_schema + "." + subscribed_table.c.target_table).label("name"),
            subscribed_table.c.suspended,
            *_OF_SERVICE,
        )
        .select_from(subscribed_table)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
    ).order_by(subscribed_table.c.id),
    SubjectKind.CHANNEL: _of_channels(
        select(
            channel.c.id,
            func.coalesce(sync_link.c.name, customer.c.name).label("name"),
            _NOT_SUSPENDED,
            *_OF_SERVICE,
        ).select_from(channel)
    )
    .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
    .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
    .order_by(channel.c.id),
    SubjectKind.PUBLISHED_TABLE: select(
        published_table.c.id,
        (published_table.c.schema_name + "." + published_table.c.table_name).label("name"),
        _NOT_SUSPENDED,
        *_OF_SERVICE,
    )
    .join(publish_node, publish_node.c.id == published_table.c.node_id)
    .join(service, service.c.id == publish_node.c.service_id)
    .order_by(published_table.c.id),
    SubjectKind.SERVICE: select(service.c.id, service.c.name, _NOT_SUSPENDED, *_OF_SERVICE)
    .where(service.c.removed_at.is_(None))
    .order_by(service.c.id),
    SubjectKind.HOST: select(
        agent.c.id,
        agent.c.host.label("name"),
        _NOT_SUSPENDED,
        null().label("service_id"),
        agent.c.container_id,
        null().label("wanted"),
        container.c.tenant_id,
    )
    .join(container, container.c.id == agent.c.container_id)
    .order_by(agent.c.id),
}
