"""A publication as the catalog has it. Oids and transaction ids show whether it was the same all the time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from zcbus.connectors.postgresql.connection.session import Connection

_PUBLISHED = ("pubinsert", "pubupdate", "pubdelete", "pubtruncate")
_OF_PARTITIONS = "pubviaroot"


class Member(NamedTuple):
    """A table's entry in a publication. Its oid is another one when the table was taken out in between."""

    oid: int
    """0 in a publication FOR ALL TABLES."""
    whole: bool
    """Neither a column list nor a condition on rows."""


@dataclass(frozen=True, slots=True)
class PublicationState:
    """A publication."""

    oid: int
    changed_by: str
    """Id of the transaction that changed options or owner last (xmin)."""
    owner: int
    options: Mapping[str, Any]
    """Columns of pg_publication without oid, name and owner."""
    members: Mapping[int, Member]
    """By the table's oid; empty in a publication FOR ALL TABLES."""

    def publishes_everything(self, partitioned: bool) -> bool:
        """Whether all kinds of changes are published and, where a table is `partitioned`, as its own."""
        wanted = (*_PUBLISHED, _OF_PARTITIONS) if partitioned else _PUBLISHED
        return all(self.options[name] for name in wanted)

    def member(self, table: int) -> Member | None:
        """A table's entry."""
        return Member(0, True) if self.options["puballtables"] else self.members.get(table)


def read_publication(connection: Connection, name: str) -> PublicationState | None:
    """None: it does not exist."""
    row = connection.execute(_STATE, [name]).fetchone()
    if row is None:
        return None
    members = {table: Member(oid, whole) for table, oid, whole in row[4] or ()}
    return PublicationState(row[0], row[1], row[2], row[3], members)


# Older versions lack some of the columns, which a document may.
_STATE = """
SELECT p.oid::int8, p.xmin::text, p.pubowner::int8, to_jsonb(p) - '{oid,pubname,pubowner}'::text[],
       (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
                   r.prrelid::int8, r.oid::int8,
                   (to_jsonb(r) ->> 'prattrs') IS NULL AND (to_jsonb(r) ->> 'prqual') IS NULL))
          FROM pg_catalog.pg_publication_rel r WHERE r.prpubid = p.oid)
  FROM pg_catalog.pg_publication p WHERE p.pubname = %s
"""
