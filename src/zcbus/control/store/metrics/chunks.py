"""Subjects in chunks: a row of samples or counters holds those of CHUNK subjects, by their numbers."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, select

from zcbus.control.store.among import among
from zcbus.control.store.metrics.series import Grid, empty, unpack
from zcbus.control.store.metrics.tables import metric_counter, metric_subject

CHUNK = 512
"""Subjects of which samples are stored together."""


def _rows(connection: Connection, table: Table, condition: Any, *columns: str) -> Sequence[Any]:
    return connection.execute(select(*(table.c[name] for name in columns)).where(condition)).all()


def subject_numbers(connection: Connection, kind: str) -> dict[str, int]:
    return dict(_rows(connection, metric_subject, metric_subject.c.kind == kind, "subject", "number"))


def numbers_of(connection: Connection, kind: str, subjects: Collection[str]) -> dict[str, int]:
    """Numbers of some subjects; those that were never measured have none."""
    condition = (metric_subject.c.kind == kind) & among(metric_subject.c.subject, subjects)
    return dict(_rows(connection, metric_subject, condition, "subject", "number"))


def stored_counters(connection: Connection, kind: str, highest: int, columns: int) -> Grid:
    """Last values of the kind's counters, by number, up to the highest: their epoch and the counters themselves."""
    return join_chunks(
        dict(_rows(connection, metric_counter, metric_counter.c.kind == kind, "chunk", "data")), highest, columns
    )


def join_chunks(stored: Mapping[int, bytes], highest: int, columns: int) -> Grid:
    """As `join_with_seconds`, without the column of seconds."""
    return join_with_seconds(stored, highest, columns)[:, 1:]


def join_with_seconds(stored: Mapping[int, bytes], highest: int, columns: int) -> Grid:
    """Whole chunks one after the other, at least up to a number."""
    count = max(highest // CHUNK, *stored, -1) + 1 if stored else highest // CHUNK + 1
    grids = [
        unpack(stored[chunk], CHUNK, columns) if chunk in stored else empty(CHUNK, columns) for chunk in range(count)
    ]
    return np.concatenate([empty(0, columns), *grids])
