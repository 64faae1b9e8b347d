"""The connector."""

from zcbus.connectors.mysql.variant_connector import MySQLVariantConnector
from zcbus.connectors.roles import Connector


class TiDBConnector(MySQLVariantConnector):
    """See MySQLVariantConnector."""

    kind = "tidb"


def connector() -> Connector:
    """Constructor for the registry."""
    return TiDBConnector()
