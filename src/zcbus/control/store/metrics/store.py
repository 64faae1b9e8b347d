"""The metric store: writes samples, rolls them up, reads series.

A sampling writes one row for up to CHUNK subjects of a kind. An hour of such rows becomes blocks, one per subject and
tier, so that a chart is read from few rows. With metadata in SQLite it is a file next to it, otherwise it lies in the
same PostgreSQL database with a lock of its own, so that it never waits for the metadata's writer.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, delete, func, insert, make_url, select, text

from zcbus.control.store.engine import open_engine
from zcbus.control.store.metrics.blocks import add_recent, make_blocks, read_blocks
from zcbus.control.store.metrics.chunks import join_with_seconds, numbers_of, stored_counters, subject_numbers
from zcbus.control.store.metrics.sample_writer import SampleWriter
from zcbus.control.store.metrics.series import Grid, RollUps, empty
from zcbus.control.store.metrics.tables import (
    metadata,
    metric_block,
    metric_sample,
    metric_subject,
    metric_turn,
)
from zcbus.control.store.metrics.tiers import ROLLED, SLOT, TIERS, Tier

MAX_STEP = 60.0
"""Counters without a recent sample give no figure: it is unknown when they grew."""

_POOL_SIZE = 5
# Any number will do, as long as every replica takes the same one.
_LOCK = 7_232_029


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest sample of a kind: a row for each subject."""

    at: float
    subjects: Sequence[str]
    values: Grid
    """NaN where there is none, and of what does not hold now."""
    seconds: Grid
    """Measured by each subject's values; 0: none."""
    counters: Grid
    """Values of the counters given to `SampleWriter.growth`; NaN: not known."""


