"""The documentation in the console's help: who reads it, in which language."""

import pytest

from tests.integration.control.features.conftest import Caller
from tests.support.control_plane import ControlPlane

CONTENTS, PAGE = "common/help/contents", "common/help/page"


def test_the_pages_of_the_site_are_listed_in_both_languages(admin: Caller) -> None:
    english, chinese = admin.call(CONTENTS), admin.call(CONTENTS, language="zh")
    titles = ["", "How-to guides", "Reference", "Explanation", "Decisions", "Specification"]
    assert [section["title"] for section in english] == titles
    assert [section["title"] for section in chinese] == ["", "操作指南", "参考", "原理", "设计决策", "产品规格"]
    assert chinese[0]["pages"][1] == {"name": "tutorial", "title": "教程：十分钟复制自己的数据"}
    assert all(page["title"] for section in english for page in section["pages"])


def test_every_listed_page_is_there(admin: Caller) -> None:
    for section in admin.call(CONTENTS):
        for listed in section["pages"]:
            page = admin.call(PAGE, {"name": listed["name"]}, language="zh")
            assert page["text"].startswith("# ")
            assert page["language"] in ("zh", "en")


def test_a_page_without_chinese_comes_in_english(admin: Caller) -> None:
    assert admin.call(PAGE, {"name": "tutorial"}, language="zh")["language"] == "zh"
    assert admin.call(PAGE, {"name": "architecture"}, language="zh")["language"] == "en"


@pytest.mark.parametrize("name", ["../README", "decisions/../../README", "nothing", "/etc/passwd", "images/home.png"])
def test_only_listed_pages_are_read(admin: Caller, name: str) -> None:
    assert admin.refused(PAGE, {"name": name})["data"]["error"] == "document-unknown"


def test_reading_needs_a_session(plane: ControlPlane) -> None:
    assert plane.post(PAGE, {"name": "tutorial"}).status_code == 401
