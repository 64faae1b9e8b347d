"""Conditions, expressions and masks over batches."""

from typing import Any

import numpy as np
import pytest
from tests.unit.engine.transform.support import TYPES, batch, schema

from zcbus.engine.compaction import Net, PartialUpdate
from zcbus.engine.reasons import ExpressionFailed, TableStopped
from zcbus.engine.transform.evaluator import Columns
from zcbus.engine.transform.shaping import Shape, Shaping
from zcbus.engine.transform.typed import Output, canonical
from zcbus.model.types import Kind
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, NameRule, Transform

ROWS = batch(id=["1", "2", "3", "4"], name=["Ann", "Bob", None, "李小龙"], amount=["1.5", "20", "3", None])


def shaping(transform: Transform, *names: str) -> tuple[Shape, Shaping]:
    shape = Shape(transform, schema(*(names or ("id", "name", "amount"))), ("id",), "secret")
    return shape, Shaping(shape, {name: name for name in shape.schema.names})


def expression(column: str, text: str, kind: str = "") -> Transform:
    return Transform(expressions=(ColumnExpression(column=column, expression=text, type=kind),))


def values(kind: str, text: str, *inputs: str | None) -> list[str | None]:
    """Values of `text` over a column `x` of that kind, as canonical text of the same kind."""
    column = batch(**{kind: list(inputs)}).rename_columns(["x"])
    output = Columns({"x": TYPES[kind]}).evaluate(column, ("x",), [Output("o", canonical(text, TYPES[kind]))])
    return list(output.column(0).to_pylist())


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("id", ["-2147483648", "0", None]),
        ("amount", ["12345678901234567890.0123456789", "-0.0000000001", None]),
        ("free", ["12345678901234567890.123456789012345678", None]),
        ("paid", ["t", "f", None]),
        ("made", ["2024-02-29 12:00:00.123456+00", "infinity", None]),
        ("born", ["2024-02-29", "0044-03-15 BC", "infinity", "-infinity", None]),
        ("score", ["0.1", "1e+300", "NaN", "Infinity", "-Infinity"]),
        ("name", ["", "x'\"\\", "李", None]),
    ],
)
def test_values_come_through_unchanged(kind: str, inputs: list[str | None]) -> None:
    assert values(kind, "x", *inputs) == inputs


def test_the_zero_date_lies_before_all_others() -> None:
    assert values("born", "x", "0000-00-00", "2024-05-10") == ["-infinity", "2024-05-10"]
    _, table = shaping(Transform(where="born > '2000-01-01'"), "id", "born")
    rows = batch(id=["1", "2", "3"], born=["0000-00-00", "2000-01-02", None])
    assert table.rows(rows).column("id").to_pylist() == ["2"]
    assert values("made", "x", "0000-00-00 00:00:00+00", "2024-01-10 00:00:00+00") == [
        "-infinity",
        "2024-01-10 00:00:00+00",
    ]


def test_a_decimal_that_does_not_fit_is_an_error_and_not_rounded() -> None:
    shape, table = shaping(Transform(where="free > 0"), "id", "free")
    with pytest.raises(ExpressionFailed) as failed:
        table.rows(batch(id=["1"], free=["0.1234567890123456789"]))
    assert failed.value.code == "expression-failed"
    assert "too many digits" in str(failed.value.facts["detail"])
    assert shape.has_condition


def test_an_expression_that_no_row_can_have_a_value_under_stops_the_table() -> None:
    _, table = shaping(expression("number", "CAST(data AS integer)"), "id", "data")
    with pytest.raises(TableStopped) as stopped:
        table.rows(batch(id=["1"], data=[b"1"]))
    assert stopped.value.reason.code == "expression-failed"


def test_a_row_whose_key_has_no_value_stops_the_table() -> None:
    shape = Shape(
        Transform(masks=(ColumnMask(column="free", method="hash"),)), schema("free", key=("free",)), ("free",), "k"
    )
    table = Shaping(shape, {"free": "free"})
    row = batch(free=["0.1234567890123456789"])
    for attempt in (table.keys, table.possible):
        with pytest.raises(TableStopped) as stopped:
            attempt(row)
        assert stopped.value.reason.code == "expression-failed"


def test_other_columns_of_a_row_with_a_failed_expression() -> None:
    transform = Transform(
        expressions=(
            ColumnExpression(column="number", expression="CAST(name AS integer)"),
            ColumnExpression(column="double", expression="amount * 2"),
        ),
        where="CAST(name AS integer) > 0",
        target_where="number > 0",
    )
    _, table = shaping(transform)
    possible = table.possible(batch(id=["1"], name=["seven"], amount=["1"]))
    assert set(possible.values) == {"id", "name", "amount", "double"}
    assert set(possible.failed) == {"number", "where"}
    assert "seven" in possible.failed["number"]
    partly = table.possible(batch(id=["1"], amount=["1"]))  # the source did not send the name
    assert set(partly.values) == {"id", "amount", "double"}
    assert not partly.failed


