"""What the source has at the moment: the generator asks it before each step, so it needs no model of its own."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """As the source's catalog has it."""

    name: str
    type: str
    """As declared, with its length: `varchar(20)`, `int unsigned`."""
    nullable: bool
    computed: bool
    """It takes no values."""
    stored: bool = False
    """It is computed when rows are written."""


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    partitions: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    @property
    def written(self) -> list[Column]:
        """Columns that take values."""
        return [column for column in self.columns if not column.computed]

    @property
    def plain(self) -> list[Column]:
        """Those of them that are not of the key."""
        return [column for column in self.written if column.name not in self.key]


_POSTGRESQL_COLUMNS = """
SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, a.attgenerated <> '', false
  FROM pg_attribute a WHERE a.attrelid = to_regclass(%s) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_POSTGRESQL_KEY = """
SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
 WHERE i.indrelid = to_regclass(%s) AND i.indisprimary ORDER BY a.attnum
"""
_POSTGRESQL_PARTITIONS = """
SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s) ORDER BY 1
"""
_POSTGRESQL_INDEXES = """
SELECT x.relname::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
 WHERE i.indrelid = to_regclass(%s) AND NOT i.indisprimary ORDER BY 1
"""
_MYSQL_COLUMNS = """
SELECT column_name, column_type, is_nullable = 'YES', extra LIKE '%%VIRTUAL%%' OR extra LIKE '%%STORED%%',
       extra LIKE '%%STORED%%'
  FROM information_schema.columns WHERE table_schema = database() AND table_name = %s ORDER BY ordinal_position
"""
_MYSQL_KEY = """
SELECT column_name FROM information_schema.statistics
 WHERE table_schema = database() AND table_name = %s AND index_name = 'PRIMARY' ORDER BY seq_in_index
"""
_MYSQL_PARTITIONS = """
SELECT partition_name FROM information_schema.partitions
 WHERE table_schema = database() AND table_name = %s AND partition_name IS NOT NULL ORDER BY 1
"""
_MYSQL_INDEXES = """
SELECT DISTINCT index_name FROM information_schema.statistics
 WHERE table_schema = database() AND table_name = %s AND index_name <> 'PRIMARY' ORDER BY 1
"""
_QUERIES = {
    "postgresql": (_POSTGRESQL_COLUMNS, _POSTGRESQL_KEY, _POSTGRESQL_PARTITIONS, _POSTGRESQL_INDEXES),
    "mysql": (_MYSQL_COLUMNS, _MYSQL_KEY, _MYSQL_PARTITIONS, _MYSQL_INDEXES),
}


def read_table(cursor: Any, kind: str, name: str) -> Table | None:
    """The table as the session sees it; None: there is none."""
    columns, key, partitions, indexes = (_rows(cursor, query, name) for query in _QUERIES[kind])
    if not columns:
        return None
    return Table(
        name,
        tuple(Column(row[0], _text(row[1]), bool(row[2]), bool(row[3]), bool(row[4])) for row in columns),
        *(tuple(row[0] for row in found) for found in (key, partitions, indexes)),
    )


def _rows(cursor: Any, query: str, name: str) -> list[Any]:
    cursor.execute(query, (name,))
    return list(cursor.fetchall())


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
