"""What changes amount to in the target, and doing it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.batches import concat, select, take
from zcbus.engine.compaction import Net, compact
from zcbus.engine.subscribe.reader import PlacedChanges
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.engine.subscribe.table import SyncRun
from zcbus.model.changes import TableChanges


def nets(mapped: Mapped, stretch: Sequence[PlacedChanges], exact: bool) -> list[Net]:
    """The net effects of changes of one structure, as the target gets them; to be applied one after the other."""
    found = compact([only(placed.changes, mapped.inputs) for placed in stretch], tell_known=exact)
    return found if mapped.shaping is None else [mapped.shaping.net(net) for net in found]


def row_after(mapped: Mapped, part: PlacedChanges) -> pa.RecordBatch:
    """The source's row after a single change that is no deletion, as far as it was sent."""
    net = compact([only(part.changes, mapped.inputs)])[0]
    return net.upserts if net.upserts.num_rows else net.updates[0].rows


def keys_before(mapped: Mapped, stretch: Sequence[PlacedChanges]) -> pa.RecordBatch:
    """The keys before the changes, as the target has them."""
    keys = concat([placed.changes.keys_before for placed in stretch])
    return keys if mapped.shaping is None else mapped.shaping.keys(keys)


def keys_after(mapped: Mapped, stretch: Sequence[PlacedChanges]) -> pa.RecordBatch:
    """The keys after the changes, as the target has them."""
    keys = concat([select(placed.changes.rows, placed.changes.keys_before.schema.names) for placed in stretch])
    return keys if mapped.shaping is None else mapped.shaping.keys(keys)


def rows_added(mapped: Mapped, stretch: Sequence[PlacedChanges]) -> pa.RecordBatch:
    """The rows of changes that are all inserts, as the target gets them. Raises ExpressionFailed."""
    return mapped.rows(concat([select(placed.changes.rows, mapped.inputs) for placed in stretch]))


def apply_nets(session: TargetSession, target: TargetTable, effects: Iterable[Net]) -> None:
    """Carry effects out in the open transaction."""
    for net in effects:
        if net.deletes.num_rows:
            session.delete(target, net.deletes)
        for update in net.updates:
            session.update(target, update.keys, update.rows)
        if net.upserts.num_rows:
            _put(session, target, net)


def _put(session: TargetSession, target: TargetTable, net: Net) -> None:
    if net.known is None:
        session.upsert(target, net.upserts)
        return
    # Rows that are changed come first: what they give up in other unique columns may be taken by new ones.
    changed, new = take(net.upserts, np.flatnonzero(net.known)), take(net.upserts, np.flatnonzero(~net.known))
    if changed.num_rows:
        session.upsert(target, changed)
    if new.num_rows:
        session.add(target, new)


def is_exact(run: SyncRun) -> bool:
    """Whether the target has just the rows that the source had before the changes: a row that is added was not there.
    Not so behind a load that was interrupted, without one, or while the target lacks rows that it refused."""
    checkpoint = run.checkpoint
    complete = checkpoint is not None and bool(checkpoint.since) and checkpoint.since == checkpoint.until
    return complete and not len(run.held)


def only(changes: TableChanges, names: Sequence[str]) -> TableChanges:
    """The changes with no other columns than these, which hold the key."""
    unchanged = {name: mask for name, mask in changes.unchanged.items() if name in names}
    return replace(changes, rows=select(changes.rows, names), unchanged=unchanged)
