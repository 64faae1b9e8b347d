"""Ids of traces and spans, which follow from the record."""

from hashlib import blake2b

_LIMIT = 1 << 64


def trace_of(topic: str, offset: int) -> int:
    """The trace of a record."""
    return _hash(16, topic, str(offset))


def span_of(trace: int, *names: str) -> int:
    """The span of a hop. `names`: the hop, and after the bus the receiver, as a topic may have several."""
    return _hash(8, str(trace), *names)


def is_sampled(trace: int, ratio: float) -> bool:
    """Whether a share of traces has this one.

    The rule of OpenTelemetry's TraceIdRatioBased: a smaller share is a part of a larger one, also on other hosts.
    """
    return trace % _LIMIT < round(ratio * _LIMIT)


def _hash(size: int, *parts: str) -> int:
    return int.from_bytes(blake2b("\n".join(parts).encode(), digest_size=size).digest(), "big") or 1
