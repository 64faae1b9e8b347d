"""Every list of the API can be sorted by its declared columns only."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from zcbus.control.features.publish import views as publish_views
from zcbus.control.features.publish.schemas import PUBLISHED_TABLES
from zcbus.control.features.registry import FEATURES
from zcbus.control.features.subscribe import views
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.subscribe.sheet_schemas import CANDIDATES
from zcbus.control.platform.routing import GuardedRoute

pytestmark = pytest.mark.every_store

LISTS: dict[str, dict[str, Any]] = {
    route.path.removeprefix("/api/zcbus/"): route.openapi_extra["x-list"]
    for feature in FEATURES
    for route in feature.api.router.routes
    if isinstance(route, GuardedRoute) and "x-list" in (route.openapi_extra or {})
}

# They are about one object, and most of them ask an agent; the columns of the stored ones are checked below.
OF_ONE_THING = {
    "datasource/table/page",
    "monitor/pubAndSub-statistics/minutes",
    "policy/define/version/page",
    "policy/sheet/candidate/page",
    "policy/sheet/page",
    "publish/table/page",
    "sys/alarmmsg/assignee/page",
    "system/alert-rule/subject/page",
    "system/network-route/user/page",
    "publish/table/candidate/page",
    "simplify/sync/match/page",
    "simplify/sync/source/left/toolbar/page/list",
    "simplify/sync/target/left/toolbar/page/list",
    "subscribe/error/page",
    "system/zbmq/record/page",
    "system/zbmq/topic/page",
    "subscribe/product/list",
    "subscribe/table/candidate/page",
    "subscribe/table/compare/difference/page",
    "sync/link/error/page",
    "sync/task/table/page",
    "task/run/table/page",
}


@pytest.mark.parametrize("path", sorted(LISTS.keys() - OF_ONE_THING))
def test_a_list_is_sorted_by_what_it_declares_and_by_nothing_else(admin: Caller, path: str) -> None:
    for name in LISTS[path]["sortable"]:
        for order in ("asc", "desc"):
            assert admin.call(path, {"sort": name, "order": order})["records"] is not None
    if LISTS[path]["sortable"]:
        assert admin.plane.post(path, {"sort": "nothing"}, token=admin.token).status_code == 422


def test_columns_of_tables_are_those_of_their_views() -> None:
    published = set(publish_views.tables().selected_columns.keys())
    assert {*PUBLISHED_TABLES.columns.values(), *CANDIDATES.columns.values()} <= published
    assert set(SUBSCRIBED_TABLES.columns.values()) <= set(views.tables().c.keys())


def test_a_list_names_its_filters() -> None:
    assert LISTS["customer/page"] == {
        "sortable": ["code", "name", "status", "users", "links", "createdAt"],
        "filters": ["search", "status"],
    }
