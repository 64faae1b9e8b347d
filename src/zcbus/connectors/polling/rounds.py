"""Positions of a source without a log: start times of polling rounds.

A round polls each table once. Its end has the position of its start time, because everything committed before was read
by then. Its frames have positions between the start of the previous round and its own, because changes committed
earlier may follow, at most half an hour back.
"""

from datetime import UTC, datetime

from zcbus.model.position import Position

_BITS = 20
"""For the frames of a round: more than a round can have."""
MAX_SECONDS = 1800.0
"""A round that takes longer is aborted."""
_MARGIN_MS = 2 * int(MAX_SECONDS * 1000)


def beginning(ms: int, after: Position) -> Position:
    """Position of a round that begins at a time, in milliseconds since 1970-01-01 UTC, after all earlier ones: if the
    clock was set back, rounds follow each other until it has caught up."""
    position = Position(0, ms << _BITS)
    return position if position > after else Position(0, ((after.offset >> _BITS) + 1) << _BITS)


def following(position: Position, ms: int) -> Position:
    """The position of the next frame, published at `ms`: after the previous one, at most the longest round back. So no
    frame precedes a snapshot that was read earlier, after any pause."""
    return max(Position(0, position.offset + 1), Position(0, max(0, ms - int(MAX_SECONDS * 1000)) << _BITS))


def end_of_log(ms: int) -> Position:
    """The position at the end of a round that began later than a time."""
    return Position(0, (ms + 1) << _BITS)


def of_image(ms: int) -> Position:
    """The position of a snapshot read from a time on.

    No frame up to it was read later than the snapshot, because a frame is at most half an hour back. Frames after it
    may have been read before the snapshot: they write a row's earlier values again, until a later frame has the new
    ones.
    """
    return Position(0, max(0, ms - _MARGIN_MS) << _BITS)


def place(position: Position) -> str:
    """For people: the moment."""
    moment = datetime.fromtimestamp((position.offset >> _BITS) / 1000, UTC)
    return moment.isoformat(sep=" ", timespec="milliseconds").replace("+00:00", "Z")


def fields(position: Position) -> dict[str, int]:
    """For programs."""
    return {"ts_ms": position.offset >> _BITS}
