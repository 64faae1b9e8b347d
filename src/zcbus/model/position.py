"""A place in a source's log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a transaction ends in the source's log; ordered as the log is.

    PostgreSQL: file = 0, offset = end LSN of the commit record. MySQL, MariaDB: file = number of the binlog file,
    offset = end position of the commit event. A transaction is contained in everything that stands at or behind
    its position, and a reader that goes on from position P gets the transactions with a position > P.
    """

    file: int
    offset: int

    def __str__(self) -> str:
        return f"{self.file}/{self.offset}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Inverse of str(). Raises ValueError."""
        file, _, offset = text.partition("/")
        return cls(int(file), int(offset))


START = Position(0, 0)
"""Before everything."""
