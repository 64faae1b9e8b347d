"""What a collector of OpenTelemetry gets, by the protocol's own messages."""

from pathlib import Path

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import fake_agent
from tests.integration.control.features.test_metric_store import measure
from tests.support.control_plane import control_plane
from tests.support.rest_service import Reply, rest_service
from zcbus.control.features.metric.otlp import export


def test_a_collector_gets_the_newest_sample_with_the_names_of_metrics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rest_service() as collector:
        collector.answer = lambda _: Reply()
        settings = {"otlp": collector.url, "otlp_headers": "Authorization: Bearer secret-1"}
        with control_plane(tmp_path, **settings) as plane, fake_agent(plane) as agent:
            export(plane.services)
            assert collector.asked == []
            Caller(plane, plane.sign_in()).call("sync/link/apply", {"document": document()})
            agent.rest()
            for changes in (3, 5):
                measure(agent, changes)
            export(plane.services)
            at = plane.clock.now().timestamp()
            collector.answer = lambda _: Reply({"message": "quota exceeded"}, status=403)
            export(plane.services)
            assert "quota exceeded" in "".join(capsys.readouterr())
            assert "secret-1" not in repr(plane.services.settings)
    asked, _ = collector.asked
    assert (asked.path, asked.headers["authorization"]) == ("/v1/metrics", "Bearer secret-1")
    content = ExportMetricsServiceRequest.FromString(asked.body)
    (resource,) = content.resource_metrics
    assert [(one.key, one.value.string_value) for one in resource.resource.attributes] == [("service.name", "zcbus")]
    metrics = {metric.name: metric for metric in resource.scope_metrics[0].metrics}
    inserts = metrics["zcbus_table_inserts"].sum
    assert inserts.is_monotonic
    assert [point.as_double for point in inserts.data_points] == [5.0, 5.0]
    (lag,) = metrics["zcbus_channel_lag_ms"].gauge.data_points
    assert (lag.as_double, lag.time_unix_nano) == (70.0, int(at * 1e9))
    attributes = {one.key: one.value.string_value for one in lag.attributes}
    assert (attributes["name"], attributes["tenant"]) == ("shop", "default")
