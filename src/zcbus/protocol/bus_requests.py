"""Requests about a publish node's data on the bus, and their answers."""

from typing import Literal

from zcbus.protocol.base import Message


class ListTopics(Message):
    """List the topics of a publish node or of one of its tables. Answer: Topics."""

    type: Literal["list-topics"] = "list-topics"
    node: str
    table: str = ""
    """Id of a published table; empty: the node's real topic, and all full topics as one line."""


class ListVersions(Message):
    """List the schema versions of a published table. Answer: Versions."""

    type: Literal["list-versions"] = "list-versions"
    node: str
    table: str
    """Id of the published table."""


class TopicLine(Message):
    """A topic with current figures. Times in milliseconds since 1970 UTC; None: no record."""

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
    """Type in the source's spelling."""
    nullable: bool
    key: bool


class VersionLine(Message):
    """A version of a table's schema, and its start in the source's log."""

    number: int
    """Number of the version, from 1 with the oldest that the bus has."""
    position: str
    """Position in the database's notation; empty: unknown."""
    time_ms: int
    """Commit time of its first change, or of the table's first capture."""
    changes: tuple[str, ...]
    """Differences from the previous version, as clauses of ALTER TABLE; (): it is the first."""
    columns: tuple[VersionColumn, ...]


class Versions(Message):
    """Versions, the newest first."""

    versions: tuple[VersionLine, ...]
