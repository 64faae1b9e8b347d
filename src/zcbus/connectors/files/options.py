"""Options of folders of files in any store: how and when files are read."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.formats.declared import DECLARATIONS
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Shown

SCHEMA = "files"
"""The one schema of a folder."""


@dataclass(frozen=True, config=CONFIG)
class FilesOptions(KindOptions):
    """A kind adds where its folder is."""

    pattern: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "文件名模式",
            "File names",
            help_zh="以逗号分隔，* 表示任意字符；其他文件不读取",
            help_en="Comma-separated patterns, * matches any characters; other files are not read",
            example="*.csv, *.jsonl",
            side="source",
        ),
    ] = (
        "*.csv, *.tsv, *.jsonl, *.ndjson, *.parquet, *.avro, *.xlsx, *.xls, *.ods, "
        "*.csv.gz, *.tsv.gz, *.jsonl.gz, *.ndjson.gz"
    )
    format: Annotated[
        Literal["by-name", "csv", "tsv", "json-lines", "parquet", "avro", "excel"],
        Shown(
            "格式",
            "Format",
            help_zh="扩展名为 .csv、 .tsv、 .jsonl、 .ndjson、 .parquet、 .avro、 .xlsx、 .xlsm、 .xlsb、 .xls、 .ods；"
            "文本可再加 .gz",
            help_en="Ends of names: .csv, .tsv, .jsonl, .ndjson, .parquet, .avro, .xlsx, .xlsm, .xlsb, .xls, .ods; "
            "texts also with .gz behind",
            side="source",
        ),
    ] = "by-name"
    delimiter: Annotated[
        Literal["comma", "semicolon", "tab", "pipe"],
        Shown("分隔符", "Delimiter", help_zh="仅用于 CSV", help_en="Of CSV", side="source"),
    ] = "comma"
    header: Annotated[
        bool,
        Shown(
            "首行为列名",
            "Header",
            help_zh="CSV、TSV、Excel 的第一行是列名；否则列名为 column_1、column_2……",
            help_en="The first line of CSV, TSV and Excel has the columns' names; else they are column_1, column_2 …",
            side="source",
        ),
    ] = True
    sheet: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "工作表",
            "Sheet",
            help_zh="用于 Excel；为空表示第一个工作表",
            help_en="Of Excel; empty: the first",
            side="source",
        ),
    ] = ""
    encoding: Annotated[Literal["utf-8", "gb18030", "utf-16"], Shown("字符编码", "Encoding", side="source")] = "utf-8"
    types: Annotated[
        str,
        Field(max_length=4000, pattern=DECLARATIONS),
        Shown(
            "列类型",
            "Types of columns",
            help_zh="以逗号分隔的“列名 类型”，可写为“表名.列名 类型”；其余列为文本。"
            "类型：bigint、decimal(p,s)、double、boolean、date、timestamp、timestamptz、json。不符合类型的值会使表停止",
            help_en="`column type` or `table.column type`, divided by commas; all other columns are text. Types: "
            "bigint, decimal(p,s), double, boolean, date, timestamp, timestamptz, json. A value that is none of its "
            "type stops the table",
            example="id bigint, orders.amount decimal(12,2)",
            fixed=True,
            side="source",
        ),
    ] = ""
    growing: Annotated[
        bool,
        Shown(
            "文件只在末尾增长",
            "Files only grow",
            help_zh="只读取末尾新增的完整行，无需等待文件静止；开头被改写的文件会整个重新读取",
            help_en="Only complete lines that were added at the end are read, and files need not rest; a file whose "
            "beginning was rewritten is read again whole",
            side="source",
        ),
    ] = False
    removed: Annotated[
        Literal["keep", "delete"],
        Shown(
            "文件删除时",
            "Removed files",
            help_zh="已删除文件的记录在目标端保留或删除",
            help_en="What becomes of their records in the target",
            identifies=False,
            side="source",
        ),
    ] = "keep"
    rest: Annotated[
        int,
        Field(ge=0, le=86_400),
        Shown(
            "静止时间（秒）",
            "Rest (s)",
            help_zh="文件多少秒未再写入后才读取",
            help_en="Seconds for which a file was not written before it is read",
            identifies=False,
            side="source",
        ),
    ] = 2
    interval: Annotated[
        int,
        Field(ge=1, le=86_400),
        Shown(
            "查询间隔（秒）",
            "Interval (s)",
            help_zh="每隔多少秒查看一次文件夹",
            help_en="Seconds between polls of the folder",
            identifies=False,
            side="source",
        ),
    ] = 1


CAPABILITIES = Capabilities(
    capture="list",
    deletes="yes",
    schemas="none",
    default_schema=SCHEMA,
    comparable=True,
)
"""Of every kind of files."""
