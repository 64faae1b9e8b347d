"""The connector."""

from zcbus.connectors.mysql.variant_connector import MySQLVariantConnector
from zcbus.connectors.roles import Connector


class OceanBaseConnector(MySQLVariantConnector):
    """See MySQLVariantConnector."""

    kind = "oceanbase"


def connector() -> Connector:
    """Constructor for the registry."""
    return OceanBaseConnector()
