"""Snowflake as a source, from its SQL reference."""

from zcbus.connectors.jdbc.dialect import Dialect, States
from zcbus.model.types import Kind

_MOMENT = "YYYY-MM-DD HH24:MI:SS.FF9"
_IN_UTC = f"TO_VARCHAR(CONVERT_TIMEZONE('UTC', {{column}}), '{_MOMENT}') || '+00:00'"

SNOWFLAKE_DIALECT = Dialect(
    kind="snowflake",
    name="Snowflake",
    # Statements go by HTTP, without a driver.
    driver="",
    url="",
    schema="PUBLIC",
    system_schemas=frozenset({"INFORMATION_SCHEMA"}),
    types=None,
    states=States(table=frozenset({"42S02", "02000"}), login=frozenset({"42501"})),
    kinds={
        "number": Kind.DECIMAL,
        "float": Kind.FLOAT64,
        "text": Kind.TEXT,
        "boolean": Kind.BOOLEAN,
        "date": Kind.DATE,
        "time": Kind.TIME,
        "timestamp_ntz": Kind.TIMESTAMP,
        "timestamp_ltz": Kind.TIMESTAMP_TZ,
        "timestamp_tz": Kind.TIMESTAMP_TZ,
        "binary": Kind.BINARY,
        "variant": Kind.JSON,
        "object": Kind.JSON,
        "array": Kind.JSON,
    },
    # Answers have times as numbers, in forms that depend on the account's settings.
    selects={
        "date": "TO_VARCHAR({column}, 'YYYY-MM-DD')",
        "time": "TO_VARCHAR({column}, 'HH24:MI:SS.FF9')",
        "timestamp_ntz": f"TO_VARCHAR({{column}}, '{_MOMENT}')",
        "timestamp_ltz": _IN_UTC,
        "timestamp_tz": _IN_UTC,
        "binary": "TO_VARCHAR({column}, 'HEX')",
        "variant": "TO_JSON({column})",
        "object": "TO_JSON({column})",
        "array": "TO_JSON({column})",
    },
    compared={
        "date": "CAST(? AS DATE)",
        "time": "CAST(? AS TIME)",
        "timestamp_ntz": "CAST(? AS TIMESTAMP_NTZ)",
        "timestamp_ltz": "CAST(? AS TIMESTAMP_LTZ)",
        "timestamp_tz": "CAST(? AS TIMESTAMP_TZ)",
    },
    zone="+00:00",
    page=" LIMIT {rows} OFFSET {skipped}",
)
