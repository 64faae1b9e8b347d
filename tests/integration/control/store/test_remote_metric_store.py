"""The metric store on a real server has the same points as the embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from tests.servers.prometheus import PROMETHEUS, VICTORIA_METRICS, free_port, metric_server
from zcbus.control.store.metrics.remote.encoding import HEADERS, labels, write_request
from zcbus.control.store.metrics.remote.forwarding import Columns
from zcbus.control.store.metrics.remote.server import MetricServer, MetricServerFailed
from zcbus.control.store.metrics.remote.store import RemoteMetricStore
from zcbus.control.store.metrics.series import RollUp
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.metrics.tiers import TIERS
from zcbus.kit.telemetry_settings import MetricStoreSettings

MINUTE, HOUR, DAY = 60, 3600, 86_400
START = 20_000 * DAY
KIND = "published-table"
ROLL_UPS = (RollUp.SUM, RollUp.MAX, RollUp.MEAN, RollUp.LAST)
COLUMNS = {KIND: Columns(("grown_increase", "highest", "mean", "last"), ROLL_UPS)}
SUBJECTS = ("one", 'host "a|b\\c')
OWNERS = {KIND: dict.fromkeys(SUBJECTS, ("Name of it", "tenant-1"))}


@contextmanager
def stores(folder: Path, port: int) -> Iterator[tuple[RemoteMetricStore, MetricStore]]:
    """One on the server of this port, and an embedded one to compare with."""
    address = f"http://127.0.0.1:{port}"
    server = MetricServer(MetricStoreSettings(address, f"{address}/api/v1/write"), "")
    remote = RemoteMetricStore(f"sqlite:///{folder}/remote.db", server, COLUMNS)
    embedded = MetricStore(f"sqlite:///{folder}/embedded.db")
    for store in (remote, embedded):
        store.prepare()
    yield remote, embedded
    for store in (remote, embedded):
        store.close()


def write(chosen: tuple[MetricStore, ...], begin: int, end: int) -> None:
    """Samples of five minutes in thirty. One subject is sometimes silent, one figure sometimes not known."""
    for at in range(START + begin, START + end, MINUTE):
        if at // MINUTE % 30 > 4:
            continue
        random = np.random.default_rng(at)
        values = np.where(random.random((2, 4)) < 0.1, np.nan, random.integers(0, 1000, (2, 4)) / 8)
        here = SUBJECTS if at // MINUTE % 3 else SUBJECTS[:1]
        for store in chosen:
            with store.sample_writer(at) as sample:
                assert sample is not None
                sample.put(KIND, here, values[: len(here)])


def roll(*chosen: MetricStore) -> None:
    for store in chosen:
        store.roll({KIND: ROLL_UPS}, 60.0)


def assert_same(remote: MetricStore, embedded: MetricStore, end: int) -> None:
    for tier in TIERS:
        found, expected = (
            store.read_many(KIND, SUBJECTS, tier, START, START + -(-end // HOUR) * HOUR, ROLL_UPS)
            for store in (remote, embedded)
        )
        assert found.keys() == set(SUBJECTS)
        for subject in SUBJECTS:
            np.testing.assert_allclose(found[subject], expected[subject], rtol=1e-12, err_msg=f"{tier}")


def samples_here(store: MetricStore) -> tuple[int, int]:
    """How many samples and blocks the store itself has."""
    with store.engine.begin() as connection:
        counts = [connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in _TABLES]
    return counts[0], counts[1]


_TABLES = ("metric_sample", "metric_block")


@pytest.mark.wide
@pytest.mark.soak(but=[PROMETHEUS])
@pytest.mark.parametrize("kind", [PROMETHEUS, VICTORIA_METRICS])
def test_charts_are_those_of_the_embedded_store(kind: str, tmp_path: Path) -> None:
    port = free_port()
    with stores(tmp_path, port) as (remote, embedded):
        write((remote, embedded), 0, 40 * MINUTE)
        remote.forward(OWNERS, START + 40 * MINUTE)
        failed = remote.state()
        assert failed.failing_since == START + 40 * MINUTE
        assert "refused" in failed.detail
        assert failed.waiting_seconds == 0, "nothing was sent yet"
        assert not remote.has_unsent(START + 40 * MINUTE + 9)
        with metric_server(kind, tmp_path / kind, port) as address:
            for begin in range(40, 280, 60):
                write((remote, embedded), begin * MINUTE, (begin + 60) * MINUTE)
                now = START + (begin + 60) * MINUTE
                assert remote.has_unsent(now)
                remote.forward(OWNERS, now)
                assert not remote.has_unsent(now)
                roll(remote, embedded)
            assert remote.state().failing_since is None
            assert remote.state().waiting_seconds == 0
            remote.check(START + 281 * MINUTE)
            samples, blocks = samples_here(remote)
            assert blocks == 0
            assert samples <= 3 * 10, "the server has the rest"
            wait_for_first(remote)
            assert_same(remote, embedded, 280 * MINUTE)
            query = 'zcbus_history_published_table_mean{tenant="tenant-1",name="Name of it",step="60",id="one"}'
            asked = {"query": query, "time": str(START + 35 * MINUTE)}
            (series,) = httpx.post(f"{address}/api/v1/query", data=asked).json()["data"]["result"]
            assert series["metric"]["__name__"] == "zcbus_history_published_table_mean"
        with pytest.raises(MetricServerFailed):
            remote.read(KIND, "one", TIERS[1], START, START + HOUR, ROLL_UPS)
        recent = remote.read(KIND, "one", TIERS[1], START + 3 * HOUR, START + 4 * HOUR, ROLL_UPS)
        assert (recent[:, 0] > 0).any(), "the newest hours need no server"


def wait_for_first(remote: MetricStore) -> None:
    """VictoriaMetrics answers with what it took a second ago: `check` waited for the newest."""
    found = remote.read(KIND, "one", TIERS[2], START, START + HOUR, ROLL_UPS)
    assert found[0, 0] > 0


def test_what_the_server_refuses_or_never_takes_stays_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.control.store.metrics.remote.store._QUEUED_HOURS", 2)
    monkeypatch.setattr("zcbus.control.store.metrics.remote.store._HERE_HOURS", 1)
    port = free_port()
    with stores(tmp_path, port) as (remote, embedded):
        # Away for longer than samples are queued.
        write((remote, embedded), 0, 4 * HOUR)
        remote.forward(OWNERS, START + 4 * HOUR)
        roll(remote, embedded)
        assert samples_here(remote)[0] <= 3 * 10
        with metric_server(PROMETHEUS, tmp_path / "server", port) as address:
            # It has newer samples than it accepts old ones next to.
            newest = write_request([(labels({"__name__": "other"}), [(1.0, (START + 3 * HOUR + 1800) * 1000)])])
            assert httpx.post(f"{address}/api/v1/write", content=newest, headers=HEADERS).is_success
            remote.forward(OWNERS, START + 4 * HOUR + 20)
            state = remote.state()
            assert (state.refused_at, state.failing_since) == (START + 4 * HOUR + 20, None)
            assert "out of bounds" in state.detail
            write((remote, embedded), 4 * HOUR, 5 * HOUR)
            remote.forward(OWNERS, START + 5 * HOUR)
            roll(remote, embedded)
            assert_same(remote, embedded, 5 * HOUR)


def test_one_process_sends_at_a_time(tmp_path: Path) -> None:
    sent: list[Any] = []
    with stores(tmp_path, free_port()) as (one, _):
        write((one,), 0, HOUR)
        server = MetricServer(MetricStoreSettings("http://127.0.0.1:1", "http://127.0.0.1:1/"), "")
        server.write = sent.append  # type: ignore[method-assign]
        other = RemoteMetricStore(f"sqlite:///{tmp_path}/remote.db", server, COLUMNS)
        one.forward(OWNERS, START + HOUR)
        other.forward(OWNERS, START + HOUR + 119)
        assert sent == []
        other.forward(OWNERS, START + HOUR + 121)
        assert sent
        other.close()
