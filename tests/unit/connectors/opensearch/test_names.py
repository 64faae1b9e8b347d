"""Names of indexes, fields and documents: never shared, and read back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.opensearch.names import field_of, ids_of, index_of, key_of, own_index
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TEXT, BINARY = DataType(Kind.TEXT, "text"), DataType(Kind.BINARY, "bytea")
_columns = (Column("a", TEXT, False), Column("b", BINARY, False))
TABLE = TableSchema(TableName("opensearch", "t"), "opensearch", _columns, ("a", "b"))
KEYS = st.tuples(st.text(), st.binary())


@given(KEYS, KEYS)
def test_an_id_names_one_key(key: tuple[str, bytes], other: tuple[str, bytes]) -> None:
    document, another = ids_of([key, other])
    assert key_of(TABLE, document) == key
    assert (document == another) == (key == other)


def test_ids_that_people_see() -> None:
    assert ids_of([("7", b"\xff"), ("a:b %", b""), ("", b"\0")]) == ["7:ff", "a%3Ab %25:%", "%:00"]
    assert [key_of(TABLE, other) for other in ("", "7", "7:zz", "%41:ff", "7:FF", "7:ff:")] == [None] * 6


def test_names_of_indexes() -> None:
    assert index_of("shop-", "Orders") == "shop-orders"
    assert index_of("", "_hidden") == "=5fhidden"
    assert index_of("", "订单 a/b") == "订单=20a=2fb"
    assert index_of("shop-", "zcbus=state") != own_index("shop-")


@given(st.text(), st.text())
def test_a_field_names_one_column(column: str, other: str) -> None:
    assert "." not in field_of(column)
    assert not field_of(column).startswith("_")
    assert (field_of(column) == field_of(other)) == (column == other)
