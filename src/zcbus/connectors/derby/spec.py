"""Options and capabilities of Apache Derby connections."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class DerbyOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "derby"
    port: Port = 1527
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_.~/-]+$"),
        Shown(
            "数据库",
            "Database",
            help_zh="网络服务器上的数据库名或路径",
            help_en="Name or path on the network server",
            example="shop",
            required=True,
            fixed=True,
        ),
    ] = ""


DERBY = KindSpec(
    name="Apache Derby",
    label="Apache Derby",
    group="relational",
    picture="derby",
    tested="Derby 10.16",
    model=DerbyOptions,
    capabilities=replace(SOURCE_CAPABILITIES, default_schema="APP"),
)
