"""Data services: groups, APIs with versions, apps, orders to agents, and the log of calls."""

import hashlib
from datetime import timedelta
from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from zcbus.control.features.data_service.log import remove_old
from zcbus.model.states import ServiceState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.base import Reason
from zcbus.protocol.data_service import ApiCall, ApiCallsReport, DataServiceTask, QueryColumn, QueryRows

CONNECTION = {"kind": "postgresql", "host": "db", "port": 5432, "user": "u", "password": "right", "database": "shop"}
DRAFT: dict[str, Any] = {
    "statement": "SELECT id, name FROM goods WHERE id = :id",
    "parameters": [{"name": "id", "type": "integer"}],
    "rowLimit": 10,
    "cacheS": 5,
}
MEMBERS = "container/cluster/customer/getnodeidorcustomerid"


def new_service(admin: Caller, name: str = "gate", port: int = 9100) -> str:
    return str(admin.call("data-service/service/add", {"name": name, "port": port})["id"])


def new_group(admin: Caller, service: str, prefix: str = "shop") -> str:
    given = {"name": prefix, "dataServiceId": service, "prefix": prefix, "owner": "sales", "connection": CONNECTION}
    return str(admin.call("data-service/group/add", given)["id"])


def new_api(admin: Caller, group: str, path: str = "goods/by-id", **more: Any) -> str:
    return str(
        admin.call("data-service/api/add", {"groupId": group, "name": path, "path": path, **DRAFT, **more})["id"]
    )


def task(agent: FakeAgent) -> DataServiceTask:
    agent.sync()
    assert agent.orders is not None
    [found] = [order.task for order in agent.orders.orders if isinstance(order.task, DataServiceTask)]
    return found


def listed(admin: Caller, kind: str, **wanted: Any) -> list[dict[str, Any]]:
    page = admin.call(f"data-service/{kind}/page", wanted)
    assert page["total"] == len(page["records"])
    return list(page["records"])


def test_published_and_granted_apis_reach_the_agent(agent: FakeAgent, admin: Caller) -> None:
    group = new_group(admin, new_service(admin))
    api = new_api(admin, group)
    app = admin.call("data-service/app/add", {"name": "web", "perMinute": 60, "addresses": ["10.0.0.7"], "apis": [api]})
    assert task(agent).apis == ()
    assert admin.call("data-service/api/publish", {"id": api})["number"] == 1
    received = task(agent)
    assert (received.host, received.port) == ("127.0.0.1", 9100)
    [published] = received.apis
    assert (published.path, published.version, published.cache_s) == ("/shop/goods/by-id", 1, 5)
    assert published.query.statement == DRAFT["statement"]
    assert received.sources[published.query.source].secrets["password"].get_secret_value() == "right"
    [known] = received.apps
    assert (known.key, known.addresses, known.apis) == (app["key"], ("10.0.0.7/32",), (api,))
    assert known.secret_hash.get_secret_value() == hashlib.sha256(app["secret"].encode()).hexdigest()
    renewed = admin.call("data-service/app/secret/renew", {"id": app["id"]})
    assert renewed["secret"] != app["secret"]
    assert task(agent).apps[0].secret_hash != known.secret_hash
    assert app["secret"] not in str(listed(admin, "app"))
    change = {"id": app["id"], "name": "web", "enabled": False, "apis": [api]}
    admin.call("data-service/app/edit", change)
    assert task(agent).apps == ()


