"""Metrics of a scripted agent's reports: sampled by the clock, read as charts show them."""

from datetime import datetime, timedelta
from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.metric.sampling import clean_up, sample
from zcbus.model.states import SyncState
from zcbus.protocol.agent import HostFigures, ServiceReports
from zcbus.protocol.reports import ServiceReport


def series(caller: Caller, kind: str, subject: str, **asked: Any) -> dict[str, Any]:
    now: datetime = caller.plane.clock.now()
    usual = {"last": 900} if "from" not in asked else {"to": now.isoformat()}
    found = caller.call("metrics/series", {"kind": kind, "id": subject, **usual, **asked})
    by_name = {one["name"]: one for chart in found["charts"] for one in chart["series"]}
    assert all(len(one["values"]) == len(found["times"]) for one in by_name.values())
    return {**found, "series": by_name}


def measured(found: dict[str, Any], name: str) -> list[float]:
    return [value for value in found["series"][name]["values"] if value is not None]


def turn(agent: FakeAgent, **values: Any) -> None:
    """Ten seconds pass, at whose end every table reports these values and a sample is taken."""
    agent.plane.clock.advance(timedelta(seconds=10))
    agent.run_services()
    if values:
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, **values)
    sample(agent.plane.services)


def container_of(agent: FakeAgent) -> str:
    with agent.plane.services.database.read() as connection:
        found: str = connection.exec_driver_sql("SELECT container_id FROM agent").scalar_one()
    return found


def link_id(admin: Caller) -> str:
    found: str = admin.call("sync/link/get", {"name": "shop"})["id"]
    return found


def test_a_link_has_the_sum_of_its_tables_per_second_and_gaps_where_it_stood_still(
    admin: Caller, running: FakeAgent
) -> None:
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, updates=4, lag_ms=90, row_errors=1)
    sample(running.plane.services)
    turn(running, inserts=25, updates=4, lag_ms=0)
    found = series(admin, "link", link_id(admin), maxPoints=2000)
    assert found["step"] == 10
    assert measured(found, "inserts") == [4.0, 0.0]
    assert found["series"]["inserts"]["total"] == 40
    assert found["series"]["updates"]["total"] == 8
    assert measured(found, "lag_ms") == [90.0, 0.0]
    assert measured(found, "row_errors") == [2.0, 0.0]
    assert measured(found, "failed_tables") == [0.0, 0.0]
    # The agent is silent: its last report is no present measurement.
    for _ in range(3):
        running.plane.clock.advance(timedelta(seconds=10))
        sample(running.plane.services)
    found = series(admin, "link", link_id(admin), maxPoints=2000)
    assert found["series"]["lag_ms"]["values"][-2:] == [None, None]
    assert found["series"]["inserts"]["total"] == 40


def test_a_process_that_starts_again_or_a_table_that_loads_again_adds_nothing(
    admin: Caller, running: FakeAgent
) -> None:
    turn(running, inserts=100)
    turn(running, inserts=110)
    turn(running, inserts=0)
    turn(running, inserts=112)
    assert series(admin, "link", link_id(admin))["series"]["inserts"]["total"] == 24
    turn(running, inserts=7, generation=9)
    assert series(admin, "link", link_id(admin))["series"]["inserts"]["total"] == 38


def test_hosts_have_means_and_services_their_restarts(admin: Caller, running: FakeAgent) -> None:
    gib = 2**30
    for percent in (10.0, 30.0, 20.0):
        figures = HostFigures(cpu_percent=percent, memory_used=gib, memory_total=4 * gib, disk_used=7, disk_total=9)
        running.sync(figures=figures)
        turn(running)
    host = series(admin, "host", running.name, maxPoints=10)
    assert measured(host, "cpu_percent") == [25.0]
    assert measured(host, "memory_total") == [4.0 * gib]
    service = running.plane.services
    with service.database.read() as connection:
        ids = [row.id for row in connection.exec_driver_sql("SELECT id FROM service")]
    assert all(series(admin, "service", one)["series"]["restarts"]["total"] == 0 for one in ids)


def test_a_service_has_the_processor_retries_and_bytes_of_its_process(admin: Caller, running: FakeAgent) -> None:
    def report(**figures: float) -> None:
        running.plane.clock.advance(timedelta(seconds=10))
        running.run_services()
        report = ServiceReport(state="running", progress=4, at=running.plane.clock.now(), **figures)
        assert running.orders is not None
        services = [order.service for order in running.orders.orders]
        running.sync(reports=tuple(ServiceReports(service=one, reports=(report,)) for one in services))
        sample(running.plane.services)

    report(retries=2, bus_bytes=1000)
    report(cpu_percent=40.0, retries=3, bus_bytes=5000)
    # Another process, which counts from 0.
    report(cpu_percent=20.0, retries=1, bus_bytes=700)
    assert running.orders is not None
    found = series(admin, "service", running.orders.orders[0].service, maxPoints=2000)
    assert measured(found, "cpu_percent") == [40.0, 20.0]
    assert found["series"]["retries"]["total"] == 2
    assert found["series"]["bus_bytes"]["total"] == 4700


def test_a_load_has_its_progress_while_it_runs(admin: Caller, running: FakeAgent) -> None:
    def load(state: SyncState, rows: int) -> None:
        running.plane.clock.advance(timedelta(seconds=10))
        running.run_services()
        running.report_tables(state, rows_loaded=rows, rows_total=200)
        sample(running.plane.services)

    load(SyncState.FULL_RUNNING, 0)
    load(SyncState.FULL_RUNNING, 50)
    load(SyncState.FULL_RUNNING, 150)
    load(SyncState.INCREMENTAL_RUNNING, 200)
    assert measured(series(admin, "link", link_id(admin), maxPoints=2000), "load_percent") == [25.0, 75.0]


