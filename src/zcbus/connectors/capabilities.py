"""Capabilities of a kind of data source: read by connection tests, pre-check, engine, forms and documentation."""

from dataclasses import dataclass
from typing import Literal

Capture = Literal["log", "triggers", "consume", "watermark", "list", "feed", "none"]
"""How changes are captured: from the database's log, from a change table filled by triggers, by consuming messages, by
queries with a watermark, by listing files, from the feed of changes that a table keeps, not at all (the kind is no
source)."""
Deletes = Literal["yes", "by-comparison", "no"]
Delivery = Literal["transactional", "idempotent", "append", "none"]
"""How rows are written: together with the position in one transaction, by key so that repeating does no harm, appended
with a token of the position, not at all (the kind is no target)."""
Schemas = Literal["many", "database", "none"]
"""Namespaces of tables: many schemas of a database, the database itself, which qualifies a name, or a single namespace
without a name."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capabilities of one kind. A source reads tables and captures changes, a target writes them.

    Types are no field: `Target.map_columns` says them, for they follow options too (the format of files), and a
    specification imports no driver. Nor is the order of a load: each reader owes the key's (`SnapshotReader.read`).
    """

    capture: Capture = "none"
    deletes: Deletes = "yes"
    """Whether a capture sees deleted rows."""
    delivery: Delivery = "none"
    repeats: bool = False
    """Whether a source may deliver a change again after a failure, as another row unless the table has a key of its
    own; and what was delivered cannot be read again, so a full load has no rows."""
    keyless: bool = False
    """Whether a source captures tables without a key, append-only."""
    ddl: bool = False
    """Whether a target creates and alters tables."""
    retains_log: bool = False
    """Whether a source retains log for an inactive reader until that is dropped, and fills its disk."""
    truncate: bool = False
    """Whether a capture sees that a table was emptied as such."""
    parallel_ranges: bool = False
    """Whether a full load reads ranges of keys over several connections."""
    schemas: Schemas = "many"
    default_schema: str = ""
    """Where tables of other kinds go, unless they go to the database itself."""
    comparable: bool = False
    """Whether rows can be compared with another database's."""
    comparable_target: bool = False
    """Whether the rows of its tables as a target can be compared, though those of a source cannot."""
    verifiable: bool = False
    """Whether a range of keys is read without reading the whole table, so that running tables can be verified all the
    time."""
    row_errors: bool = False
    """Whether a target stores rows that it refused."""
    needs_key: bool = False
    """Whether a target accepts only tables with a key."""
    fills_not_null: bool = False
    """Whether a new NOT NULL column without a default gets the zero of its type in old rows."""
    preview: bool = False
    """Whether the connection form can show the first rows of a table."""
    imports: bool = False
    """Whether the connection form can make its document from an OpenAPI description."""