def test_a_target_condition_without_a_value_is_reported() -> None:
    _, table = shaping(Transform(target_where="CAST(name AS integer) > 0"))
    row = batch(id=["1"], name=["seven"], amount=["1"])
    with pytest.raises(ExpressionFailed):
        table.rows(row)
    assert set(table.possible(row).failed) == {"targetWhere"}


def test_missing_values_are_computed_from_the_sources_own_columns() -> None:
    transform = Transform(
        expressions=(
            ColumnExpression(column="number", expression="CAST(name AS integer)"),
            ColumnExpression(column="amount", expression="amount * CAST(name AS integer)"),
        ),
        target_where="number < 10",
    )
    _, table = shaping(transform)
    filled = table.filled(batch(id=["1"], name=["7"], amount=["3.5"]))
    assert filled is not None
    assert filled.to_pylist() == [{"id": "1", "name": "7", "amount": "3.5", "number": "7"}]
    assert table.filled(batch(id=["1"], name=["7"])) is None  # the source's amount was not kept
    left_out = table.filled(batch(id=["1"], name=["70"], amount=["3.5"]))
    assert left_out is not None
    assert left_out.num_rows == 0
    with pytest.raises(ExpressionFailed):
        table.filled(batch(id=["1"], name=["seven"], amount=["3.5"]))


def test_a_row_without_a_value_does_no_harm_to_the_next_one() -> None:
    _, table = shaping(expression("number", "CAST(name AS integer)"))
    for _ in range(3):
        with pytest.raises(ExpressionFailed):
            table.rows(batch(id=["1"], name=["seven"], amount=["1"]))
        assert table.rows(batch(id=["1"], name=["7"], amount=["1"])).column("number").to_pylist() == ["7"]


def test_a_condition_lets_rows_through_only_where_it_is_true() -> None:
    _, table = shaping(Transform(where="amount > 2"))
    assert table.rows(ROWS).column("id").to_pylist() == ["2", "3"]


def test_a_target_condition_sees_the_values_of_the_target() -> None:
    shape = Shape(
        Transform(**expression("size", "length(name)").model_dump() | {"target_where": "groesse >= 3"}),
        schema("id", "name", "amount"),
        ("id",),
        "",
    )
    table = Shaping(shape, {"id": "id", "name": "name", "amount": "amount", "size": "groesse"})
    shaped = table.rows(ROWS)
    assert shaped.column("id").to_pylist() == ["1", "2", "4"]
    assert shaped.column("size").to_pylist() == ["3", "3", "3"]


def test_expressions_replace_columns_and_add_them() -> None:
    transform = Transform(
        expressions=(
            ColumnExpression(column="name", expression="upper(name)"),
            ColumnExpression(column="gross", expression="amount * 2", type="decimal(20,2)"),
            ColumnExpression(column="origin", expression="'CN'"),
        )
    )
    shape, table = shaping(transform)
    shaped = table.rows(ROWS)
    assert shape.schema.names == ("id", "name", "amount", "gross", "origin")
    assert shaped.column("name").to_pylist() == ["ANN", "BOB", None, "李小龙"]
    assert shaped.column("gross").to_pylist() == ["3.00", "40.00", "6.00", None]
    assert set(shaped.column("origin").to_pylist()) == {"CN"}
    assert shape.schema.column("gross").type.native == "decimal(20,2)"
    assert shape.schema.column("origin").type.kind is Kind.TEXT


def test_masks() -> None:
    transform = Transform(masks=(ColumnMask(column="name", method="partial", first=1, last=1),))
    assert shaping(transform)[1].rows(ROWS).column("name").to_pylist() == ["A*n", "B*b", None, "李*龙"]
    transform = Transform(masks=(ColumnMask(column="name", method="fixed", value="it's"),))
    assert shaping(transform)[1].rows(ROWS).column("name").to_pylist() == ["it's", "it's", None, "it's"]
    transform = Transform(masks=(ColumnMask(column="name", method="hash"), ColumnMask(column="id", method="hash")))
    hashed = shaping(transform)[1].rows(ROWS)
    assert len(set(hashed.column("id").to_pylist())) == 4
    assert all(len(value or "0" * 64) == 64 for value in hashed.column("name").to_pylist())
    assert hashed.column("name")[2].as_py() is None


