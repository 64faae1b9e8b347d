"""The connector."""

from zcbus.connectors.h2.dialect import H2_DIALECT
from zcbus.connectors.jdbc.connector import JdbcTargetConnector
from zcbus.connectors.roles import Connector


class H2Connector(JdbcTargetConnector):
    """See JdbcTargetConnector."""

    kind = "h2"
    dialect = H2_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return H2Connector()
