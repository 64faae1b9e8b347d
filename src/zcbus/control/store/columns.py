"""Column types that read back alike on SQLite and PostgreSQL, and the MetaData every table hangs on."""

from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    literal,
    text,
    true,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING_CONVENTION)

ID_LENGTH = 32


def unreduced_column() -> Column[bool]:
    """Set by every insert and update of a row that a shown state follows from, until that state is reduced again
    (`zcbus.control.store.reduction`)."""
    return Column("unreduced", Boolean, nullable=False, default=true(), onupdate=true(), server_default="1")


def unreduced_index() -> Index:
    """Index of the few rows whose state must be reduced."""
    return Index(None, "unreduced", sqlite_where=text("unreduced = 1"), postgresql_where=text("unreduced"))


class UtcTimestamp(TypeDecorator[datetime]):
    """A moment with zone, to the microsecond. Refuses naive values; always reads back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a timestamp without a zone cannot be stored")
        in_utc = value.astimezone(UTC)
        # SQLite has no type for moments: its text holds UTC, without a zone, and sorts as time does.
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonDocument(TypeDecorator[object]):
    """A JSON value, stored as text exactly as written (key order included). None is SQL NULL.

    Neither store's own JSON type will do: SQLite turns a bare number into a number, PostgreSQL's jsonb sorts keys.
    """

    impl = Text
    cache_ok = True

    class Comparator(TypeDecorator.Comparator[object]):
        """`column["key"].as_string()` is the text of an object's field, NULL where there is none."""

        def __getitem__(self, key: object) -> "_Field":
            return _Field(self.expr, literal(str(key), String()))

    comparator_factory = Comparator

    def process_bind_param(self, value: object | None, dialect: Dialect) -> str | None:
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> object | None:
        return None if value is None else orjson.loads(value)


class _Field(FunctionElement[str]):
    """A field of a JSON document as text. Keys are taken as they are: no paths."""

    name = "json_field"
    type = String()
    inherit_cache = True

    def as_string(self) -> "_Field":
        return self

    def field(self, key: str) -> "_Field":
        """A field of this field, which is an object."""
        return _Field(self, literal(key, String()))


@compiles(_Field, "sqlite")
def _field_on_sqlite(element: _Field, compiler: SQLCompiler, **options: Any) -> str:
    document, key = (compiler.process(clause, **options) for clause in element.clauses)
    return f"""json_extract({document}, '$."' || {key} || '"')"""


@compiles(_Field, "postgresql")
def _field_on_postgresql(element: _Field, compiler: SQLCompiler, **options: Any) -> str:
    document, key = (compiler.process(clause, **options) for clause in element.clauses)
    return f"(CAST({document} AS json) ->> {key})"


def id_column(name: str = "id") -> Column[str]:
    """The primary key of a table: an opaque identifier from `zcbus.kit.ids`."""
    return Column(name, String(ID_LENGTH), primary_key=True)
