"""Retention: removal of old segments."""

from itertools import pairwise
from pathlib import Path

from zcbus.bus.contract import Retention
from zcbus.bus.embedded.layout import remove_segment, segment_bases, segment_path, sync_folder
from zcbus.bus.embedded.marker import read_durable
from zcbus.bus.embedded.reading import first_header


def remove_old(folder: Path, retention: Retention, now: int) -> int:
    """Remove the oldest segments beyond the retention; returns the bytes freed.

    Safe during writes and other calls: it only touches segments older than the newest one with durable records.
    """
    durable = read_durable(folder)
    if durable is None:
        return 0
    bases = [base for base in segment_bases(folder) if base <= durable.base]
    sizes = {base: _size(segment_path(folder, base)) for base in bases}
    remaining, freed = sum(sizes.values()), 0
    for base, following in pairwise(bases):
        too_much = retention.size_bytes is not None and remaining > retention.size_bytes
        if not too_much and not _expired(folder, following, retention, now):
            break
        remove_segment(folder, base)
        remaining, freed = remaining - sizes[base], freed + sizes[base]
    if freed:
        sync_folder(folder)
    return freed


def _expired(folder: Path, following: int, retention: Retention, now: int) -> bool:
    """Whether all records before the segment `following` are too old: times never decrease within a topic."""
    if retention.time is None:
        return False
    header = first_header(folder, following)
    return header is not None and header.time < now - retention.time.total_seconds() * 1000


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
