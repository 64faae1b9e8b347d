"""Sends finished spans to a collector of OpenTelemetry, by OTLP over HTTP, in a thread of its own."""

import threading
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from zcbus.kit.collector import TIMEOUT_SECONDS, LastFailure, open_session
from zcbus.kit.logging import get_logger
from zcbus.kit.network.rules import owner_connections
from zcbus.kit.telemetry_settings import CollectorSettings
from zcbus.protocol.reports import TracesFailure

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

    from zcbus.engine.tracing.hops import Span

_SECONDS = 1.0
_MAX_WAITING = 4096
_MAX_AT_ONCE = 512
_END_SECONDS = 2.0


class SpanSender(threading.Thread):
    """Spans wait in memory, the newest that find no room are dropped: nothing waits for the collector."""

    def __init__(self, settings: CollectorSettings, trusted: str, service: str) -> None:
        """`trusted`: PEM file of further authorities, or empty. `service`: the id of the service that runs here."""
        super().__init__(name="spans", daemon=True)
        self.ratio = settings.traces
        self._settings, self._trusted, self._service = settings, trusted, service
        self._waiting: deque[Span] = deque()
        self._dropped = 0
        self._ended = threading.Event()
        self._encoder: _Encoder | None = None
        self.failure: TracesFailure | None = None
        """Why the collector does not take spans; None: it does. Read by the reporting thread."""
        self._log = get_logger("traces").bind(collector=settings.address)

    def put(self, span: "Span") -> None:
        """From any thread."""
        if len(self._waiting) < _MAX_WAITING:
            self._waiting.append(span)
        else:
            self._dropped += 1

    def run(self) -> None:
        with owner_connections():
            while not self._ended.wait(_SECONDS):
                self._send()
            self._send()
        if self._encoder is not None:
            self._encoder.close()

    def close(self) -> None:
        """Send what waits, for a moment at most."""
        self._ended.set()
        self.join(_END_SECONDS)

    def _send(self) -> None:
        while self._waiting:
            spans = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MAX_AT_ONCE))]
            if self._encoder is None:
                self._encoder = _Encoder(self._settings, self._trusted, self._service)
            if detail := self._encoder.send(spans):
                self._waiting.extendleft(reversed(spans))
                self._note_failure(detail)
                return
            if self.failure is not None:
                self.failure = None
                self._log.info("collector takes spans again", dropped=self._dropped)
                self._dropped = 0

    def _note_failure(self, detail: str) -> None:
        """The log has one line for each outage: one for every attempt would hide all others."""
        if self.failure is None:
            self._log.warning("collector does not take spans; check ZCBUS_OTLP", detail=detail)
        since = self.failure.since if self.failure is not None else datetime.now(UTC)
        self.failure = TracesFailure(collector=self._settings.address, since=since, detail=detail)


class _Encoder:
    """Makes spans of the SDK, and sends them. Only made with the first span: it loads large libraries."""

    def __init__(self, settings: CollectorSettings, trusted: str, service: str) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
        from opentelemetry.sdk.trace.id_generator import IdGenerator
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON

        self._failure = LastFailure()
        self._exporter = OTLPSpanExporter(
            endpoint=f"{settings.address}/v1/traces",
            headers=dict(settings.headers),
            timeout=TIMEOUT_SECONDS,
            certificate_file=trusted or None,
            session=open_session(self._failure),
        )
        finished: list[ReadableSpan] = []

        class Ids(IdGenerator):
            """The ids of the span that is being made."""

            trace = span = 0

            def generate_trace_id(self) -> int:
                return self.trace

            def generate_span_id(self) -> int:
                return self.span

        class Keep(SpanProcessor):
            def on_end(self, span: "ReadableSpan") -> None:
                finished.append(span)

        self._ids, self._finished = Ids(), finished
        resource = Resource({"service.name": "zcbus", "service.instance.id": service})
        provider = TracerProvider(sampler=ALWAYS_ON, resource=resource, id_generator=self._ids, shutdown_on_exit=False)
        provider.add_span_processor(Keep())
        self._tracer = provider.get_tracer("zcbus")

    def send(self, spans: Sequence["Span"]) -> str:
        """Returns why the collector did not take them; empty: it did."""
        from opentelemetry.sdk.trace.export import SpanExportResult

        for span in spans:
            self._make(span)
        try:
            if self._exporter.export(self._finished) is SpanExportResult.SUCCESS:
                return ""
            return self._failure.detail or "no answer in time"
        finally:
            self._finished.clear()

    def _make(self, span: "Span") -> None:
        from opentelemetry.context import Context
        from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

        context = Context()
        if span.parent is not None:
            sampled = TraceFlags(TraceFlags.SAMPLED)
            parent = NonRecordingSpan(SpanContext(span.trace, span.parent, is_remote=True, trace_flags=sampled))
            context = set_span_in_context(parent, context)
        self._ids.trace, self._ids.span = span.trace, span.id
        made = self._tracer.start_span(span.name, context, attributes=span.attributes, start_time=span.start)
        made.end(span.end)

    def close(self) -> None:
        self._exporter.shutdown()  # type: ignore[no-untyped-call]
