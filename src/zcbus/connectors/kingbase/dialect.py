"""KingbaseES 8 and 9, as a source, from Kingbase's documentation of SQL and of the driver."""

from zcbus.connectors.jdbc import postgres_family as family
from zcbus.connectors.jdbc.dialect import Dialect

KINGBASE_DIALECT = Dialect(
    kind="kingbase",
    name="KingbaseES",
    driver="com.kingbase8.Driver",
    jars=("kingbase",),
    url="jdbc:kingbase8://{host}:{port}/{database}",
    properties=family.PROPERTIES,
    session=family.SESSION,
    schema="public",
    system_schemas=frozenset(
        {
            "information_schema",
            "perf",
            "pg_bitmapindex",
            "pg_catalog",
            "pg_toast",
            "src_restrict",
            "sys",
            "sys_catalog",
            "sys_hm",
            "sys_toast",
            "sysaudit",
            "sysmac",
            "xlog_record_read",
        }
    ),
    types=None,
    states=family.STATES,
    kinds=family.KINDS,
    unsized=family.UNSIZED,
    orders=family.ORDERS,
    era=True,
    binary_literal=family.BINARY_LITERAL,
)
