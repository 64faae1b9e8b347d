"""Options and capabilities of HSQLDB connections."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class HsqldbOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "hsqldb"
    port: Port = 9001
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_.-]+$"),
        Shown(
            "数据库",
            "Database",
            help_zh="服务器为数据库设置的别名（dbname）",
            help_en="The alias of the database at its server (dbname)",
            example="shop",
            required=True,
            fixed=True,
        ),
    ] = ""


HSQLDB = KindSpec(
    name="HSQLDB",
    label="HSQLDB (HyperSQL)",
    group="relational",
    picture="hsqldb",
    tested="HSQLDB 2.7",
    model=HsqldbOptions,
    capabilities=replace(CAPABILITIES, default_schema="PUBLIC"),
)
