"""Options and capabilities of Delta Lake."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.lakes.options import LakeOptions
from zcbus.connectors.options import CONFIG
from zcbus.connectors.spec import KindSpec

SCHEMA = "delta"
"""Where all tables are: there are no schemas."""


@dataclass(frozen=True, config=CONFIG)
class DeltaOptions(LakeOptions):
    """A folder of Delta Lake tables."""

    kind: ClassVar[str] = "delta"


DELTA = KindSpec(
    name="Delta Lake",
    label="Delta Lake",
    group="big-data",
    model=DeltaOptions,
    capabilities=Capabilities(
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
