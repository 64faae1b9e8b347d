"""Options and capabilities of ClickHouse."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, ServerOptions, Shown, User
from zcbus.connectors.spec import KindSpec

SCHEMA = "clickhouse"
"""Where all tables are: a connection has one database."""


@dataclass(frozen=True, config=CONFIG)
class ClickHouseOptions(ServerOptions):
    """One database of a server, by its HTTP interface."""

    kind: ClassVar[str] = "clickhouse"
    title_form: ClassVar[str] = "{database}"
    host: Annotated[HostName, Shown("主机", "Host", example="clickhouse.example.com", required=True)] = ""
    port: Annotated[
        int,
        Field(ge=1, le=65535),
        Shown(
            "HTTP 端口",
            "HTTP port",
            help_zh="默认 8123，加密传输时为 8443",
            help_en="8123 by default, 8443 with TLS",
        ),
    ] = 8123
    user: User = "default"
    database: Annotated[
        str,
        Field(min_length=1, max_length=128, pattern=PLAIN_TEXT),
        Shown("数据库", "Database", required=True, fixed=True),
    ] = "default"
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="require：不校验服务器证书",
            help_en="require: the server's certificate is not checked",
            identifies=False,
        ),
    ] = "disable"


CLICKHOUSE = KindSpec(
    name="ClickHouse",
    label="ClickHouse",
    group="big-data",
    picture="clickhouse",
    tested="chDB 26.9",
    model=ClickHouseOptions,
    capabilities=Capabilities(
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
