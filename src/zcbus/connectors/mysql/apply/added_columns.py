"""Columns added to an existing table, with the value that its rows have in them.

Schema changes commit by themselves: a column never exists under its name without the values of old rows, whenever the
process ends.
"""

import zlib

import pyarrow as pa

from zcbus.connectors.mysql.apply import ddl
from zcbus.connectors.mysql.apply.encode import encode
from zcbus.connectors.mysql.apply.literals import literals
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.statements.columns import definition as parsed
from zcbus.connectors.mysql.statements.declared import declared
from zcbus.connectors.mysql.statements.tokens import Reader, tokens_of
from zcbus.connectors.roles import TargetTable
from zcbus.connectors.roles.alteration import AddedColumn
from zcbus.model.types import DataType


class NewColumn:
    """One column that the table lacks."""

    def __init__(self, session: Session, table: TargetTable, added: AddedColumn) -> None:
        self._session, self._table, self._added = session, table, added
        self._source = table.source_schema.column(added.column.source)
        self._declared = ddl.declarations(table)[added.column.source]
        self._own_default = ddl.default_of(self._source, table.source_schema.dialect, self._declared.type)

    def clause(self) -> str:
        """Of an ALTER TABLE that adds it."""
        if self._is_filled:
            return f"CHANGE COLUMN {quote.identifier(self._aside)} {self._definition()}"
        return f"ADD COLUMN {self._definition(self._initial_default())}"

    def fill_aside(self, present: set[str]) -> None:
        """Where no default can carry the value: the column under another name, with it. `present`: of the table."""
        if not self._is_filled:
            return
        name, label, aside = quote.table(self._table.name), str(self._table.name), quote.identifier(self._aside)
        defined = self._definition().removeprefix(quote.identifier(self._added.column.target))
        again = f"DROP COLUMN {aside}, " if self._aside in present else ""
        self._session.execute(f"ALTER TABLE {name} {again}ADD COLUMN {aside}{defined}", table=label)
        self._session.execute(f"UPDATE {name} SET {aside} = {self._literal()}", table=label)

    def set_default(self) -> None:
        """The source's default of today, where old rows have another value."""
        if self._initial_default() is None:
            return
        name, column = quote.table(self._table.name), quote.identifier(self._added.column.target)
        step = "DROP DEFAULT" if self._own_default is None else f"SET DEFAULT {self._own_default}"
        self._session.execute(f"ALTER TABLE {name} ALTER COLUMN {column} {step}", table=str(self._table.name))

    @property
    def _is_filled(self) -> bool:
        return self._added.value is not None and not ddl.accepts_default(self._declared.type)

    @property
    def _aside(self) -> str:
        """The same at each attempt, and no longer than names may be."""
        return f"zcbus_{zlib.crc32(self._added.column.target.encode()):08x}"

    def _definition(self, default: str | None = None) -> str:
        return ddl.column_clause(self._session, self._table, self._added.column, self._declared, default)

    def _initial_default(self) -> str | None:
        """The default that gives old rows their value; None: the source's own does."""
        if self._is_filled or (self._own_default is not None and not self._source.initial_known):
            return None
        if self._added.value is not None:
            return self._literal()
        return "NULL" if self._own_default is not None and self._added.column.nullable else None

    def _literal(self) -> str:
        """The value of old rows as a changed row would bring it."""
        column = self._added.column
        encoded = encode(pa.array([self._added.value], pa.string()), column.type, self._type(), column.target)
        return str(literals(encoded)[0].as_py())

    def _type(self) -> DataType:
        version = self._session.version
        spelt = ddl.known_type(version, self._declared.type)
        definition = parsed(Reader(tokens_of(spelt, version)), self._added.column.target)
        return declared(definition, "utf8mb4", version).column.type
