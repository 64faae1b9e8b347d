"""Answers that spreadsheet programs open run nothing there."""

import pytest

from zcbus.connectors.queries import Found
from zcbus.gateway.call_options import CallOptions, Form
from zcbus.gateway.replies import rows_reply


def cell(value: object, form: Form = "csv") -> str:
    reply = rows_reply(Found((("=a", "text"),), [(value,)], more=False), CallOptions({}, 1, 10, form))
    return reply.body.decode().split("\r\n")[1]


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+A1", "@SUM(A1)", " =1", "\tx", "\uff1dx"])
def test_formulas_are_texts(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert cell(text, "csv-raw") == text


@pytest.mark.parametrize("text", ["-1.50", "+3", "1e5", "tea", "", "a=b"])
def test_all_else_stays(text: str) -> None:
    assert cell(text).strip('"') == text


def test_names_of_columns_are_guarded_too() -> None:
    reply = rows_reply(Found((("=a", "text"),), [], more=False), CallOptions({}, 1, 10, "csv"))
    assert reply.body == b"'=a\r\n"
