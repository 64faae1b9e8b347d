"""Options and capabilities of PostgreSQL connections."""

import re
from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, ConnectionOptions, Port
from zcbus.connectors.postgresql.query_rules import QUERY_RULES
from zcbus.connectors.row_errors import QUOTED_VALUE
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class PostgreSQLOptions(ConnectionOptions):
    """A database of a PostgreSQL server."""

    kind: ClassVar[str] = "postgresql"
    port: Port = 5432


POSTGRESQL = KindSpec(
    name="PostgreSQL",
    label="PostgreSQL",
    group="relational",
    picture="postgresql",
    tested="PostgreSQL 12, 16, 18",
    model=PostgreSQLOptions,
    capabilities=Capabilities(
        capture="log",
        delivery="transactional",
        keyless=True,
        ddl=True,
        retains_log=True,
        truncate=True,
        parallel_ranges=True,
        default_schema="public",
        comparable=True,
        verifiable=True,
        row_errors=True,
    ),
    query_rules=QUERY_RULES,
    grammar="postgresql",
    # The second and third part of a message are about the row.
    row_values=(QUOTED_VALUE, re.compile(r"(;.*)", re.DOTALL)),
)
