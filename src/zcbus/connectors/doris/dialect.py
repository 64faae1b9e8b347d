"""Doris 1.2 and StarRocks 2.5 and later, as a source, from their SQL references."""

from zcbus.connectors.jdbc.dialect import Dialect, States

DORIS_DIALECT = Dialect(
    kind="doris",
    name="Doris / StarRocks",
    # Statements go by MySQL's protocol, and errors have its numbers.
    driver="",
    url="",
    states=States(),
    schema="",
    system_schemas=frozenset(
        {"__internal_schema", "_statistics_", "information_schema", "mysql", "starrocks_monitor", "sys"}
    ),
    types=None,
    # The text of a single-precision number is rounded to six or seven digits.
    selects={"float": "CAST({column} AS DOUBLE)"},
    truths=("1", "0"),
    quote="`",
    page=" LIMIT {rows} OFFSET {skipped}",
)
