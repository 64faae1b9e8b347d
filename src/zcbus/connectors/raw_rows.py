"""Rows as a source itself hands them on, which nobody between source and target looks into."""

from collections.abc import Iterator
from typing import Protocol

LINES = "lines"
"""A line for each row, its fields parted by tabs; `\\N` for null, else a text that means what the canonical text means,
that of bytes being `\\x` and hexadecimal digits and that of booleans `1` or `0`, with a backslash before backslashes
and `bfnrtv` behind one for control characters; tabs and ends of lines never stand for themselves. No part ends behind a
backslash."""


class RawRows(Protocol):
    """A table's rows in an image, as bytes that nobody between source and target looks into. Context manager."""

    @property
    def form(self) -> str:
        """Tells one form from all others, the columns' types included; see RawSink.raw_load."""

    def read(self, after: tuple[str, ...] | None, until: tuple[str, ...] | None) -> Iterator[memoryview]:
        """The rows between two keys as in SnapshotReader.read. Streams; the bytes may be split anywhere."""

    def border(self, after: tuple[str, ...] | None, rows: int, until: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Key of the row that is `rows` rows behind `after`; None: there are fewer between the two keys."""

    def another_connection(self) -> "RawRows":
        """The same rows of the same image over another connection, for another thread. The image's reader must be
        open still."""

    def __enter__(self) -> "RawRows": ...
    def __exit__(self, *details: object) -> None: ...


class PackedPart(Protocol):
    """Some rows of a table as the source sent them. For any thread, once."""

    @property
    def nbytes(self) -> int:
        """What it keeps in memory."""

    def lines(self) -> Iterator[memoryview]:
        """The rows in the form LINES."""


class PackedRows(Protocol):
    """A table's rows in an image, over the connection of the image."""

    def read(
        self, after: tuple[str, ...] | None, rows: int, until: tuple[str, ...] | None
    ) -> Iterator[tuple[PackedPart, tuple[str, ...]]]:
        """As SnapshotReader.read. Streams."""
