"""The connector."""

from zcbus.connectors.hsqldb.dialect import HSQLDB_DIALECT
from zcbus.connectors.jdbc.connector import JdbcTargetConnector
from zcbus.connectors.roles import Connector


class HsqldbConnector(JdbcTargetConnector):
    """See JdbcTargetConnector."""

    kind = "hsqldb"
    dialect = HSQLDB_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return HsqldbConnector()
