"""The connector."""

from zcbus.connectors.dameng.dialect import DAMENG_DIALECT
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.roles import Connector


class DamengConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "dameng"
    dialect = DAMENG_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return DamengConnector()
