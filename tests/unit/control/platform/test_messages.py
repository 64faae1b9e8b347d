"""Messages: complete in both languages, with the same blanks to fill in."""

import importlib
import pkgutil
import re
import string

import pytest

import zcbus.control
from zcbus.control.bootstrap import build_catalogue
from zcbus.control.platform.errors import BusinessError, HttpError
from zcbus.control.platform.messages import Catalogue
from zcbus.kit.errors import TerminalError, ZcbusError

# Errors that carry the code of another error, which has the message.
TAKEN_FROM_ELSEWHERE = {"agent-answered"}


def all_subclasses(kind: type[ZcbusError]) -> set[type[ZcbusError]]:
    return {kind}.union(*(all_subclasses(child) for child in kind.__subclasses__()))


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_error_of_the_control_plane_has_a_message() -> None:
    for module in pkgutil.walk_packages(zcbus.control.__path__, "zcbus.control."):
        if module.name.endswith("errors"):
            importlib.import_module(module.name)
    kinds = all_subclasses(BusinessError) | all_subclasses(HttpError)
    codes = {kind.code for kind in kinds} - {TerminalError.code} - TAKEN_FROM_ELSEWHERE
    assert len(codes) >= 15
    assert codes - build_catalogue().message_keys() == set()


def test_both_languages_fill_in_the_same_facts() -> None:
    catalogue = build_catalogue()
    chinese, english = catalogue.texts("zh"), catalogue.texts("en")
    different = {key for key in catalogue.message_keys() if blanks(chinese[key]) != blanks(english[key])}
    assert different == set()


def test_no_message_is_empty_and_chinese_is_chinese() -> None:
    catalogue = build_catalogue()
    for key in catalogue.message_keys():
        english, chinese = catalogue.texts("en")[key], catalogue.texts("zh")[key]
        assert english, key
        assert english.isascii() or "…" in english, key
        # A text may be one fact that is a text itself.
        assert re.fullmatch(r"\{\w+\}", chinese) or any("\u4e00" <= letter <= "\u9fff" for letter in chinese), key


def test_a_message_missing_in_one_language_stops_the_start() -> None:
    with pytest.raises(ValueError, match="missing in en: lonely"):
        Catalogue(({"lonely": "孤"}, {}))


def test_a_key_defined_twice_stops_the_start() -> None:
    with pytest.raises(ValueError, match="defined twice: ok"):
        Catalogue(({"ok": "好"}, {"ok": "fine"}))


class UnheardOf(TerminalError):
    code = "unheard-of"


def test_an_error_without_message_shows_its_code() -> None:
    assert "unheard-of" in Catalogue().error_text("zh", UnheardOf())


def test_facts_may_have_any_name_and_may_be_absent() -> None:
    catalogue = Catalogue(({"hello": "你好 {key} {language} {absent}"}, {"hello": "hello {key} {language} {absent}"}))
    assert catalogue.text("en", "hello", key=1, language=2) == "hello 1 2 -"


def test_an_empty_fact_leaves_no_blank() -> None:
    catalogue = build_catalogue()
    fault = {"line": 2, "place": "", "problem": "value", "detail": "ftp://a/b"}
    assert catalogue.text("zh", "document-invalid", **fault) == "文档第 2 行：值有误 ftp://a/b"
    assert catalogue.text("en", "document-invalid", **fault) == "Line 2 of the document: has a wrong value ftp://a/b"
    choice = {"line": 2, "place": "a.b", "problem": "choice", "detail": "'x', 'y'"}
    assert catalogue.text("zh", "document-invalid", **choice) == "文档第 2 行：a.b 应为以下之一：'x', 'y'"
    missing = {"line": 2, "place": "a.b", "problem": "missing", "detail": ""}
    assert catalogue.text("en", "document-invalid", **missing) == "Line 2 of the document: a.b is missing"
