"""Detection of rewritten values that no row of the log has: `ALTER COLUMN … TYPE … USING`.

A column was altered, and the table has other files than before. Where the column kept its type, no row will show it;
where it has another, the next row does, so that only scans suspect it, in case none comes. TRUNCATE gives other files
too. It is in the log, maybe behind the rows at hand: the catalog may be ahead. So a suspicion is kept until the log has
been read as far as it went when the catalog was read. It is dropped at the TRUNCATE that made today's files, if every
altered column was altered before it. The proof:

- A rewrite and a TRUNCATE both update the table's row in pg_class: a later rewrite would be its last writer.
- Both hold the table's lock until commit, so what was committed before the TRUNCATE came before it.
- The transaction that truncated may have rewritten the table afterwards, but then it, or a subtransaction of it,
  altered a column, and that is not committed before the TRUNCATE.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zcbus.connectors.postgresql.capture.commit_order import CommitOrder, Committed, Order
from zcbus.connectors.postgresql.capture.table_version import Version
from zcbus.connectors.postgresql.catalog.attributes import TableAttributes
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A table whose values may have been rewritten, by one reading of the catalog."""

    column: str
    """A column that was altered."""
    today: TableAttributes
    altered_by: frozenset[int]
    """The transactions that altered or added columns."""
    until: int
    """How far the log went afterwards."""

    @property
    def is_certain(self) -> bool:
        """Whether the files come from a transaction that altered a column."""
        return self.today.files_changed_by in self.altered_by

    def is_dispelled(self, truncating: Committed, order: CommitOrder) -> bool:
        """Whether this transaction, which truncates the table, left no rewritten value.

        May block as CommitOrder.listed does.
        """
        if self.today.files_changed_by != truncating.transaction:
            return False
        behind: set[int] = set()
        for lookup in (order.of, order.listed):
            found = lookup(truncating, self.altered_by - behind)
            behind |= {other for other, one in found.items() if one is Order.BEHIND}
            if behind >= self.altered_by:
                return True
        return False


def suspicion(
    files: str,
    changed: Mapping[int, int],
    known: Mapping[int, RelationColumn],
    today: TableAttributes,
    until: int,
    retyped: bool = False,
) -> Suspicion | None:
    """`files`, `changed`, `known`: of the version before; see schema_tracker.Version.

    `retyped`: suspect columns of other types too; a row that follows has their types. Those of partitioned tables are
    recognized by PartitionWatch.
    """
    if today.partitioned or today.files == files:
        return None
    altered = [one for one in today.alive if changed.get(one.number) != one.changed_by]
    for one in altered:
        before = known.get(one.number)
        if before is None or one.number not in changed:
            continue
        if retyped or (one.type, one.modifier) == (before.type, before.modifier):
            return Suspicion(one.name, today, frozenset(other.changed_by for other in altered), until)
    return None


def with_own_rewrite(version: Version, before: Version, transaction: int, today: TableAttributes) -> Version:
    """A version whose schema says that the transaction of its rows rewrote the table: tables load again behind all of
    that transaction, so its files are no reason to stop once more."""
    shown = {one.number for one in version.schema.columns if one.rewritten} - {
        one.number for one in before.schema.columns if one.rewritten
    }
    known = before.known.columns
    altered = {one for one in today.alive if one.number in known and before.changed.get(one.number) != one.changed_by}
    is_all = all(one.number in shown and one.changed_by == transaction for one in altered)
    # Another column that was altered may have been rewritten too, and subscribers learn of this one alone.
    if not shown or not is_all or today.files_changed_by != transaction:
        return version
    own = {one.number: one.changed_by for one in altered}
    return replace(version, files=today.files, changed={**version.changed, **own})
