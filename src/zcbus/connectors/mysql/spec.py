"""Options and capabilities of MySQL and MariaDB connections."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.mysql.query_rules import QUERY_RULES
from zcbus.connectors.mysql.variant import ROW_VALUES
from zcbus.connectors.options import CONFIG, ConnectionOptions, Port
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class MySQLOptions(ConnectionOptions):
    """A database of a MySQL / MariaDB server."""

    kind: ClassVar[str] = "mysql"
    port: Port = 3306


MYSQL = KindSpec(
    name="MySQL",
    label="MySQL / MariaDB",
    group="relational",
    picture="mysql",
    tested="MySQL 8.0, MariaDB 10.11",
    model=MySQLOptions,
    capabilities=Capabilities(
        capture="log",
        delivery="transactional",
        keyless=True,
        ddl=True,
        truncate=True,
        parallel_ranges=True,
        schemas="database",
        comparable=True,
        verifiable=True,
        row_errors=True,
        fills_not_null=True,
    ),
    query_rules=QUERY_RULES,
    grammar="mysql",
    row_values=ROW_VALUES,
)
