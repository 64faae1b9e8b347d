"""The connector."""

from zcbus.connectors.db2.dialect import DB2_DIALECT
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.roles import Connector


class Db2Connector(JdbcConnector):
    """See JdbcConnector."""

    kind = "db2"
    dialect = DB2_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return Db2Connector()
