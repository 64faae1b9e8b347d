"""Tables as both sides of a link see them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zcbus.model.types import DataType


@dataclass(frozen=True, slots=True, order=True)
class TableName:
    """`schema` is the schema, or the database where tables lie in it directly. Case is kept as the database has it."""

    schema: str
    table: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.table}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the source declares it."""

    name: str
    type: DataType
    nullable: bool = True
    default: str | None = None
    """Default expression in the source's spelling; None: no default."""
    generated: bool = False
    """Computed by the source; carried as an ordinary column where the source's log has it."""
    identity: bool = False
    """Numbered by the source (identity, serial, auto_increment)."""
    collation: str | None = None
    comment: str = ""
    number: int = 0
    """Tells a column from others of its table's whole life, whatever its name; 0: the source has no such number."""
    former: str = ""
    """The name before the last change of the structure, where the log told that it is the same column."""
    initial_known: bool | None = None
    """Whether it is proved what rows hold that are older than the column: then it is `initial`. None: its default
    tells."""
    initial: str | None = None
    """In the canonical form; None: NULL."""
    rewritten: bool = False
    """Its type changed and all rows were stored anew: any expression may have made their values."""


@dataclass(frozen=True, slots=True)
class IndexPart:
    """A column of an index."""

    column: str
    length: int | None = None
    """So many characters or bytes of the beginning; None: the whole value."""
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """An index over columns in their order, without expressions and conditions."""

    name: str
    parts: tuple[IndexPart, ...]
    unique: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(part.column for part in self.parts)

    def renamed(self, names: Mapping[str, str]) -> "Index":
        """The same index where columns have other names."""
        return replace(self, parts=tuple(replace(p, column=names.get(p.column, p.column)) for p in self.parts))


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One version of one table. Column names are unique; key columns are in key order."""

    name: TableName
    dialect: str
    """Kind of database in whose spelling native types are; empty: in none's, only their kinds count."""
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    """Unique indexes over columns that are all NOT NULL, unconditional and without expressions."""
    comment: str = ""
    indexes: tuple[Index, ...] = ()
    """All others that the database can order by, by name."""

    def column(self, name: str) -> Column:
        """The column of that name. Raises KeyError."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def key(self, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Columns that identify a row: the chosen ones, else the primary key, else the first unique key, else ()."""
        return chosen or self.primary_key or (self.unique_keys[0] if self.unique_keys else ())

    def has_key(self, names: tuple[str, ...]) -> bool:
        """Whether the table itself keeps the values of just these columns unique; () is no key."""
        return bool(names) and any(set(key) == set(names) for key in (self.primary_key, *self.unique_keys))


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A line of a table list."""

    name: TableName
    estimated_rows: int | None
    """From the database's statistics; None: never analysed."""
    size_bytes: int | None
    has_primary_key: bool
    has_unique_key: bool
    comment: str = ""
    refused: str = ""
    """Why the table cannot be chosen at all (a view of another database, an unsupported engine); empty: it can."""
    notice: str = ""
    """Reason code of something to know beforehand (`cascades-not-logged`); empty: nothing."""
