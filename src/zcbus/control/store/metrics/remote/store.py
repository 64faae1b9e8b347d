"""The metric store with its history on a server of Prometheus' protocols.

Samples are written here as always, so that they are a queue that outlasts a restart, and the newest hours of every
chart. What the server took is removed after `_HERE_HOURS`; what it did not take within `_QUEUED_HOURS`, or refused,
becomes blocks here as without a server.
"""

import json
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Row, func, insert, select, update

from zcbus.control.store.metrics.chunks import CHUNK, numbers_of
from zcbus.control.store.metrics.remote.encoding import labels
from zcbus.control.store.metrics.remote.forwarding import (
    SECONDS,
    Columns,
    Owners,
    Portion,
    mark_sent,
    next_portion,
    sent_until,
    series_name,
    series_of,
)
from zcbus.control.store.metrics.remote.server import MetricServer, MetricServerFailed, MetricServerRefused
from zcbus.control.store.metrics.series import Grid, RollUps, empty
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.metrics.tables import metric_sample, metric_server
from zcbus.control.store.metrics.tiers import ROLLED, SLOT, TIERS, Tier
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger

_log = get_logger("control.metrics")

_HERE_HOURS = 2
_QUEUED_HOURS = 6
_HELD_SECONDS = 120.0
_RETRY_SECONDS = 10.0
_DETAIL_LENGTH = 400
_AT_ONCE = 100
"""Subjects that one query asks for: servers limit the length of queries (VictoriaMetrics to 16 KB)."""
_VISIBLE_SECONDS = 10.0
"""What was written is found by queries after that at the latest: VictoriaMetrics needs a second."""
_CHECK = "zcbus_history_check"


@dataclass(frozen=True, slots=True)
class ServerState:
    """What is known of the server. Moments are seconds since 1970; None: it is well."""

    server: str
    waiting_seconds: float
    """Of samples that it does not have."""
    failing_since: float | None
    refused_at: float | None
    detail: str
    """Why it fails or refused; empty: it does not."""


