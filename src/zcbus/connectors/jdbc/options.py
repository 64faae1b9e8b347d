"""Options of databases that are reached by a JDBC driver and captured by watermark."""

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, AccountOptions, AddressOptions, OptionalUser, Shown
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


@dataclass(frozen=True, config=CONFIG)
class _Database(AddressOptions):
    """A database of a server."""

    title_form: ClassVar[str] = "{database}"
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^[A-Za-z0-9_-]+$"),
        Shown("数据库", "Database", required=True, fixed=True),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class JdbcOptions(AccountOptions, _Database):
    """A database of a server, and its driver. Each kind narrows `database`, which becomes a part of the driver's URL:
    what could add settings to the URL is no part of a name."""

    user: OptionalUser = ""
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
