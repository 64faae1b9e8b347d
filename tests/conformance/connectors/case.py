"""One kind of database in the conformance suite.

To put a kind through the suite, write one module `<kind>_case.py` with one subclass of Case and name it in conftest.py.
The suite itself (test_*.py) uses SQL that every dialect understands, and the connector through its roles only.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import Connector, MappedColumn, TargetTable
from zcbus.model.schema import TableName, TableSchema

EVERYWHERE = "*"
Value = str | bytes | None
Row = tuple[Value, ...]


@dataclass(frozen=True)
class TypeCase:
    """One column type with values that are hard for it. The suite makes one table out of all of a kind's cases (key
    column `k`, one column a case), puts the n-th value of each case into row n, and nulls behind a case's last value.
    """

    name: str
    """Name of the column."""
    declaration: str
    """The type in this dialect's DDL."""
    values: tuple[str, ...]
    """SQL literals."""
    canonical: tuple[Value, ...] | None = None
    """Canonical forms of the values (see zcbus.model.types); None: not checked here."""
    elsewhere: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    """Kind or variant of target → the canonical values read back from there; one that is missing keeps them as they
    are."""
    refused_values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Kind of target → indexes of the values which it refuses row by row, because it has no equivalent. Among the
    canonical values of `elsewhere` they are None."""
    refused_by: frozenset[str] = frozenset()
    """Kinds of target whose mapping of the column must be blocking; EVERYWHERE: all."""


class Case(ABC):
    """One kind of database with a running server."""

    kind: ClassVar[str]
    types: ClassVar[Sequence[TypeCase]]
    variant: ClassVar[str] = ""
    """A server of the kind that keeps some values in a form of its own."""
    refresh_statistics: ClassVar[str] = ""
    """Statement before a table's name that makes the server update its row count, if it does so only later."""
    prelude: ClassVar[str] = ""
    """Statements that the types' declarations need (CREATE TYPE …)."""
    target_prelude: ClassVar[str] = ""
    """Statements for a target of the same kind, for objects that the connector does not create."""
    checks_declared_limits: ClassVar[bool] = True
    """Whether the server refuses texts and numbers beyond a column's declared size; else it stores them unchanged."""
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {}
    """As TypeCase.elsewhere, of a later kind of target: by kind of source and name, `mysql.year`."""
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """As TypeCase.refused_values, likewise."""
    hold: ClassVar[str] = ""
    """A statement that makes others wait who write into table `t`, within a transaction."""
    parallel_keys: ClassVar[bool] = True
    """Whether several sessions may write into one table, divided by its keys."""
    speaks_sql: ClassVar[bool] = True
    """Whether the suite makes and changes tables by SQL; else a target's tables are made by its sessions alone."""
    declares_structure: ClassVar[bool] = False
    """Whether the connection declares the columns of a table; else the database does."""
    writes_apart: ClassVar[bool] = False
    """Whether what it writes as a target is not what it reads as a source."""
    is_source: ClassVar[bool] = True
    """Whether the case is about the kind as a source, if it is one."""
    is_target: ClassVar[bool] = True
    """Likewise as a target."""
    sends: ClassVar[bool] = False
    """Whether what it writes is sent on, so that no row is read back."""
    many_rows: ClassVar[int] = 25_000
    """Rows of the largest table of the suite."""
    odd_name: ClassVar[str] = 'O\'dd "name" `x` 表; --'
    """Of a table and a column that a target has to quote."""
    table_options: ClassVar[str] = ""
    """Behind the closing bracket of the suite's own CREATE TABLE statements."""

    def __init__(self, server: Any) -> None:
        """`server`: a Server, or an object with its methods."""
        self.server = server

    @abstractmethod
    def schema(self, database: str) -> str:
        """The schema in which tables of a database appear (PostgreSQL: public; MySQL: the database itself)."""

    @abstractmethod
    def image(self, database: str, table: str) -> list[object]:
        """The table's rows ordered by `k`, read without any connector, in any form that is equal if and only if the
        content is the same to the last bit."""


class Place:
    """A fresh database of a case, and the connector to it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.database = case.server.fresh_database("conformance")
        self.connector: Connector = connector(case.kind)

    @property
    def options(self) -> Any:
        return self.case.server.options(self.database)

    def execute(self, sql: str) -> None:
        self.case.server.execute(sql, self.database)

    def create(self, name: str, columns: str) -> None:
        """CREATE TABLE in portable SQL."""
        self.execute(f"CREATE TABLE {name} ({columns}) {self.case.table_options}")

    def transaction(self, *statements: str) -> None:
        """Run statements in one transaction."""
        with self.case.server.connect(self.database) as connection:
            cursor = connection.cursor()
            for statement in ("BEGIN", *statements, "COMMIT"):
                cursor.execute(statement)

    def name(self, table: str) -> TableName:
        return TableName(self.case.schema(self.database), table)

    def describe(self, table: str) -> TableSchema:
        with self.connector.discoverer(self.options) as discoverer:
            return discoverer.describe([self.name(table)])[0]

    def read(self, table: str) -> list[Row]:
        """All rows in key order in canonical form, through the connector's snapshot; of a kind that is no source as a
        comparison reads them."""
        schema = self.describe(table)
        if spec_of(self.case.kind).source and not self.case.writes_apart:
            with self.connector.source(self.options).open_snapshot() as snapshot:
                batches = [batch for batch, _ in snapshot.read(schema, schema.key(), None, 1000)]
        else:
            with self.connector.reader(self.options, "target") as reader:
                batches = [batch for batch, _ in reader.read(schema, schema.key(), None, 1000)]
        return [row for batch in batches for row in rows_of(batch)]

    def target_table(self, schema: TableSchema) -> TargetTable:
        """Where a source's table goes here: all its columns under their own names."""
        columns = tuple(MappedColumn(c.name, c.name, c.type, c.nullable) for c in schema.columns)
        return TargetTable(self.name(schema.name.table), columns, schema.key(), schema)

    def drop(self) -> None:
        self.case.server.drop_database(self.database)


def rows_of(batch: pa.RecordBatch) -> list[Row]:
    """A batch's rows as tuples."""
    columns = [column.to_pylist() for column in batch.columns]
    return list(zip(*columns, strict=True)) if columns else []