def test_versions_are_kept_and_come_back(agent: FakeAgent, admin: Caller) -> None:
    api = new_api(admin, (group := new_group(admin, new_service(admin))))
    assert listed(admin, "api")[0]["state"] == "draft"
    publish = "data-service/api/publish"
    assert admin.call(publish, {"id": api})["number"] == admin.call(publish, {"id": api})["number"] == 1
    edit = {**DRAFT, "id": api, "groupId": group, "name": "goods", "path": "goods/by-id", "rowLimit": 20}
    admin.call("data-service/api/edit", edit)
    assert [one["state"] for one in listed(admin, "api", state="changed")] == ["changed"]
    assert task(agent).apis[0].query.row_limit == 10
    assert admin.call(publish, {"id": api})["number"] == 2
    assert task(agent).apis[0].query.row_limit == 20
    admin.call("data-service/api/version/restore", {"id": api, "number": 1})
    assert (task(agent).apis[0].version, task(agent).apis[0].query.row_limit) == (1, 10)
    versions = admin.call("data-service/api/version/list", {"id": api})
    assert [(one["number"], one["published"]) for one in versions] == [(2, False), (1, True)]
    detail = admin.call("data-service/api/get", {"id": api})
    assert (detail["state"], detail["rowLimit"], detail["address"]) == (
        "published",
        10,
        "http://127.0.0.1:9100/shop/goods/by-id",
    )
    delete = "data-service/api/delete"
    assert "offline" in admin.refused(delete, {"id": api})["message"]
    admin.call("data-service/api/offline", {"id": api})
    assert [one["state"] for one in listed(admin, "api", state="offline", search="GOODS")] == ["offline"]
    assert task(agent).apis == ()
    admin.call(delete, {"id": api})
    assert listed(admin, "api") == []


def test_invalid_services_groups_and_apis_are_refused(agent: FakeAgent, admin: Caller) -> None:
    group = new_group(admin, (service := new_service(admin)))
    new_api(admin, group)
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("api", {"statement": "DELETE FROM goods"}, "one query"),
        ("api", {"statement": "SELECT 1; SELECT 2", "parameters": []}, "one query"),
        ("api", {"parameters": []}, "not defined"),
        ("api", {"statement": "SELECT 1"}, "not used"),
        ("api", {"parameters": [*DRAFT["parameters"] * 2]}, "twice"),
        ("api", {"parameters": [{**DRAFT["parameters"][0], "required": False, "default": "x"}]}, "default"),
        ("api", {"path": "goods/by-id"}, "already"),
        ("group", {"prefix": "shop"}, "already"),
        ("service", {"name": "gate"}, "already"),
    ]
    usual = {
        "api": {"groupId": group, "name": "n", "path": "other", **DRAFT},
        "group": {"name": "g", "dataServiceId": service, "prefix": "other", "connection": CONNECTION},
        "service": {"name": "other", "port": 9200},
    }
    for kind, given, word in wrong:
        assert word in admin.refused(f"data-service/{kind}/add", {**usual[kind], **given})["message"]
    assert admin.refused("data-service/group/delete", {"id": group})["code"] == 300
    assert admin.refused("data-service/service/delete", {"id": service})["code"] == 300
    assert admin.refused("data-service/app/add", {"name": "a", "addresses": ["somewhere"]})["code"] == 422
    assert admin.refused("data-service/api/add", {**usual["api"], "path": "/-/metrics"})["code"] == 422


def test_an_api_is_tried_where_its_service_runs(agent: FakeAgent, admin: Caller) -> None:
    group = new_group(admin, new_service(admin))
    agent.run_services()
    asked: list[Any] = []

    def answer(request: Any) -> QueryRows:
        asked.append(request)
        return QueryRows(columns=(QueryColumn(name="id", type="int4"),), rows=((7,),), more=True, duration_ms=3)

    agent.handlers["try-query"] = answer
    found = admin.call("data-service/api/try", {**DRAFT, "groupId": group, "values": {"id": "7"}})
    assert found == {"columns": [{"name": "id", "type": "int4"}], "rows": [[7]], "more": True, "durationMs": 3}
    assert asked[0].values == {"id": "7"}
    assert asked[0].connection.secrets["password"].get_secret_value() == "right"


