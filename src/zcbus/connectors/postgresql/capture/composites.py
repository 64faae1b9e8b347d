"""Detection of altered composite types: existing rows read differently afterwards, and the log does not record it."""

from collections.abc import Mapping

import orjson

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import SchemaHistory
from zcbus.model.schema import TableName

Shapes = dict[int, str]
"""Numbers and types of a composite type's attributes as one text, by the type's oid."""


class CompositeWatch:
    """The composite types of a stream's captured tables. Not for several threads."""

    def __init__(self, connection: Connection, tables: Mapping[int, TableName], history: SchemaHistory | None) -> None:
        """`tables`: captured ones by oid. Raises TransientError where the history cannot be written."""
        self._tables, self._history = dict(tables), history
        self._known = self._read()
        self._learn(self._shapes(connection)[0])

    def scan(self, connection: Connection) -> TableRefused | None:
        """The refusal for the first captured table with a column of an altered type."""
        today, columns = self._shapes(connection)
        altered = sorted(oid for oid, shape in today.items() if self._known.get(oid, shape) != shape)
        if altered:
            table, column, name = columns[altered[0]]
            return TableRefused(table=str(self._tables[table]), column=column, reason="type-altered", detail=name)
        self._learn(today)
        return None

    def _learn(self, today: Shapes) -> None:
        """Types that no column has any more are forgotten."""
        known = {**today, **{oid: shape for oid, shape in self._known.items() if oid in today}}
        if known != self._known:
            self._known = known
            self._write()

    def _shapes(self, connection: Connection) -> tuple[Shapes, dict[int, tuple[int, str, str]]]:
        """The types as they are now; and for each a column that has it (oid of the table, name), and its name."""
        rows = connection.execute(_SHAPES, [list(self._tables)]).fetchall()
        return {row[0]: row[1] for row in rows}, {row[0]: (row[2], row[3], row[4]) for row in rows}

    def _read(self) -> Shapes:
        document = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        return {int(oid): str(shape) for oid, shape in document.get("composites", {}).items()}

    def _write(self) -> None:
        if self._history is not None:
            document = orjson.loads(self._history.read() or b"{}")
            composites = {str(oid): shape for oid, shape in self._known.items()}
            self._history.write(orjson.dumps({**document, "composites": composites}))


# Types of the server's own have no dependencies, and none of them is altered. Also within arrays, domains, ranges and
# other composite types; also row types of tables.
_SHAPES = """
WITH RECURSIVE used(oid, relation, number) AS (
    SELECT d.refobjid, d.objid, d.objsubid
      FROM pg_catalog.pg_depend d
     WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_type'::regclass
       AND d.objid = ANY (%s::pg_catalog.oid[]) AND d.objsubid > 0
  UNION
    SELECT inner_type.oid, used.relation, used.number
      FROM used
     CROSS JOIN LATERAL (
            SELECT t.typelem FROM pg_catalog.pg_type t WHERE t.oid = used.oid
          UNION ALL
            SELECT t.typbasetype FROM pg_catalog.pg_type t WHERE t.oid = used.oid
          UNION ALL
            SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE r.rngtypid = used.oid
          UNION ALL
            SELECT a.atttypid
              FROM pg_catalog.pg_type t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.typrelid
             WHERE t.oid = used.oid AND t.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped) AS inner_type(oid)
     WHERE inner_type.oid <> 0
)
SELECT DISTINCT ON (t.oid) t.oid::int8, parts.shape, used.relation::int8, c.attname::text, t.typname::text
  FROM used
  JOIN pg_catalog.pg_type t ON t.oid = used.oid AND t.typrelid <> 0
  JOIN pg_catalog.pg_attribute c ON c.attrelid = used.relation AND c.attnum = used.number
 CROSS JOIN LATERAL (
        SELECT pg_catalog.string_agg(
                 a.attnum || ':' || a.atttypid || ':' || a.atttypmod, ',' ORDER BY a.attnum) AS shape
          FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) AS parts
 ORDER BY t.oid, used.relation, used.number
"""
