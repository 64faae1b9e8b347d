"""Options of databases that are reached by a JDBC driver and captured by watermark."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, KindOptions, Password, Port, Shown

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
Watermark = Annotated[
    str,
    Field(max_length=255, pattern=PLAIN_TEXT),
    Shown(
        "水位列",
        "Watermark columns",
        help_zh="每次修改行都会增大的列，以逗号分隔，各表使用其中第一个存在的列，不区分大小写。删除的行只能由比对发现",
        help_en="Columns that grow with each change of a row, divided by commas, in any case; each table uses the "
        "first that it has. Deleted rows are found by comparison only",
        example="updated_at, modified_at",
        identifies=False,
        side="source",
    ),
]
Interval = Annotated[
    int,
    Field(ge=1, le=86_400),
    Shown(
        "查询间隔（秒）",
        "Interval (s)",
        help_zh="每隔多少秒查询一次变更",
        help_en="Seconds between polls for changes",
        identifies=False,
        side="source",
    ),
]
Overlap = Annotated[
    int,
    Field(ge=0, le=86_400),
    Shown(
        "重叠时间（秒）",
        "Overlap (s)",
        help_zh="取得水位值的事务应在多少秒内提交；这段时间内的行会重复查询",
        help_en="Seconds within which a transaction commits that took a watermark; rows of that time are read again",
        identifies=False,
        side="source",
    ),
]


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
