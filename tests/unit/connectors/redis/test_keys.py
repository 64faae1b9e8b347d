"""No two rows share a Redis key, whatever their tables and values are called."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.redis.keys import OWN, RowKeys, own_key
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TEMPLATES = ["{table}:{key}", "shop:{table}:{key}", "{table}|x:{key}:y", "a/{table}#{key}"]
names = st.text(alphabet="ab:%|#/x{} é*?[\\", min_size=1, max_size=6)
keys = st.tuples(names, names)


def row_keys(template: str, table: str, kind: Kind = Kind.TEXT) -> RowKeys:
    columns = (Column("k", DataType(Kind.TEXT, "text")), Column("l", DataType(kind, "text")))
    schema = TableSchema(TableName("redis", table), "redis", columns, ("k", "l"))
    return RowKeys(parse(RedisOptions, {"host": "h", "template": template}), schema)


@given(st.sampled_from(TEMPLATES), names, keys, names, keys)
def test_different_rows_have_different_keys(
    template: str, table: str, key: tuple[str, str], other: str, other_key: tuple[str, str]
) -> None:
    (one,), (two,) = row_keys(template, table).of_keys([key]), row_keys(template, other).of_keys([other_key])
    assert (one == two) == ((table, key) == (other, other_key))
    assert not one.startswith(OWN.encode())
    assert row_keys(template, table).key(one) == key
    if table != other:
        assert row_keys(template, other).key(one) is None


def test_columns_and_single_keys_give_the_same() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array(["a b", "ü"]), pa.array([b"\0\xff", b""], pa.binary())], ["k", "l"])
    found = row_keys("{table}:{key}", "t", Kind.BINARY)
    assert found.of_batch(batch) == [b"t:a%20b:00ff", "t:ü:".encode()]
    assert found.of_keys([("a b", b"\0\xff"), ("ü", b"")]) == found.of_batch(batch)
    assert found.key(b"t:a%20b:zz") is None
    assert found.key(b"t:a b:00ff") is None
    assert found.key(b"t:a%20b") is None


def test_patterns_are_literal_but_for_the_key() -> None:
    assert row_keys("a/{table}#{key}", "x*").pattern == b"a/x%2A#*"


def test_our_own_keys() -> None:
    assert own_key("version", "a:b", "c") == b"{zcbus}:version:a%3Ab:c"


@pytest.mark.parametrize(
    "template", ["{table}{key}", "{key}:{table}", "{table}:", "{zcbus}:{table}:{key}", "{table}x:{key}"]
)
def test_templates_that_would_mix_rows_are_refused(template: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(RedisOptions, {"host": "h", "template": template})
