"""What one kind of database can do: test a connection, tell what is there, and make a source or a target."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from zcbus.connectors.errors import RoleMissing
from zcbus.connectors.roles.source import Source
from zcbus.connectors.roles.target import Target
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.schema import TableName, TableSchema, TableSummary

if TYPE_CHECKING:
    from zcbus.connectors.queries import QueryRunner
    from zcbus.connectors.reading import TableReader
    from zcbus.connectors.statements import StatementRunner

Side = Literal["source", "target"]


Advice = Literal[
    "",
    "address",
    "account",
    "database",
    "access",
    "files",
    "host-key",
    "server-log",
    "server-restart",
    "configuration",
    "log-limit",
    "no-log",
    "no-temporary-tables",
    "newer-version",
    "both-directions",
    "primary",
    "reach-primary",
    "topics",
    "single-server",
    "document",
]
"""What to do in words: each but the empty one is a key of the message catalogues, after `advice.`."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One row of a connection test."""

    item: str
    """Key of the check: reachable, login, version, permissions, log-settings, replication-rights, …"""
    statement: str
    """What was run, as SQL or in words (`TCP connect to host:port`)."""
    ok: bool
    blocking: bool
    """A failed check that is not blocking is a warning."""
    detail: str
    """What was found, in the database's own words or figures."""
    remedy: str = ""
    """How to mend it: statements or settings to run, empty where ok or where nothing can be run."""
    advice: Advice = ""
    """What goes with it in words."""


class Tester(Protocol):
    """Tests a connection check by check."""

    def test(self, options: Any, side: Side) -> list[CheckResult]:
        """All checks in order; checks that need a failed one are left out. Never raises for what the database says,
        gives up after 15 seconds, changes nothing."""


class Discoverer(Protocol):
    """Tells what is there. Context manager: leaving closes the connection."""

    def schemas(self) -> list[str]:
        """Schemas (databases for MySQL) the user can see, without the system's own."""

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        """Ordinary and partitioned base tables, by name; all schemas where None. 6,000 tables take one query."""

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        """Schemas in the order asked, in a handful of queries for all of them. Raises TableMissing."""

    def __enter__(self) -> "Discoverer": ...
    def __exit__(self, *details: object) -> None: ...


class Connector(ABC):
    """What one kind can do; made by the registry. A kind overrides what its capabilities declare; the rest raises
    RoleMissing. `options` are those of the kind's own model."""

    kind: ClassVar[str]

    @abstractmethod
    def tester(self) -> Tester: ...

    @abstractmethod
    def discoverer(self, options: Any) -> Discoverer: ...

    def source(self, options: Any, log: SourceLog = FIRST_LOG) -> Source:
        """`log`: which log positions are of; by default the first one, whichever server answers."""
        raise RoleMissing(kind=self.kind, role="source")

    def target(self, options: Any) -> Target:
        """Where rows are written."""
        raise RoleMissing(kind=self.kind, role="target")

    def reader(self, options: Any, side: Side) -> "TableReader":
        """Rows for comparisons."""
        raise RoleMissing(kind=self.kind, role="reader")

    def query_runner(self, options: Any) -> "QueryRunner":
        """Queries of callers."""
        raise RoleMissing(kind=self.kind, role="query_runner")

    def statement_runner(self, options: Any) -> "StatementRunner":
        """Statements of people."""
        raise RoleMissing(kind=self.kind, role="statement_runner")
