"""Spans of records: which are sampled, and which are dropped with a rollback."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from zcbus.bus.contract import Record
from zcbus.engine import tracing
from zcbus.engine.status import ServiceStatus
from zcbus.engine.tracing import process
from zcbus.engine.tracing.hops import (
    ApplyTraces,
    Loaded,
    LoadTraces,
    Origin,
    SnapshotTraces,
    Span,
    is_sampled,
    span_of,
    trace_of,
)
from zcbus.engine.tracing.sender import SpanSender
from zcbus.kit.clock import SystemClock
from zcbus.kit.settings import Settings, SettingsError, load_settings
from zcbus.kit.telemetry_settings import CollectorSettings


def settings(share: str, address: str = "http://127.0.0.1:4318") -> Settings:
    return load_settings({"ZCBUS_OTLP": address, "ZCBUS_OTLP_TRACES": share})


def test_traces_are_off_unless_a_share_is_set() -> None:
    tracing.begin(settings("0"), "s1")
    assert tracing.capture_traces("real/a") is None
    assert tracing.apply_traces("real/a", "sub") is None
    assert tracing.snapshot_traces("full/a") is None
    assert tracing.load_traces("sub/t") is None
    tracing.end()
    for share, address in (("0.1", ""), ("1.1", "http://127.0.0.1:4318"), ("nan", "http://127.0.0.1:4318")):
        with pytest.raises(SettingsError, match="ZCBUS_OTLP_TRACES"):
            settings(share, address)


def test_a_worker_without_traces_loads_no_library_for_them() -> None:
    code = (
        "import sys, zcbus.worker.main, zcbus.engine.publish.service, zcbus.engine.subscribe.service;"
        "sys.exit(any(name.partition('.')[0] in ('opentelemetry', 'requests') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_smaller_share_is_a_part_of_a_larger_one() -> None:
    traces = [trace_of("real/a", offset) for offset in range(4000)]
    assert len(set(traces)) == len(traces)
    few, many = ({one for one in traces if is_sampled(one, share)} for share in (0.1, 0.5))
    assert few < many
    assert 300 < len(few) < 500
    assert 1800 < len(many) < 2200
    assert all(is_sampled(one, 1.0) for one in traces)
    assert trace_of("real/b", 1) != trace_of("real/a", 1)
    assert span_of(traces[0], "bus", "one") != span_of(traces[0], "bus", "two")


def test_rows_of_a_load_are_one_trace_over_both_sides_of_the_bus() -> None:
    spans: list[Span] = []
    SnapshotTraces("full/a", 1.0, spans.append).written(3, 50, 1_000_000)
    appended = spans[0].end // 1_000_000
    LoadTraces("sub/t", 1.0, spans.append).committed([Loaded(Origin("full/a", 3, appended), 49, spans[0].end + 5)])
    read, bus, load = spans
    assert [one.name for one in spans] == ["read", "bus", "load"]
    assert {one.trace for one in spans} == {trace_of("full/a", 3)}
    assert [one.parent for one in spans] == [None, read.id, bus.id]
    assert (read.attributes["zcbus.rows"], load.attributes["zcbus.rows"]) == (50, 49)
    assert bus.start <= bus.end == load.start <= load.end


def test_rows_that_do_not_pass_through_the_bus_have_a_trace_of_their_own() -> None:
    spans: list[Span] = []
    LoadTraces("sub/t", 1.0, spans.append).committed([Loaded(None, 5, 10), Loaded(None, 6, 20)])
    assert [(one.name, one.parent, one.start) for one in spans] == [("load", None, 10), ("load", None, 20)]
    assert len({one.trace for one in spans}) == 2


def test_only_what_is_committed_has_spans() -> None:
    spans: list[Span] = []
    traces = ApplyTraces("real/a", "sub", 1.0, spans.append)
    traces.received()
    traces.take(Record(7, 1000, memoryview(b"")), 3)
    traces.forget()
    traces.committed()
    assert spans == []
    traces.take(Record(8, 1000, memoryview(b"")), 3)
    traces.committed()
    traces.committed()
    assert [(one.name, one.attributes["zcbus.offset"]) for one in spans] == [("bus", 8), ("apply", 8)]
    bus, apply = spans
    assert (bus.parent, apply.parent) == (span_of(bus.trace, "capture"), bus.id)
    assert bus.start == 1_000_000_000
    assert bus.end == apply.start


def test_spans_wait_in_bounded_room() -> None:
    sender = SpanSender(CollectorSettings("http://127.0.0.1:1"), "", "s1")
    span = Span("bus", 1, 2, None, 0, 1, {})
    for _ in range(5000):
        sender.put(span)
    assert len(sender._waiting) == 4096


def test_a_collector_that_takes_no_spans_is_reported_until_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    sender = SpanSender(CollectorSettings("http://127.0.0.1:1"), "", "s1")
    answers = ["no answer", "HTTP 503", ""]
    monkeypatch.setattr(sender, "_encoder", SimpleNamespace(send=lambda _: answers.pop(0)))
    monkeypatch.setattr(process, "_sender", sender)
    status = ServiceStatus(SystemClock())
    assert status.report().traces is None
    sender.put(Span("bus", 1, 2, None, 0, 1, {}))
    sender._send()
    first = status.report().traces
    assert first is not None
    assert (first.collector, first.detail) == ("http://127.0.0.1:1", "no answer")
    sender._send()
    second = status.report().traces
    assert second is not None
    assert (second.since, second.detail) == (first.since, "HTTP 503")
    sender._send()
    assert status.report().traces is None
