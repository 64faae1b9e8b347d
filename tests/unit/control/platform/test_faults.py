"""Faults of fields are reported in both languages, whatever the schema library calls them."""

import ast
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import AfterValidator, Field, ValidationError
from pydantic_core.core_schema import ErrorType

import zcbus.control
from zcbus.control.bootstrap import build_catalogue
from zcbus.control.platform.faults import KEYS, field_errors, field_fault
from zcbus.control.platform.language import Language
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.schema import Schema

CATALOGUE = build_catalogue()
UNPLAIN = ("首尾不能有空格，且不能含不可见字符", "No blanks around it, and nothing that cannot be seen")


def at_most_two_bytes(text: str) -> str:
    if len(text.encode()) > 2:
        raise field_fault("too-many-bytes", limit=2)
    return text


class Stop(Schema):
    name: Annotated[str, Field(max_length=5), AfterValidator(plain_name)]
    platform_number: int = Field(1, ge=1, le=9)
    kind: Literal["bus", "tram"] = "bus"
    lines: list[Annotated[str, Field(min_length=1)]] = Field(["1"], min_length=1, max_length=2)
    names: dict[str, str] | list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)
    since: datetime | None = None
    mark: Annotated[str, AfterValidator(at_most_two_bytes)] = ""


def faults(given: Any, language: Language) -> dict[str, str]:
    try:
        Stop.model_validate(given)
    except ValidationError as error:
        # The web framework puts in front where the value came from.
        placed = [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()]
        return {fault["field"]: fault["reason"] for fault in field_errors(placed, CATALOGUE, language)}
    return {}


@pytest.mark.parametrize(
    ("given", "field", "zh", "en"),
    [
        ({}, "name", "不能为空", "Cannot be empty"),
        ({"name": None}, "name", "不能为空", "Cannot be empty"),
        ({"name": " "}, "name", "不能为空", "Cannot be empty"),
        ({"name": "x "}, "name", *UNPLAIN),
        ({"name": "a\u200bb"}, "name", *UNPLAIN),
        ({"name": "x" * 6}, "name", "最多 5 个字符", "At most 5 characters"),
        ({"name": 7}, "name", "须为文本", "Must be text"),
        ({"name": "x", "platformNumber": 10}, "platformNumber", "不能大于 9", "Cannot be more than 9"),
        ({"name": "x", "platformNumber": 0}, "platformNumber", "不能小于 1", "Cannot be less than 1"),
        ({"name": "x", "platformNumber": "many"}, "platformNumber", "须为整数", "Must be a whole number"),
        ({"name": "x", "kind": "ship"}, "kind", "只能是 'bus', 'tram'", "Must be one of 'bus', 'tram'"),
        ({"name": "x", "lines": []}, "lines", "不能为空", "Cannot be empty"),
        ({"name": "x", "lines": ["1", ""]}, "lines.1", "不能为空", "Cannot be empty"),
        ({"name": "x", "lines": ["1"] * 3}, "lines", "最多 2 项", "At most 2 entries"),
        ({"name": "x", "names": ["a", ""]}, "names", "不能为空", "Cannot be empty"),
        ({"name": "x", "since": "soon"}, "since", "须为日期和时间", "Must be a date with a time"),
        ({"name": "x", "mark": "abc"}, "mark", "最多 2 字节", "At most 2 bytes"),
        ([], "body", "结构不正确", "Not of the right structure"),
    ],
)
def test_in_both_languages(given: Any, field: str, zh: str, en: str) -> None:
    assert faults(given, "zh") == {field: zh}
    assert faults(given, "en") == {field: en}


def test_faults_without_a_text_of_their_own_get_a_general_one() -> None:
    strange = {"type": "frozen_field", "loc": ("body", "name"), "input": "x"}
    assert field_errors([strange], CATALOGUE, "zh") == [{"field": "name", "reason": "不正确"}]


def test_invalid_json_is_an_error_of_the_body() -> None:
    broken = {"type": "json_invalid", "loc": ("body", 5), "input": {}, "ctx": {"error": "x"}}
    assert field_errors([broken], CATALOGUE, "en") == [{"field": "body", "reason": "Not valid JSON"}]


def test_every_kind_that_is_translated_exists_and_has_its_text() -> None:
    assert KEYS.keys() <= set(get_args(ErrorType))
    assert {f"field.{key}" for key in KEYS.values()} <= CATALOGUE.message_keys()


def raised() -> Iterator[str]:
    for path in Path(next(iter(zcbus.control.__path__))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "field_fault":
                (key, *_) = node.args
                assert isinstance(key, ast.Constant), path
                yield f"field.{key.value}"


@pytest.mark.wide
def test_every_fault_that_a_schema_raises_has_its_text() -> None:
    keys = set(raised())
    assert "field.plain-name" in keys
    assert keys <= CATALOGUE.message_keys()
