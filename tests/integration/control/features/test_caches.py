"""Caches: what is shown is what is kept, and clearing one removes it and nothing else."""

from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane

BASE = "system/cache"


def caches(caller: Caller, **asked: Any) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in caller.call(f"{BASE}/page", asked)["records"]}


def test_every_cache_is_shown_with_its_figures_and_cleared_alone(admin: Caller, plane: ControlPlane) -> None:
    shown = admin.call(f"{BASE}/page", {})
    assert (shown["total"], bool(shown["instance"])) == (len(plane.services.caches), True)
    for cache in shown["records"]:
        assert admin.call(f"{BASE}/clear", {"name": cache["name"]}) is not None, cache
    admin.call("sys/authentication/code", {})
    admin.call("live/open", {})
    admin.call("common/help/contents", {})
    before = caches(admin)
    assert (before["captchas"]["entries"], before["captchas"]["scope"]) == (1, "store")
    assert (before["socket-tickets"]["entries"], before["help-pages"]["entries"]) == (1, 1)
    assert before["socket-tickets"]["oldestAt"] is not None

    assert admin.call(f"{BASE}/clear", {"name": "help-pages"}) == {"removed": 1}
    assert admin.logged_subject() == before["help-pages"]["title"]
    after = caches(admin)
    assert (after["help-pages"]["entries"], after["captchas"]["entries"]) == (0, 1)
    admin.call("common/help/contents", {})
    again = caches(admin)["help-pages"]
    assert (again["entries"], again["misses"]) == (1, 1)


def test_the_list_is_searched_and_sorted(admin: Caller) -> None:
    titles = [one["title"] for one in admin.call(f"{BASE}/page", {"sort": "title", "order": "desc"})["records"]]
    assert titles == sorted(titles, reverse=True)
    [found] = admin.call(f"{BASE}/page", {"search": titles[0]})["records"]
    assert found["title"] == titles[0]


def test_only_who_sees_all_tenants_clears_and_only_what_exists(admin: Caller) -> None:
    assert admin.refused(f"{BASE}/clear", {"name": "nothing"})["data"]["error"] == "cache-unknown"
    tenant = administrator_of(admin.plane, "north")
    assert tenant.refused(f"{BASE}/clear", {"name": "captchas"})["code"] == 40103
