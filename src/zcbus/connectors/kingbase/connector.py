"""The connector."""

from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.kingbase.dialect import KINGBASE_DIALECT
from zcbus.connectors.roles import Connector


class KingbaseConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "kingbase"
    dialect = KINGBASE_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return KingbaseConnector()
