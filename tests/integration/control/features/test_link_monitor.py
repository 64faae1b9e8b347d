"""The heartbeat of each link, hop by hop, as its services report it; an alert where it stalls."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_search import with_role
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.alert.watch import evaluate
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Beat, ServiceReport
from zcbus.protocol.tasks import PublishTask

HOPS = ("capture", "bus", "apply", "target")


def tell_beats(agent: FakeAgent, plane: ControlPlane, went: bool = True, **values: Any) -> None:
    """Every service passes a heartbeat on now; without `went` the subscribers' do not get into their targets."""
    now = plane.clock.now()
    assert agent.orders is not None
    agent.sync(
        reports=tuple(
            ServiceReports(
                service=order.service,
                reports=(
                    ServiceReport(
                        progress=1,
                        at=now,
                        came=Beat(at=now, took_ms=12 if isinstance(order.task, PublishTask) else 3),
                        went=Beat(at=now if went else now - timedelta(minutes=1), took_ms=4),
                        **{"state": "running", **values},
                    ),
                ),
            )
            for order in agent.orders.orders
        )
    )


@pytest.mark.wide
def test_a_heartbeat_is_shown_hop_by_hop_until_it_stalls(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    def monitored() -> dict[str, Any]:
        (record,) = admin.call("link-monitor/page")["records"]
        return dict(record)

    def alerts() -> list[str]:
        evaluate(plane.services)
        page = admin.call("sys/alarmmsg/page", {"current": 1, "size": 20, "status": 0})
        return [one["content"] for one in page["records"] if one["recoveredTime"] is None]

    assert admin.call("link-monitor/page") == {"records": [], "total": 0}
    link_id = admin.call("sync/link/apply", {"document": document()})["id"]
    agent.rest()
    agent.run_services()
    assert (monitored()["state"], monitored()["arrivedAt"]) == ("unmeasured", None)
    tell_beats(agent, plane)
    plane.clock.advance(timedelta(seconds=2))
    record = monitored()
    assert (record["name"], record["linkId"], record["state"], record["tookMs"]) == ("shop", link_id, "beating", 23)
    assert [(hop["hop"], hop["tookMs"], hop["ageMs"]) for hop in record["hops"]] == [
        ("capture", 12, 2000),
        ("bus", 4, 2000),
        ("apply", 3, 2000),
        ("target", 4, 2000),
    ]
    services = {one["type"]: one["id"] for one in admin.call("sync/link/get", {"id": link_id})["services"]}
    assert [hop["serviceId"] for hop in record["hops"]] == [
        services[one] for one in ("publish", "publish", "subscribe", "subscribe")
    ]
    viewer = with_role(admin, "watcher", "linkMonitor")
    for kind, subject in (("service", services["subscribe"]), ("channel", record["id"])):
        assert viewer.call("metrics/series", {"kind": kind, "id": subject, "last": 3600})["charts"]
    assert viewer.refused("metrics/series", {"kind": "link", "id": link_id, "last": 3600})["code"] == 40103
    assert "password" not in str(record)
    tell_beats(agent, plane, went=False)
    record = monitored()
    assert (record["state"], record["standsAt"]) == ("standing", "bus")
    assert [hop["state"] for hop in record["hops"]] == ["beating", "standing", "beating", "standing"]
    assert alerts() == ["The heartbeat of link shop is stalled between capture and bus"]
    away = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
    tell_beats(agent, plane, went=False, state="waiting", reason=away)
    assert monitored()["reason"]["text"].startswith("The target MySQL / MariaDB h:1 cannot be reached")
    assert alerts() == []
    tell_beats(agent, plane)
    assert (monitored()["state"], alerts()) == ("beating", [])
    admin.call("sync/link/stop", {"id": link_id})
    assert (monitored()["state"], monitored()["standsAt"]) == ("stopped", None)


@pytest.mark.wide
def test_links_are_paged_sorted_and_found_and_hidden_from_others(
    admin: Caller, agent: FakeAgent, plane: ControlPlane
) -> None:
    for name in ("alpha", "beta", "gamma"):
        admin.call("sync/link/apply", {"document": document(link=name)})

    def found(**request: object) -> tuple[list[str], int]:
        page = admin.call("link-monitor/page", request)
        return [one["name"] for one in page["records"]], page["total"]

    assert found(current=2, size=2) == (["gamma"], 3)
    assert found(sort="name", order="desc", size=1) == (["gamma"], 3)
    assert found(search="BET") == (["beta"], 1)
    assert found(search="copy", state=["unmeasured"])[1] == 3
    assert found(state=["beating"]) == ([], 0)
    assert all(found(sort=key, order="asc")[1] == 3 for key in (*HOPS, "state", "tookMs", "arrivedAt"))
    assert admin.refused("link-monitor/page", {"sort": "password"})["code"] != 200
    ways = admin.call("point-to-point/page", {"search": "BET", "sort": "tables", "order": "desc"})["records"]
    assert [(way["name"], way["tables"], way["failed"], way["state"]) for way in ways] == [("beta", 2, 0, "unmeasured")]
    totals = admin.call("point-to-point/totals")
    assert (totals["ways"], totals["tables"], totals["states"]["unmeasured"]) == (3, 6, 3)
    add_user(plane, "south", "administrator", "south")
    other = Caller(plane, plane.sign_in("south"))
    assert other.call("link-monitor/page") == other.call("point-to-point/page") == {"records": [], "total": 0}
    assert other.call("point-to-point/totals")["ways"] == 0
