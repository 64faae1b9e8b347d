"""Blocks: the points of a subject in a tier, made of the samples of hours that are over. A chart is read from few of
them, and from the samples of the hour that is not over yet."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select, update

from zcbus.control.store.metrics.chunks import CHUNK
from zcbus.control.store.metrics.series import Grid, RollUps, empty, merge, pack, roll_up, unpack
from zcbus.control.store.metrics.tables import metric_block, metric_sample
from zcbus.control.store.metrics.tiers import ROLLED, SLOT, TIERS, Tier

_AT_ONCE = 500
"""Subjects that one statement asks for."""


def read_blocks(
    connection: Connection, found: Mapping[int, Grid], of: tuple[str, Tier], between: tuple[int, int]
) -> None:
    """Fill grids of subjects, by their numbers, with points from `start` to `end`."""
    (kind, tier), (start, end), block = of, between, metric_block.c
    numbers = sorted(found)
    for begin in range(0, len(numbers), _AT_ONCE):
        rows = connection.execute(
            select(block.number, block.start, block.data).where(
                block.kind == kind,
                block.number.in_(numbers[begin : begin + _AT_ONCE]),
                block.step == tier.step,
                block.start > start - tier.block,
                block.start < end,
            )
        )
        for row in rows:
            _place(found[row.number], row, tier, between)


def _place(found: Grid, row: Any, tier: Tier, between: tuple[int, int]) -> None:
    """Copy the points of a block that lie between two moments."""
    start, end = between
    grid = unpack(row.data, tier.points, found.shape[1] - 1)
    first, last = max(start, row.start), min(end, row.start + tier.block)
    part = grid[(first - row.start) // tier.step : (last - row.start) // tier.step]
    found[(first - start) // tier.step : (last - start) // tier.step] = part


def add_recent(
    connection: Connection,
    found: Mapping[int, Grid],
    of: tuple[str, Tier],
    between: tuple[int, int],
    roll_ups: RollUps,
) -> None:
    """Add what is not in blocks yet to such grids. Each row of samples is unpacked once."""
    (kind, tier), (start, end), sample = of, between, metric_sample.c
    slots = tier.step // SLOT
    for chunk in sorted({number // CHUNK for number in found}):
        numbers = [number for number in found if number // CHUNK == chunk]
        rows = connection.execute(
            select(sample.slot, sample.data)
            .where(
                sample.kind == kind,
                sample.chunk == chunk,
                sample.slot >= start // SLOT,
                sample.slot < end // SLOT,
            )
            .order_by(sample.slot)
        ).all()
        if not rows:
            continue
        first = rows[0].slot // slots * slots
        count = (rows[-1].slot // slots + 1) * slots - first
        recent = np.stack([empty(len(numbers), len(roll_ups))] * count)
        places = [number % CHUNK for number in numbers]
        for row in rows:
            recent[row.slot - first] = unpack(row.data, CHUNK, len(roll_ups))[places]
        rolled = roll_up(recent, slots, roll_ups)
        place = (first * SLOT - start) // tier.step
        part = slice(place, place + len(rolled))
        for index, number in enumerate(numbers):
            found[number][part] = merge(found[number][part], rolled[:, index], roll_ups)


def samples_of(connection: Connection, of: tuple[str, int], between: tuple[int, int], columns: int) -> Grid:
    """Samples of all subjects of a chunk between two moments: slots x subjects x columns."""
    (kind, chunk), (start, end), sample = of, between, metric_sample.c
    found = np.stack([empty(CHUNK, columns)] * ((end - start) // SLOT))
    rows = connection.execute(
        select(sample.slot, sample.data).where(
            sample.kind == kind, sample.chunk == chunk, sample.slot >= start // SLOT, sample.slot < end // SLOT
        )
    )
    for row in rows:
        found[row.slot - start // SLOT] = unpack(row.data, CHUNK, columns)
    return found


def make_blocks(connection: Connection, kind: str, chunk: int, start: int, roll_ups: RollUps) -> None:
    """Of the samples of a chunk between `start` and `start + ROLLED`."""
    hour = samples_of(connection, (kind, chunk), (start, start + ROLLED), len(roll_ups))
    for tier in TIERS:
        hour = roll_up(hour, tier.step // (ROLLED // len(hour)), roll_ups)
        _add_to_blocks(connection, (kind, chunk, tier), start, hour, roll_ups)


def _add_to_blocks(
    connection: Connection, of: tuple[str, int, Tier], start: int, points: Grid, roll_ups: RollUps
) -> None:
    """Points from `start` on (time x a chunk's subjects x columns) into the subjects' blocks."""
    (kind, chunk, tier), block = of, metric_block.c
    block_start = start // tier.block * tier.block
    first = (start - block_start) // tier.step
    here = (block.kind == kind, block.step == tier.step, block.start == block_start)
    stored = dict(
        connection.execute(
            select(block.number, block.data).where(
                *here, block.number >= chunk * CHUNK, block.number < (chunk + 1) * CHUNK
            )
        ).all()
    )
    new = []
    for place in np.flatnonzero(points[:, :, 0].any(axis=0)):
        number = chunk * CHUNK + int(place)
        old = stored.get(number)
        grid = unpack(old, tier.points, len(roll_ups)) if old is not None else empty(tier.points, len(roll_ups))
        part = slice(first, first + len(points))
        grid[part] = merge(grid[part], points[:, place], roll_ups)
        if old is None:
            new.append({"kind": kind, "number": number, "step": tier.step, "start": block_start, "data": pack(grid)})
        else:
            connection.execute(update(metric_block).where(*here, block.number == number).values(data=pack(grid)))
    if new:
        connection.execute(insert(metric_block), new)
