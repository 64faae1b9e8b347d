"""Sending samples to the metric store's server, where one is set."""

from collections.abc import Mapping

from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, MetricType
from zcbus.control.features.metric.exposition import names_of
from zcbus.control.platform.services import Services
from zcbus.control.store.metrics.remote.forwarding import Columns
from zcbus.control.store.metrics.remote.store import RemoteMetricStore, ServerState

COLUMNS: Mapping[str, Columns] = {
    kind.value: Columns(
        tuple(f"{one.name}_increase" if one.type is MetricType.COUNTER else one.name for one in metrics),
        ROLL_UPS[kind.value],
    )
    for kind, metrics in METRICS.items()
}
"""Names of the series: what a counter grew in an interval is no counter of Prometheus."""


def forward(services: Services) -> None:
    """Send what the server does not have."""
    store, now = services.metric_store, services.clock.now().timestamp()
    if isinstance(store, RemoteMetricStore) and store.has_unsent(now):
        store.forward({kind.value: names_of(services, kind) for kind in METRICS}, now)


def server_state(services: Services) -> ServerState | None:
    """What is known of the server; None: the store is the embedded one."""
    return services.metric_store.state() if isinstance(services.metric_store, RemoteMetricStore) else None


def check(services: Services) -> ServerState | None:
    """Write a sample to the server and read it; None: the store is the embedded one. Raises MetricServerFailed,
    MetricServerRefused."""
    if isinstance(services.metric_store, RemoteMetricStore):
        services.metric_store.prepare()
        services.metric_store.check(services.clock.now().timestamp())
    return server_state(services)
