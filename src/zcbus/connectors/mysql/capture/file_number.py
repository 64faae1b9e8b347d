"""Numbers of binlog files within positions. Without a driver: also for who has no connection."""

from zcbus.model.position import Position

NUMBER_BITS = 32
"""Bits of the file number in a position's file; the number of the server's log is above them (see SourceLog)."""


def file_number(position: Position) -> int:
    """The number that ends the name of the binlog file."""
    return position.file & (1 << NUMBER_BITS) - 1


def place(position: Position) -> str:
    """A position as the server writes it, but for the base of the file's name: `000042:379`."""
    return f"{file_number(position):06d}:{position.offset}"


def fields(position: Position) -> dict[str, int]:
    """A position for programs: both parts as numbers."""
    return {"file": position.file, "pos": position.offset}
