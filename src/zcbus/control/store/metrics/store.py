"""The metric store: writes samples, rolls them up, reads series.

A turn writes one row for up to CHUNK subjects of a kind. An hour of such rows becomes blocks, one per subject and tier:
what a chart shows is then read from few rows. With metadata in SQLite it is a file beside it, else it lies in the same
PostgreSQL database; there it has its own lock, so that it never waits for the metadata's writer.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Table, delete, func, insert, make_url, select, text, update

from zcbus.control.store.engine import open_engine
from zcbus.control.store.metrics.series import Grid, RollUps, empty, merge, pack, roll_up, unpack
from zcbus.control.store.metrics.tables import (
    metadata,
    metric_block,
    metric_counter,
    metric_sample,
    metric_subject,
    metric_turn,
)
from zcbus.control.store.metrics.tiers import ROLLED, SLOT, TIERS, Tier

CHUNK = 512
"""Subjects of which samples are stored together."""
LONGEST_STEP = 60.0
"""Counters that were last looked at longer ago give no figure: nobody knows when they grew."""

_POOL_SIZE = 5
# Any number will do, as long as every replica takes the same one.
_LOCK = 7_232_029


@dataclass(frozen=True, slots=True)
class Counters:
    """What counters of a kind's subjects stand at."""

    values: Grid
    """Subjects x counters; NaN: not known now."""
    epochs: npt.NDArray[np.float64]
    """One for each subject: when it changes, the counters began at 0."""
    restart: bool
    """Whether a value that is lower than before means that its counter began at 0, too; else it is one that its
    reporter did not know yet."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest sample of a kind: a row for each subject."""

    at: float
    subjects: Sequence[str]
    values: Grid
    """NaN where there is none, and of what does not hold now."""
    counters: Grid
    """What the counters that `Turn.growth` was given stand at; NaN: not known."""


