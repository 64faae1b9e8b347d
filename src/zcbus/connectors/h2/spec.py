"""Options and capabilities of H2 connections."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class H2Options(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "h2"
    port: Port = 9092
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^(mem:)?[A-Za-z0-9_.~/-]+$"),
        Shown(
            "数据库",
            "Database",
            help_zh="服务器上的数据库名或路径；内存数据库以 mem: 开头",
            help_en="Name or path on the server; a database in memory begins with mem:",
            example="shop, ~/shop, mem:shop",
            required=True,
            fixed=True,
        ),
    ] = ""


H2 = KindSpec(
    name="H2",
    label="H2",
    group="relational",
    picture="h2",
    tested="H2 2.3",
    model=H2Options,
    capabilities=replace(CAPABILITIES, default_schema="PUBLIC"),
)
