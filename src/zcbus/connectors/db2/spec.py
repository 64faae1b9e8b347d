"""Options and capabilities of Db2 connections."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class Db2Options(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "db2"
    port: Port = 50000
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_$#@-]+$"),
        Shown(
            "数据库",
            "Database",
            help_zh="服务器上的数据库名或别名",
            help_en="Name or alias of the database on its server",
            example="SHOP",
            required=True,
            fixed=True,
        ),
    ] = ""


DB2 = KindSpec(
    name="Db2",
    label="Db2",
    group="relational",
    picture="db2",
    model=Db2Options,
    capabilities=SOURCE_CAPABILITIES,
)
