"""Apache Derby 10, as a source only: its client driver cannot nest savepoints, by which refused rows are separated
from the others."""

from zcbus.connectors.jdbc.dialect import Dialect, States

DERBY_DIALECT = Dialect(
    kind="derby",
    name="Apache Derby",
    driver="org.apache.derby.client.ClientAutoloadedDriver",
    url="jdbc:derby://{host}:{port}/{database}",
    schema="APP",
    system_schemas=frozenset(
        {"NULLID", "SQLJ", "SYS", "SYSCAT", "SYSCS_DIAG", "SYSCS_UTIL", "SYSFUN", "SYSIBM", "SYSPROC", "SYSSTAT"}
    ),
    states=States(
        locked=frozenset({"40XL1", "40XL2"}),
        table=frozenset({"42X05", "42Y55", "42Y07"}),
        lost=frozenset({"58009", "XJ001", "XJ040"}),
        login=frozenset({"42500", "42502", "42507", "42508"}),
        database=frozenset({"XJ004"}),
        # A page, or the log, cannot be written.
        full=frozenset({"XSDG1", "XSLA4"}),
    ),
    types=None,
    sized_times=False,
    pads="UCS_BASIC",
)
