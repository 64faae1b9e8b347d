"""What the descendants of PostgreSQL have in common by JDBC: types as their drivers name them, and SQLSTATEs."""

from zcbus.connectors.jdbc.dialect import States
from zcbus.model.types import Kind

STATES = States(
    locked=frozenset({"55P03"}),
    table=frozenset({"42P01", "3F000"}),
    # Ended or starting servers, cancelled queries, no memory, too many connections.
    lost=frozenset({"57P01", "57P02", "57P03", "57014", "53200", "53300"}),
    login=frozenset({"42501"}),
    database=frozenset({"3D000"}),
)
KINDS = {
    "timestamptz": Kind.TIMESTAMP_TZ,
    "timetz": Kind.TIME_TZ,
    "uuid": Kind.UUID,
    "json": Kind.JSON,
    "jsonb": Kind.JSON,
    "xml": Kind.XML,
    # The driver takes it for a single one.
    "bit": Kind.OTHER,
    "varbit": Kind.OTHER,
    "interval": Kind.OTHER,
    **dict.fromkeys(("inet", "cidr", "macaddr"), Kind.OTHER),
    # Its text depends on the server's language.
    "money": Kind.UNSUPPORTED,
    # Their drivers give handles or escaped texts, which were not tried.
    **dict.fromkeys(("blob", "clob", "raw"), Kind.UNSUPPORTED),
}
"""By bare native name; the others by the code of java.sql.Types."""
UNSIZED = frozenset({"date"})
_BINARY_ORDER = '{column} COLLATE "C"'
ORDERS = dict.fromkeys(("bpchar", "varchar", "text", "nvarchar2"), _BINARY_ORDER)
PROPERTIES = {
    "ApplicationName": "zcbus",
    # Values are bound as texts: the server takes them for the type of the column.
    "stringtype": "unspecified",
    # Texts of values come from the server, which knows no zone of this host.
    "binaryTransfer": "false",
}
SESSION = ("SET TIME ZONE 'UTC'", "SET extra_float_digits = 3", "SET DateStyle = 'ISO, YMD'")
BINARY_LITERAL = "DECODE('{hex}', 'hex')"
