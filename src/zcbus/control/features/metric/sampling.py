"""Samples of all subjects every ten seconds, from the last reports of agents and services."""

from collections.abc import Mapping, Sequence

import numpy as np

from zcbus.control.features.metric import readings
from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, MetricType, SubjectKind
from zcbus.control.features.metric.readings import CHANGES, COUNTS, LOADS, Floats, Readings, Rows
from zcbus.control.platform.services import Services
from zcbus.control.store.metrics.sample_writer import Counters, SampleWriter

_MAX_ROLL_SECONDS = 0.5

COUNTED: Mapping[SubjectKind, tuple[str, ...]] = {
    SubjectKind.TABLE: (*CHANGES, *LOADS, *COUNTS),
    SubjectKind.PUBLISHED_TABLE: CHANGES,
    SubjectKind.SERVICE: ("restarts", "retries", "bus_bytes"),
}
"""Counters that are reported as such; those of other kinds are sums of how these grew."""


_GAUGES = ("lag_ms", "row_errors", "failed_tables", "changes_waiting", "changes_difference")
"""Of tables; those of a channel follow from them."""


def sample(services: Services) -> None:
    """Write the due sample, and roll up due blocks. Several replicas may run it at once: one of them writes."""
    now = services.clock.now()
    if not services.metric_store.is_due(now.timestamp()):
        return
    with services.database.read() as connection:
        found = readings.read(connection, now)
    with services.metric_store.sample_writer(now.timestamp()) as sample:
        if sample is not None:
            write(sample, found)
    services.metric_store.roll(ROLL_UPS, _MAX_ROLL_SECONDS)


def clean_up(services: Services) -> None:
    """Remove figures after their retention, and those of deleted subjects."""
    services.metric_store.remove_old(services.clock.now().timestamp())
    with services.database.read() as connection:
        existing = readings.existing(connection)
    for kind, ids in existing.items():
        services.metric_store.forget(kind, ids)


def write(sample: SampleWriter, found: Readings) -> None:
    """A turn's sample of everything."""
    applied = _growth(sample, SubjectKind.TABLE, found.tables, restart=False)
    captured = _growth(sample, SubjectKind.PUBLISHED_TABLE, found.published, restart=True)
    restarts = _growth(sample, SubjectKind.SERVICE, found.services, restart=True)
    loading = {name: _gauge(found.tables, name) for name in ("loading", "to_load")}
    _put(sample, SubjectKind.TABLE, found.tables, {**applied, "load_percent": _percent(loading)})
    _put(sample, SubjectKind.PUBLISHED_TABLE, found.published, captured)
    tables = _of_owners(found.tables, applied, found.channels.ids)
    gauges = {name: _gauge(found.tables, name) for name in _GAUGES}
    tables["lag_ms"] = _highest(found.tables, gauges.pop("lag_ms"), found.channels.ids)
    tables.update(_of_owners(found.tables, gauges, found.channels.ids))
    tables["load_percent"] = _percent(_of_owners(found.tables, loading, found.channels.ids))
    _put(sample, SubjectKind.CHANNEL, found.channels, tables)
    _put(
        sample,
        SubjectKind.SERVICE,
        found.services,
        {**_of_owners(found.published, captured, found.services.ids), **restarts},
    )
    _put(sample, SubjectKind.HOST, found.hosts, {})


def _percent(loading: Mapping[str, Floats]) -> Floats:
    """Loaded share of the rows of tables that are loading; NaN where none is."""
    return 100 * loading["loading"] / loading["to_load"]


def _growth(sample: SampleWriter, kind: SubjectKind, rows: Rows, *, restart: bool) -> dict[str, Floats]:
    names = COUNTED[kind]
    values = np.column_stack([rows.columns[name] for name in names])
    grown = sample.growth(kind, rows.ids, Counters(values, rows.epochs, restart=restart))
    return dict(zip(names, grown.T, strict=True))


def _put(sample: SampleWriter, kind: SubjectKind, rows: Rows, counters: Mapping[str, Floats]) -> None:
    """Write current values, and counters up to the end of their process; the rest is a gap."""
    nothing = np.full(len(rows.ids), np.nan)
    columns = [
        counters.get(metric.name, nothing) if metric.type is MetricType.COUNTER else _gauge(rows, metric.name, counters)
        for metric in METRICS[kind]
    ]
    values = np.column_stack(columns)
    grew = np.any([np.nan_to_num(column) > 0 for column in counters.values()], axis=0) if counters else False
    present = rows.holds | grew
    sample.put(kind, [name for name, here in zip(rows.ids, present, strict=True) if here], values[present])


def _gauge(rows: Rows, name: str, made: Mapping[str, Floats] | None = None) -> Floats:
    values = made[name] if made is not None and name in made else rows.columns[name]
    return np.where(rows.holds, values, np.nan)


def _of_owners(rows: Rows, columns: Mapping[str, Floats], owners: Sequence[str]) -> dict[str, Floats]:
    """Sums over the rows of each owner; NaN for owners without a known value."""
    indexes = _owner_indexes(rows, owners)
    found = {}
    for name, values in columns.items():
        known = (indexes >= 0) & ~np.isnan(values)
        sums = np.bincount(indexes[known], values[known], len(owners)).astype(np.float64)
        counts = np.bincount(indexes[known], minlength=len(owners))
        found[name] = np.where(counts > 0, sums, np.nan)
    return found


def _highest(rows: Rows, values: Floats, owners: Sequence[str]) -> Floats:
    indexes = _owner_indexes(rows, owners)
    highest = np.full(len(owners), np.nan)
    known = indexes >= 0
    np.fmax.at(highest, indexes[known], values[known])
    return highest


def _owner_indexes(rows: Rows, owners: Sequence[str]) -> "np.typing.NDArray[np.int64]":
    """Which owner each row has; -1: none of them."""
    numbers = {owner: number for number, owner in enumerate(owners)}
    return np.array([numbers.get(owner, -1) for owner in rows.owners], dtype=np.int64)
