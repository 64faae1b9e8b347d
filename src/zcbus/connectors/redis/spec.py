"""Options and capabilities of Redis and Valkey connections."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, KindOptions, Password, Port, Shown
from zcbus.connectors.spec import KindSpec

SCHEMA = "redis"
"""The single namespace of all tables: there are no schemas."""
TEMPLATE = r"^[A-Za-z0-9_.:/|#-]*\{table\}[:/|#][A-Za-z0-9_.:/|#-]*\{key\}[A-Za-z0-9_.:/|#-]*$"
"""The separator after the table name does not occur in encoded names, so the end of the name is unambiguous."""


@dataclass(frozen=True, config=CONFIG)
class RedisOptions(KindOptions):
    """A numbered database of a server, and how rows are stored in it."""

    kind: ClassVar[str] = "redis"
    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{host}:{port}"
    host: Annotated[HostName, Shown("主机", "Host", example="cache.example.com", required=True)] = ""
    port: Port = 6379
    user: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown(
            "用户名",
            "User",
            help_zh="ACL 用户；为空时使用默认用户",
            help_en="The ACL user; empty: the default user",
        ),
    ] = ""
    password: Password = Field(default="", repr=False)
    database: Annotated[int, Field(ge=0, le=65535), Shown("数据库编号", "Database number", fixed=True)] = 0
    tls: Annotated[Literal["disable", "require", "verify-full"], Shown("加密传输", "TLS", identifies=False)] = "disable"
    template: Annotated[
        str,
        Field(max_length=128, pattern=TEMPLATE),
        Shown(
            "键名模板",
            "Key template",
            help_zh="每行一个键；{table} 为表名，{key} 为主键的值，多列主键以冒号分隔。{table} 之后须为 : / | # 之一",
            help_en="One key for each row; {table} is the table's name, {key} the values of its key, with colons "
            "between several. One of : / | # must follow {table}",
            example="shop:{table}:{key}",
            fixed=True,
        ),
    ] = "{table}:{key}"
    form: Annotated[
        Literal["hash", "json"],
        Shown(
            "值的形式",
            "Form of values",
            help_zh="hash：每列一个字段，NULL 没有字段；json：一个 JSON 字符串",
            help_en="hash: a field for each column, none for NULL; json: one string of JSON",
            fixed=True,
        ),
    ] = "hash"
    ttl: Annotated[
        int,
        Field(ge=0, le=3_153_600_000),
        Shown(
            "有效期（秒）",
            "Expiry (s)",
            help_zh="每行写入后多少秒过期；0 为不过期。过期的行在比对中显示为缺失",
            help_en="Seconds after which a row that is not written again expires; 0: never. A comparison finds expired "
            "rows missing",
            identifies=False,
        ),
    ] = 0


REDIS = KindSpec(
    name="Redis",
    label="Redis / Valkey",
    group="cache",
    model=RedisOptions,
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
