"""Discovery of databases, tables, columns and keys, in a handful of queries whatever their number."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.mysql.apply.checkpoints import CHECKPOINT_TABLE
from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.connectors.mysql.catalog.layout import IndexLayout, TableLayout, assembled
from zcbus.connectors.mysql.catalog.types import DeclaredType, neutral_type
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.origin import ORIGIN_TABLE
from zcbus.connectors.mysql.statements.alter import ENGINES_WITHOUT_ROWS
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import Side
from zcbus.connectors.sql.row_errors import TABLE as ROW_ERROR_TABLE
from zcbus.model.schema import Column, IndexPart, TableName, TableSchema, TableSummary

_OWN_TABLES = frozenset({CHECKPOINT_TABLE, ORIGIN_TABLE, ROW_ERROR_TABLE})
SYSTEM_SCHEMAS = ("information_schema", "mysql", "performance_schema", "sys")

_TABLES = """
SELECT t.table_schema, t.table_name, t.table_type, t.engine, t.table_rows,
       t.data_length + t.index_length AS size_bytes, t.table_comment, k.has_primary, k.has_unique
FROM information_schema.tables t
LEFT JOIN (
  SELECT table_schema, table_name, MAX(index_name = 'PRIMARY') AS has_primary, MAX(usable) AS has_unique
  FROM (
    SELECT table_schema, table_name, index_name, MIN(nullable = '' AND sub_part IS NULL) AS usable
    FROM information_schema.statistics
    WHERE non_unique = 0 AND {where}
    GROUP BY table_schema, table_name, index_name
  ) u GROUP BY table_schema, table_name
) k ON k.table_schema = t.table_schema AND k.table_name = t.table_name
WHERE t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND {where_tables}
ORDER BY t.table_schema, t.table_name
"""
_COLUMNS = """
SELECT table_name, column_name, column_default, is_nullable, data_type, column_type, character_maximum_length,
       numeric_precision, numeric_scale, datetime_precision, character_set_name, collation_name, extra,
       column_comment, ordinal_position AS place
