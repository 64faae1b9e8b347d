"""GaussDB and openGauss, as a source, from their documentation of SQL and of the driver."""

from zcbus.connectors.jdbc import postgres_family as family
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.model.types import Kind

GAUSSDB_DIALECT = Dialect(
    kind="gaussdb",
    name="GaussDB",
    driver="com.huawei.opengauss.jdbc.Driver",
    # The driver comes under several names, each with a prefix of its own.
    others={
        "org.opengauss.Driver": "jdbc:opengauss://{host}:{port}/{database}",
        "org.postgresql.Driver": "jdbc:postgresql://{host}:{port}/{database}",
    },
    jars=("opengauss", "gaussdb", "gsjdbc"),
    url="jdbc:opengauss://{host}:{port}/{database}",
    properties=family.PROPERTIES,
    session=family.SESSION,
    schema="public",
    system_schemas=frozenset(
        {
            "blockchain",
            "coverage",
            "cstore",
            "db4ai",
            "dbe_perf",
            "dbe_pldebugger",
            "dbe_pldeveloper",
            "dbe_sql_util",
            "information_schema",
            "pg_catalog",
            "pg_toast",
            "pkg_service",
            "pkg_util",
            "snapshot",
            "sqladvisor",
            "sys",
        }
    ),
    types=None,
    states=family.STATES,
    kinds={**family.KINDS, "int1": Kind.UINT8},
    unsized=family.UNSIZED,
    orders=family.ORDERS,
    era=True,
    binary_literal=family.BINARY_LITERAL,
)
