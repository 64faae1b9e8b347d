"""What changes of a table amount to, divided among appliers by their keys."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.roles import TargetTable
from zcbus.engine.batches import take
from zcbus.engine.compaction import Net, PartialUpdate
from zcbus.engine.key_hash import Numbers, applier_numbers, hashed_columns
from zcbus.model.schema import TableSchema


@dataclass(frozen=True, slots=True)
class Effects:
    """What changes of one structure and one origin amount to."""

    schema: TableSchema
    """The source's."""
    key: tuple[str, ...]
    table: TargetTable
    nets: Sequence[Net]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not any(net.deletes.num_rows or net.updates or net.upserts.num_rows for net in self.nets)

    @property
    def moves(self) -> bool:
        """Whether a row got another key."""
        return any(net.moves for net in self.nets)

    def divided(self, count: int) -> list["Effects"] | None:
        """Per applier its part; None: they must stay together."""
        names = hashed_columns(self.schema, self.key)
        if not names or self.moves:
            return None
        parts = [_divided(net, self.schema, names, count) for net in self.nets]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        return [Effects(self.schema, self.key, self.table, [part[n] for part in known]) for n in range(count)]


def _divided(net: Net, schema: TableSchema, names: Sequence[str], count: int) -> list[Net] | None:
    batches = [net.deletes, *(update.keys for update in net.updates), net.upserts]
    numbers = [found for found in (applier_numbers(schema, names, b, count) for b in batches) if found is not None]
    return [_part(net, numbers, applier) for applier in range(count)] if len(numbers) == len(batches) else None


def _part(net: Net, numbers: Sequence[Numbers], applier: int) -> Net:
    places = [np.flatnonzero(found == applier) for found in numbers]
    updates = [
        PartialUpdate(take(update.keys, where), take(update.rows, where))
        for update, where in zip(net.updates, places[1:-1], strict=True)
    ]
    known = net.known[places[-1]] if net.known is not None else None
    filled = tuple(update for update in updates if update.keys.num_rows)
    return Net(take(net.deletes, places[0]), filled, take(net.upserts, places[-1]), known)
