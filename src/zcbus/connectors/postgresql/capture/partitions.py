"""Detection of partitions whose rows appear or vanish without a record in the log.

Rows are published through the partitioned root. TRUNCATE of one partition, DROP, DETACH, and ATTACH of a filled one
change the root's rows and are not published. Each partition is identified by its oid, its files and the transaction
that attached it. A difference must be proved harmless (a new, empty partition; TRUNCATE of the root), otherwise the
table stops.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import psycopg

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import SchemaHistory
from zcbus.model.schema import TableName

_MAX_TRUNCATIONS = 50


class Partition(NamedTuple):
    """A partition that holds rows."""

    files: int
    """TRUNCATE, VACUUM FULL and CLUSTER all give new files. TRUNCATE loses rows, and the three cannot be
    distinguished."""
    attached: str
    """Id of the newest transaction that attached it, or a partitioned table above it."""


class _Found(NamedTuple):
    """A partition as the catalog has it now."""

    partition: Partition
    name: TableName
    changed_by: str
    """Id of the transaction that changed its row in pg_class last: after TRUNCATE the one that truncated."""
    was_empty: bool
    """It was known before, or had no rows when it was attached."""


class PartitionScan(NamedTuple):
    """The catalog's state at one time, to be compared when the log is read as far."""

    found: Mapping[int, Mapping[int, _Found]]
    """Partitions by root and oid."""
    logged: Mapping[int, frozenset[int]]
    """New partitions by root that the log had rows of until then."""


class PartitionWatch:
    """The partitions of one stream's captured tables. Not for several threads."""

    def __init__(self, connection: Connection, tables: Mapping[int, TableName], history: SchemaHistory | None) -> None:
        """`tables`: captured ones by oid. Raises TransientError where the history cannot be written."""
        self._history, self._tables = history, dict(tables)
        self._known: dict[int, dict[int, Partition]] = {}
        self._truncated: defaultdict[int, list[str]] = defaultdict(list)
        self._logged: defaultdict[int, set[int]] = defaultdict(set)
        stored = self._read()
        for root, found in _read_trees(connection, list(tables)).items():
            kept = stored.get(str(root))
            if kept is None:
                self._known[root] = {oid: partition for oid, (partition, *_) in found.items()}
                continue
            self._known[root] = {int(oid): Partition(*partition) for oid, partition in kept["partitions"].items()}
            self._truncated[root], self._logged[root] = kept["truncated"], set(kept["logged"])
        if self._document() != stored:
            self._write()

    def truncated(self, oid: int, transaction: int) -> None:
        """The log has a TRUNCATE of a table, by a transaction (its id). Durable before its changes are passed on."""
        if oid in self._known and str(transaction) not in self._truncated[oid]:
            self._truncated[oid] = [*self._truncated[oid][1 - _MAX_TRUNCATIONS :], str(transaction)]
            self._write()

    def logged(self, root: int, partition: int) -> None:
        """Record that the log has rows of a partition.

        Durable before the rows are passed on, because the partition may be dropped by now.
        """
        if root in self._known and partition not in self._known[root] and partition not in self._logged[root]:
            self._logged[root].add(partition)
            self._write()

    def scan(self, connection: Connection) -> PartitionScan | None:
        """The partitions as they are now; None: one of them is locked."""
        if not self._known:
            return PartitionScan({}, {})
        trees = _read_trees(connection, list(self._known))
        try:
            found = {
                root: {
                    oid: _Found(partition, name, changed, oid in known or _was_empty(connection, oid, name, partition))
                    for oid, (partition, name, changed) in trees[root].items()
                }
                for root, known in self._known.items()
                if root in trees
            }
        except psycopg.errors.LockNotAvailable:
            return None
        return PartitionScan(found, {root: frozenset(oids) for root, oids in self._logged.items()})

    def check(self, scan: PartitionScan) -> None:
        """Compare with a scan, when the log is read as far as it was then. Raises TableRefused."""
        changed = False
        for root, found in scan.found.items():
            known, logged = self._known[root], scan.logged.get(root, frozenset())
            for oid in found.keys() & self._tables.keys():
                # A captured table became a partition: its rows are published as the root's.
                raise _moved(self._tables[oid], [str(self._tables[root])])
            moved = [
                str(one.name) for oid, one in found.items() if _has_moved(one, known.get(oid), self._truncated[root])
            ]
            gone = [f"oid {oid}" for oid in (known.keys() | logged) - found.keys()]
            if moved or gone:
                raise _moved(self._tables[root], [*moved, *gone])
            today = {oid: one.partition for oid, one in found.items()}
            changed = changed or today != known or bool(logged)
            self._known[root] = today
            self._logged[root] -= logged
        if changed:
            self._write()

    def _read(self) -> dict[str, Any]:
        document = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        return dict(document.get("partitions", {}))

    def _write(self) -> None:
        if self._history is not None:
            document = orjson.loads(self._history.read() or b"{}")
            self._history.write(orjson.dumps({**document, "partitions": self._document()}))

    def _document(self) -> dict[str, Any]:
        return {
            str(root): {
                "partitions": {str(oid): list(partition) for oid, partition in known.items()},
                "truncated": self._truncated[root],
                "logged": sorted(self._logged[root]),
            }
            for root, known in self._known.items()
        }


