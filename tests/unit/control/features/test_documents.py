"""Link documents: what is refused, how tables are written, what is kept."""

from typing import Any

import pytest
from pydantic import ValidationError

from zcbus.control.features.sync_link.apply import kept_document
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
        {"tables": [{"source": "a.b", "where": "1=1"}]},
        {"link": "x\n"},
        {"link": ""},
        {"threads": 0},
        {"source": {**SIDE, "password": {"env": "P"}}},
        {"source": {**SIDE, "port": 0}},
        {"source": {**SIDE, "tls": "maybe"}},
    ],
)
def test_what_cannot_be_meant_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        parse(**changes)


def test_connections_are_not_kept_with_the_document() -> None:
    kept = kept_document(parse(tables=["a.*", {"source": "a.b", "key": ["id"]}]))
    assert set(kept) == {"tables", "load", "clean", "ddl", "threads"}
    assert kept["tables"] == ["a.*", {"source": {"schema": "a", "table": "b"}, "key": ["id"]}]
