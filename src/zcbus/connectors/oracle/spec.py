"""Options and capabilities of Oracle Database connections."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class OracleOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "oracle"
    port: Port = 1521
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_.$#-]+$"),
        Shown(
            "服务名",
            "Service name",
            help_zh="监听器中的服务名，例如可插拔数据库的名称",
            help_en="Name of the service at its listener, as that of a pluggable database",
            example="ORCLPDB1",
            required=True,
            fixed=True,
        ),
    ] = ""


ORACLE = KindSpec(
    name="Oracle",
    label="Oracle",
    group="relational",
    picture="oracle",
    model=OracleOptions,
    capabilities=SOURCE_CAPABILITIES,
)