@dataclass(slots=True)
class Turn:
    """A sample that is being written, at `at` seconds since 1970."""

    connection: Connection
    slot: int
    at: float
    seconds: float | None
    """Since the sample before; None: there was none lately, so this one only notes what counters stand at."""

    def growth(self, kind: str, subjects: Sequence[str], counters: Counters) -> Grid:
        """By how much counters grew since the sample before, NaN where that is not known."""
        known = self._numbers(kind)
        places = self._places(kind, subjects, known)
        columns = counters.values.shape[1]
        stored = _counters(self.connection, kind, int(places.max(initial=-1)), 1 + columns)
        epochs, was = stored[places, 0], stored[places, 1:]
        begun = (epochs != counters.epochs) & ~np.isnan(epochs)
        begun |= np.array([subject not in known for subject in subjects], dtype=bool)
        was[begun] = 0.0
        now = counters.values
        if counters.restart:
            was = np.where(now < was, 0.0, was)
        else:
            now = np.fmax(now, was)
        is_known = ~np.isnan(now).all(axis=1)
        stored[places[is_known], 0] = counters.epochs[is_known]
        stored[places[is_known], 1:] = now[is_known]
        self._save_counters(kind, stored)
        if self.seconds is None:
            return np.full_like(now, np.nan)
        return np.where(np.isnan(counters.values), np.nan, now - was)

    def put(self, kind: str, subjects: Sequence[str], values: Grid) -> None:
        """Write a sample's values, subjects x the kind's columns, NaN where there is none."""
        if self.seconds is None or not subjects:
            return
        places = self._places(kind, subjects, self._numbers(kind))
        for chunk in np.unique(places // CHUNK):
            inside = places // CHUNK == chunk
            grid = empty(CHUNK, values.shape[1])
            grid[places[inside] % CHUNK, 0] = self.seconds
            grid[places[inside] % CHUNK, 1:] = values[inside]
            row = {"kind": kind, "chunk": int(chunk), "slot": self.slot, "data": pack(grid)}
            self.connection.execute(insert(metric_sample).values(row))

    def _numbers(self, kind: str) -> dict[str, int]:
        return _numbers(self.connection, kind)

    def _places(self, kind: str, subjects: Sequence[str], known: Mapping[str, int]) -> Any:
        new = [subject for subject in subjects if subject not in known]
        first = max(known.values(), default=-1) + 1
        numbers = {**known, **{subject: first + place for place, subject in enumerate(new)}}
        if new:
            rows = [{"kind": kind, "number": numbers[subject], "subject": subject} for subject in new]
            self.connection.execute(insert(metric_subject), rows)
        return np.array([numbers[subject] for subject in subjects], dtype=np.int64)

    def _save_counters(self, kind: str, counters: Grid) -> None:
        self.connection.execute(delete(metric_counter).where(metric_counter.c.kind == kind))
        rows = []
        for chunk in range(len(counters) // CHUNK):
            grid = empty(CHUNK, counters.shape[1])
            grid[:, 1:] = counters[chunk * CHUNK : (chunk + 1) * CHUNK]
            rows.append({"kind": kind, "chunk": chunk, "data": pack(grid)})
        if rows:
            self.connection.execute(insert(metric_counter), rows)


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
    def turn(self, at: float) -> Iterator[Turn | None]:
        """Write the sample of a slot; None: it, or a later one, is written already, as by another replica."""
        slot = int(at // SLOT)
        with self._write() as connection:
            last = connection.execute(select(metric_turn.c.slot, metric_turn.c.at)).one_or_none()
            if last is not None and _is_written(last.slot, slot):
                yield None
                return
            since = at - last.at if last is not None else -1.0
            yield Turn(connection, slot, at, since if 0 < since <= LONGEST_STEP else None)
            connection.execute(delete(metric_turn))
            connection.execute(insert(metric_turn).values(id=0, slot=slot, at=at))

    def is_due(self, at: float) -> bool:
        """Whether the sample of that moment's slot is not written yet."""
        return not _is_written(self._last_slot(), int(at // SLOT))

    def _last_slot(self) -> int:
        with self.engine.begin() as connection:
            found: int | None = connection.execute(select(metric_turn.c.slot)).scalar()
        return -1 if found is None else found

    def read(self, kind: str, subject: str, tier: Tier, start: int, end: int, roll_ups: RollUps) -> Grid:
        """A subject's points of a tier from `start` to `end`, seconds since 1970 and multiples of the tier's step."""
        found = empty((end - start) // tier.step, len(roll_ups))
        with self.engine.begin() as connection:
            number = connection.execute(
                select(metric_subject.c.number).where(
                    metric_subject.c.kind == kind, metric_subject.c.subject == subject
                )
            ).scalar()
            if number is None:
                return found
            _fill_from_blocks(connection, found, (kind, number, tier), (start, end))
            _add_samples(connection, found, (kind, number, tier), (start, end), roll_ups)
        return found

    def newest(self, kind: str, columns: int, counters: int) -> Newest | None:
        """The newest sample of a kind with so many columns and so many counters of its own; None: there is none."""
        with self.engine.begin() as connection:
            last = connection.execute(select(metric_turn.c.slot, metric_turn.c.at)).one_or_none()
            if last is None:
                return None
            known = _numbers(connection, kind)
            numbers = np.array(list(known.values()), dtype=np.int64)
            highest = int(numbers.max(initial=-1))
            grids = dict(
                connection.execute(
                    select(metric_sample.c.chunk, metric_sample.c.data).where(
                        metric_sample.c.kind == kind, metric_sample.c.slot == last.slot
                    )
                ).all()
            )
            values = _chunks(grids, highest, columns)
            stood = _counters(connection, kind, highest, 1 + counters)
        return Newest(last.at, list(known), values[numbers], stood[numbers, 1:])

    def roll(self, roll_ups: Mapping[str, RollUps], most_seconds: float) -> None:
        """Make blocks of samples of hours that are over. What `most_seconds` don't suffice for is left."""
        begun = time.monotonic()
        while self._roll_chunk(roll_ups) and time.monotonic() - begun < most_seconds:
            pass

    def _roll_chunk(self, roll_ups: Mapping[str, RollUps]) -> bool:
        over = self._last_slot() * SLOT // ROLLED * ROLLED
        with self._write() as connection:
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
            if due.kind in roll_ups:
                _make_blocks(connection, due.kind, due.chunk, start, roll_ups[due.kind])
            connection.execute(
                delete(metric_sample).where(
                    sample.kind == due.kind, sample.chunk == due.chunk, sample.slot < (start + ROLLED) // SLOT
                )
            )
        return True

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
            known = _numbers(connection, kind)
            # The highest number stays: the next one is behind it, and none is used twice.
            highest = max(known.values(), default=0)
            gone = [number for subject, number in known.items() if subject not in existing and number < highest]
            for table in (metric_block, metric_subject):
                for number in gone:
                    connection.execute(delete(table).where(table.c.kind == kind, table.c.number == number))

    def size_bytes(self) -> int:
        """What the store takes on the disk."""
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


def _rows(connection: Connection, table: Table, condition: Any, *columns: str) -> Sequence[Any]:
    return connection.execute(select(*(table.c[name] for name in columns)).where(condition)).all()


def _numbers(connection: Connection, kind: str) -> dict[str, int]:
    return dict(_rows(connection, metric_subject, metric_subject.c.kind == kind, "subject", "number"))


def _counters(connection: Connection, kind: str, highest: int, columns: int) -> Grid:
    """What the kind's counters stood at, by number, up to the highest: their epoch and the counters themselves."""
    return _chunks(
        dict(_rows(connection, metric_counter, metric_counter.c.kind == kind, "chunk", "data")), highest, columns
    )


def _chunks(stored: Mapping[int, bytes], highest: int, columns: int) -> Grid:
    """Whole chunks one after the other, at least up to a number, without the column of seconds."""
    count = max(highest // CHUNK, *stored, -1) + 1 if stored else highest // CHUNK + 1
    grids = [
        unpack(stored[chunk], CHUNK, columns) if chunk in stored else empty(CHUNK, columns) for chunk in range(count)
    ]
    return np.concatenate([empty(0, columns), *grids])[:, 1:]


def _fill_from_blocks(connection: Connection, found: Grid, of: tuple[str, int, Tier], between: tuple[int, int]) -> None:
    (kind, number, tier), (start, end), block = of, between, metric_block.c
    rows = connection.execute(
        select(block.start, block.data).where(
            block.kind == kind,
            block.number == number,
            block.step == tier.step,
            block.start > start - tier.block,
            block.start < end,
        )
    )
    for row in rows:
        grid = unpack(row.data, tier.points, found.shape[1] - 1)
        first, last = max(start, row.start), min(end, row.start + tier.block)
        part = grid[(first - row.start) // tier.step : (last - row.start) // tier.step]
        found[(first - start) // tier.step : (last - start) // tier.step] = part


def _add_samples(
    connection: Connection, found: Grid, of: tuple[str, int, Tier], between: tuple[int, int], roll_ups: RollUps
) -> None:
    """What is not in blocks yet."""
    (kind, number, tier), (start, end), sample = of, between, metric_sample.c
    rows = connection.execute(
        select(sample.slot, sample.data)
        .where(
            sample.kind == kind,
            sample.chunk == number // CHUNK,
            sample.slot >= start // SLOT,
            sample.slot < end // SLOT,
        )
        .order_by(sample.slot)
    ).all()
    if not rows:
        return
    slots = tier.step // SLOT
    first = rows[0].slot // slots * slots
    recent = empty((rows[-1].slot // slots + 1) * slots - first, len(roll_ups))
    for row in rows:
        recent[row.slot - first] = unpack(row.data, CHUNK, len(roll_ups))[number % CHUNK]
    rolled = roll_up(recent, slots, roll_ups)
    place = (first * SLOT - start) // tier.step
    part = slice(place, place + len(rolled))
    found[part] = merge(found[part], rolled, roll_ups)


def _make_blocks(connection: Connection, kind: str, chunk: int, start: int, roll_ups: RollUps) -> None:
    """Of the samples of a chunk between `start` and `start + ROLLED`."""
    sample = metric_sample.c
    hour = np.stack([empty(CHUNK, len(roll_ups))] * (ROLLED // SLOT))
    rows = connection.execute(
        select(sample.slot, sample.data).where(
            sample.kind == kind,
            sample.chunk == chunk,
            sample.slot >= start // SLOT,
            sample.slot < (start + ROLLED) // SLOT,
        )
    )
    for row in rows:
        hour[row.slot - start // SLOT] = unpack(row.data, CHUNK, len(roll_ups))
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