class RemoteMetricStore(MetricStore):
    """Safe for many threads, and for several replicas on one PostgreSQL database: one of them sends."""

    def __init__(self, database_url: str, server: MetricServer, columns: Mapping[str, Columns]) -> None:
        super().__init__(database_url)
        self._server, self._columns = server, columns
        self._holder = new_id()
        self._not_before = 0.0

    def close(self) -> None:
        self._server.close()
        super().close()

    def has_unsent(self, now: float) -> bool:
        """Whether there is something to send; a server that fails is asked every ten seconds."""
        if now < self._not_before:
            return False
        with self.engine.begin() as connection:
            return next_portion(connection, 0) is not None

    def forward(self, owners: Mapping[str, Owners], now: float) -> None:
        """Send what the server does not have. Samples that a crash makes be sent twice are the same."""
        with self._write() as connection:
            row = self._row(connection)
            if row.holder != self._holder and now < row.held_until:
                return
            self._change(connection, holder=self._holder, held_until=now + _HELD_SECONDS)
            not_before = self._hours_over(connection) - _QUEUED_HOURS * ROLLED
        try:
            while self._forward_portion(owners, not_before, now):
                pass
        except MetricServerFailed as error:
            self._note_failure(row, str(error.facts["detail"])[:_DETAIL_LENGTH], now)
            return
        if row.failing_since is not None:
            _log.info("metric server takes samples again", server=self._server.name)
            with self._write() as connection:
                self._change(connection, failing_since=None, failure=None)

    def _forward_portion(self, owners: Mapping[str, Owners], not_before: int, now: float) -> bool:
        with self.engine.begin() as connection:
            portion = next_portion(connection, not_before)
        if portion is None:
            return False
        try:
            self._send(portion, owners)
        except MetricServerRefused as error:
            self._note_refusal(portion, str(error.facts["detail"])[:_DETAIL_LENGTH], now)
        with self._write() as connection:
            mark_sent(connection, portion)
        return True

    def _send(self, portion: Portion, owners: Mapping[str, Owners]) -> None:
        for kind, columns in self._columns.items():
            with self.engine.begin() as connection:
                for series in series_of(connection, portion, kind, columns, owners[kind]):
                    self._server.write(series)

    def _note_refusal(self, portion: Portion, detail: str, now: float) -> None:
        """The hours of refused points stay here, so that it does not matter that one of them has all refused."""
        with self._write() as connection:
            row = self._row(connection)
            until = max(row.refused_until, portion.end)
            self._change(connection, refused_at=now, refusal=detail, refused_until=until)
        if row.refusal != detail:
            _log.warning("metric server refused samples", server=self._server.name, detail=detail)

    def _note_failure(self, row: Row[tuple[object, ...]], detail: str, now: float) -> None:
        self._not_before = now + _RETRY_SECONDS
        if row.failure != detail:
            _log.warning("metric server failed", server=self._server.name, detail=detail)
        since = row.failing_since if row.failing_since is not None else now
        with self._write() as connection:
            self._change(connection, failing_since=since, failure=detail)

    def state(self) -> ServerState:
        """What the last attempts found."""
        last, _ = self.last_sample()
        with self.engine.begin() as connection:
            row = connection.execute(select(metric_server)).one_or_none()
            sent = sent_until(connection, TIERS[:1])
        waiting = max((last + 1) * SLOT - sent, 0) if sent else 0
        if row is None:
            return ServerState(self._server.name, waiting, None, None, "")
        detail = row.failure if row.failing_since is not None else row.refusal
        return ServerState(self._server.name, waiting, row.failing_since, row.refused_at, detail or "")

    def check(self, now: float) -> None:
        """Write a sample and read it. Raises MetricServerFailed, MetricServerRefused."""
        series = labels({"__name__": _CHECK, "id": self._holder})
        selector = f'{_CHECK}{{id="{self._holder}"}}'
        self._server.write([(series, [(1.0, int(now * 1000))])])
        until = time.monotonic() + _VISIBLE_SECONDS
        while not any(self._server.samples(selector, int(now) - 60, int(now) + 60)):
            if time.monotonic() > until:
                raise MetricServerFailed(server=self._server.name, detail="a sample that it took is not found")
            time.sleep(0.2)

    def read_many(
        self, kind: str, subjects: Collection[str], tier: Tier, start: int, end: int, roll_ups: RollUps
    ) -> dict[str, Grid]:
        """As `MetricStore.read_many`; what is not here is asked of the server. Raises MetricServerFailed."""
        found = super().read_many(kind, subjects, tier, start, end, roll_ups)
        until = min(-(-self._here_from(kind, subjects) // tier.step) * tier.step, end)
        wanted = sorted(subjects)
        for begin in range(0, len(wanted) if start < until else 0, _AT_ONCE):
            there = self._read_there(kind, wanted[begin : begin + _AT_ONCE], tier, (start, until))
            for subject, points in there.items():
                grid = found.setdefault(subject, empty((end - start) // tier.step, len(roll_ups)))
                part = grid[: len(points)]
                part[part[:, 0] == 0] = points[part[:, 0] == 0]
        return found

    def _read_there(self, kind: str, subjects: list[str], tier: Tier, between: tuple[int, int]) -> dict[str, Grid]:
        start, end = between
        names = (SECONDS, *self._columns[kind].names)
        columns = {series_name(kind, name): column for column, name in enumerate(names)}
        ids = json.dumps("|".join(map(re.escape, subjects)))
        selector = f'{{__name__=~"{series_name(kind, ".+")}",id=~{ids},step="{tier.step}"}}'
        found: dict[str, Grid] = {}
        for series in self._server.samples(selector, start, end):
            column = columns.get(series.labels["__name__"])
            if column is None:
                continue
            grid = found.setdefault(
                series.labels["id"], empty(-(-(end - start) // tier.step), len(self._columns[kind].names))
            )
            for at, value in series.samples:
                if start <= at < end:
                    grid[int((at - start) // tier.step), column] = value
        return found

    def _here_from(self, kind: str, subjects: Collection[str]) -> int:
        """Since when all samples of subjects are here, in seconds since 1970."""
        sample = metric_sample.c
        with self.engine.begin() as connection:
            chunks = {number // CHUNK for number in numbers_of(connection, kind, subjects).values()}
            oldest = dict(
                connection.execute(
                    select(sample.chunk, func.min(sample.slot)).where(sample.kind == kind).group_by(sample.chunk)
                ).all()
            )
            over = self._hours_over(connection) + ROLLED
        return max(
            (oldest[chunk] * SLOT // ROLLED * ROLLED if chunk in oldest else over for chunk in chunks), default=over
        )

    def _rolled_until(self, connection: Connection) -> int:
        over = self._hours_over(connection)
        taken = min(over - _HERE_HOURS * ROLLED, sent_until(connection) // ROLLED * ROLLED)
        return max(taken, over - _QUEUED_HOURS * ROLLED)

    def _makes_blocks(self, connection: Connection, start: int) -> bool:
        is_sent = start + ROLLED <= sent_until(connection)
        return not is_sent or start < self._row(connection).refused_until

    def _row(self, connection: Connection) -> Row[tuple[object, ...]]:
        row = connection.execute(select(metric_server)).one_or_none()
        if row is None:
            connection.execute(insert(metric_server).values(id=0, holder="", held_until=0.0, refused_until=0))
            return self._row(connection)
        return row

    def _change(self, connection: Connection, **values: object) -> None:
        connection.execute(update(metric_server).values(values))
