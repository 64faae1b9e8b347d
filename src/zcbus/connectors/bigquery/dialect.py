"""BigQuery as a source, from the reference of GoogleSQL."""

from zcbus.connectors.jdbc.dialect import Dialect, States
from zcbus.model.types import Kind

_SECONDS = "%H:%M:%E6S"
_CAST = ("int64", "float64", "numeric", "bignumeric", "bool", "date", "datetime", "time", "timestamp")

BIGQUERY_DIALECT = Dialect(
    kind="bigquery",
    name="BigQuery",
    # Statements go by HTTP, without a driver.
    driver="",
    url="",
    schema="",
    system_schemas=frozenset(),
    types=None,
    states=States(),
    kinds={
        "int64": Kind.INT64,
        "float64": Kind.FLOAT64,
        "numeric": Kind.DECIMAL,
        "bignumeric": Kind.DECIMAL,
        "bool": Kind.BOOLEAN,
        "string": Kind.TEXT,
        "bytes": Kind.BINARY,
        "date": Kind.DATE,
        "datetime": Kind.TIMESTAMP,
        "time": Kind.TIME,
        "timestamp": Kind.TIMESTAMP_TZ,
        "json": Kind.JSON,
    },
    # Answers have times and bytes in other forms.
    selects={
        "bytes": "TO_HEX({column})",
        "datetime": f"FORMAT_DATETIME('%F {_SECONDS}', {{column}})",
        "time": f"FORMAT_TIME('{_SECONDS}', {{column}})",
        "timestamp": f"CONCAT(FORMAT_TIMESTAMP('%F {_SECONDS}', {{column}}, 'UTC'), '+00')",
        "json": "TO_JSON_STRING({column})",
    },
    # Values are texts, of which only literals become other types by themselves.
    compared={"bytes": "FROM_HEX(?)", **{name: f"CAST(? AS {name.upper()})" for name in _CAST}},
    binary_literal="FROM_HEX('{hex}')",
    quote="`",
    page=" LIMIT {rows} OFFSET {skipped}",
)
