"""Export of the newest sample to a collector of OpenTelemetry, by OTLP over HTTP."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zcbus.control.features.metric.exposition import MetricCollector
from zcbus.control.platform.services import Services
from zcbus.kit.collector import TIMEOUT_SECONDS, LastFailure, open_session
from zcbus.kit.logging import get_logger

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import Metric

EXPORT_SECONDS = 60.0
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
        if exporter.export(MetricsData([resource])) is not MetricExportResult.SUCCESS:
            detail = failure.detail or "no answer in time"
            _log.warning("collector does not take metrics; check ZCBUS_OTLP", collector=settings.address, detail=detail)
    finally:
        exporter.shutdown()


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
