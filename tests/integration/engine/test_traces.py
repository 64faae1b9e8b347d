"""The way of a batch as a collector of OpenTelemetry sees it, by the protocol's own messages."""

from collections import defaultdict
from itertools import pairwise

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from tests.integration.engine.running import Link, on_source, wait_until
from tests.support.rest_service import Reply, RestService, rest_service

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server")]
HOPS = ["source", "capture", "bus", "apply"]


@pytest.mark.soak
def test_a_batch_is_one_trace_over_both_processes(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    with rest_service() as collector:
        collector.answer = lambda _: Reply(status=500)
        monkeypatch.setenv("ZCBUS_OTLP", collector.url)
        monkeypatch.setenv("ZCBUS_OTLP_TRACES", "1")
        monkeypatch.setenv("ZCBUS_OTLP_HEADERS", "Authorization: Bearer secret-1")
        # The rules are for servers that users name.
        monkeypatch.setenv("ZCBUS_NETWORK_DENY", "203.0.113.0/24")
        on_source(link, "CREATE TABLE orders (id integer PRIMARY KEY, n integer)")
        on_source(link, "INSERT INTO orders SELECT -n, n FROM generate_series(1, 40) n")
        link.tables["orders"] = {}
        link.set_tasks()
        link.start()
        link.wait_for_state("orders", "incremental-running")
        on_source(link, "INSERT INTO orders SELECT n, n FROM generate_series(1, 25) n")
        wait_until(lambda: "does not take spans" in link.subscriber.log, 30, link.describe)
        assert "HTTP 500" in link.subscriber.log
        assert "secret-1" not in link.subscriber.log
        collector.answer = lambda _: Reply()
        wait_until(lambda: _whole(collector) is not None, 30, link.describe)
        wait_until(lambda: "takes spans again" in link.subscriber.log, 30, link.describe)
        assert (link.publisher.stop(), link.subscriber.stop()) == (0, 0)
    (loaded,) = [trace for trace in _traces(collector) if "load" in trace]
    assert loaded.keys() == {"read", "bus", "load"}
    assert loaded["load"].parent_span_id == loaded["bus"].span_id
    assert loaded["bus"].parent_span_id == loaded["read"].span_id
    assert [_fact(loaded[hop], "zcbus.rows") for hop in ("read", "load")] == [40, 40]
    spans = _whole(collector)
    assert spans is not None
    assert len({span.trace_id for span in spans}) == 1
    assert [span.parent_span_id for span in spans] == [b"", *(span.span_id for span in spans[:3])]
    facts = [{one.key: one.value for one in span.attributes} for span in spans]
    assert [one["zcbus.changes"].int_value for one in facts] == [25] * 4
    assert len({(one["zcbus.topic"].string_value, one["zcbus.offset"].int_value) for one in facts}) == 1
    assert facts[3]["zcbus.receiver"].string_value == "subscription1"
    for before, after in pairwise(spans):
        # The bus counts in milliseconds.
        assert before.start_time_unix_nano - 1_000_000 <= after.start_time_unix_nano
        assert after.start_time_unix_nano <= after.end_time_unix_nano
        assert before.end_time_unix_nano <= after.end_time_unix_nano
    assert all(asked.headers["authorization"] == "Bearer secret-1" for asked in collector.asked)


def _whole(collector: RestService) -> list[Span] | None:
    """The spans of the trace with 25 changes, if all have come."""
    found = [[trace[hop] for hop in HOPS] for trace in _traces(collector) if trace.keys() == set(HOPS)]
    return next((one for one in found if _fact(one[0], "zcbus.changes") == 25), None)


def _traces(collector: RestService) -> list[dict[str, Span]]:
    """Spans by name, of each trace."""
    traces: dict[bytes, dict[str, Span]] = defaultdict(dict)
    for asked in list(collector.asked):
        assert asked.path == "/v1/traces"
        for resource in ExportTraceServiceRequest.FromString(asked.body).resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    traces[span.trace_id][span.name] = span
    return list(traces.values())


def _fact(span: Span, name: str) -> int:
    return next(int(one.value.int_value) for one in span.attributes if one.key == name)
