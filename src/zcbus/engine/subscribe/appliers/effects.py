"""Net effects of changes in the target, and their division among parallel appliers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.compaction import Net, PartialUpdate, compact
from zcbus.engine.key_hash import Numbers, applier_numbers, hashed_columns
from zcbus.model.batches import concat, select, take
from zcbus.model.changes import TableChanges
from zcbus.model.schema import TableSchema

if TYPE_CHECKING:
    from zcbus.engine.subscribe.reader import RecordChanges
    from zcbus.engine.subscribe.schema.mapping import Mapped


@dataclass(frozen=True, slots=True)
class Effects:
    """Net effects of changes with one schema and one origin."""

    schema: TableSchema
    """Schema of the source."""
    key: tuple[str, ...]
    table: TargetTable
    nets: Sequence[Net]

    @property
    def is_empty(self) -> bool:
        """Whether there are no effects."""
        return not any(net.deletes.num_rows or net.updates or net.upserts.num_rows for net in self.nets)

    @property
    def filtered(self) -> int:
        """Rows that a condition left out."""
        return filtered_rows(self.nets)

    @property
    def moves(self) -> bool:
        """Whether a row got another key."""
        return any(net.moves for net in self.nets)

    def divided(self, count: int) -> list["Effects"] | None:
        """The part of each applier; None: the rows must stay together."""
        names = hashed_columns(self.schema, self.key)
        if not names or self.moves:
            return None
        parts = [_divided(net, self.schema, names, count) for net in self.nets]
        divided = [part for part in parts if part is not None]
        if len(divided) < len(parts):
            return None
        return [Effects(self.schema, self.key, self.table, [part[n] for part in divided]) for n in range(count)]


def _divided(net: Net, schema: TableSchema, names: Sequence[str], count: int) -> list[Net] | None:
    batches = [net.deletes, *(update.keys for update in net.updates), net.upserts]
    numbers = [found for found in (applier_numbers(schema, names, b, count) for b in batches) if found is not None]
    return [_part(net, numbers, applier) for applier in range(count)] if len(numbers) == len(batches) else None


def _part(net: Net, numbers: Sequence[Numbers], applier: int) -> Net:
    indexes = [np.flatnonzero(found == applier) for found in numbers]
    updates = [
        PartialUpdate(take(update.keys, where), take(update.rows, where))
        for update, where in zip(net.updates, indexes[1:-1], strict=True)
    ]
    existing = net.existing[indexes[-1]] if net.existing is not None else None
    filled = tuple(update for update in updates if update.keys.num_rows)
    return Net(take(net.deletes, indexes[0]), filled, take(net.upserts, indexes[-1]), existing)


def nets(mapped: "Mapped", segment: Sequence["RecordChanges"], exact: bool) -> list[Net]:
    """Net effects of changes with one schema, for the target; applied one after the other."""
    found = compact([only(placed.changes, mapped.inputs) for placed in segment], with_existing=exact)
    return found if mapped.shaping is None else [mapped.shaping.net(net) for net in found]


def filtered_rows(found: Iterable[Net]) -> int:
    """Rows that a condition left out."""
    return sum(net.filtered for net in found)


def row_after(mapped: "Mapped", part: "RecordChanges") -> pa.RecordBatch:
    """The source's row after a change that is no deletion, as far as it was sent."""
    net = compact([only(part.changes, mapped.inputs)])[0]
    return net.upserts if net.upserts.num_rows else net.updates[0].rows


def keys_before(mapped: "Mapped", segment: Sequence["RecordChanges"]) -> pa.RecordBatch:
    """The keys before the changes, for the target."""
    keys = concat([placed.changes.keys_before for placed in segment])
    return keys if mapped.shaping is None else mapped.shaping.keys(keys)


def keys_after(mapped: "Mapped", segment: Sequence["RecordChanges"]) -> pa.RecordBatch:
    """The keys after the changes, for the target."""
    keys = concat([select(placed.changes.rows, placed.changes.keys_before.schema.names) for placed in segment])
    return keys if mapped.shaping is None else mapped.shaping.keys(keys)


def rows_added(mapped: "Mapped", segment: Sequence["RecordChanges"]) -> pa.RecordBatch:
    """The rows of inserts, for the target. Raises ExpressionFailed."""
    return mapped.rows(concat([select(placed.changes.rows, mapped.inputs) for placed in segment]))


def apply_nets(session: TargetSession, target: TargetTable, effects: Iterable[Net]) -> None:
    """Apply effects in the open transaction."""
    for net in effects:
        if net.deletes.num_rows:
            session.delete(target, net.deletes)
        for update in net.updates:
            session.update(target, update.keys, update.rows)
        if net.upserts.num_rows:
            _put(session, target, net)


def _put(session: TargetSession, target: TargetTable, net: Net) -> None:
    if net.existing is None:
        session.upsert(target, net.upserts)
        return
    # Updates come first: new rows may need their former values in other unique columns.
    changed, new = take(net.upserts, np.flatnonzero(net.existing)), take(net.upserts, np.flatnonzero(~net.existing))
    if changed.num_rows:
        session.upsert(target, changed)
    if new.num_rows:
        session.add(target, new)


def only(changes: TableChanges, names: Sequence[str]) -> TableChanges:
    """The changes with only these columns, which include the key."""
    unchanged = {name: mask for name, mask in changes.unchanged.items() if name in names}
    return replace(changes, rows=select(changes.rows, names), unchanged=unchanged)
