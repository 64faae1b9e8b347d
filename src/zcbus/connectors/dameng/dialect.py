"""DM 8, as a source, from Dameng's SQL reference."""

from zcbus.connectors.jdbc.dialect import Dialect, States
from zcbus.model.types import Kind

DAMENG_DIALECT = Dialect(
    kind="dameng",
    name="DM",
    driver="dm.jdbc.driver.DmDriver",
    jars=("dm", "dameng"),
    url="jdbc:dm://{host}:{port}/{database}",
    schema="",
    system_schemas=frozenset({"CTISYS", "SYS", "SYSAUDITOR", "SYSSSO"}),
    types=None,
    states=States(
        table=frozenset({"42S02"}),
        database=frozenset({"3D000"}),
        # Wrong user or password; no such table; no such schema.
        codes={-2501: "28000", -2106: "42S02", -2103: "3D000"},
    ),
    kinds={
        "timestamp with time zone": Kind.TIMESTAMP_TZ,
        "datetime with time zone": Kind.TIMESTAMP_TZ,
        "timestamp with local time zone": Kind.UNSUPPORTED,
    },
    unsized=frozenset({"date", "text", "clob", "blob", "image", "longvarchar", "longvarbinary"}),
    truths=("1", "0"),
    binary_literal="0x{hex}",
)
