"""A position in a source's log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a transaction ends in a source's log: opaque outside `model/` and the connectors (`make check` holds it).

    Everybody may compare positions, which are ordered as the log is, and write and read them as text (`str`, `parse`).
    Only a kind's connector makes them, knows what their two numbers mean and prints them for people. A transaction is
    contained in everything that stands at or behind its position, and a reader that goes on from position P gets the
    transactions with a position > P.

    A log of several partitions has no order of its own. Its connector makes one of the times at which it asked how far
    each partition goes: a position is reached once all partitions were read up to there, as rounds are that ask tables
    (`connectors/polling/rounds.py`). Where reading resumes in each partition, the vector of their offsets, travels in
    the frames' `executed`, which is the connector's own text.
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
        """A position that every earlier transaction has reached and the one that ends here has not."""
        return Position(self.file, self.offset - 1)


START = Position(0, 0)
"""Before everything."""
