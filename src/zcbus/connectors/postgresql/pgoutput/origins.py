"""Origins of changes by the marks between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.postgresql.pgoutput.framing import Offsets
from zcbus.model.origin import Mark, Origin
from zcbus.model.schema import TableName


@dataclass(frozen=True, slots=True)
class Noted:
    """A mark that was found."""

    place: int
    """Number of its message; -1: it came with an earlier part of the transaction."""
    transaction: int
    mark: Mark


def by_origin(
    table: TableName, places: Offsets, transactions: Offsets, noted: Sequence[Noted]
) -> Iterator[tuple[Origin, Offsets]]:
    """A table's changes (message numbers, ascending, and their transactions) in runs of one origin."""
    mine = [one for one in noted if one.mark[0] == table]
    if not mine:
        yield (), places
        return
    origins = [(), *dict.fromkeys(one.mark[1] for one in mine if one.mark[1])]
    codes = np.array([origins.index(one.mark[1]) for one in mine])
    last = np.searchsorted(np.array([one.place for one in mine]), places, side="right") - 1
    is_marked = (last >= 0) & (np.array([one.transaction for one in mine])[last] == transactions)
    code = np.where(is_marked, codes[last], 0)
    for run in np.split(np.arange(len(places)), np.flatnonzero(np.diff(code)) + 1):
        yield origins[int(code[run[0]])], places[run]
