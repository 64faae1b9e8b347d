"""Articles of a tenant: drafts that authors see, versions that readers see, shipped pages that stay beneath."""

from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_sql_management import reader
from tests.integration.control.features.test_uploads import PICTURES, picture, uploaded

BASE, PAGE, CONTENTS, FIND = "resource/article", "common/help/page", "common/help/contents", "common/help/search"
SHIPPED = "how-to/tables"


def draft_of(caller: Caller, name: str) -> dict[str, Any]:
    found: dict[str, Any] = caller.call(f"{BASE}/get", {"name": name})
    return found


def title_of(caller: Caller, name: str, language: str = "en") -> str:
    title: str = caller.call(PAGE, {"name": name}, language=language)["title"]
    return title


def test_an_own_article_is_written_published_changed_restored_and_deleted(admin: Caller) -> None:
    made = admin.call(f"{BASE}/add", {"en": "# Night shift\n\nCall the **gangway7**.\n"})
    name = made["name"]
    assert (name, made["origin"], made["published"], made["changed"]) == ("own/night-shift", "own", None, True)
    assert admin.call(f"{BASE}/add", {"en": "# Night shift"})["name"] == "own/night-shift-2"
    assert admin.refused(PAGE, {"name": name})["data"]["error"] == "document-unknown", "a draft is not read"
    assert admin.call(FIND, {"text": "gangway7"})["hits"] == []
    done = admin.call(f"{BASE}/publish", {"name": name, "revision": 1, "note": "first"})
    assert (done["published"], done["changed"], done["revision"]) == (1, False, 2)
    read = admin.call(PAGE, {"name": name}, language="zh")
    assert read["language"] == "en"
    seen = read["version"]
    assert (seen["number"], seen["publishedBy"], seen["note"]) == (1, "admin", "first")
    assert seen["publishedAt"]
    assert admin.call(PAGE, {"name": SHIPPED})["version"] is None
    own = admin.call(CONTENTS)[-1]
    assert (own["title"], own["pages"]) == ("Own articles", [{"name": name, "title": "Night shift"}])
    hit = {"name": name, "title": "Night shift", "section": "Own articles"}
    assert admin.call(FIND, {"text": "GANGWAY7"}) == {"hits": [hit], "more": False}
    [group] = admin.call("resource/search", {"text": "night shift"})[:1] or [None]
    assert (group["kind"], group["hits"][0]["id"]) == ("article", name)

    change = {"name": name, "revision": 2, "en": "# Night watch\n\nCall the **gangway7**.\n", "zh": "# 夜班\n"}
    assert admin.call(f"{BASE}/edit", change)["changed"]
    assert admin.refused(f"{BASE}/edit", change)["data"]["error"] == "article-changed"
    assert title_of(admin, name) == "Night shift", "readers see what was published"
    admin.call(f"{BASE}/publish", {"name": name, "revision": 3})
    assert (title_of(admin, name), title_of(admin, name, "zh")) == ("Night watch", "夜班")
    compared = {"name": name, "language": "en", "before": 1, "after": 2}
    lines = [(one["kind"], one["text"]) for one in admin.call(f"{BASE}/version/compare", compared)]
    assert lines[:2] == [("removed", "# Night shift"), ("added", "# Night watch")]
    versions = admin.call(f"{BASE}/version/page", {"name": name})["records"]
    assert [(one["number"], one["note"], one["titleEn"]) for one in versions] == [
        (2, "", "Night watch"),
        (1, "first", "Night shift"),
    ]
    admin.call(f"{BASE}/version/restore", {"name": name, "revision": 4, "number": 1})
    assert admin.call(f"{BASE}/publish", {"name": name, "revision": 5})["published"] == 3
    assert title_of(admin, name) == "Night shift"
    assert admin.logged_subject() == name
    admin.call(f"{BASE}/withdraw", {"name": name, "revision": 6})
    assert admin.refused(PAGE, {"name": name})["code"] != 200
    assert admin.call(f"{BASE}/publish", {"name": name, "revision": 7})["published"] == 3, "no version is made twice"

    admin.call(f"{BASE}/delete", {"name": name})
    [deleted] = admin.call("resource/recycleBin/page", {"kind": "article"})["records"]
    admin.call("resource/recycleBin/restore", {"id": deleted["id"]})
    assert title_of(admin, name) == "Night shift"


