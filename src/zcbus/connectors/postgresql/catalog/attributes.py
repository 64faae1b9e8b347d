"""Attributes of tables by number, dropped ones included: they distinguish a renamed column from a replaced one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zcbus.connectors.postgresql.connection.session import Connection


@dataclass(frozen=True, slots=True)
class Attribute:
    """A row of pg_attribute. Numbers are never used twice in a table's life."""

    number: int
    name: str
    type: int
    modifier: int
    dropped: bool
    changed_by: int
    """Id of the transaction that changed the attribute last (xmin), or dropped it."""
    has_initial: bool = False
    """Value of rows older than the column, whatever its current default is."""
    initial: str | None = None


@dataclass(frozen=True, slots=True)
class TableAttributes:
    """A table as the catalog has it now."""

    oid: int
    files: str
    """Identifies the files that store the rows: it changes with a rewrite, also with TRUNCATE and VACUUM FULL."""
    attributes: Mapping[int, Attribute] = field(default_factory=dict)
    """By number. Generated columns are left out, as the log leaves them out."""
    partitioned: bool = False
    files_changed_by: int = 0
    """Id of the transaction that wrote the table's row in pg_class last (xmin). Each change of `files` does."""
    highest: int = 0
    """Highest number of any column so far, dropped and generated ones included."""

    @property
    def alive(self) -> list[Attribute]:
        """Those not dropped, in the order of their numbers."""
        return [one for _, one in sorted(self.attributes.items()) if not one.dropped]


def read_attributes(connection: Connection, oids: Sequence[int]) -> dict[int, TableAttributes]:
    """By table; tables that do not exist are missing. A partitioned table has the initial values of its partitions
    where all of them agree."""
    found: defaultdict[int, dict[int, Attribute]] = defaultdict(dict)
    files: dict[int, tuple[str, int, int]] = {}
    partitioned: list[int] = []
    for oid, file, is_partitioned, writer, highest, *row in connection.execute(_ATTRIBUTES, [list(oids)]).fetchall():
        if oid not in files and is_partitioned:
            partitioned.append(oid)
        files[oid] = file or "", int(writer), highest
        if row[0] is not None:
            found[oid][row[0]] = _attribute(*row)
    initial: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
    for oid, name, values in connection.execute(_INITIAL, [partitioned]).fetchall() if partitioned else ():
        initial[oid][name] = values
    return {
        oid: TableAttributes(oid, file, _with_initial(found[oid], initial[oid]), oid in partitioned, writer, highest)
        for oid, (file, writer, highest) in files.items()
    }


def _attribute(number: int, name: str, kind: int, modifier: int, dropped: bool, xmin: str, *initial: Any) -> Attribute:
    return Attribute(number, name, kind, modifier, dropped, int(xmin), *initial)


def _with_initial(attributes: dict[int, Attribute], of_partitions: Mapping[str, list[str]]) -> dict[int, Attribute]:
    """`of_partitions`: per column the distinct initial values, an empty one for partitions without any."""
    agreed = {name: values[0][1:] for name, values in of_partitions.items() if len(values) == 1 and values[0]}
    return {
        number: Attribute(number, one.name, one.type, one.modifier, one.dropped, one.changed_by, True, agreed[one.name])
        if one.name in agreed and not one.dropped
        else one
        for number, one in attributes.items()
    }


# The initial value is an array's only element. A cast to text[] would cut boxes: semicolons separate them in a text.
_ATTRIBUTES = """
SELECT c.oid::int8,
       CASE WHEN c.relkind = 'p' THEN
            (SELECT pg_catalog.md5(pg_catalog.string_agg(leaf.oid || ':' || leaf.relfilenode, ',' ORDER BY leaf.oid))
               FROM pg_catalog.pg_partition_tree(c.oid) tree JOIN pg_catalog.pg_class leaf ON leaf.oid = tree.relid
              WHERE tree.isleaf)
            ELSE c.relfilenode::text END,
       c.relkind = 'p', c.xmin::text, c.relnatts::int4,
       a.attnum, a.attname::text, a.atttypid::int8, a.atttypmod, a.attisdropped, a.xmin::text,
       a.atthasmissing, pg_catalog.array_to_string(a.attmissingval, '')
  FROM pg_catalog.pg_class c
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attgenerated = ''
 WHERE c.oid = ANY(%s::oid[])
"""

# An empty text stands for no value, because every value has a character in front.
_INITIAL = """
SELECT root.oid::int8, a.attname::text,
       array_agg(DISTINCT CASE WHEN a.atthasmissing
                               THEN '=' || pg_catalog.array_to_string(a.attmissingval, '') ELSE '' END)
  FROM pg_catalog.pg_class root
 CROSS JOIN LATERAL pg_catalog.pg_partition_tree(root.oid) tree
  JOIN pg_catalog.pg_attribute a ON a.attrelid = tree.relid AND a.attnum > 0 AND NOT a.attisdropped
 WHERE root.oid = ANY(%s::oid[]) AND root.relkind = 'p' AND tree.isleaf
 GROUP BY root.oid, a.attname
"""
