"""What a collector of OpenTelemetry gets, by the protocol's own messages."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, fake_agent
from tests.integration.control.features.test_metric_store import measure
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.rest_service import Reply, RestService, rest_service
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.metric.otlp import export
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.reports import ServiceReport, TracesFailure


def assert_lasting_failure_is_shown_and_recovery_reported(
    plane: ControlPlane, agent: FakeAgent, collector: RestService
) -> None:
    """Of metrics by the control plane's own attempts."""
    admin = Caller(plane, plane.sign_in())
    collector.answer = lambda _: Reply({"message": "quota exceeded"}, status=403)
    for minute in range(7):
        export(plane.services)
        assert [one["recoveredTime"] for one in alerts(plane, admin, "metric-export")] == [None] * (minute > 4)
        plane.clock.advance(timedelta(seconds=50))
        measure(agent, 5 + minute)
    (alert,) = alerts(plane, admin, "metric-export")
    assert f"have not reached the collector {collector.url} since 2026-01-31 12:00" in alert["content"]
    assert "quota exceeded" in alert["content"]
    collector.answer = lambda _: Reply()
    export(plane.services)
    (alert,) = alerts(plane, admin, "metric-export")
    assert alert["recoveredTime"] is not None


def alerts(plane: ControlPlane, admin: Caller, kind: str) -> list[dict[str, Any]]:
    """All of a kind, over or not."""
    evaluate(plane.services)
    return [one for one in admin.call("sys/alarmmsg/page", {"size": -1})["records"] if one["kind"] == kind]


def test_traces_that_a_collector_does_not_take_are_one_alert_until_it_does(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    since = plane.clock.now()
    failure = TracesFailure(collector="http://otel:4318", since=since, detail="HTTP 503")

    def report(traces: TracesFailure | None) -> list[dict[str, Any]]:
        running.run_services()
        assert running.orders is not None
        figures = ServiceReport(state="running", progress=4, at=plane.clock.now(), traces=traces)
        running.sync(
            reports=tuple(ServiceReports(service=one.service, reports=(figures,)) for one in running.orders.orders)
        )
        return alerts(plane, admin, "trace-export")

    assert report(failure) == []
    plane.clock.advance(timedelta(minutes=5))
    (alert,) = report(failure)
    assert alert["content"].startswith("Traces of 2 services (")
    assert alert["content"].endswith(
        ") have not reached the collector http://otel:4318 since 2026-01-31 12:00+00:00: HTTP 503"
    )
    assert alert["recoveredTime"] is None
    (alert,) = report(None)
    assert alert["recoveredTime"] is not None


@pytest.mark.wide
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
            assert_lasting_failure_is_shown_and_recovery_reported(plane, agent, collector)
            output = "".join(capsys.readouterr())
            assert output.count("collector does not take metrics") == output.count("collector takes metrics again") == 1
            assert "quota exceeded" in output
            assert "secret-1" not in output + repr(plane.services.settings)
    asked = collector.asked[0]
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
