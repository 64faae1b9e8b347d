"""Every reason that any part of the platform can give has words in both languages."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import get_args

import pytest

import zcbus
from zcbus.connectors.roles import Advice
from zcbus.control.bootstrap import build_catalogue
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.engine import reasons
from zcbus.kit.errors import TerminalError, TransientError, ZcbusError

CATALOGUE = build_catalogue()
ABSTRACT = {"error", "transient", "terminal", "agent-answered"}


def codes() -> Iterator[str]:
    for module in pkgutil.walk_packages(zcbus.__path__, "zcbus."):
        if not module.name.endswith("__main__") and ".migrations" not in module.name:
            importlib.import_module(module.name)
    yield from (error.code for error in _below(ZcbusError) if error.__module__.startswith("zcbus."))
    yield from (value for name, value in vars(reasons).items() if name.isupper())


def _below(base: type[ZcbusError]) -> Iterator[type[ZcbusError]]:
    for error in base.__subclasses__():
        yield error
        yield from _below(error)


def test_every_code_has_words() -> None:
    missing = sorted(set(codes()) - CATALOGUE.message_keys() - ABSTRACT)
    assert not missing


@pytest.mark.parametrize(
    ("language", "text", "remedy"),
    [
        ("zh", "表 public.t 无法复制：是 UNLOGGED 表，没有日志", "ALTER TABLE t SET LOGGED"),
        ("en", "Table public.t cannot be replicated: it is UNLOGGED", "ALTER TABLE t SET LOGGED"),
    ],
)
def test_a_refusal_has_a_text_and_the_statement_that_repairs_it(language: str, text: str, remedy: str) -> None:
    texts = ReasonTexts(CATALOGUE, "zh" if language == "zh" else "en")
    facts = {"table": "public.t", "reason": "unlogged-table", "remedy": "ALTER TABLE t SET LOGGED"}
    record = texts.record({"code": "table-refused", "facts": facts})
    assert record is not None
    assert (record.text, record.remedy) == (text, remedy)


def test_every_advice_has_words() -> None:
    assert {f"advice.{key}" for key in get_args(Advice) if key} <= CATALOGUE.message_keys()


def test_an_unknown_code_is_shown_with_its_facts() -> None:
    assert ReasonTexts(CATALOGUE, "en").text("brand-new", {"a": "1"}) == "brand-new (a=1)"


def test_errors_say_retry_or_stop() -> None:
    assert all(issubclass(error, TransientError | TerminalError) for error in _below(ZcbusError))
