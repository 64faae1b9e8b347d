"""Export of the newest sample to a collector of OpenTelemetry, by OTLP over HTTP."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zcbus.control.features.metric import collector_state
from zcbus.control.features.metric.exposition import MetricCollector
from zcbus.control.platform.services import Services
from zcbus.kit.collector import TIMEOUT_SECONDS, LastFailure, open_session
from zcbus.kit.logging import get_logger

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import Metric

EXPORT_SECONDS = 60.0
_DETAIL_LENGTH = 400
_log = get_logger("control.metrics")


def export(services: Services) -> None:
    """Send what `/metrics` shows of the newest sample. Several control planes send the same."""
    settings = services.settings.collector
    if settings is None:
        return
    # A control plane without a collector starts sooner.
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics.export import MetricExportResult, MetricsData, ResourceMetrics, ScopeMetrics
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope

    metrics = list(_metrics(services))
    if not metrics:
        return
    scope = ScopeMetrics(InstrumentationScope("zcbus"), metrics, "")
    resource = ResourceMetrics(Resource({"service.name": "zcbus"}), [scope], "")
    failure = LastFailure()
    exporter = OTLPMetricExporter(
        endpoint=f"{settings.address}/v1/metrics",
        headers=dict(settings.headers),
        timeout=TIMEOUT_SECONDS,
        certificate_file=services.settings.tls.trusted or None,
        session=open_session(failure),
    )
    try:
        taken = exporter.export(MetricsData([resource])) is MetricExportResult.SUCCESS
    finally:
        exporter.shutdown()
    _note(services, settings.address, "" if taken else failure.detail or "no answer in time")


def _note(services: Services, collector: str, detail: str) -> None:
    """The result of an export; empty `detail`: it succeeded. The log has a line for each outage's beginning and end."""
    with services.database.write() as connection:
        was_failing = collector_state.note(
            connection, services.instance, collector, detail[:_DETAIL_LENGTH], services.clock.now()
        )
    if detail and not was_failing:
        _log.warning("collector does not take metrics; check ZCBUS_OTLP", collector=collector, detail=detail)
    elif was_failing and not detail:
        _log.info("collector takes metrics again", collector=collector)


def _metrics(services: Services) -> "Iterator[Metric]":
    from opentelemetry.sdk.metrics.export import AggregationTemporality, Gauge, Metric, NumberDataPoint, Sum

    now = int(services.clock.now().timestamp() * 1e9)
    for family in MetricCollector(services).collect():
        points = [
            # Since when a counter counts is not known: 0.
            NumberDataPoint(
                {name: value for name, value in sample.labels.items() if value}, 0, now, float(sample.value)
            )
            for sample in family.samples
        ]
        if not points:
            continue
        # The suffix `_total` of counters is Prometheus' own.
        data = Sum(points, AggregationTemporality.CUMULATIVE, True) if family.type == "counter" else Gauge(points)
        yield Metric(family.name, family.documentation, "", data)
