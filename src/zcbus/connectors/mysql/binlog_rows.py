"""Row images of many row events at once: step k handles the k-th image of every event.

One event holds up to a few hundred rows, so a few hundred steps over long arrays find every column of every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.mysql.binlog_tables import ColumnMap
from zcbus.connectors.mysql.vectors import Buffer, Flags, Integers

_PLACES = 1 << 32


@dataclass(frozen=True, slots=True)
class Images:
    """Row images in log order."""

    events: Integers
    """Index of each image's event."""
    places: Integers
    """The image's number within its event."""
    bitmaps: Integers
    """Where each image's null bitmap begins."""
    starts: list[Integers]
    """Per wanted column where its value begins (its length, where it has one)."""


def scan(buffer: Buffer, columns: Sequence[ColumnMap], wanted: Sequence[int], at: Integers, ends: Integers) -> Images:
    """All images of events whose images lie in [at, ends). `wanted`: indexes of the columns to locate, ascending."""
    events = np.arange(len(at), dtype=np.int64)
    found: list[list[Integers]] = [[] for _ in wanted]
    found_events: list[Integers] = []
    bitmaps: list[Integers] = []
    places: list[Integers] = []
    step = 0
    more = at < ends
    at, ends, events = at[more], ends[more], events[more]
    while len(at):
        found_events.append(events)
        bitmaps.append(at)
        places.append(np.full(len(at), step, np.int64))
        at = _image(buffer, columns, wanted, at, found)
        step += 1
        more = at < ends
        if not more.all():
            at, ends, events = at[more], ends[more], events[more]
    return _in_log_order(found_events, places, bitmaps, found)


def nulls(buffer: Buffer, bitmaps: Integers, columns: int) -> Flags:
    """Whether a column is null in an image: a row per column, a column per image."""
    octets = buffer.u8[bitmaps + np.arange((columns + 7) // 8)[:, None]]
    return np.unpackbits(octets, axis=0, bitorder="little", count=columns).astype(np.bool_)


def _image(
    buffer: Buffer,
    columns: Sequence[ColumnMap],
    wanted: Sequence[int],
    bitmap: Integers,
    found: list[list[Integers]],
) -> Integers:
    """Locate the columns of one image per event; returns where the images end."""
    at = bitmap + (len(columns) + 7) // 8
    chosen = 0
    bits = np.empty(0, np.uint8)
    for index, column in enumerate(columns):
        if index % 8 == 0:
            bits = buffer.u8[bitmap + index // 8]
            some_null = int(np.bitwise_or.reduce(bits)) if len(bits) else 0
        if chosen < len(wanted) and wanted[chosen] == index:
            found[chosen].append(at)
            chosen += 1
        size = column.fixed if not column.prefix else column.prefix + buffer.little(at, column.prefix)
        null = bits >> (index % 8) & 1
        at = at + (np.where(null, 0, size) if some_null >> (index % 8) & 1 else size)
    return at


def _in_log_order(
    events: list[Integers], places: list[Integers], bitmaps: list[Integers], found: list[list[Integers]]
) -> Images:
    if not events:
        empty = np.empty(0, np.int64)
        return Images(empty, empty, empty, [empty for _ in found])
    event, place = np.concatenate(events), np.concatenate(places)
    order = np.argsort(event * _PLACES + place, kind="stable")
    return Images(
        event[order],
        place[order],
        np.concatenate(bitmaps)[order],
        [np.concatenate(column)[order] for column in found],
    )
