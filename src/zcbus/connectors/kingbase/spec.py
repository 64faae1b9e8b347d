"""Options and capabilities of KingbaseES connections."""

from typing import ClassVar

from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class KingbaseOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "kingbase"
    port: Port = 54321


KINGBASE = KindSpec(
    name="KingbaseES",
    label="KingbaseES",
    label_zh="人大金仓 KingbaseES",
    group="relational",
    picture="kingbase",
    model=KingbaseOptions,
    capabilities=SOURCE_CAPABILITIES,
    grammar="postgresql",
)
