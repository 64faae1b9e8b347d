"""Options and capabilities of Microsoft SQL Server connections."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES, JdbcOptions
from zcbus.connectors.options import CONFIG, Port, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class SqlServerOptions(JdbcOptions):
    """See JdbcOptions."""

    kind: ClassVar[str] = "sqlserver"
    port: Port = 1433
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_.$#@-]+$"),
        Shown(
            "数据库",
            "Database",
            help_zh="服务器上的数据库名",
            help_en="Name of the database on its server",
            example="shop",
            required=True,
            fixed=True,
        ),
    ] = ""
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="证书由代理所在主机的 Java 信任库验证",
            help_en="Certificates are verified by the trust store of Java on the agent's host",
            identifies=False,
        ),
    ] = "verify-full"


SQLSERVER = KindSpec(
    name="SQL Server",
    label="SQL Server",
    group="relational",
    picture="sqlserver",
    model=SqlServerOptions,
    capabilities=SOURCE_CAPABILITIES,
)
