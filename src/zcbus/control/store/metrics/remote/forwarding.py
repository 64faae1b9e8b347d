"""What of the samples is due to be sent to the server, and how its series are named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, delete, func, insert, select

from zcbus.control.store.metrics.blocks import samples_of
from zcbus.control.store.metrics.chunks import CHUNK, subject_numbers
from zcbus.control.store.metrics.remote.encoding import Sample, labels
from zcbus.control.store.metrics.series import Grid, RollUps, roll_up
from zcbus.control.store.metrics.tables import metric_forwarded, metric_sample, metric_turn
from zcbus.control.store.metrics.tiers import SLOT, TIERS, Tier

SECONDS = "measured_seconds"
"""The first column of a grid."""

Owners = Mapping[str, tuple[str, str]]
"""Name and tenant of subjects, by their ids."""

_PORTION = 300
"""Seconds of points that are sent at once, or one point."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a kind's grids behind the first."""

    names: Sequence[str]
    roll_ups: RollUps


@dataclass(frozen=True, slots=True)
class Portion:
    """The points of a tier from `start` to `end`."""

    tier: Tier
    start: int
    end: int


def series_name(kind: str, column: str) -> str:
    """Apart from the names of `/metrics`, which the same server may scrape."""
    return f"zcbus_history_{kind.replace('-', '_')}_{column}"


def next_portion(connection: Connection, not_before: int) -> Portion | None:
    """What is to be sent next; None: nothing. Points of an interval are sent when it is over. The resolutions alternate
    in the order of time: Prometheus refuses what is an hour older than the newest that it has."""
    last = connection.execute(select(metric_turn.c.slot)).scalar()
    oldest = connection.execute(select(func.min(metric_sample.c.slot))).scalar()
    if last is None or oldest is None:
        return None
    sent = _sent(connection)
    portions = []
    for tier in TIERS:
        start = max(sent.get(tier.step, 0), oldest * SLOT // tier.step * tier.step, not_before)
        end = min((last + 1) * SLOT // tier.step * tier.step, start + max(_PORTION, tier.step))
        portions += [Portion(tier, start, end)] if start < end else []
    return min(portions, key=lambda portion: portion.end, default=None)


def mark_sent(connection: Connection, portion: Portion) -> None:
    """The next portion begins at the end of this one."""
    connection.execute(delete(metric_forwarded).where(metric_forwarded.c.step == portion.tier.step))
    connection.execute(insert(metric_forwarded).values(step=portion.tier.step, until=portion.end))


def sent_until(connection: Connection, tiers: Sequence[Tier] = TIERS) -> int:
    """Up to where points of all these resolutions are sent, in seconds since 1970."""
    sent = _sent(connection)
    return min(sent.get(tier.step, 0) for tier in tiers)


def _sent(connection: Connection) -> dict[int, int]:
    return dict(connection.execute(select(metric_forwarded.c.step, metric_forwarded.c.until)).all())


def series_of(
    connection: Connection, portion: Portion, kind: str, columns: Columns, owners: Owners
) -> Iterator[list[tuple[bytes, Sequence[Sample]]]]:
    """A portion's series of a kind, those of a chunk of subjects at a time. Subjects without owner are left out."""
    known = {number: subject for subject, number in subject_numbers(connection, kind).items() if subject in owners}
    names = [series_name(kind, name) for name in (SECONDS, *columns.names)]
    between = (portion.start, portion.end)
    for chunk in sorted({number // CHUNK for number in known}):
        samples = samples_of(connection, (kind, chunk), between, len(columns.roll_ups))
        points = roll_up(samples, portion.tier.step // SLOT, columns.roll_ups)
        found: list[tuple[bytes, Sequence[Sample]]] = []
        for place in np.flatnonzero((points[:, :, 0] > 0).any(axis=0)).tolist():
            subject = known.get(chunk * CHUNK + place)
            if subject is not None:
                found += _series(portion, names, (subject, *owners[subject]), points[:, place])
        if found:
            yield found


def _series(
    portion: Portion, names: Sequence[str], owner: tuple[str, str, str], points: Grid
) -> Iterator[tuple[bytes, Sequence[Sample]]]:
    """A subject's series. A point is stored at the middle of its interval, so that no range of a query ends on it."""
    subject, name, tenant = owner
    step, half = portion.tier.step * 1000, portion.tier.step * 500
    measured = points[:, 0] > 0
    moments = [portion.start * 1000 + half + index * step for index in np.flatnonzero(measured).tolist()]
    for metric, values in zip(names, points[measured].T.tolist(), strict=True):
        # What is no number does not equal itself.
        samples = [(value, at) for value, at in zip(values, moments, strict=True) if value == value]
        if samples:
            yield _labels(metric, subject, name, tenant, portion.tier.step), samples


def _labels(metric: str, subject: str, name: str, tenant: str, step: int) -> bytes:
    return labels({"__name__": metric, "id": subject, "name": name, "step": str(step), "tenant": tenant})
