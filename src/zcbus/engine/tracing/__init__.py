"""Traces of batches: a span over each hop of a record of the bus.

    source   committed in the source → read by the capture
    capture  read → durable on the bus
    bus      appended to the bus → read by the subscriber
    apply    read → committed in the target

Nothing travels on the bus for it: topic and offset of a record are known on both sides, and their hash is the trace's
id and decides whether it is sampled (see `ids`). Each hop is the parent of the next.
"""

from zcbus.engine.tracing.hops import ApplyTraces, CaptureTraces
from zcbus.engine.tracing.process import apply_traces, begin, capture_traces, end, failure

__all__ = ["ApplyTraces", "CaptureTraces", "apply_traces", "begin", "capture_traces", "end", "failure"]