def test_ranges_choose_the_resolution_and_are_checked(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5)
    turn(running, inserts=9)
    now: datetime = running.plane.clock.now()
    steps = {}
    for hours in (1, 24, 24 * 7, 24 * 30, 24 * 365):
        asked = {"from": (now - timedelta(hours=hours)).isoformat(), "maxPoints": 500}
        found = series(admin, "link", link_id(admin), **asked)
        assert len(found["times"]) <= 500
        assert found["series"]["inserts"]["total"] == 8
        steps[hours] = found["step"]
    assert steps == {1: 10, 24: 300, 168: 1800, 720: 7200, 8760: 86_400}
    backwards = {"kind": "link", "id": link_id(admin), "from": now.isoformat(), "to": now.isoformat()}
    assert admin.refused("metrics/series", backwards)["code"] == 422
    chosen = series(admin, "link", link_id(admin), metrics=["lag_ms"])
    assert list(chosen["series"]) == ["lag_ms"]


def test_metrics_are_for_those_who_may_view_the_thing(plane: ControlPlane, admin: Caller, running: FakeAgent) -> None:
    asked = {"kind": "link", "id": link_id(admin), "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
    other = administrator_of(plane, "other")
    assert other.refused("metrics/series", asked)["code"] == 404
    assert admin.refused("metrics/series", {**asked, "id": "nothing"})["code"] == 404
    for kind, table in (
        ("task", "sync_task"),
        ("channel", "channel"),
        ("customer", "customer"),
        ("node", "publish_node"),
        ("table", "subscribed_table"),
        ("published-table", "published_table"),
        ("service", "service"),
    ):
        with plane.services.database.read() as connection:
            subject = connection.exec_driver_sql(f"SELECT id FROM {table}").scalars().first()
        assert admin.call("metrics/series", {**asked, "kind": kind, "id": subject})["charts"]
        assert other.refused("metrics/series", {**asked, "kind": kind, "id": subject})["code"] == 404
    # Hosts are for administrators of the whole platform.
    for kind, subject in (("host", running.name), ("container", container_of(running))):
        assert other.refused("metrics/series", {**asked, "kind": kind, "id": subject})["code"] == 40103


def test_a_task_a_customer_a_node_and_a_container_have_the_metrics_of_their_parts(
    admin: Caller, running: FakeAgent
) -> None:
    gib = 2**30
    running.sync(figures=HostFigures(cpu_percent=30, memory_used=gib, memory_total=gib, disk_used=7, disk_total=9))
    turn(running, inserts=5)
    turn(running, inserts=25, lag_ms=90)
    with running.plane.services.database.read() as connection:
        ids = {
            name: connection.exec_driver_sql(f"SELECT id FROM {name}").scalar_one()
            for name in ("sync_task", "customer", "publish_node")
        }
        services = dict(connection.exec_driver_sql("SELECT type, id FROM service").all())
    for kind, subject in (("task", ids["sync_task"]), ("customer", ids["customer"])):
        found = series(admin, kind, subject)
        assert found["series"]["inserts"]["total"] == 40
        assert measured(found, "lag_ms") == [90.0]
    assert series(admin, "node", ids["publish_node"])["series"]["restarts"]["total"] == 0
    # A service shows what it does: one captures, the other applies what its channel carries.
    own = ["restarts", "hops", "waiting", "memory", "cpu", "retries", "bus"]
    charts = {kind: series(admin, "service", one) for kind, one in services.items()}
    names = {kind: [chart["name"] for chart in found["charts"]] for kind, found in charts.items()}
    assert names == {
        "publish": ["captured", *own],
        "subscribe": ["applied", "loaded", "loaded-bytes", "lag", "errors", *own],
    }
    assert charts["subscribe"]["series"]["inserts"]["total"] == 40
    found = series(admin, "container", container_of(running))
    assert [chart["name"] for chart in found["charts"]] == [
        "cpu",
        "memory",
        "disk",
        "captured",
        "restarts",
        "waiting",
        "retries",
    ]
    assert set(measured(found, "cpu_percent")) == {30.0}
    assert found["series"]["restarts"]["total"] == 0
    assert "memory_bytes" not in found["series"]


def test_labels_are_in_the_callers_language_and_deleted_things_are_forgotten(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5)
    turn(running, inserts=9)
    asked = {"kind": "link", "id": link_id(admin), "from": "2026-01-31T11:00:00Z", "to": "2026-01-31T13:00:00Z"}
    titles = {
        language: admin.call("metrics/series", asked, language)["charts"][0]["title"] for language in ("zh", "en")
    }
    assert titles == {"zh": "已应用的变更", "en": "Applied changes"}
    clean_up(running.plane.services)
    assert series(admin, "link", link_id(admin))["series"]["inserts"]["total"] == 8


def test_the_newest_sample_is_shown_to_prometheus_until_it_is_old(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5)
    turn(running, inserts=9, lag_ms=250)
    # A process that has not read its target yet: counters never decrease.
    turn(running, inserts=0, lag_ms=120)
    lines = shown(admin.plane)
    assert sorted(value for name, value in lines.items() if name.startswith("zcbus_table_inserts_total{")) == [9.0, 9.0]
    assert [value for name, value in lines.items() if name.startswith("zcbus_channel_lag_ms{")] == [120.0]
    assert any('name="shop"' in name for name in lines if name.startswith("zcbus_channel_lag_ms{"))
    admin.plane.clock.advance(timedelta(seconds=31))
    assert not any(name.startswith(("zcbus_table_", "zcbus_channel_")) for name in shown(admin.plane))


def shown(plane: ControlPlane) -> dict[str, float]:
    """Samples by name and labels."""
    lines = plane.client.get("/metrics").text.splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}