def test_a_text_in_a_shipped_pages_place_leaves_the_page_beneath(admin: Caller) -> None:
    shipped = draft_of(admin, SHIPPED)
    assert (shipped["origin"], shipped["revision"], shipped["en"]) == ("shipped", 0, "")
    assert shipped["shippedEn"].startswith("# ")
    given = {"name": SHIPPED, "revision": 0, "en": "# Our tables\n", "shipped": shipped["shipped"]}
    admin.call(f"{BASE}/edit", given)
    admin.call(f"{BASE}/publish", {"name": SHIPPED, "revision": 1})
    page = admin.call(PAGE, {"name": SHIPPED})
    assert (page["title"], page["isOwn"]) == ("Our tables", True)
    assert title_of(admin, SHIPPED, "zh") == shipped["titleZh"], "a language without an own text is read as shipped"
    edited = admin.call(f"{BASE}/page", {"origin": "edited"})["records"]
    assert [(one["name"], one["outdated"]) for one in edited] == [(SHIPPED, False)]
    admin.call(f"{BASE}/edit", {**given, "revision": 2, "shipped": "0" * 64})
    assert [one["name"] for one in admin.call(f"{BASE}/page", {"outdated": True})["records"]] == [SHIPPED]
    assert draft_of(admin, SHIPPED)["shippedEn"] == shipped["shippedEn"]
    compared = {"name": SHIPPED, "language": "en", "before": 0}
    assert admin.call(f"{BASE}/version/compare", compared)[-1] == {
        "kind": "added",
        "text": "# Our tables",
        "skipped": 0,
    }
    other = administrator_of(admin.plane, "other")
    assert title_of(other, SHIPPED) == shipped["titleEn"]
    assert draft_of(other, SHIPPED)["revision"] == 0
    admin.call(f"{BASE}/delete", {"name": SHIPPED})
    assert title_of(admin, SHIPPED) == shipped["titleEn"]


def test_texts_are_checked_and_a_picture_is_read_with_its_article(admin: Caller) -> None:
    upload = uploaded(admin, "plan.png", picture(), PICTURES)["id"]
    address = f"{BASE}/add"
    for bad in ({}, {"en": "no heading"}, {"en": "# " + "x" * 201}, {"en": "# A" + "\n" * 5000}, {"en": "x" * 100_001}):
        assert admin.refused(address, bad)["code"] != 200
    made = admin.call(address, {"en": f"# Plan\n\n![plan](picture/{upload})\n"})
    lena, shown = reader(admin), f"common/help/picture?id={upload}"
    assert lena.plane.post(f"{BASE}/page", {}, lena.token).status_code == 403
    readers = administrator_of(admin.plane, "other")
    assert readers.plane.get(shown, readers.token).json()["code"] == 404
    assert admin.plane.get(shown, admin.token).content == picture()
    assert admin.refused(f"{BASE}/edit", {"name": "own/none", "revision": 0, "en": "# A"})["code"] != 200
    assert made["titleEn"] == "Plan"


def test_own_articles_stand_where_they_are_put(admin: Caller) -> None:
    names = {}
    for title, before, place in (("Zebra", True, 2), ("Apple", True, 5), ("Mango", False, 1), ("Berry", False, 1)):
        name = names[title] = admin.call(f"{BASE}/add", {"en": f"# {title}"})["name"]
        admin.call(f"{BASE}/publish", {"name": name, "revision": 1})
        given = {"name": name, "revision": 2, "beforeShipped": before, "place": place}
        done = admin.call(f"{BASE}/place", given)
        assert (done["beforeShipped"], done["place"], done["published"], done["changed"]) == (before, place, 1, False)
        assert admin.refused(f"{BASE}/place", given)["data"]["error"] == "article-changed"
    first, *shipped, last = admin.call(CONTENTS)
    assert [page["title"] for page in first["pages"]] == ["Zebra", "Apple"]
    assert [page["title"] for page in last["pages"]] == ["Berry", "Mango"]
    assert shipped[0]["pages"][0]["name"] == "index"
    listed = [one["name"] for one in admin.call(f"{BASE}/page", {"size": -1})["records"]]
    assert listed[:2] == [names["Zebra"], names["Apple"]]
    assert listed[-2:] == [names["Berry"], names["Mango"]]

    given = {"name": SHIPPED, "revision": 0, "beforeShipped": True, "place": 1}
    assert admin.refused(f"{BASE}/place", given)["data"]["error"] == "article-shipped"
    assert admin.refused(f"{BASE}/place", {**given, "name": "own/none"})["data"]["error"] == "document-unknown"
    assert admin.refused(f"{BASE}/place", {**given, "name": names["Apple"], "place": -1})["code"] != 200

    admin.call(f"{BASE}/delete", {"name": names["Zebra"]})
    [deleted] = admin.call("resource/recycleBin/page", {"kind": "article"})["records"]
    admin.call("resource/recycleBin/restore", {"id": deleted["id"]})
    assert admin.call(CONTENTS)[0]["pages"][0]["title"] == "Zebra", "a restored article stands where it stood"
