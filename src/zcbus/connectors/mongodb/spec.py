"""Options and capabilities of MongoDB."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.formats.declared import COLUMN_LISTS, column_lists
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, Port, ServerOptions, Shown, UserOrNone
from zcbus.connectors.polling.options import Interval, Overlap
from zcbus.connectors.spec import KindSpec
from zcbus.model.types import Kind

SCHEMA = "mongodb"
"""Where all tables are: a connection has one database."""
ID = "_id"
REST = "document"
"""The column with all fields that are not declared."""
_KEY_KINDS = (Kind.TEXT, Kind.INT64)


def _columns(text: str) -> str:
    """Raises ValueError: the key has a type that no key has, or a column would have the name of the rest."""
    for _, columns in column_lists(text):
        if REST in columns or (ID in columns and columns[ID].kind not in _KEY_KINDS):
            raise ValueError(text)
    return text


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """One database of a server or a replica set, and who logs in."""

    host: Annotated[
        HostName,
        Shown(
            "主机",
            "Host",
            help_zh="副本集中的任一成员，或单台服务器",
            help_en="Any member of the replica set, or a single server",
            example="mongo.example.com",
            required=True,
        ),
    ] = ""
    port: Port = 27017
    user: UserOrNone = ""
    authsource: Annotated[
        str,
        Field(max_length=63, pattern=PLAIN_TEXT),
        Shown(
            "认证库",
            "Authentication database",
            help_zh="创建该用户的数据库",
            help_en="The database in which the user was created",
            identifies=False,
        ),
    ] = "admin"
    database: Annotated[
        str,
        Field(max_length=63, pattern=r'^[^\x00-\x20/\\."$*<>:|?\x7f]*$'),
        Shown(
            "数据库",
            "Database",
            help_zh="区分大小写",
            help_en="In its exact case",
            example="shop",
            required=True,
            fixed=True,
        ),
    ] = ""
    replicaset: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown(
            "副本集",
            "Replica set",
            help_zh="填写名称时自动发现其成员并跟随主节点，各成员须按其公布的地址可达；"
            "为空，或经网络路由连接时，只连接上述主机，它须为主节点、单台服务器或 mongos",
            help_en="With its name the members are found and the primary is followed; they must be reachable by the "
            "addresses that they announce. Empty, or by a network route: only the host above, which must be the "
            "primary, a single server or a mongos",
            example="rs0",
            identifies=False,
        ),
    ] = ""
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


@dataclass(frozen=True, config=CONFIG)
class MongoDBOptions(_Location):
    """A database: how documents become rows, and rows documents."""

    kind: ClassVar[str] = "mongodb"
    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{host}:{port}"
    columns: Annotated[
        str,
        Field(max_length=8000, pattern=COLUMN_LISTS),
        AfterValidator(_columns),
        Shown(
            "列",
            "Columns",
            help_zh="取自文档顶层字段的列，写作“列名 类型”，以逗号分隔；不同集合写作“集合: 列……”，以分号分隔，"
            "* 表示任意字符。连接测试按已有文档给出建议。其余字段写入 JSON 列 document。"
            "主键 _id 为 ObjectId 或 UUID，否则须声明为 text 或 bigint。值与声明的类型不符会使表停止。"
            "类型：text、bigint、decimal(p,s)、double、boolean、date、timestamp、timestamptz、json",
            help_en="Fields of documents, as `column type`, with commas between them; for single collections "
            "`collection: columns`, with semicolons between them, * stands for any characters. The connection test "
            "suggests them from documents. All other fields go to the column document, as JSON. The key _id is an "
            "ObjectId or a UUID; declare another one as text or bigint. A value that is not of its column's type "
            "stops the table. Types: text, bigint, decimal(p,s), double, boolean, date, timestamp, timestamptz, json",
            example="orders: amount decimal(12,2), updatedAt timestamptz; users: _id text, name text",
            fixed=True,
            side="source",
        ),
    ] = ""
    watermark: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "水位字段",
            "Watermark fields",
            help_zh="每次修改文档都会增大的日期或数值字段，以逗号分隔，区分大小写；须在“列”中声明，"
            "各集合使用其中第一个已声明的字段，宜建索引。没有该字段的文档会使该表停止。删除的文档只能由比对发现",
            help_en="Dates or numbers that grow with each change of a document, divided by commas, in their exact "
            "case; they must be among the columns. Each collection uses the first that it has, which should have an "
            "index. A document without it stops the table. Deleted documents are found by comparison only",
            example="updatedAt, modified_at",
            identifies=False,
            side="source",
        ),
    ] = "updatedAt, updated_at"
    interval: Interval = 5
    overlap: Overlap = 5
    values: Annotated[
        Literal["bson", "common"],
        Shown(
            "值的类型",
            "Types of values",
            help_zh="bson：MongoDB 的全部类型；common：不使用 Decimal128 以及非数、无穷大与负零的浮点数，改存文本，"
            "用于没有这些类型的兼容服务器（如 FerretDB 1）",
            help_en="bson: all of MongoDB's; common: decimals, and doubles that are NaN, infinite or -0, are texts, "
            "for compatible servers that lack them, such as FerretDB 1",
            fixed=True,
            side="target",
        ),
    ] = "bson"


MONGODB = KindSpec(
    name="MongoDB",
    label="MongoDB",
    group="document",
    picture="mongodb",
    model=MongoDBOptions,
    capabilities=Capabilities(
        capture="watermark",
        deletes="by-comparison",
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
