"""Positions of a source that has none: when rounds of questions began.

A round asks each table once. Its end stands at the moment when it began, since whatever was committed before is told by
then; its frames stand between the beginning of the round before and its own, since more may follow that was committed
earlier, and no further back than half an hour.
"""

from datetime import UTC, datetime

from zcbus.model.position import Position

_BITS = 20
"""For the frames of a round: more than a round can have."""
LONGEST_SECONDS = 1800.0
"""A round that takes longer is given up."""
_MARGIN_MS = 2 * int(LONGEST_SECONDS * 1000)


def beginning(ms: int, after: Position) -> Position:
    """Of a round that begins at a time, in milliseconds since 1970-01-01 UTC, behind all that was before: where the
    clock was put back, rounds follow each other until it has caught up."""
    position = Position(0, ms << _BITS)
    return position if position > after else Position(0, ((after.offset >> _BITS) + 1) << _BITS)


def following(position: Position, ms: int) -> Position:
    """The next frame's, told at `ms`: behind the one before, and not further back than the longest round. So no frame
    stands before an image that was read earlier, however long nobody asked."""
    return max(Position(0, position.offset + 1), Position(0, max(0, ms - int(LONGEST_SECONDS * 1000)) << _BITS))


def end_of_log(ms: int) -> Position:
    """What a round that began later than the time has passed when it ends."""
    return Position(0, (ms + 1) << _BITS)


def of_image(ms: int) -> Position:
    """Of an image that is read from a time on: no frame up to it was read later than the image, because a frame stands
    half an hour back at most. Frames behind it may have been read before the image: they write a
    row again as it was, until a later one tells what it became."""
    return Position(0, max(0, ms - _MARGIN_MS) << _BITS)


def place(position: Position) -> str:
    """For people: the moment."""
    moment = datetime.fromtimestamp((position.offset >> _BITS) / 1000, UTC)
    return moment.isoformat(sep=" ", timespec="milliseconds").replace("+00:00", "Z")


def fields(position: Position) -> dict[str, int]:
    """For programs."""
    return {"ts_ms": position.offset >> _BITS}
