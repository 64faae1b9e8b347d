"""Rows in the source's own form, passed to the target without inspection."""

from collections.abc import Iterator
from typing import Protocol

LINES = "lines"
"""A line for each row, with fields separated by tabs.

`\\N` is null. Any other field has the meaning of the canonical text: bytes are `\\x` and hexadecimal digits, booleans
`1` or `0`. A backslash escapes backslashes, and with one of `bfnrtv` stands for a control character; tabs and line ends
never occur unescaped. No part ends after a backslash.
"""


class RawRows(Protocol):
    """A table's rows in a snapshot, as bytes that are not inspected between source and target. Context manager."""

    @property
    def form(self) -> str:
        """Identifies the form, the columns' types included; see RawSink.raw_load."""

    def read(self, after: tuple[str, ...] | None, until: tuple[str, ...] | None) -> Iterator[memoryview]:
        """The rows between two keys as in SnapshotReader.read. Streams; the bytes may be split anywhere."""

    def border(self, after: tuple[str, ...] | None, rows: int, until: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Key of the row that is `rows` rows after `after`; None: there are fewer between the two keys."""

    def another_connection(self) -> "RawRows":
        """The same rows of the same image over another connection, for another thread. The image's reader must be
        open still."""

    def __enter__(self) -> "RawRows": ...
    def __exit__(self, *details: object) -> None: ...


class PackedPart(Protocol):
    """Some rows of a table as the source sent them. For any thread, once."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it uses."""

    def lines(self) -> Iterator[memoryview]:
        """The rows in the form LINES."""


class PackedRows(Protocol):
    """A table's rows in an image, over the connection of the image."""

    def read(
        self, after: tuple[str, ...] | None, rows: int, until: tuple[str, ...] | None
    ) -> Iterator[tuple[PackedPart, tuple[str, ...]]]:
        """As SnapshotReader.read. Streams."""