FROM information_schema.columns WHERE table_schema = %s AND table_name {names}
"""
_KEYS = """
SELECT table_name, index_name, non_unique, column_name, sub_part, collation AS direction, seq_in_index AS place
FROM information_schema.statistics
WHERE table_schema = %s AND index_type IN ('BTREE', 'HASH') AND table_name {names}
"""
_CASCADES = """
SELECT DISTINCT constraint_schema, table_name FROM information_schema.referential_constraints
WHERE update_rule IN ('CASCADE', 'SET NULL') OR delete_rule IN ('CASCADE', 'SET NULL')
"""
_TABLE_ROWS = """
SELECT table_name, table_comment, table_collation FROM information_schema.tables
WHERE table_schema = %s AND table_name {names}
"""
_CHECKS = """
SELECT table_name, check_clause FROM information_schema.check_constraints
WHERE constraint_schema = %s AND table_name {names} AND check_clause LIKE 'json_valid(%%)'
"""


_AT_ONCE = 100
"""Tables in one query, where each is looked for by itself."""


class MySQLDiscoverer:
    """See Discoverer."""

    def __init__(self, options: ConnectionOptions, side: Side = "source") -> None:
        self._session = Session(options, side)

    def schemas(self) -> list[str]:
        return [row[0] for row in self._session.rows("SHOW DATABASES") if row[0].lower() not in SYSTEM_SCHEMAS]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        system = ", ".join(f"'{name}'" for name in SYSTEM_SCHEMAS)
        where = f"table_schema NOT IN ({system})" if schema is None else "table_schema = %s"
        sql = _TABLES.format(where=where, where_tables=f"t.{where}")
        rows = self._session.named_rows(sql, [] if schema is None else [schema, schema])
        cascading = {(row[0], row[1]) for row in self._session.rows(_CASCADES)}
        return [_summary(row, cascading) for row in rows if row["table_name"] not in _OWN_TABLES]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        return [layout.schema for layout in describe_layouts(self._session, names)]

    def __enter__(self) -> "MySQLDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._session.close()


def describe_layouts(session: Session, names: Sequence[TableName]) -> list[TableLayout]:
    """Layouts in the requested order. Raises TableMissing."""
    found = existing_layouts(session, names)
    for name in names:
        if name not in found:
            raise TableMissing(table=str(name), side=session.side)
    return [found[name] for name in names]


def existing_layouts(session: Session, names: Sequence[TableName]) -> dict[TableName, TableLayout]:
    """Layouts of those tables that exist."""
    by_schema: dict[str, list[str]] = defaultdict(list)
    for name in names:
        by_schema[name.schema].append(name.table)
    found: dict[TableName, TableLayout] = {}
    for schema, tables in by_schema.items():
        found |= _describe_schema(session, schema, tables)
    missing = [name for name in names if name not in found and _lowered(name) in found]
    if missing and session.variable("lower_case_table_names") == "1":
        found |= {name: _under_name(found[_lowered(name)], name) for name in missing}
    return found


def _lowered(name: TableName) -> TableName:
    return TableName(name.schema.lower(), name.table.lower())


def _under_name(layout: TableLayout, name: TableName) -> TableLayout:
    """Some servers store names of tables in lower case, and find them under any other."""
    return replace(layout, schema=replace(layout.schema, name=name))


def _describe_schema(session: Session, schema: str, tables: list[str]) -> dict[TableName, TableLayout]:
    columns = _by_table(_query(session, _COLUMNS, schema, tables))
    keys = _by_table(_query(session, _KEYS, schema, tables))
    full = {row["table_name"]: row for row in _query(session, _TABLE_ROWS, schema, tables)}
    checks = _json_checks(session, schema, tables)
    layouts: dict[TableName, TableLayout] = {}
    for table, rows in columns.items():
        if table not in full:
            continue  # dropped meanwhile
        name = TableName(schema, table)
        described = tuple(_column(row, row["column_name"] in checks[table], session.version.mariadb) for row in rows)
        charset = str(full[table]["table_collation"] or "").partition("_")[0]
        comment = str(full[table]["table_comment"] or "")
        layouts[name] = assembled(name, described, _indexes(keys.get(table, [])), charset, comment)
    return layouts


def _query(session: Session, sql: str, schema: str, tables: list[str]) -> list[dict[str, Any]]:
    """Rows of these tables; those of one table in order of their `place`, if they have one."""
    rows = [row for part in _query_parts(session, sql, schema, tables) for row in part]
    return sorted(_normalised(rows), key=lambda row: row.get("place", 0))


def _query_parts(session: Session, sql: str, schema: str, tables: list[str]) -> Iterator[list[dict[str, Any]]]:
    if session.version.has_dictionary:
        yield session.named_rows(sql.format(names=f"IN ({', '.join(['%s'] * len(tables))})"), [schema, *tables])
        return
    # Without a data dictionary the server looks for files, and misses one that an ALTER is about to replace, unless the
    # query has its name.
    for first in range(0, len(tables), _AT_ONCE):
        chosen = tables[first : first + _AT_ONCE]
        statement = " UNION ALL ".join([sql.format(names="= %s")] * len(chosen))
        yield session.named_rows(statement, [value for table in chosen for value in (schema, table)])


def _normalised(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """MySQL 8 hands out some catalogue texts as bytes."""
    return [{name: v.decode() if isinstance(v, bytes) else v for name, v in row.items()} for row in rows]


def _json_checks(session: Session, schema: str, tables: list[str]) -> dict[str, set[str]]:
    """Per table the columns that MariaDB restricts to JSON by a check of its own."""
    found: dict[str, set[str]] = defaultdict(set)
    if session.version.mariadb and session.version.number >= (10, 3, 10):
        for row in _query(session, _CHECKS, schema, tables):
            clause = str(row["check_clause"])
            found[row["table_name"]].add(clause[len("json_valid(") : -1].strip("`").replace("``", "`"))
    return found


def _by_table(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        grouped[row["table_name"]].append(row)
    return grouped


def _column(row: dict[str, Any], is_json: bool, mariadb: bool) -> ColumnLayout:
    extra = str(row["extra"] or "").upper()
    virtual = "VIRTUAL" in extra
    declared = DeclaredType(
        column_type=row["column_type"],
        data_type=row["data_type"],
        length=row["character_maximum_length"],
        precision=row["numeric_precision"],
        scale=row["numeric_scale"],
        fraction=row["datetime_precision"],
        charset=row["character_set_name"],
        is_json=is_json,
    )
    column = Column(
        name=row["column_name"],
        type=neutral_type(declared),
        nullable=row["is_nullable"] == "YES",
        default=_default(row, mariadb),
        generated=virtual or "STORED" in extra or "PERSISTENT" in extra,
        identity="AUTO_INCREMENT" in extra,
        collation=row["collation_name"],
        comment=str(row["column_comment"] or ""),
    )
    return ColumnLayout(column, row["character_set_name"], virtual)


def _default(row: dict[str, Any], mariadb: bool) -> str | None:
    """The default as an expression: MariaDB returns one, MySQL returns bare text unless it is marked as generated."""
    default = row["column_default"]
    if default is None or default == "NULL":
        return None
    if mariadb or "DEFAULT_GENERATED" in str(row["extra"] or "") or str(default).upper().startswith("CURRENT_TIME"):
        return str(default)
    return str(default) if str(default).startswith("b'") else quote.text(str(default))


def _indexes(rows: list[dict[str, Any]]) -> list[IndexLayout]:
    """Those that rows can be ordered by."""
    parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        parts[str(row["index_name"])].append(row)
    return [
        IndexLayout(
            name,
            tuple(
                IndexPart(str(part["column_name"]), _integer(part["sub_part"]), part["direction"] == "D")
                for part in found
                if part["column_name"] is not None
            ),
            not int(found[0]["non_unique"]),
            any(part["column_name"] is None for part in found),
        )
        for name, found in parts.items()
    ]


def _summary(row: dict[str, Any], cascading: set[tuple[str, str]]) -> TableSummary:
    name = TableName(row["table_schema"], row["table_name"])
    return TableSummary(
        name=name,
        estimated_rows=_integer(row["table_rows"]),
        size_bytes=_integer(row["size_bytes"]),
        has_primary_key=bool(row["has_primary"]),
        has_unique_key=bool(row["has_unique"]),
        comment=str(row["table_comment"] or ""),
        refused=_refused(str(row["table_type"]), row["engine"]),
        # InnoDB executes cascades itself: their changes never reach the binlog.
        notice="cascades-not-logged" if (name.schema, name.table) in cascading else "",
    )


def _refused(table_type: str, engine: object) -> str:
    if table_type == "SYSTEM VERSIONED":
        return "system-versioned"
    if engine is None:
        return "broken-table"
    return "foreign-engine" if str(engine).upper() in ENGINES_WITHOUT_ROWS else ""


def _integer(value: object) -> int | None:
    return None if value is None else int(str(value))
