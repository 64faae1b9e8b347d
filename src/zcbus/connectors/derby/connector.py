"""The connector."""

from zcbus.connectors.derby.dialect import DERBY_DIALECT
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.roles import Connector


class DerbyConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "derby"
    dialect = DERBY_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return DerbyConnector()
