"""Db2 11.5 for Linux, UNIX and Windows, as a source, from IBM's SQL reference."""

from zcbus.connectors.jdbc.dialect import FULL, Dialect, States
from zcbus.model.types import Kind

DB2_DIALECT = Dialect(
    kind="db2",
    name="Db2",
    driver="com.ibm.db2.jcc.DB2Driver",
    jars=("db2", "jcc"),
    url="jdbc:db2://{host}:{port}/{database}",
    schema="",
    system_schemas=frozenset(
        {
            "NULLID",
            "SQLJ",
            "SYSCAT",
            "SYSFUN",
            "SYSIBM",
            "SYSIBMADM",
            "SYSIBMINTERNAL",
            "SYSIBMTS",
            "SYSPROC",
            "SYSPUBLIC",
            "SYSSTAT",
            "SYSTOOLS",
        }
    ),
    types=None,
    states=States(
        table=frozenset({"42704"}),
        login=frozenset({"42501"}),
        # -913 and -911 are time-outs and deadlocks, which a retry mends.
        lost=frozenset({"57033", "57011"}),
        database=frozenset({"3D000"}),
        # SQL30061N and SQL1013N: no such database there.
        # SQL0289N, SQL0964C and SQL0968C: table space, log and file system are full.
        codes={-30061: "3D000", -1013: "3D000", -289: FULL, -964: FULL, -968: FULL},
    ),
    kinds={"xml": Kind.XML},
    unsized=frozenset({"date", "time", "clob", "dbclob", "blob", "xml"}),
)
