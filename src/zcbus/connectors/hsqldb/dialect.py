"""HSQLDB 2."""

from zcbus.connectors.jdbc.dialect import Dialect, States, TypeNames
from zcbus.model.types import Kind

HSQLDB_DIALECT = Dialect(
    kind="hsqldb",
    name="HSQLDB",
    driver="org.hsqldb.jdbc.JDBCDriver",
    url="jdbc:hsqldb:hsql://{host}:{port}/{database}",
    schema="PUBLIC",
    system_schemas=frozenset({"INFORMATION_SCHEMA", "SYSTEM_LOBS"}),
    types=TypeNames(
        plain={
            Kind.BOOLEAN: "BOOLEAN",
            Kind.INT8: "TINYINT",
            Kind.INT16: "SMALLINT",
            Kind.INT32: "INTEGER",
            Kind.INT64: "BIGINT",
            Kind.FLOAT64: "DOUBLE",
            Kind.DATE: "DATE",
            Kind.TIME: "TIME({n})",
            Kind.TIMESTAMP: "TIMESTAMP({n})",
            Kind.TIMESTAMP_TZ: "TIMESTAMP({n}) WITH TIME ZONE",
            Kind.UUID: "UUID",
        },
        digits=1000,
        text="LONGVARCHAR",
        text_limit=1_000_000,
        key_text="LONGVARCHAR",
        binary="LONGVARBINARY",
        binary_limit=1_000_000,
        sized_binary="VARBINARY({n})",
        key_binary="LONGVARBINARY",
    ),
    states=States(
        table=frozenset({"42501"}),
        lost=frozenset({"HY000", "57P03"}),
        database=frozenset({"08001"}),
    ),
    zone="+0:00",
    pads="SQL_TEXT",
)
