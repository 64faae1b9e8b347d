"""Options and capabilities of SQLite connections."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG
from zcbus.connectors.polling.options import PolledFileOptions
from zcbus.connectors.spec import KindSpec

SCHEMA = "main"
"""The one schema of a file."""


@dataclass(frozen=True, config=CONFIG)
class SQLiteOptions(PolledFileOptions):
    """See PolledFileOptions."""

    kind: ClassVar[str] = "sqlite"


SQLITE = KindSpec(
    name="SQLite",
    label="SQLite",
    group="relational",
    picture="sqlite",
    tested="SQLite 3.40",
    model=SQLiteOptions,
    capabilities=Capabilities(
        capture="watermark",
        deletes="by-comparison",
        delivery="transactional",
        keyless=True,
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        verifiable=True,
        row_errors=True,
    ),
)
