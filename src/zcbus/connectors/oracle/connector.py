"""The connector."""

from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.oracle.dialect import ORACLE_DIALECT
from zcbus.connectors.roles import Connector


class OracleConnector(JdbcConnector):
    """See JdbcConnector."""

    kind = "oracle"
    dialect = ORACLE_DIALECT


def connector() -> Connector:
    """Constructor for the registry."""
    return OracleConnector()
