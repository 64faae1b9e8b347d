"""Options and capabilities of GaussDB connections."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class GaussDBOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "gaussdb"
    port: Port = 8000


GAUSSDB = KindSpec(
    name="GaussDB",
    label="GaussDB / openGauss",
    group="relational",
    picture="gaussdb",
    model=GaussDBOptions,
    capabilities=SOURCE_CAPABILITIES,
    grammar="postgresql",
)
