"""A control plane whose metrics are stored on Prometheus, which also scrapes it and loads what `deploy/` has."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, fake_agent
from tests.servers.prometheus import PROMETHEUS, free_port, metric_server
from tests.support.clock import MovableClock
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.processes import wait_until
from zcbus.cli.main import EXIT_FAILED, EXIT_OK, main
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.metric.forwarding import forward
from zcbus.control.features.metric.sampling import sample
from zcbus.model.states import SyncState
from zcbus.protocol.agent import HostFigures, ServiceReports
from zcbus.protocol.reports import Beat, ServiceReport

DEPLOY = Path(__file__).parents[4] / "deploy"
_CONFIG = """
global: {{scrape_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs: [{{job_name: zcbus, static_configs: [{{targets: ["{target}"]}}]}}]
"""
_GIB = 2**30


def measure(agent: FakeAgent, changes: int) -> None:
    """Ten seconds pass, then everything is sampled and sent."""
    agent.plane.clock.advance(timedelta(seconds=10))
    agent.sync(
        figures=HostFigures(cpu_percent=5, memory_used=_GIB, memory_total=4 * _GIB, disk_used=_GIB, disk_total=9 * _GIB)
    )
    agent.run_services()
    assert agent.orders is not None
    now = agent.plane.clock.now()
    figures = ServiceReport(
        state="running", progress=3, at=now, backlog_bytes=9, memory_bytes=9, went=Beat(at=now, took_ms=4)
    )
    agent.sync(reports=tuple(ServiceReports(service=one.service, reports=(figures,)) for one in agent.orders.orders))
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, inserts=changes, lag_ms=70)
    sample(agent.plane.services)
    forward(agent.plane.services)


def ask(address: str, query: str) -> list[dict[str, Any]]:
    """What a query finds now."""
    answer = httpx.post(f"{address}/api/v1/query", data={"query": query}).json()
    assert answer["status"] == "success", answer
    found: list[dict[str, Any]] = answer["data"]["result"]
    return found


def dashboard_queries() -> list[str]:
    """Those of the panels, for all tenants and links."""
    panels = json.loads((DEPLOY / "grafana" / "zcbus.json").read_text("utf-8"))["panels"]
    queries = [target["expr"] for panel in panels for target in panel["targets"]]
    for variable, value in (("$tenant", ".*"), ("$link", ".*"), ("$__rate_interval", "1m")):
        queries = [query.replace(variable, value) for query in queries]
    return queries


@pytest.mark.wide
def test_history_is_on_prometheus_and_deploy_files_hold_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    # Prometheus scrapes by its own clock, and takes nothing much older than what it scraped.
    clock = MovableClock(datetime.now(UTC) - timedelta(minutes=1))
    monkeypatch.setattr("tests.support.control_plane.MovableClock", lambda: clock)
    with control_plane(tmp_path, metric_store=address) as plane:
        config = _CONFIG.format(
            rules=DEPLOY / "prometheus" / "zcbus-rules.yml", target=plane.address.partition("//")[2]
        )
        with metric_server(PROMETHEUS, tmp_path / "prometheus", port, config), fake_agent(plane) as agent:
            admin = Caller(plane, plane.sign_in())
            admin.call("sync/link/apply", {"document": document()})
            agent.rest()
            for changes in (3, 5, 25):
                measure(agent, changes)
            found = ask(address, 'last_over_time(zcbus_history_channel_inserts_increase{step="10"}[1h])')
            assert [(one["metric"]["name"], one["metric"]["tenant"], one["value"][1]) for one in found] == [
                ("shop", "default", "40")
            ]
            wait_until(lambda: len(ask(address, "zcbus_table_inserts_total[1h]")) == 2, 30, "it scraped two tables")
            wait_until(lambda: all(map(_is_scraped_twice, ask(address, "up[1h]"))), 30, "it scraped twice")
            empty = [query for query in dashboard_queries() if not ask(address, query)]
            assert [query for query in empty if "changes_difference" not in query] == [], "the agent counts none"
            rules = httpx.get(f"{address}/api/v1/rules").json()["data"]["groups"][0]["rules"]
            assert len(rules) == 9
            assert [rule["lastError"] for rule in rules if "lastError" in rule] == []
            assert command(plane, monkeypatch) == EXIT_OK
            assert f"The metric server {address} takes metrics" in capsys.readouterr().out
        assert_failure_is_shown(plane, admin, address)
        assert command(plane, monkeypatch) == EXIT_FAILED
        assert f"The metric server {address} cannot be used" in capsys.readouterr().err


def _is_scraped_twice(up: dict[str, Any]) -> bool:
    return [value for _, value in up["values"]].count("1") > 1


def command(plane: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> int:
    """`zcbus metric-store check` on the control plane's host."""
    settings = plane.services.settings
    assert settings.metric_store is not None
    monkeypatch.setenv("ZCBUS_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("ZCBUS_METRIC_STORE", settings.metric_store.address)
    return main(["metric-store", "check"])


def assert_failure_is_shown(plane: ControlPlane, admin: Caller, address: str) -> None:
    """By charts that need the server, and after five minutes by an alert."""
    plane.clock.advance(timedelta(seconds=10))
    sample(plane.services)
    forward(plane.services)
    link = admin.call("sync/link/get", {"name": "shop"})["id"]
    admin.call("metrics/series", {"kind": "link", "id": link, "last": 60})
    refused = admin.refused("metrics/series", {"kind": "link", "id": link, "last": 7 * 86_400})
    assert refused["message"].startswith(f"The metric server {address} cannot be used: ")
    assert alerts(plane, admin) == []
    plane.clock.advance(timedelta(minutes=5))
    (alert,) = alerts(plane, admin)
    assert alert.startswith(f"Metrics have not been stored on {address} since ")


def alerts(plane: ControlPlane, admin: Caller) -> list[str]:
    """Open ones about the server."""
    evaluate(plane.services)
    records = admin.call("sys/alarmmsg/page")["records"]
    return [one["content"] for one in records if one["kind"] == "metric-store" and one["recoveredTime"] is None]
