"""Traces of this process: a worker has at most one sender of spans."""

from zcbus.engine.tracing.hops import ApplyTraces, CaptureTraces, LoadTraces, SnapshotTraces
from zcbus.engine.tracing.sender import SpanSender
from zcbus.kit.settings import Settings
from zcbus.protocol.reports import TracesFailure

_sender: SpanSender | None = None
"""None: traces are off."""


def begin(settings: Settings, service: str) -> None:
    """Send spans of this process if its settings say so. `service`: its id."""
    global _sender
    if settings.collector is not None and settings.collector.traces > 0:
        _sender = SpanSender(settings.collector, settings.tls.trusted, service)
        _sender.start()


def end() -> None:
    """Send what waits, for a moment at most."""
    global _sender
    if _sender is not None:
        _sender.close()
        _sender = None


def failure() -> TracesFailure | None:
    """Why the collector does not take spans; None: it does, or traces are off."""
    return _sender.failure if _sender is not None else None


def capture_traces(topic: str) -> CaptureTraces | None:
    """For the writer of a topic; None: traces are off."""
    return CaptureTraces(topic, _sender.ratio, _sender.put) if _sender is not None else None


def snapshot_traces(topic: str) -> SnapshotTraces | None:
    """For the writer of a full topic; None: traces are off."""
    return SnapshotTraces(topic, _sender.ratio, _sender.put) if _sender is not None else None


def load_traces(receiver: str) -> LoadTraces | None:
    """For a table's load; None: traces are off."""
    return LoadTraces(receiver, _sender.ratio, _sender.put) if _sender is not None else None


def apply_traces(topic: str, receiver: str) -> ApplyTraces | None:
    """For a reader of a topic; None: traces are off."""
    return ApplyTraces(topic, receiver, _sender.ratio, _sender.put) if _sender is not None else None