def test_calls_are_kept_once_shown_and_removed_after_a_while(agent: FakeAgent, admin: Caller) -> None:
    api = new_api(admin, new_group(admin, new_service(admin)))
    admin.call("data-service/api/publish", {"id": api})
    app = admin.call("data-service/app/add", {"name": "web", "apis": [api]})
    service = task(agent).service
    usual = {
        "at": agent.plane.clock.now(),
        "version": 1,
        "method": "GET",
        "path": "/shop/goods/by-id",
        "address": "10.0.0.7",
        "rows": 1,
        "bytes": 90,
        "duration_ms": 4,
        "cached": False,
    }
    good = ApiCall.model_validate({"id": "1", "api": api, "app": app["id"], "status": 200, **usual})
    failed = Reason(code="query-failed", facts={"detail": "no such column"})
    bad = ApiCall.model_validate({"id": "2", "api": api, "app": app["id"], "status": 500, "error": failed, **usual})
    report = ApiCallsReport(calls=(good, bad), dropped=3)
    for received in (report, report.model_copy(update={"dropped": 0})):
        agent.sync(reports=[ServiceReports(service=service, reports=(received,))])
    lines = listed(admin, "log", search="web")
    assert {(one["apiName"], one["appName"], one["status"]) for one in lines} == {
        ("goods/by-id", "web", 200),
        ("goods/by-id", "web", 500),
    }
    [refused] = listed(admin, "log", failed=True)
    assert refused["reason"]["text"] == "The database refuses the query: no such column"
    assert admin.call("data-service/service/list")[0]["callsDropped"] == 3
    remove_old(agent.plane.services)
    assert len(listed(admin, "log")) == 2
    agent.plane.clock.advance(timedelta(days=31))
    remove_old(agent.plane.services)
    assert listed(Caller(agent.plane, agent.plane.sign_in()), "log") == []


def test_a_data_service_is_a_service_like_any_other(agent: FakeAgent, admin: Caller) -> None:
    identifier = new_service(admin)
    agent.run_services()
    [place] = admin.call("data-service/service/list")
    assert (place["state"], place["port"], place["inContainer"]) == ("normal", 9100, True)
    admin.call("data-service/service/edit", {"id": identifier, "name": "gate-2", "host": "0.0.0.0", "port": 9101})
    assert (task(agent).host, task(agent).port) == ("0.0.0.0", 9101)
    [service] = admin.call("container/cluster/customer/page", {"type": "data-service"})["records"]
    assert (service["serviceName"], service["type"], service["subType"]) == ("gate-2", "data-service", "")
    admin.call("data-service/service/operate", {"id": identifier, "action": "stop"})
    agent.run_services(ServiceState.STOPPED)
    chosen = {"id": service["id"]}
    assert admin.call("container/cluster/customer/delete", chosen)["done"]
    free = {"type": "data-service", "freeOnly": True}
    assert admin.call(MEMBERS, free) == [{"id": identifier, "name": "gate-2"}]
    addition = {"type": "data-service", "nodeids": [identifier], "containerid": service["containerid"]}
    assert [one["done"] for one in admin.call("container/cluster/customer/add", addition)] == [True]
    assert admin.call(MEMBERS, free) == []
    admin.call("data-service/service/delete", {"id": identifier})
    assert admin.call("data-service/service/list") == []


def test_other_tenants_see_nothing_of_it(agent: FakeAgent, admin: Caller) -> None:
    group = new_group(admin, (service := new_service(admin)))
    api = new_api(admin, group)
    app = admin.call("data-service/app/add", {"name": "web", "apis": [api]})
    stranger = administrator_of(admin.plane, "other")
    for kind in ("group", "api", "app", "log"):
        assert listed(stranger, kind) == []
    assert stranger.call("data-service/service/list") == []
    chosen = {"service/operate": {"id": service, "action": "stop"}, "group/delete": {"id": group}}
    chosen |= {"api/get": {"id": api}, "api/publish": {"id": api}, "app/secret/renew": {"id": app["id"]}}
    for path, body in chosen.items():
        assert stranger.refused(f"data-service/{path}", body)["code"] in (404, 40103)
    own = stranger.call("data-service/app/add", {"name": "web", "apis": [api]})
    assert [one["apis"] for one in listed(stranger, "app") if one["id"] == own["id"]] == [[]]