class MetricStore:
    """Safe for many threads, and for several replicas on one PostgreSQL database."""

    def __init__(self, database_url: str) -> None:
        """`database_url`: of the metadata."""
        self.engine = open_engine(_own_url(database_url), pool_size=_POOL_SIZE)
        self._writing = self.engine.execution_options(zcbus_begin="BEGIN IMMEDIATE")

    def prepare(self) -> None:
        """Make the tables that are not there."""
        with self._write() as connection:
            metadata.create_all(connection)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def sample_writer(self, at: float) -> Iterator[SampleWriter | None]:
        """Write the sample of a slot; None: it, or a later one, is written already, as by another replica."""
        slot = int(at // SLOT)
        with self._write() as connection:
            last = connection.execute(select(metric_turn.c.slot, metric_turn.c.at)).one_or_none()
            if last is not None and _is_written(last.slot, slot):
                yield None
                return
            since = at - last.at if last is not None else -1.0
            yield SampleWriter(connection, slot, at, since if 0 < since <= MAX_STEP else None)
            connection.execute(delete(metric_turn))
            connection.execute(insert(metric_turn).values(id=0, slot=slot, at=at))

    def is_due(self, at: float) -> bool:
        """Whether the sample of that moment's slot is not written yet."""
        return not _is_written(self._last_slot(), int(at // SLOT))

    def last_sample(self) -> tuple[int, float]:
        """Slot and moment of the newest sample; slot -1: there is none."""
        with self.engine.begin() as connection:
            found = connection.execute(select(metric_turn.c.slot, metric_turn.c.at)).one_or_none()
        return (-1, 0.0) if found is None else (found.slot, found.at)

    def _last_slot(self) -> int:
        return self.last_sample()[0]

    def read(self, kind: str, subject: str, tier: Tier, start: int, end: int, roll_ups: RollUps) -> Grid:
        """A subject's points of a tier from `start` to `end`, seconds since 1970 and multiples of the tier's step."""
        found = self.read_many(kind, (subject,), tier, start, end, roll_ups)
        return found[subject] if subject in found else empty((end - start) // tier.step, len(roll_ups))

    def read_many(
        self, kind: str, subjects: Collection[str], tier: Tier, start: int, end: int, roll_ups: RollUps
    ) -> dict[str, Grid]:
        """As `read`, for several subjects by their ids; those that were never measured are left out."""
        with self.engine.begin() as connection:
            numbers = {number: subject for subject, number in numbers_of(connection, kind, subjects).items()}
            grids = {number: empty((end - start) // tier.step, len(roll_ups)) for number in numbers}
            read_blocks(connection, grids, (kind, tier), (start, end))
            add_recent(connection, grids, (kind, tier), (start, end), roll_ups)
        return {numbers[number]: grid for number, grid in grids.items()}

    def newest(self, kind: str, columns: int, counters: int) -> Newest | None:
        """The newest sample of a kind with this number of columns and counters; None: there is none."""
        with self.engine.begin() as connection:
            last = connection.execute(select(metric_turn.c.slot, metric_turn.c.at)).one_or_none()
            if last is None:
                return None
            known = subject_numbers(connection, kind)
            numbers = np.array(list(known.values()), dtype=np.int64)
            highest = int(numbers.max(initial=-1))
            grids = dict(
                connection.execute(
                    select(metric_sample.c.chunk, metric_sample.c.data).where(
                        metric_sample.c.kind == kind, metric_sample.c.slot == last.slot
                    )
                ).all()
            )
            values = join_with_seconds(grids, highest, columns)[numbers]
            counters_before = stored_counters(connection, kind, highest, 1 + counters)
        return Newest(last.at, list(known), values[:, 1:], values[:, 0], counters_before[numbers, 1:])

    def roll(self, roll_ups: Mapping[str, RollUps], most_seconds: float) -> None:
        """Make blocks of samples of hours that are over. What `most_seconds` don't suffice for is left."""
        begun = time.monotonic()
        while self._roll_chunk(roll_ups) and time.monotonic() - begun < most_seconds:
            pass

    def _roll_chunk(self, roll_ups: Mapping[str, RollUps]) -> bool:
        with self._write() as connection:
            over = self._rolled_until(connection)
            sample = metric_sample.c
            due = connection.execute(
                select(sample.kind, sample.chunk, sample.slot)
                .where(sample.slot < over // SLOT)
                .order_by(sample.kind, sample.chunk, sample.slot)
                .limit(1)
            ).one_or_none()
            if due is None:
                return False
            start = due.slot * SLOT // ROLLED * ROLLED
            if due.kind in roll_ups and self._makes_blocks(connection, start):
                make_blocks(connection, due.kind, due.chunk, start, roll_ups[due.kind])
            connection.execute(
                delete(metric_sample).where(
                    sample.kind == due.kind, sample.chunk == due.chunk, sample.slot < (start + ROLLED) // SLOT
                )
            )
        return True

    def _rolled_until(self, connection: Connection) -> int:
        """The end of the hours whose samples become blocks."""
        return self._hours_over(connection)

    def _makes_blocks(self, connection: Connection, start: int) -> bool:
        """Whether the hour that begins there becomes blocks; else its samples are only removed."""
        return True

    def _hours_over(self, connection: Connection) -> int:
        slot = connection.execute(select(metric_turn.c.slot)).scalar()
        return (slot if slot is not None else 0) * SLOT // ROLLED * ROLLED

    def remove_old(self, now: float) -> None:
        """Remove blocks that are older than their tier keeps."""
        for tier in TIERS:
            with self._write() as connection:
                connection.execute(
                    delete(metric_block).where(
                        metric_block.c.step == tier.step, metric_block.c.start < now - tier.kept - tier.block
                    )
                )

    def forget(self, kind: str, existing: set[str]) -> None:
        """Remove all figures of subjects that are no more."""
        with self._write() as connection:
            known = subject_numbers(connection, kind)
            # The highest number stays: the next one is behind it, and none is used twice.
            highest = max(known.values(), default=0)
            gone = [number for subject, number in known.items() if subject not in existing and number < highest]
            for table in (metric_block, metric_subject):
                for number in gone:
                    connection.execute(delete(table).where(table.c.kind == kind, table.c.number == number))

    def size_bytes(self) -> int:
        """Size of the store on the disk."""
        with self.engine.begin() as connection:
            if self.engine.dialect.name == "sqlite":
                pages, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in _SQLITE_SIZE)
                return int(pages * size)
            sizes = [select(func.pg_total_relation_size(name)) for name in metadata.tables]
            return sum(connection.execute(size).scalar_one() for size in sizes)

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._writing.begin() as connection:
            if self.engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection


_SQLITE_SIZE = ("page_count", "page_size")


def _is_written(last: int, slot: int) -> bool:
    """A newest sample that lies far ahead was written before the clock was set back."""
    return slot <= last <= slot + ROLLED // SLOT


def _own_url(database_url: str) -> str:
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return database_url
    return url.set(database=f"{url.database}-metrics").render_as_string(hide_password=False)
