"""Link documents: refusals, table settings, the stored part."""

from typing import Any

import pytest
from pydantic import ValidationError

from zcbus.control.features.subscribe.transform_input import NameRuleInput
from zcbus.control.features.sync_link.creation import stored_document
from zcbus.control.features.sync_link.schemas import LinkDocument, TableMapping

SIDE = {"kind": "postgresql", "host": "h", "port": 5432, "user": "u", "password": "p", "database": "d"}


def parse(**changes: Any) -> LinkDocument:
    return LinkDocument.model_validate({"link": "x", "source": SIDE, "target": SIDE, "tables": ["a.*"], **changes})


def test_defaults_change_no_data() -> None:
    document = parse()
    assert (document.load, document.clean, document.ddl, document.threads) == ("full+incremental", "none", "stop", 2)


def test_a_table_may_be_written_in_two_ways() -> None:
    short = TableMapping.model_validate({"source": "a.b.c", "columns": ["x", "y"]})
    long = TableMapping.model_validate({"source": {"schema": "a", "table": "b.c"}, "columns": {"x": "x", "y": "y"}})
    assert short.source == long.source
    assert short.column_pairs == long.column_pairs == (("x", "x"), ("y", "y"))


@pytest.mark.parametrize(
    "changes",
    [
        {"tables": [{"source": "no_schema"}]},
        {"tables": [{"source": "a.b", "columns": {}}]},
        {"tables": [{"source": "a.b", "columns": ["x"], "key": ["id"]}]},
        {"tables": [{"source": "a.b", "when": "1=1"}]},
        {"tables": [{"source": "a.b", "where": ""}]},
        {"tables": [{"source": "a.b", "masks": {"x": "shuffle"}}]},
        {"tables": [{"source": "a.b", "masks": {"x": {"method": "partial", "first": -1}}}]},
        {"names": {"table": {"case": "title"}}},
        {"columnCase": 2},
        {"link": "x\n"},
        {"link": ""},
        {"threads": 0},
        {"source": {**SIDE, "password": {"env": "P"}}},
        {"source": {**SIDE, "port": [1]}},
    ],
)
def test_contradictory_documents_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        parse(**changes)


def test_connections_are_not_kept_with_the_document() -> None:
    kept = stored_document(parse(tables=["a.*", {"source": "a.b", "key": ["id"]}]))
    assert set(kept) == {"tables", "load", "clean", "ddl", "indexes", "threads"}
    assert kept["tables"] == ["a.*", {"source": {"schema": "a", "table": "b"}, "key": ["id"]}]


def test_transforms_of_a_table_mapping() -> None:
    mapping = TableMapping.model_validate(
        {
            "source": "a.b",
            "key": "id, region",
            "columns": "id,region,phone",
            "where": "region = 'CN'",
            "constants": {"origin": "it's", "batch": 7, "live": True, "nothing": None},
            "expressions": {"gross": {"expression": "net * 1.19", "type": "decimal(12,2)"}, "x": "1"},
            "masks": {"phone": {"method": "partial", "first": 3, "last": 2}, "mail": "hash"},
        }
    )
    transform = mapping.transform(NameRuleInput(case="upper", replace={"a_*": "*"}), exact_names=True)
    assert mapping.key == ["id", "region"]
    assert mapping.column_pairs == (("id", "id"), ("region", "region"), ("phone", "phone"))
    assert {one.column: one.expression for one in transform.expressions} == {
        "origin": "'it''s'",
        "batch": "7",
        "live": "true",
        "nothing": "NULL",
        "gross": "net * 1.19",
        "x": "1",
    }
    assert [(mask.column, mask.method, mask.first) for mask in transform.masks] == [
        ("phone", "partial", 3),
        ("mail", "hash", 0),
    ]
    assert transform.names.apply("a_b") == "B"
    assert transform.exact_names


def test_rules_and_conditions_are_kept_with_the_document() -> None:
    table = {"source": {"schema": "a", "table": "b"}, "key": [], "where": "x > 1", "masks": {"m": "hash"}}
    kept = stored_document(parse(tables=[table], names={"table": {"prefix": "t_"}}, columnCase=1))
    assert kept["tables"] == [table]
    assert kept["names"]["table"]["prefix"] == "t_"
    assert parse(**{name: kept[name] for name in ("tables", "names", "columnCase")}).column_case == 1
