"""Options and capabilities of DuckDB connections."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG
from zcbus.connectors.polling.options import PolledFileOptions
from zcbus.connectors.spec import KindSpec

SCHEMA = "main"
"""Where tables of other kinds go."""


@dataclass(frozen=True, config=CONFIG)
class DuckDBOptions(PolledFileOptions):
    """A database file in the folder for files of the agent's host."""

    kind: ClassVar[str] = "duckdb"


DUCKDB = KindSpec(
    name="DuckDB",
    label="DuckDB",
    group="relational",
    picture="duckdb",
    tested="DuckDB 2.0",
    model=DuckDBOptions,
    capabilities=Capabilities(
        capture="watermark",
        deletes="by-comparison",
        delivery="transactional",
        keyless=True,
        ddl=True,
        default_schema=SCHEMA,
        comparable=True,
        verifiable=True,
        row_errors=True,
    ),
)
