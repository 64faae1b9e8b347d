"""Options and capabilities of Redis and Valkey connections."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.consuming.offsets import OffsetForm
from zcbus.connectors.consuming.options import CAPABILITIES, ConsumingOptions
from zcbus.connectors.formats.declared import COLUMN_LISTS
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, KindOptions, Port, ServerOptions, Shown
from zcbus.connectors.redis.entry_ids import ENTRY_IDS
from zcbus.connectors.spec import KindSpec

SCHEMA = "redis"
"""The single namespace of all tables that the platform writes; a source's streams are in another one."""
TEMPLATE = r"^[A-Za-z0-9_.:/|#-]*\{table\}[:/|#][A-Za-z0-9_.:/|#-]*\{key\}[A-Za-z0-9_.:/|#-]*$"
"""The separator after the table name does not occur in encoded names, so the end of the name is unambiguous."""


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """A numbered database of a server, and who logs in."""

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
    database: Annotated[int, Field(ge=0, le=65535), Shown("数据库编号", "Database number", fixed=True)] = 0
    tls: Annotated[Literal["disable", "require", "verify-full"], Shown("加密传输", "TLS", identifies=False)] = "disable"


@dataclass(frozen=True, config=CONFIG)
class _Reading(ConsumingOptions):
    """Which streams are read, and how their entries become rows."""

    offsets: ClassVar[OffsetForm] = ENTRY_IDS
    has_keys: ClassVar[bool] = False
    topics: Annotated[
        str,
        Field(max_length=1000, pattern=PLAIN_TEXT),
        Shown(
            "流",
            "Streams",
            help_zh="以逗号分隔，* 表示任意字符；其他流不列出。每个流是一张表。不含 * 的名称不必扫描整个数据库",
            help_en="Comma-separated patterns, * matches any characters; other streams are not listed. Each stream is "
            "a table. Names without * need no scan of the whole database",
            example="orders, audit:*",
            side="source",
        ),
    ] = "*"
    value: Annotated[
        Literal["text", "json", "debezium", "binary"],
        Shown(
            "消息值",
            "Values",
            help_zh="仅用于消息字段。text：UTF-8 文本列 _value；json：JSON 对象，按“列”取值；"
            "debezium：Debezium 的 JSON 信封；binary：字节列 _value。不符合所选格式的条目会使表停止",
            help_en="Only with a field of the message. text: the column _value, in UTF-8; json: objects, see Columns; "
            "debezium: Debezium's envelopes in JSON; binary: the column _value, bytes. An entry that is "
            "not so stops its table",
            fixed=True,
            side="source",
        ),
    ] = "text"
    key: Literal["text", "binary"] = "text"
    """Entries have no key: not shown."""
    columns: Annotated[
        str,
        Field(max_length=8000, pattern=COLUMN_LISTS),
        Shown(
            "列",
            "Columns",
            help_zh="取自条目字段的列，有消息字段时取自其中的 JSON 对象，写作“列名 类型”，以逗号分隔；"
            "不同流写作“流: 列……”，以分号分隔，* 表示任意字符。连接测试按已有条目给出建议。"
            "类型：text、bigint、decimal(p,s)、double、boolean、date、timestamp、timestamptz、json",
            help_en="Fields of entries, or of the JSON object in the message field, as `column type`, with commas "
            "between them; for single streams `stream: columns`, with semicolons between them, * stands for any "
            "characters. The connection test suggests them from entries. Types: text, bigint, decimal(p,s), double, "
            "boolean, date, timestamp, timestamptz, json",
            example="orders: id bigint, at timestamptz; audit:*: who text",
            fixed=True,
            side="source",
        ),
    ] = ""
    field: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown(
            "消息字段",
            "Field of the message",
            help_zh="为空：“列”中声明的列取自同名字段，未声明列的流整个条目写入 JSON 列 _value。"
            "否则消息在此字段中，按“消息值”解释，其他字段写入 _headers",
            help_en="Empty: the declared columns are the fields of their names; a stream without columns has all "
            "fields in _value, as JSON. Else this field holds the message, read as Values says; others go to _headers",
            example="payload",
            fixed=True,
            side="source",
        ),
    ] = ""

    @property
    def has_fields(self) -> bool:
        return not self.field


@dataclass(frozen=True, config=CONFIG)
class _Writing(KindOptions):
    """How rows are stored by a target."""

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
            side="target",
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
            side="target",
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
            side="target",
        ),
    ] = 0


@dataclass(frozen=True, config=CONFIG)
class RedisOptions(_Writing, _Reading, _Location):
    """A database and its streams. The address comes first in forms, what concerns targets last."""

    kind: ClassVar[str] = "redis"
    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{host}:{port}"


REDIS = KindSpec(
    name="Redis",
    label="Redis / Valkey",
    group="cache",
    picture="redis",
    tested="Valkey 8.1",
    model=RedisOptions,
    capabilities=replace(
        CAPABILITIES,
        delivery="transactional",
        ddl=True,
        default_schema=SCHEMA,
        comparable_target=True,
        row_errors=True,
        needs_key=True,
    ),
)
"""Entries of streams as rows, and rows as keys."""
