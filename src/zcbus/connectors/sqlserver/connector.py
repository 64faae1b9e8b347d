"""The connector."""

from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.roles import Connector
from zcbus.connectors.sqlserver.dialect import SQLSERVER_DIALECT


class SqlServerConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "sqlserver"
    dialect = SQLSERVER_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return SqlServerConnector()
