"""Which checkpoint a key belongs to: the same everywhere, and one checkpoint for what a target may take for equal."""

import numpy as np
import pyarrow as pa
import pytest

from zcbus.engine.key_hash import applier_numbers, hashed_columns
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


def schema_of(**kinds: Kind) -> TableSchema:
    columns = tuple(Column(name, DataType(kind, kind.value), False) for name, kind in kinds.items())
    return TableSchema(TableName("s", "t"), "postgresql", columns, tuple(kinds))


def numbers(schema: TableSchema, count: int, **values: list[str]) -> list[int] | None:
    batch = pa.RecordBatch.from_pydict({name: pa.array(texts, pa.string()) for name, texts in values.items()})
    found = applier_numbers(schema, tuple(values), batch, count)
    return None if found is None else found.tolist()


def test_the_numbers_are_the_same_for_good() -> None:
    """What a target remembers of checkpoints must mean the same in every later process."""
    assert numbers(schema_of(id=Kind.INT64), 4, id=["1", "2", "3", "-17", "9223372036854775807"]) == FIXED_NUMBERS
    assert numbers(schema_of(a=Kind.INT32, b=Kind.TEXT), 16, a=["1", "1", "2"], b=["x", "y", "x"]) == FIXED_PAIRS


FIXED_NUMBERS = [2, 2, 1, 0, 3]
FIXED_PAIRS = [2, 14, 13]


@pytest.mark.parametrize("count", [2, 3, 4, 16])
def test_each_applier_gets_about_as_many_keys(count: int) -> None:
    for keys in ([str(n) for n in range(20_000)], [str(n * 16) for n in range(20_000)]):
        found = np.bincount(numbers(schema_of(id=Kind.INT64), count, id=keys) or [], minlength=count)
        assert found.min() > 0.9 * 20_000 / count, found
        assert found.max() < 1.1 * 20_000 / count, found


def test_texts_that_a_collation_may_take_for_equal_share_an_applier() -> None:
    texts = ["Ab-1", "aB-1", "ab1", "AB 1 ", "ab_1"]
    found = numbers(schema_of(code=Kind.TEXT), 16, code=texts)
    assert found is not None
    assert len(set(found)) == 1


def test_texts_beyond_ascii_are_not_divided() -> None:
    assert numbers(schema_of(code=Kind.TEXT), 4, code=["a", "ä"]) is None


def test_only_columns_whose_equality_is_known_count() -> None:
    schema = schema_of(day=Kind.DATE, amount=Kind.DECIMAL, id=Kind.INT64, code=Kind.TEXT, mark=Kind.UUID)
    assert hashed_columns(schema, schema.primary_key) == ("id", "code", "mark")
    assert hashed_columns(schema_of(day=Kind.DATE), ("day",)) == ()


def test_a_part_of_a_batch_has_the_numbers_of_the_whole() -> None:
    schema, texts = schema_of(code=Kind.TEXT), [f"code-{n}" * (n % 5 + 1) for n in range(100)] + [""]
    batch = pa.RecordBatch.from_pydict({"code": pa.array(texts, pa.string())})
    whole = applier_numbers(schema, ("code",), batch, 4)
    assert whole is not None
    for start in (0, 7, 100):
        part = applier_numbers(schema, ("code",), batch.slice(start), 4)
        assert part is not None
        assert part.tolist() == whole[start:].tolist()
    assert numbers(schema, 4, code=[]) == []
