"""H2 2."""

from zcbus.connectors.jdbc.dialect import Dialect, States, TypeNames
from zcbus.model.types import Kind

H2_DIALECT = Dialect(
    kind="h2",
    name="H2",
    driver="org.h2.Driver",
    url="jdbc:h2:tcp://{host}:{port}/{database}",
    schema="PUBLIC",
    system_schemas=frozenset({"INFORMATION_SCHEMA"}),
    types=TypeNames(
        plain={
            Kind.BOOLEAN: "BOOLEAN",
            Kind.INT8: "TINYINT",
            Kind.INT16: "SMALLINT",
            Kind.INT32: "INTEGER",
            Kind.INT64: "BIGINT",
            Kind.FLOAT32: "REAL",
            Kind.FLOAT64: "DOUBLE PRECISION",
            Kind.DATE: "DATE",
            Kind.TIME: "TIME({n})",
            Kind.TIMESTAMP: "TIMESTAMP({n})",
            Kind.TIMESTAMP_TZ: "TIMESTAMP({n}) WITH TIME ZONE",
            Kind.UUID: "UUID",
        },
        digits=1000,
        text="CHARACTER LARGE OBJECT",
        text_limit=1_000_000,
        key_text="VARCHAR(1000000)",
        binary="BINARY LARGE OBJECT",
        binary_limit=1_000_000,
        sized_binary="VARBINARY({n})",
        key_binary="VARBINARY(1000000)",
    ),
    states=States(
        locked=frozenset({"HYT00"}),
        table=frozenset({"42S02", "42S03", "42S04"}),
        lost=frozenset({"90067", "90098", "90121", "90135", "HY000"}),
        login=frozenset({"90096"}),
        database=frozenset({"90146", "90149", "90013"}),
    ),
    far_years=True,
    # A connection never makes a database.
    properties={"IFEXISTS": "TRUE"},
    session=("SET LOCK_TIMEOUT {wait}",),
    placeholders={"JSON": "? FORMAT JSON"},
)
