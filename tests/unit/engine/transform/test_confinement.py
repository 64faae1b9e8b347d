"""Expressions that ask for gigabytes are refused, and none of it is taken from the process that asks."""

import contextlib
import os
import resource
import time
from collections.abc import Iterator

import pyarrow as pa
import pytest

from zcbus.engine.transform.confinement import confine_evaluations, release_evaluations, run_confined
from zcbus.engine.transform.evaluator import Columns, EvaluationFailed
from zcbus.engine.transform.expressions import ExpressionRefused, parse
from zcbus.engine.transform.sandbox import MAX_VALUE_LENGTH
from zcbus.engine.transform.typed import Output
from zcbus.kit.confined import Overrun
from zcbus.model.types import DataType, Kind

COLUMNS = Columns({"a": DataType(Kind.TEXT, "text"), "n": DataType(Kind.INT32, "integer")})
DOUBLED = "replace(" * 12 + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaa')" * 12


@pytest.fixture
def confined() -> Iterator[None]:
    confine_evaluations()
    yield
    release_evaluations()


@pytest.mark.wide
@pytest.mark.parametrize(
    "text",
    [
        "length(lpad('x', 900000000, 'y'))",
        "length(rpad('x', 900000000, 'y'))",
        "strptime(lpad('1', 900000000, '1'), '%Y')",
        "levenshtein(lpad('a', 90000, 'b'), lpad('b', 90000, 'c'))",
        f"length({DOUBLED})",
    ],
)
def test_bombs_take_nothing_of_the_process_that_asks(text: str, confined: None) -> None:
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with contextlib.suppress(ExpressionRefused):
        COLUMNS.result_type(parse(text))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10
    assert time.monotonic() - began < 60
    assert COLUMNS.result_type(parse("upper(a)")) == "VARCHAR"


RUNS_OUT = """
import duckdb
try:
    raise duckdb.OutOfMemoryException("Allocation failure")
except duckdb.Error as error:
    raise ValueError(str(error)) from error
"""


def test_a_child_that_ran_out_of_memory_is_replaced(confined: None) -> None:
    first = run_confined(os.getpid)
    with pytest.raises(Overrun):
        run_confined(exec, RUNS_OUT)
    assert run_confined(os.getpid) != first


@pytest.mark.parametrize(
    "text",
    [
        "format('{:>900000000}', a)",
        "format('{:{}}', a, n)",
        "format(a, n)",
        " + ".join(["levenshtein(a, a)"] * 5),
        "(" * 1900 + "1" + ")" * 1900,
        "not " * 900 + "true",
        "upper(" * 500 + "'a'" + ")" * 500,
        "1" + "+1" * 1900,
    ],
)
def test_expressions_refused_at_parsing(text: str) -> None:
    with pytest.raises(ExpressionRefused) as refused:
        parse(text)
    assert refused.value.problem


def evaluated(text: str, a: str | None, n: str) -> object:
    batch = pa.RecordBatch.from_pydict({"a": pa.array([a], pa.string()), "n": pa.array([n], pa.string())})
    names = COLUMNS.resolve(parse(text).columns)
    return COLUMNS.evaluate(batch, names, [Output("value", f"({text})")]).column(0)[0].as_py()


@pytest.mark.parametrize(
    "text", ["lpad(a, n, 'y')", "rpad(a, n, 'y')", "levenshtein(lpad(a, 9000, 'x'), rpad(a, 9000, 'y'))"]
)
def test_lengths_of_values_are_limited_too(text: str) -> None:
    with pytest.raises(EvaluationFailed):
        evaluated(text, "x", "900000000")


def test_a_value_that_is_too_long() -> None:
    text = "a || a || a"
    with pytest.raises(EvaluationFailed, match="longer than"):
        evaluated(text, "x" * (MAX_VALUE_LENGTH // 2), "1")


def test_ordinary_values_stay() -> None:
    assert evaluated("lpad(a, n, '0')", "7", "3") == "007"
    assert evaluated("rpad(a, n, '0')", "7", "3") == "700"
    assert evaluated("lpad(a, n, '0')", None, "3") is None
    assert evaluated("levenshtein(a, 'kitten')", "sitting", "3") == "3"
    assert evaluated("format('{:>5}|', a)", "x", "3") == "    x|"
