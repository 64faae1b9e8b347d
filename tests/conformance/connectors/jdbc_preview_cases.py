"""Databases by JDBC, Snowflake and BigQuery, without a server of the tests, in the conformance suite: sources by
watermark on a named server."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class PreviewCase(Case):
    """See Case; `server` is a NamedServer."""

    many_rows = 2000
    types: ClassVar[Sequence[TypeCase]] = ()

    def schema(self, database: str) -> str:
        return str(self.server.schema)

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f"SELECT * FROM {table} ORDER BY k", database))


class SqlServerCase(PreviewCase):
    """SQL Server."""

    kind = "sqlserver"


class OracleCase(PreviewCase):
    """Oracle."""

    kind = "oracle"


class Db2Case(PreviewCase):
    """Db2."""

    kind = "db2"


class KingbaseCase(PreviewCase):
    """KingbaseES."""

    kind = "kingbase"


class GaussDBCase(PreviewCase):
    """GaussDB."""

    kind = "gaussdb"


class DamengCase(PreviewCase):
    """DM."""

    kind = "dameng"


class SnowflakeCase(PreviewCase):
    """Snowflake; a schema is a database of the suite."""

    kind = "snowflake"

    def schema(self, database: str) -> str:
        return database

    def image(self, database: str, table: str) -> list[object]:
        return list(self.server.rows(f'SELECT * FROM "{table}" ORDER BY "k"', database))


class BigQueryCase(PreviewCase):
    """BigQuery; a dataset is a database of the suite."""

    kind = "bigquery"

    def schema(self, database: str) -> str:
        return database
