"""Questions about what a publish node keeps on the bus, and their answers."""

from typing import Literal

from zcbus.protocol.base import Message


class ListTopics(Message):
    """The topics of a publish node, or those of one of its tables. Answer: Topics."""

    type: Literal["list-topics"] = "list-topics"
    node: str
    table: str = ""
    """Id of a published table; empty: the node's real topic, and all full topics as one line."""


class ListVersions(Message):
    """The structures that a published table had. Answer: Versions."""

    type: Literal["list-versions"] = "list-versions"
    node: str
    table: str
    """Id of the published table."""


class TopicLine(Message):
    """A topic, measured now. Times in milliseconds since 1970 UTC; None: there is no record."""

    role: Literal["real", "full"]
    name: str
    generation: int | None = None
    topics: int = 1
    records: int
    size_bytes: int
    oldest_ms: int | None
    newest_ms: int | None


class Topics(Message):
    topics: tuple[TopicLine, ...]


class VersionColumn(Message):
    name: str
    type: str
    """In the source's spelling."""
    nullable: bool
    key: bool


class VersionLine(Message):
    """A structure, and from where in the source's log on the table had it."""

    number: int
    """From 1 as far as the bus remembers."""
    position: str
    """In the database's own words; empty: not known."""
    time_ms: int
    """Commit time of the first change that has it, or when the table was captured for the first time."""
    changes: tuple[str, ...]
    """Against the structure before it, as clauses of ALTER TABLE; (): it is the first."""
    columns: tuple[VersionColumn, ...]


class Versions(Message):
    """The newest first."""

    versions: tuple[VersionLine, ...]
