"""The newest sample in Prometheus' form, for `/metrics`."""

from collections.abc import Iterator, Mapping

import numpy as np
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector
from sqlalchemy import func, literal, select

from zcbus.control.features.metric.catalogue import METRICS, Metric, MetricType, SubjectKind
from zcbus.control.features.metric.sampling import COUNTED
from zcbus.control.platform.services import Services
from zcbus.control.store.metrics.store import Newest
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task

_LABELS = ("id", "name", "tenant")
Names = Mapping[str, tuple[str, str]]
"""Name and tenant of each subject."""

_FRESH_SECONDS = 30.0
"""An older sample is outdated: control planes sample every ten seconds."""


def exposed_name(kind: SubjectKind, metric: Metric) -> str | None:
    """Name of a metric in `/metrics`; None: it is left out, because a sum of counters that can restart is no
    counter."""
    name = f"zcbus_{kind.replace('-', '_')}_{metric.name}"
    if metric.type is MetricType.GAUGE:
        return name
    return f"{name}_total" if metric.name in COUNTED.get(kind, ()) else None


class MetricCollector(Collector):
    """Collector that reads the newest sample on each scrape."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> list[Family]:
        """Nothing: names are read on each scrape, not at the start."""
        return []

    def collect(self) -> Iterator[Family]:
        now = self._services.clock.now().timestamp()
        for kind, metrics in METRICS.items():
            newest = self._services.metric_store.newest(kind, len(metrics), len(COUNTED.get(kind, ())))
            if newest is not None and now - newest.at <= _FRESH_SECONDS:
                yield from _families(kind, newest, names_of(self._services, kind))


def names_of(services: Services, kind: SubjectKind) -> Names:
    """Of all subjects of a kind."""
    with services.database.read() as connection:
        return {row[0]: (row[1], row[2]) for row in connection.execute(_NAMES[kind])}


def register(services: Services) -> None:
    """Let `/metrics` show the newest sample."""
    services.metrics.register(MetricCollector(services))


def _families(kind: SubjectKind, newest: Newest, names: Names) -> Iterator[Family]:
    shown = [(index, subject) for index, subject in enumerate(newest.subjects) if subject in names]
    for column, metric in enumerate(METRICS[kind]):
        name = exposed_name(kind, metric)
        if name is None:
            continue
        family: CounterMetricFamily | GaugeMetricFamily
        if metric.type is MetricType.COUNTER:
            family = CounterMetricFamily(name, metric.en, labels=_LABELS)
            values = newest.counters[:, COUNTED[kind].index(metric.name)]
        else:
            family = GaugeMetricFamily(name, metric.en, labels=_LABELS)
            values = newest.values[:, column]
        for index, subject in shown:
            if not np.isnan(values[index]):
                family.add_metric((subject, *names[subject]), float(values[index]))
        yield family


_NAMES = {
    SubjectKind.TABLE: (
        select(
            subscribed_table.c.id,
            subscribed_table.c.target_schema + "." + subscribed_table.c.target_table,
            customer.c.tenant_id,
        )
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
    ),
    SubjectKind.CHANNEL: (
        select(channel.c.id, func.coalesce(sync_link.c.name, customer.c.name), customer.c.tenant_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
    ),
    SubjectKind.PUBLISHED_TABLE: select(
        published_table.c.id,
        published_table.c.schema_name + "." + published_table.c.table_name,
        publish_node.c.tenant_id,
    ).join(publish_node, publish_node.c.id == published_table.c.node_id),
    SubjectKind.SERVICE: select(service.c.id, service.c.name, service.c.tenant_id),
    SubjectKind.HOST: select(agent.c.id, agent.c.host, literal("")),
}