def _moved(table: TableName, partitions: Iterable[str]) -> TableRefused:
    return TableRefused(table=str(table), column="", reason="rows-moved", detail=", ".join(sorted(partitions)))


def _has_moved(found: _Found, known: Partition | None, truncated: Sequence[str]) -> bool:
    if known is None:
        return not found.was_empty
    if known.attached != found.partition.attached:
        return True
    return known.files != found.partition.files and found.changed_by not in truncated


def _read_trees(connection: Connection, roots: list[int]) -> dict[int, dict[int, tuple[Partition, TableName, str]]]:
    """The partitions of the partitioned ones of these tables, by root and oid, with their names and last changes."""
    trees: dict[int, dict[int, tuple[Partition, TableName, str]]] = {}
    for root, oid, schema, name, files, attached, changed in connection.execute(_TREES, [roots]).fetchall():
        tree = trees.setdefault(root, {})
        if oid is not None:
            tree[oid] = (Partition(files, attached), TableName(schema, name), changed)
    return trees


def _was_empty(connection: Connection, oid: int, name: TableName, partition: Partition) -> bool:
    """Whether a partition is proved to have been empty when it was attached. Rows added later are in the log.

    Raises LockNotAvailable.
    """
    if partition.files != oid:
        return False  # it was truncated since its creation
    try:
        with connection.transaction():
            connection.execute(_LIMITS)
            created, is_empty = connection.execute(_CREATED, [oid]).fetchone() or ("", False)
            if is_empty or created != partition.attached:
                return bool(is_empty)
            statement = f"SELECT EXISTS (SELECT FROM ONLY {quote.table(name)} t WHERE {_OLDER})"
            older = connection.execute(statement, [partition.attached]).fetchone()
            return older is not None and not older[0]
    except (psycopg.errors.QueryCanceled, psycopg.errors.UndefinedTable):
        return False


# Transaction ids have 32 bits and wrap around: their ages give the order.
_TREES = """
WITH RECURSIVE member AS (
    SELECT c.oid AS root, c.oid, NULL::xid AS attached
      FROM pg_catalog.pg_class c WHERE c.oid = ANY(%s::oid[]) AND c.relkind = 'p'
  UNION ALL
    SELECT m.root, i.inhrelid,
           CASE WHEN m.attached IS NULL OR pg_catalog.age(i.xmin) <= pg_catalog.age(m.attached)
                THEN i.xmin ELSE m.attached END
      FROM member m JOIN pg_catalog.pg_inherits i ON i.inhparent = m.oid
)
SELECT m.root::int8, leaf.oid::int8, n.nspname::text, leaf.relname::text, leaf.relfilenode::int8,
       m.attached::text, leaf.xmin::text
  FROM member m
  LEFT JOIN pg_catalog.pg_class leaf ON leaf.oid = m.oid AND leaf.relkind <> 'p'
  LEFT JOIN pg_catalog.pg_namespace n ON n.oid = leaf.relnamespace
"""

# The row of a table's first system column is written at its creation and never again.
_CREATED = """
SELECT a.xmin::text, pg_catalog.pg_relation_size(a.attrelid) = 0
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = %s::oid AND a.attnum = -1 AND pg_catalog.has_table_privilege(a.attrelid, 'SELECT')
"""
_OLDER = "pg_catalog.age(t.xmin) >= pg_catalog.age(%s::xid)"

# The stream blocks meanwhile.
_LIMITS = "SET LOCAL lock_timeout = '1s'; SET LOCAL statement_timeout = '20s'"
