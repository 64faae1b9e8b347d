"""Traces of batches: a span over each hop of a record of the bus.

    source   committed in the source → read by the capture
    capture  read → durable on the bus
    bus      appended to the bus → read by the subscriber
    apply    read → committed in the target

Rows of a load have `read` (read from the source → appended to the bus), `bus` and `load` (read → committed in the
target), or `load` alone where they do not pass through the bus.

Nothing travels on the bus for it: topic and offset of a record are known on both sides, and their hash is the trace's
id and decides whether it is sampled (see `hops`). Each hop is the parent of the next.
"""

from zcbus.engine.tracing.hops import ApplyTraces, CaptureTraces, Loaded, LoadTraces, Origin
from zcbus.engine.tracing.process import (
    apply_traces,
    begin,
    capture_traces,
    end,
    failure,
    load_traces,
    snapshot_traces,
)

__all__ = [
    "ApplyTraces",
    "CaptureTraces",
    "LoadTraces",
    "Loaded",
    "Origin",
    "apply_traces",
    "begin",
    "capture_traces",
    "end",
    "failure",
    "load_traces",
    "snapshot_traces",
]
