"""Detection of renamed enum labels: existing rows read differently afterwards, and the log does not record it.

A label is a row of pg_enum and keeps its oid. Added labels change no row. Of a type that was made since the last look,
labels of another transaction than the type's may be renamed ones: rows may have been written in between.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import SchemaHistory
from zcbus.model.schema import TableName


class _Label(NamedTuple):
    type: int
    """Oid of the enum type."""
    text: str


class LabelWatch:
    """The labels of all enum types of a stream's database. Not for several threads."""

    def __init__(self, connection: Connection, tables: Mapping[int, TableName], history: SchemaHistory | None) -> None:
        """`tables`: captured ones by oid. Raises TransientError where the history cannot be written."""
        self._tables, self._history = dict(tables), history
        stored = self._read()
        self._known = _labels(connection) if stored is None else stored
        if stored is None:
            self._write()

    def scan(self, connection: Connection) -> TableRefused | None:
        """The refusal for the first captured table with a column whose labels were renamed.

        Labels that no captured table uses are updated silently.
        """
        found_labels = connection.execute(_LABELS).fetchall()
        today = {oid: _Label(of_type, text) for oid, of_type, text, _ in found_labels}
        known = {one.type for one in self._known.values()}
        later = {oid for oid, of_type, _, is_later in found_labels if is_later and of_type not in known}
        renamed = {oid: one for oid, one in today.items() if oid in later or self._known.get(oid, one) != one}
        if renamed and (found := self._using(connection, {one.type for one in renamed.values()})):
            oid, column, of_type = found
            words = (self._words(key, one) for key, one in renamed.items() if one.type == of_type)
            return TableRefused(
                table=str(self._tables[oid]), column=column, reason="labels-renamed", detail=", ".join(words)
            )
        if today != self._known:
            self._known = today
            self._write()
        return None

    def _words(self, oid: int, label: _Label) -> str:
        return f"{self._known[oid].text} → {label.text}" if oid in self._known else label.text

    def _using(self, connection: Connection, types: set[int]) -> tuple[int, str, int] | None:
        """Oid and column of a captured table that has values of one of the types, and that type."""
        row = connection.execute(_USING, [list(types), list(self._tables)]).fetchone()
        return (row[0], row[1], row[2]) if row is not None else None

    def _read(self) -> dict[int, _Label] | None:
        document = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        stored: dict[str, Any] | None = document.get("labels")
        return None if stored is None else {int(oid): _Label(*label) for oid, label in stored.items()}

    def _write(self) -> None:
        if self._history is not None:
            document = orjson.loads(self._history.read() or b"{}")
            labels = {str(oid): list(label) for oid, label in self._known.items()}
            self._history.write(orjson.dumps({**document, "labels": labels}))


def _labels(connection: Connection) -> dict[int, _Label]:
    return {oid: _Label(of_type, text) for oid, of_type, text, _ in connection.execute(_LABELS).fetchall()}


_LABELS = """
SELECT e.oid::int8, e.enumtypid::int8, e.enumlabel::text, e.xmin <> t.xmin
  FROM pg_catalog.pg_enum e JOIN pg_catalog.pg_type t ON t.oid = e.enumtypid
"""
# Also within arrays, domains, ranges and composite types.
_USING = """
WITH RECURSIVE used(oid, renamed) AS (
    SELECT t.oid, t.oid FROM pg_catalog.pg_type t WHERE t.oid = ANY (%s::pg_catalog.oid[])
  UNION
    SELECT outer_type.oid, used.renamed
      FROM used
     CROSS JOIN LATERAL (
            SELECT t.oid FROM pg_catalog.pg_type t WHERE used.oid IN (t.typelem, t.typbasetype)
          UNION ALL
            SELECT r.rngtypid FROM pg_catalog.pg_range r WHERE r.rngsubtype = used.oid
          UNION ALL
            SELECT c.reltype
              FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
             WHERE a.atttypid = used.oid AND c.relkind = 'c') AS outer_type
)
SELECT a.attrelid::int8, a.attname::text, used.renamed::int8
  FROM used JOIN pg_catalog.pg_attribute a ON a.atttypid = used.oid
 WHERE a.attrelid = ANY (%s::pg_catalog.oid[]) AND NOT a.attisdropped
 ORDER BY 1, 2
 LIMIT 1
"""
