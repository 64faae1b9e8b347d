"""Options and capabilities of OpenSearch and Elasticsearch."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.formats.declared import COLUMN_LISTS, column_lists
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, Port, ServerOptions, Shown, UserOrNone
from zcbus.connectors.polling.options import Interval, Overlap
from zcbus.connectors.spec import KindSpec

SCHEMA = "opensearch"
"""Where all tables are: there are no schemas."""
ID = "_id"
REST = "document"
"""The column with all fields that are not declared."""


def _columns(text: str) -> str:
    """Raises ValueError: a column would have the name of the key, or of the rest."""
    if any({ID, REST} & columns.keys() for _, columns in column_lists(text)):
        raise ValueError(text)
    return text


@dataclass(frozen=True, config=CONFIG)
class OpenSearchOptions(ServerOptions):
    """Indexes of a cluster whose names begin alike: how documents become rows, and rows documents."""

    kind: ClassVar[str] = "opensearch"
    title_form: ClassVar[str] = "{prefix}"
    host: Annotated[HostName, Shown("主机", "Host", example="search.example.com", required=True)] = ""
    port: Port = 9200
    user: UserOrNone = ""
    prefix: Annotated[
        str,
        Field(max_length=64, pattern=r"^([a-z0-9][a-z0-9_.-]*)?$"),
        Shown(
            "索引前缀",
            "Index prefix",
            help_zh="每张表一个索引，索引名为前缀加小写的表名；作为来源时为空表示所有索引",
            help_en="Each table is an index, named by the prefix and the table's name in small letters; as a source, "
            "empty means all indexes",
            example="shop-",
            fixed=True,
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
    columns: Annotated[
        str,
        Field(max_length=8000, pattern=COLUMN_LISTS),
        AfterValidator(_columns),
        Shown(
            "列",
            "Columns",
            help_zh="取自文档顶层字段的列，写作“列名 类型”，以逗号分隔；不同索引写作“表名: 列……”，以分号分隔，"
            "* 表示任意字符。连接测试按已有索引给出建议。主键为 _id，其余字段写入 JSON 列 document。"
            "值与声明的类型不符会使表停止。类型：text、bigint、decimal(p,s)、double、boolean、date、timestamp、timestamptz、json",
            help_en="Fields of documents, as `column type`, with commas between them; for single indexes "
            "`table: columns`, with semicolons between them, * stands for any characters. The connection test suggests "
            "them from indexes. The key is _id; all other fields go to the column document, as JSON. A value that is "
            "not of its column's type stops the table. Types: text, bigint, decimal(p,s), double, boolean, date, "
            "timestamp, timestamptz, json",
            example="orders: amount decimal(12,2), updatedAt timestamptz; users: name text",
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
            help_zh="每次修改文档都会增大的日期或整数字段，以逗号分隔，区分大小写；须在“列”中声明，"
            "各索引使用其中第一个已声明的字段。没有该字段的文档会使该表停止。删除的文档只能由比对发现",
            help_en="Dates or integers that grow with each change of a document, divided by commas, in their exact "
            "case; they must be among the columns. Each index uses the first that it has. A document without it stops "
            "the table. Deleted documents are found by comparison only",
            example="updatedAt, modified_at",
            identifies=False,
            side="source",
        ),
    ] = "updatedAt, updated_at"
    interval: Interval = 5
    overlap: Overlap = 5


OPENSEARCH = KindSpec(
    name="OpenSearch",
    label="OpenSearch / Elasticsearch",
    group="document",
    picture="opensearch",
    tested="OpenSearch 2.19",
    model=OpenSearchOptions,
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
