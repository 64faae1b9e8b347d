"""Custom texts: read instead of the shipped ones, with the same placeholders, by console and server."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.translation.use import refresh_messages
from zcbus.control.store.tables.custom_text import custom_text

pytestmark = pytest.mark.every_store

PAGES = "resource/translation"
SAVE = "common:action.save"
SELECTED = "common:table.selected"


def page(caller: Caller, **asked: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = caller.call(f"{PAGES}/page", asked)["records"]
    return records


def read_by_console(plane: ControlPlane, token: str | None, language: str) -> dict[str, dict[str, str]]:
    path = "common/texts/custom" if token else "common/texts/sign-in"
    texts: dict[str, dict[str, str]] = plane.get(path, token, language).json()["data"]["texts"]
    return texts


def save(caller: Caller, key: str, zh: str | None = None, en: str | None = None) -> None:
    caller.call(f"{PAGES}/save", {"key": key, "zh": zh, "en": en})


def test_a_custom_text_is_read_until_it_is_reset(plane: ControlPlane, admin: Caller) -> None:
    [shipped] = page(admin, search=SAVE)
    assert (shipped["zh"], shipped["en"], shipped["customZh"], shipped["marks"]) == ("保存", "Save", None, [])
    assert read_by_console(plane, admin.token, "en") == {}
    save(admin, SAVE, en="Keep")
    assert admin.logged_subject() == SAVE
    [record] = page(admin, search="KEEP", show="custom")
    assert (record["key"], record["customEn"], record["updatedBy"]) == (SAVE, "Keep", "admin")
    assert record["marks"] == ["one-language"]
    assert read_by_console(plane, admin.token, "en") == {"common": {"action.save": "Keep"}}
    assert read_by_console(plane, admin.token, "zh") == {}
    save(admin, SAVE, zh="存储", en="Keep it")
    assert admin.logged_before() == {"en": "Keep"}
    assert page(admin, show="one-language") == []
    # What equals the shipped text is the shipped text, also when a later version changes it.
    save(admin, SAVE, zh="保存", en="  ")
    assert page(admin, show="custom") == []
    save(admin, SAVE, zh="存储")
    admin.call(f"{PAGES}/reset", {"key": SAVE})
    assert admin.logged_before() == {"zh": "存储"}
    assert page(admin, search=SAVE) == [shipped]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("key", "text", "fault"),
    [
        (SELECTED, "Selected", "Placeholders"),
        (SELECTED, "{{count}} of {{total}}", "Placeholders"),
        (SELECTED, "{{count, number}}", "Placeholders"),
        (SELECTED, "{{count}} $t(action.save)", "Placeholders"),
        (SAVE, "<b>Save</b>", "HTML"),
        (SAVE, "<img src=x onerror=alert(1)", "HTML"),
        (SAVE, "x" * 1001, "too long"),
        (SAVE, "Sa\x07ve", "Control"),
        (SAVE, "\u202eevaS", "direction"),
        ("server:text-unknown", "Text {key.__class__}", "Placeholders"),
        ("server:text-unknown", "Text {key", "Placeholders"),
        ("server:text-unknown", "Text", "Placeholders"),
        ("common:table.exported", "no plain form in English", "no such form"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(admin: Caller, key: str, text: str, fault: str) -> None:
    refused = admin.refused(f"{PAGES}/save", {"key": key, "en": text})
    assert refused["data"]["error"] == "text-fault"
    assert fault in refused["message"], refused
    assert page(admin, show="custom") == []
    unknown = admin.refused(f"{PAGES}/save", {"key": "common:nothing", "en": "x"})
    assert unknown["data"]["error"] == "text-unknown"


def test_the_servers_messages_follow(plane: ControlPlane, admin: Caller) -> None:
    unknown = {"key": "common:nothing", "en": "x"}
    save(admin, "server:text-unknown", en="No text {key} here")
    refresh_messages(plane.services)
    assert admin.refused(f"{PAGES}/save", unknown)["message"] == "No text common:nothing here"
    assert "common:nothing" in admin.refused(f"{PAGES}/save", unknown, "zh")["message"]
    # The console reads its own alone.
    assert read_by_console(plane, admin.token, "en") == {}
    admin.call(f"{PAGES}/reset", {"key": "server:text-unknown"})
    refresh_messages(plane.services)
    assert "may have removed it" in admin.refused(f"{PAGES}/save", unknown)["message"]


def test_changes_of_a_later_version_are_marked_and_never_break_a_text(plane: ControlPlane, admin: Caller) -> None:
    save(admin, SAVE, en="Keep")
    save(admin, SELECTED, en="{{count}} chosen")
    with plane.services.database.write() as store:
        # As if the version before had shipped these.
        store.execute(custom_text.update().where(custom_text.c.text_key == SAVE).values(shipped="Store"))
        store.execute(custom_text.update().where(custom_text.c.text_key == SELECTED).values(value="{{rows}} chosen"))
        gone = {"text_key": "common:gone", "language": "en", "value": "Gone", "shipped": "Away"}
        store.execute(custom_text.insert().values(**gone, updated_by="admin", updated_at=plane.clock.now()))
    assert [record["key"] for record in page(admin, show="outdated")] == [SAVE]
    assert [record["key"] for record in page(admin, show="unused")] == [SELECTED, "common:gone"]
    assert read_by_console(plane, admin.token, "en") == {"common": {"action.save": "Keep"}}
    admin.call(f"{PAGES}/reset", {"key": "common:gone"})
    save(admin, SAVE, en="Keep")
    assert page(admin, show="outdated") == []


def test_before_signing_in_only_texts_of_those_pages_are_read(plane: ControlPlane, admin: Caller) -> None:
    save(admin, SAVE, en="Keep")
    save(admin, "home:title", en="Start")
    assert read_by_console(plane, None, "en") == {"common": {"action.save": "Keep"}}
    assert set(read_by_console(plane, admin.token, "en")) == {"common", "home"}
    assert plane.get("common/texts/custom").status_code == 401


def test_an_exported_file_is_imported_elsewhere(admin: Caller) -> None:
    save(admin, SAVE, zh="存储", en="Keep")
    exported = admin.call(f"{PAGES}/export", {})
    assert exported["texts"] == {SAVE: {"zh": "存储", "en": "Keep"}}
    assert len(admin.call(f"{PAGES}/export", {"customOnly": False})["texts"]) > 3000
    newest = page(admin, show="custom")[0]["updatedAt"]
    assert admin.call(f"{PAGES}/reset/all", {"until": newest}) == {"removed": 2}
    assert {"key": SAVE, "language": "en", "text": "Keep"} in admin.logged_before()
    assert page(admin, show="custom") == []
    everything = {"written": 2, "kept": 0, "unknown": 0}
    assert admin.call(f"{PAGES}/import", {"file": exported}) == everything
    again = admin.call(f"{PAGES}/import/preview", exported)
    assert (again["added"], again["same"], again["conflictCount"]) == (0, 2, 0)


def test_an_import_reports_conflicts_and_unknown_keys(admin: Caller) -> None:
    save(admin, SAVE, en="Keep")
    file = {
        "format": "zcbus-texts/1",
        "texts": {SAVE: {"en": "Store"}, "common:nothing": {"zh": "无"}, "common:action.cancel": {"en": "Leave"}},
    }
    preview = admin.call(f"{PAGES}/import/preview", file)
    assert preview["conflicts"] == [{"key": SAVE, "language": "en", "custom": "Keep", "file": "Store"}]
    assert (preview["added"], preview["unknown"], preview["faultCount"]) == (1, ["common:nothing"], 0)
    assert admin.call(f"{PAGES}/import", {"file": file}) == {"written": 1, "kept": 1, "unknown": 1}
    assert page(admin, search=SAVE)[0]["customEn"] == "Keep"
    assert admin.call(f"{PAGES}/import", {"file": file, "replace": True}) == {"written": 1, "kept": 0, "unknown": 1}
    assert page(admin, search=SAVE)[0]["customEn"] == "Store"
    # A file of all texts that says what is shipped takes the custom one away.
    shipped = {**file, "texts": {SAVE: {"en": "Save"}}}
    admin.call(f"{PAGES}/import", {"file": shipped, "replace": True})
    assert page(admin, search=SAVE)[0]["customEn"] is None


def test_a_file_with_a_fault_changes_nothing(admin: Caller) -> None:
    file = {"format": "zcbus-texts/1", "texts": {SAVE: {"en": "Store"}, SELECTED: {"zh": "已选", "en": "<i>{{count}}"}}}
    preview = admin.call(f"{PAGES}/import/preview", file)
    assert [(fault["key"], fault["language"], fault["fault"]) for fault in preview["faults"]] == [
        (SELECTED, "zh", "placeholders"),
        (SELECTED, "en", "markup"),
    ]
    refused = admin.refused(f"{PAGES}/import", {"file": file, "replace": True})
    assert refused["data"]["error"] == "texts-refused"
    assert SELECTED in refused["message"]
    assert page(admin, show="custom") == []
    for wrong in ({"format": "other", "texts": {}}, {"texts": {SAVE: "Store"}}, {"texts": {SAVE: {"en": 1}}}, {}):
        assert admin.refused(f"{PAGES}/import/preview", wrong)["code"] == 422


def test_texts_are_the_whole_platforms(plane: ControlPlane, admin: Caller) -> None:
    save(admin, SAVE, en="Keep")
    south = administrator_of(plane, "south")
    assert south.refused(f"{PAGES}/save", {"key": SAVE, "en": "Store"})["code"] == 40103
    assert south.refused(f"{PAGES}/page", {})["code"] == 40103
    assert read_by_console(plane, south.token, "en") == {"common": {"action.save": "Keep"}}
