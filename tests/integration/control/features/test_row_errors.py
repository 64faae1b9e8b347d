"""Row errors over the API: an agent is asked, tenants are kept apart, limits reach the worker's task."""

from dataclasses import replace
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, subscribe
from zcbus.model.row_errors import NOT_APPENDED, RowError, RowErrorStatus, RowOperation, cause_of
from zcbus.protocol.answers import Decided, RowErrorCause, RowErrorCauses, RowErrorLines
from zcbus.protocol.base import Message


def line(number: int) -> RowError:
    return RowError(
        id=f"t/1/{number}.0",
        table="t",
        target="copy.orders",
        operation=RowOperation.UPDATE,
        status=RowErrorStatus.SUCCESS,
        key={"id": str(number)},
        before={"id": str(number)},
        after={"id": str(number), "name": None},
        code="row-refused",
        detail="too long",
        statement="UPDATE …",
        position="0/17",
        commit_ms=1_700_000_000_000,
        found_ms=1_700_000_000_000,
        changed_ms=1_700_000_000_000,
        attempts=1,
        blocking=False,
        edited=False,
        note="overtaken",
    )


@pytest.fixture
def asked(agent: FakeAgent) -> list[Any]:
    """Questions about row errors that the agent got."""
    questions: list[Any] = []

    def answer(request: Any) -> Message:
        questions.append(request)
        if request.type == "list-row-errors":
            return RowErrorLines(lines=() if request.ids == ("none",) else (line(7),), total=41)
        if request.type == "list-row-error-causes":
            return RowErrorCauses(causes=(RowErrorCause(cause="too long", count=41),))
        return Decided(count=3)

    agent.handlers |= dict.fromkeys(("list-row-errors", "list-row-error-causes", "decide-row-errors"), answer)
    return questions


def test_lists_are_asked_of_the_agent(asked: list[Any], admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document()})
    request = {"name": "shop", "current": 3, "size": 10, "sort": "code", "order": "asc", "status": ["success"]}
    page = admin.call("sync/link/error/page", {**request, "search": "x"})
    assert page["total"] == 41
    assert page["records"][0]["note"] == "A later change of the row was applied"
    assert "after" not in page["records"][0]
    (question,) = asked
    assert (question.offset, question.limit, question.sort, question.descending) == (20, 10, "code", False)
    assert (question.search, question.statuses) == ("x", (RowErrorStatus.SUCCESS,))
    assert question.target.options["database"] == "copy"
    detail = admin.call("sync/link/error/get", {"name": "shop", "error": "t/1/7.0"}, "zh")
    assert (detail["after"], detail["note"]) == ({"id": "7", "name": None}, "该行后续变更已成功应用")
    assert detail["committedAt"].startswith("2023-11-14T22:13:20")
    assert detail["position"] == "0/11"
    assert admin.plane.post("sync/link/error/get", {"name": "shop", "error": "none"}, admin.token).status_code == 404
    wrong = admin.plane.post("sync/link/error/page", {"name": "shop", "sort": "password"}, admin.token)
    assert wrong.status_code == 422


def test_causes_are_counted_by_the_agent(asked: list[Any], admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document()})
    causes = admin.call("sync/link/error/cause/list", {"name": "shop", "tables": ["t"], "status": ["processing"]})
    assert causes == [{"cause": "too long", "text": "too long", "count": 41}]
    admin.call("sync/link/error/page", {"name": "shop", "cause": "too long"})
    counted, listed = asked
    assert (counted.tables, counted.statuses) == (("t",), (RowErrorStatus.PROCESSING,))
    assert listed.cause == "too long"


def test_the_platform_s_own_causes_are_shown_in_the_viewer_s_language(
    asked: list[Any], admin: Caller, agent: FakeAgent
) -> None:
    cause, chinese = cause_of(NOT_APPENDED), "该表以只追加方式发布：更新和删除不会应用"
    kept = replace(line(7), code="append-only", detail=NOT_APPENDED)
    agent.handlers["list-row-errors"] = lambda _: RowErrorLines(lines=(kept,), total=1)
    agent.handlers["list-row-error-causes"] = lambda _: RowErrorCauses(causes=(RowErrorCause(cause=cause, count=1),))
    admin.call("sync/link/apply", {"document": document()})
    assert admin.call("sync/link/error/page", {"name": "shop"}, "zh")["records"][0]["detail"] == chinese
    (listed,) = admin.call("sync/link/error/cause/list", {"name": "shop"}, "zh")
    assert (listed["cause"], listed["text"]) == (cause, chinese)
    assert admin.call("sync/link/error/get", {"name": "shop", "error": "t/1/7.0"})["detail"].startswith("The table")


def test_decisions_and_limits(asked: list[Any], admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    assert admin.call("sync/link/error/retry", {"name": "shop", "errors": ["a", "b"]}) == 3
    assert admin.call("sync/link/error/skip", {"name": "shop"}) == 3
    assert admin.call("sync/link/error/edit", {"name": "shop", "error": "a", "after": {"name": "x"}}) == 3
    assert [(one.decision.value, one.ids, one.after) for one in asked] == [
        ("retry", ("a", "b"), None),
        ("skip", (), None),
        ("retry", ("a",), {"name": "x"}),
    ]
    limits = {"name": "shop", "tables": ["public.orders"], "errorLimit": 5, "dmlSkip": 1000, "ddlSkip": 100}
    assert [one["done"] for one in admin.call("sync/link/error/limit", limits)] == [True]
    for wrong in ({"dmlSkip": 1_000_001}, {"ddlSkip": 101}, {"errorLimit": -1}):
        answer = admin.plane.post("sync/link/error/limit", {**limits, **wrong}, admin.token)
        assert answer.status_code == 422
    task = admin.call("sync/task/page")["records"][0]["id"]
    (orders,) = admin.call("sync/task/table/page", {"id": task, "search": "orders"})["records"]
    assert (orders["errorLimit"], orders["dmlSkip"], orders["ddlSkip"], orders["rowErrors"]) == (5, 1000, 100, 0)


def test_the_errors_of_a_channel_without_a_link(asked: list[Any], admin: Caller, agent: FakeAgent) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    (channel,) = admin.call("subscribe/channel/page", {"controlId": master})["records"]
    chosen = {"channelId": channel["id"]}
    assert admin.call("subscribe/error/page", {**chosen, "search": "x", "tables": ["t"]})["total"] == 41
    detail = admin.call("subscribe/error/get", {**chosen, "error": "t/1/7.0"})
    assert (detail["statement"], detail["position"]) == ("UPDATE …", "0/11")
    assert admin.call("subscribe/error/cause/list", chosen) == [{"cause": "too long", "text": "too long", "count": 41}]
    assert admin.call("subscribe/error/retry", {**chosen, "errors": ["a"]}) == 3
    assert admin.call("subscribe/error/skip", chosen) == 3
    assert admin.call("subscribe/error/edit", {**chosen, "error": "a", "after": {"name": "x"}}) == 3
    assert {question.subscription for question in asked} == {channel["id"]}
    assert admin.refused("subscribe/error/edit", {**chosen, "error": "a", "after": {}})["code"] == 422
    admin.call("sync/link/apply", {"document": document()})
    channels = admin.call("subscribe/channel/page", {})["records"]
    steered = next(one["id"] for one in channels if one["linkId"])
    refused = admin.refused("subscribe/error/skip", {"channelId": steered})
    assert refused["data"]["error"] == "subscriber-of-link"
