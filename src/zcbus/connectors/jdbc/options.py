"""Options of databases that are reached by a JDBC driver and captured by watermark."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, KindOptions, Password, Port, Shown
from zcbus.connectors.polling.options import Interval, Overlap, Watermark

DriverName = Annotated[
    str,
    Field(max_length=128, pattern=r"^([A-Za-z0-9_+-][A-Za-z0-9_.+-]*)?$"),
    Shown(
        "驱动",
        "Driver",
        help_zh="代理所在主机的驱动目录（ZCBUS_DRIVERS_DIR）中的 jar 文件，或其中存放多个 jar 文件的子目录。"
        "留空则使用名称以数据库类型开头的那一个，连接测试会列出现有的驱动",
        help_en="A jar file in the folder for drivers of the agent's host (ZCBUS_DRIVERS_DIR), or a folder in it with "
        "several jar files; empty: the one whose name begins with that of the kind. The connection test lists them",
        example="h2-2.3.232.jar",
        identifies=False,
    ),
]
User = Annotated[str, Field(max_length=128, pattern=PLAIN_TEXT), Shown("用户名", "User")]


@dataclass(frozen=True, config=CONFIG)
class JdbcOptions(KindOptions):
    """A database of a server. Each kind narrows `database`, which becomes a part of the driver's URL: what could add
    settings to the URL is no part of a name."""

    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{host}:{port}"
    host: Annotated[HostName, Shown("主机", "Host", example="db.example.com, 10.0.0.1")]
    port: Port
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_-]+$"),
        Shown("数据库", "Database", required=True, fixed=True),
    ] = ""
    user: User = ""
    password: Password = Field(default="", repr=False)
    driver: DriverName = ""
    watermark: Watermark = "updated_at, modified_at"
    interval: Interval = 1
    overlap: Overlap = 5


CAPABILITIES = Capabilities(
    capture="watermark",
    deletes="by-comparison",
    delivery="transactional",
    keyless=True,
    ddl=True,
    comparable=True,
    verifiable=True,
    row_errors=True,
)
"""Of every kind; each has a schema of its own for tables that come from others."""

SOURCE_CAPABILITIES = replace(CAPABILITIES, delivery="none", ddl=False, row_errors=False)
"""Of a kind that is a source only."""
