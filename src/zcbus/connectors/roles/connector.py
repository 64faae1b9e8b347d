"""The connector of one kind of database: tests, discovers, and creates sources and targets."""

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
    from zcbus.connectors.importing import DocumentImporter
    from zcbus.connectors.previewing import Previewer
    from zcbus.connectors.queries import QueryRunner
    from zcbus.connectors.reading import TableReader
    from zcbus.connectors.statements import StatementRunner

Side = Literal["source", "target"]


Advice = Literal[
    "",
    "address",
    "route",
    "account",
    "database",
    "access",
    "files",
    "folder",
    "host-key",
    "server-log",
    "server-restart",
    "configuration",
    "log-limit",
    "no-log",
    "no-temporary-tables",
    "newer-version",
    "other-product",
    "both-directions",
    "primary",
    "reach-primary",
    "topics",
    "single-server",
    "document",
    "no-tls",
    "certificate",
    "tls-port",
    "file-list",
    "java",
    "driver",
]
"""Key of the advice in the message catalogues, after `advice.`; empty: none."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One row of a connection test."""

    item: str
    """Key of the check: reachable, login, version, permissions, log-settings, replication-rights, …"""
    statement: str
    """The operation, as SQL or in words (`TCP connect to host:port`)."""
    ok: bool
    blocking: bool
    """A failed check that is not blocking is a warning."""
    detail: str
    """The finding, in the database's own words or figures."""
    remedy: str = ""
    """The correction: statements or settings, empty if ok or if none applies."""
    advice: Advice = ""
    """The advice that explains it."""


class Tester(Protocol):
    """Tests a connection check by check."""

    def test(self, options: Any, side: Side) -> list[CheckResult]:
        """Run all checks in order; checks that need a failed one are skipped.

        Never raises for the database's errors, gives up after 15 seconds, changes nothing.
        """


class Discoverer(Protocol):
    """Lists schemas and tables. Context manager: leaving closes the connection."""

    def schemas(self) -> list[str]:
        """Schemas (databases for MySQL) the user can see, without the system's own."""

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        """Ordinary and partitioned base tables, by name; all schemas if None. 6,000 tables take one query."""

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        """Schemas in the requested order, in a handful of queries for all of them. Raises TableMissing."""

    def __enter__(self) -> "Discoverer": ...
    def __exit__(self, *details: object) -> None: ...


class Connector(ABC):
    """A kind's connector, created by the registry.

    A kind overrides the methods that its capabilities declare; the others raise RoleMissing. `options` are those of the
    kind's own model.
    """

    kind: ClassVar[str]

    @abstractmethod
    def tester(self) -> Tester: ...

    @abstractmethod
    def discoverer(self, options: Any) -> Discoverer: ...

    def source(self, options: Any, log: SourceLog = FIRST_LOG) -> Source:
        """`log`: the log that positions belong to; by default the first one, of any server."""
        raise RoleMissing(kind=self.kind, role="source")

    def target(self, options: Any) -> Target:
        """Where rows are written."""
        raise RoleMissing(kind=self.kind, role="target")

    def reader(self, options: Any, side: Side) -> "TableReader":
        """Rows for comparisons."""
        raise RoleMissing(kind=self.kind, role="reader")

    def previewer(self) -> "Previewer":
        """First rows for the connection form."""
        raise RoleMissing(kind=self.kind, role="previewer")

    def document_importer(self) -> "DocumentImporter":
        """Documents from OpenAPI descriptions."""
        raise RoleMissing(kind=self.kind, role="document_importer")

    def query_runner(self, options: Any) -> "QueryRunner":
        """Queries of callers."""
        raise RoleMissing(kind=self.kind, role="query_runner")

    def statement_runner(self, options: Any) -> "StatementRunner":
        """Statements of people."""
        raise RoleMissing(kind=self.kind, role="statement_runner")
