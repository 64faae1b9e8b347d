"""Oracle Database 12.2 and later, as a source, from Oracle's SQL language reference.

No target: an empty text is NULL there, and nothing would distinguish the two.
"""

from zcbus.connectors.jdbc.dialect import FULL, Dialect, States
from zcbus.model.types import Kind

_DAY = "YYYY-MM-DD HH24:MI:SS AD"
_MOMENT = "YYYY-MM-DD HH24:MI:SS.FF9 AD"
_ZONED = "YYYY-MM-DD HH24:MI:SS.FF9"

ORACLE_DIALECT = Dialect(
    kind="oracle",
    name="Oracle",
    driver="oracle.jdbc.OracleDriver",
    jars=("ojdbc", "oracle"),
    url="jdbc:oracle:thin:@//{host}:{port}/{database}",
    schema="",
    system_schemas=frozenset(
        {
            "ANONYMOUS",
            "APPQOSSYS",
            "AUDSYS",
            "CTXSYS",
            "DBSFWUSER",
            "DBSNMP",
            "DIP",
            "DVF",
            "DVSYS",
            "GGSYS",
            "GSMADMIN_INTERNAL",
            "GSMCATUSER",
            "GSMUSER",
            "LBACSYS",
            "MDDATA",
            "MDSYS",
            "OJVMSYS",
            "OLAPSYS",
            "ORACLE_OCM",
            "ORDDATA",
            "ORDPLUGINS",
            "ORDSYS",
            "OUTLN",
            "REMOTE_SCHEDULER_AGENT",
            "SI_INFORMTN_SCHEMA",
            "SYS",
            "SYS$UMF",
            "SYSBACKUP",
            "SYSDG",
            "SYSKM",
            "SYSRAC",
            "SYSTEM",
            "WMSYS",
            "XDB",
            "XS$NULL",
        }
    ),
    types=None,
    states=States(
        table=frozenset({"42S02"}),
        database=frozenset({"3D000"}),
        codes={
            60: "40001",
            942: "42S02",
            1005: "28000",
            1017: "28000",
            1031: "28000",
            1045: "28000",
            1536: FULL,
            1555: "40001",
            1652: FULL,
            1653: FULL,
            1654: FULL,
            1658: FULL,
            1688: FULL,
            1691: FULL,
            3113: "08000",
            3114: "08000",
            12505: "3D000",
            12514: "3D000",
            12541: "08000",
            17002: "08000",
            17008: "08000",
            17410: "08000",
            28000: "28000",
            28001: "28000",
            30036: FULL,
        },
    ),
    kinds={
        # It has a time of day.
        "date": Kind.TIMESTAMP,
        "timestamp": Kind.TIMESTAMP,
        "timestamp with time zone": Kind.TIMESTAMP_TZ,
        "timestamp with local time zone": Kind.TIMESTAMP_TZ,
        "binary_float": Kind.FLOAT32,
        "binary_double": Kind.FLOAT64,
        # Its size counts binary digits of a decimal number.
        "float": Kind.DECIMAL,
        # A query may read only one of these, and no part of it.
        "long": Kind.UNSUPPORTED,
        "long raw": Kind.UNSUPPORTED,
    },
    unsized=frozenset({"date", "clob", "nclob", "blob"}),
    unbounded=frozenset({"float"}),
    selects={
        "date": f"TO_CHAR({{column}}, '{_DAY}')",
        "timestamp": f"TO_CHAR({{column}}, '{_MOMENT}')",
        "timestamp with time zone": f"TO_CHAR(SYS_EXTRACT_UTC({{column}}), '{_ZONED}') || '+00'",
        # Shown in the session's zone.
        "timestamp with local time zone": f"TO_CHAR({{column}}, '{_ZONED}') || '+00'",
    },
    compared={
        "date": f"TO_DATE(?, '{_DAY}')",
        "timestamp": "TO_TIMESTAMP(?, 'YYYY-MM-DD HH24:MI:SSXFF AD')",
        "timestamp with time zone": "TO_TIMESTAMP_TZ(?, 'YYYY-MM-DD HH24:MI:SSXFFTZH')",
        "timestamp with local time zone": "TO_TIMESTAMP_TZ(?, 'YYYY-MM-DD HH24:MI:SSXFFTZH')",
    },
    session=(
        "ALTER SESSION SET TIME_ZONE = '+00:00'",
        "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'",
        "ALTER SESSION SET NLS_DATE_LANGUAGE = 'AMERICAN'",
        "ALTER SESSION SET NLS_SORT = 'BINARY'",
        "ALTER SESSION SET NLS_COMP = 'BINARY'",
    ),
    era=True,
    truths=("1", "0"),
    binary_literal="HEXTORAW('{hex}')",
)
