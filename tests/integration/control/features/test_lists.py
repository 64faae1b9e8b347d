"""Every list of the API can be sorted by its declared columns only."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.conftest import STORES, url_of
from tests.integration.control.features.conftest import Caller
from tests.support.control_plane import control_plane
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
    "deploy/driver/host/page",
    "deploy/driver/user/page",
    "monitor/pubAndSub-statistics/minutes",
    "policy/define/version/page",
    "policy/sheet/candidate/page",
    "policy/sheet/page",
    "publish/table/page",
    "resource/article/version/page",
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
    "timeline/page",
}


@pytest.fixture(scope="module", params=STORES)
def reader(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """Of one control plane on each store for all lists: they are only read."""
    folder = tmp_path_factory.mktemp("lists")
    if request.param == "sqlite":
        prepared: Path = request.getfixturevalue("prepared_sqlite")
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
        with control_plane(folder, f"sqlite:///{folder}/store.db") as plane:
            yield Caller(plane, plane.sign_in())
        return
    kept, database = request.getfixturevalue("prepared_postgresql")
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    with control_plane(folder, url_of(database.server, database.name)) as plane:
        yield Caller(plane, plane.sign_in())
    database.restore()


@pytest.mark.wide
@pytest.mark.soak(but=["sqlite-*", "postgresql-p*", "postgresql-s*"])
@pytest.mark.parametrize("path", sorted(LISTS.keys() - OF_ONE_THING))
def test_a_list_is_sorted_by_what_it_declares_and_by_nothing_else(reader: Caller, path: str) -> None:
    for name in LISTS[path]["sortable"]:
        for order in ("asc", "desc"):
            assert reader.call(path, {"sort": name, "order": order})["records"] is not None
    if LISTS[path]["sortable"]:
        assert reader.plane.post(path, {"sort": "nothing"}, token=reader.token).status_code == 422


def test_columns_of_tables_are_those_of_their_views() -> None:
    published = set(publish_views.tables().selected_columns.keys())
    assert {*PUBLISHED_TABLES.columns.values(), *CANDIDATES.columns.values()} <= published
    assert set(SUBSCRIBED_TABLES.columns.values()) <= set(views.tables().c.keys())


def test_a_list_names_its_filters() -> None:
    assert LISTS["customer/page"] == {
        "sortable": ["code", "name", "status", "users", "links", "createdAt"],
        "filters": ["search", "status"],
    }