def test_a_hash_depends_on_the_key_of_the_installation() -> None:
    transform = Transform(masks=(ColumnMask(column="name", method="hash"),))
    one, other = (
        Shaping(Shape(transform, schema("id", "name"), ("id",), key), {"id": "id", "name": "name"}).rows(ROWS)
        for key in ("a", "b")
    )
    assert one.column("name")[0] != other.column("name")[0]


def net(**fields: Any) -> Net:
    nothing = batch(id=[])
    return Net(**{"deletes": nothing, "updates": (), "upserts": ROWS.slice(0, 0), **fields})


def test_rows_that_leave_the_condition_are_deleted_where_the_target_may_have_them() -> None:
    _, table = shaping(Transform(where="amount > 2"))
    shaped = table.net(net(upserts=ROWS, deletes=batch(id=["9"])))
    assert shaped.upserts.column("id").to_pylist() == ["2", "3"]
    assert shaped.deletes.column("id").to_pylist() == ["9", "1", "4"]
    known = np.array([False, True, True, True])
    assert table.net(net(upserts=ROWS, existing=known)).deletes.column("id").to_pylist() == ["4"]


def test_masked_keys_are_masked_wherever_they_stand() -> None:
    _, table = shaping(Transform(masks=(ColumnMask(column="id", method="hash"),), where="amount > 2"))
    shaped = table.net(net(upserts=ROWS, deletes=batch(id=["2"])))
    assert shaped.deletes.column("id")[0] == shaped.upserts.column("id")[0]


def test_updates_without_all_values() -> None:
    partial = PartialUpdate(batch(id=["1"]), batch(id=["1"], amount=["7"]))
    transform = Transform(
        masks=(ColumnMask(column="name", method="hash"),),
        expressions=(ColumnExpression(column="double", expression="amount * 2", type="decimal(20,2)"),),
    )
    shaped = shaping(transform)[1].net(net(updates=(partial,)))
    assert shaped.updates[0].rows.to_pydict() == {"id": ["1"], "amount": ["7"], "double": ["14.00"]}
    for refused in (Transform(where="amount > 1"), expression("both", "name || amount")):
        with pytest.raises(TableStopped) as stopped:
            shaping(refused)[1].net(net(updates=(partial,)))
        assert stopped.value.reason.code == "values-not-sent"
        assert stopped.value.reason.facts["columns"] == "name"


@pytest.mark.parametrize(
    ("transform", "code"),
    [
        (Transform(where="nothing > 1"), "expression-invalid"),
        (Transform(where="amount"), "expression-invalid"),
        (Transform(where="name > DATE '2020-01-01' + name"), "expression-invalid"),
        (expression("x", "now()"), "expression-invalid"),
        (expression("x", "current_date"), "expression-invalid"),
        (expression("x", "amount", "money"), "expression-invalid"),
        (expression("id", "id + 1"), "transform-changes-key"),
        (Transform(masks=(ColumnMask(column="id", method="fixed", value="1"),)), "transform-changes-key"),
        (Transform(masks=(ColumnMask(column="amount", method="partial", first=1),)), "mask-not-possible"),
        (Transform(masks=(ColumnMask(column="nobody", method="hash"),)), "expression-invalid"),
    ],
)
def test_refused(transform: Transform, code: str) -> None:
    with pytest.raises(TableStopped) as stopped:
        shaping(transform)
    assert stopped.value.reason.code == code


def test_a_target_condition_over_unknown_columns_is_refused() -> None:
    shape = Shape(Transform(target_where="old_name = 'x'"), schema("id", "name"), ("id",), "")
    with pytest.raises(TableStopped):
        shape.check_target({"id": "id", "name": "new_name"})


def test_unique_keys_over_values_that_may_become_equal_are_not_carried() -> None:
    transform = Transform(masks=(ColumnMask(column="name", method="fixed", value="x"),))
    shape = Shape(transform, schema("id", "name", unique=(("name",), ("id",))), ("id",), "")
    assert shape.schema.unique_keys == (("id",),)


@pytest.mark.parametrize(
    ("rule", "name", "expected"),
    [
        (NameRule(), "Ab", "Ab"),
        (NameRule(case="upper"), "ab", "AB"),
        (NameRule(case="lower", prefix="X_", suffix="_y"), "AB", "X_ab_y"),
        (NameRule(replace=(("t_*", "*"),)), "t_orders", "orders"),
        (NameRule(replace=(("*_old", "new_*"), ("*", "z"))), "a_old", "new_a"),
        (NameRule(replace=(("orders", "订单"),)), "orders", "订单"),
        (NameRule(replace=(("ab*ba", "*"),)), "aba", "aba"),
    ],
)
def test_name_rules(rule: NameRule, name: str, expected: str) -> None:
    assert rule.apply(name) == expected
