"""The connector."""

from zcbus.connectors.gaussdb.dialect import GAUSSDB_DIALECT
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.roles import Connector


class GaussDBConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "gaussdb"
    dialect = GAUSSDB_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return GaussDBConnector()
