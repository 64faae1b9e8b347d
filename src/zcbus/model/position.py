"""Positions in a source's log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """The end of a transaction in a source's log.

    Positions are opaque outside `model/` and the connectors (`make check` verifies it). All code may compare them,
    which gives the order of the log, and convert them from and to text (`str`, `parse`). Only a kind's connector
    creates them, knows the meaning of their two numbers and prints them for users. A transaction is contained in
    everything at or behind its position, and a reader that resumes at position P gets the transactions with a
    position > P.

    A log of several partitions has no order of its own. Its connector creates one from the times at which it asked
    how far each partition goes: a position is reached once all partitions were read up to there, like the rounds of
    polled tables (`connectors/polling/rounds.py`). Where reading resumes in each partition, the vector of their
    offsets, is in the frames' `gtid_set`, which is the connector's own text.
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

    @property
    def just_before(self) -> "Position":
        """A position that all earlier transactions have reached, and the one that ends here has not."""
        return Position(self.file, self.offset - 1)


START = Position(0, 0)
"""The position before the whole log."""
