"""Options of folders that are written."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, KindOptions, Shown

ROWS = "rows"
"""The one schema of tables that the platform writes; a source's files are in another one."""


@dataclass(frozen=True, config=CONFIG)
class FilesWriting(KindOptions):
    """How tables become files. A kind adds where its folder is."""

    content: Annotated[
        Literal["changes", "rows"],
        Shown(
            "写出内容",
            "Content",
            help_zh="changes：变更日志，只增加文件；rows：当前行，每次写入替换有变化的文件，见 _latest.json",
            help_en="changes: a log of changes, to which files are added; rows: the current rows, of which each write "
            "replaces the files that change. _latest.json names those that count",
            fixed=True,
            side="target",
        ),
    ] = "changes"
    output: Annotated[
        Literal["parquet", "avro", "json-lines", "csv"],
        Shown(
            "写出格式",
            "Format of written files",
            help_zh="每张表一个子文件夹，其中的文件采用此格式",
            help_en="Each table is a folder with files of this format",
            fixed=True,
            side="target",
        ),
    ] = "parquet"
    partition: Annotated[
        Literal["none", "day", "hour"],
        Shown(
            "时间分区",
            "Partition by time",
            help_zh="按写入时间（UTC）分子文件夹：dt=2026-01-31/hr=07",
            help_en="Folders by the time of writing in UTC: dt=2026-01-31/hr=07",
            identifies=False,
            side="target",
        ),
    ] = "day"
    columns: Annotated[
        str,
        Field(max_length=400, pattern=r"^ *(?:[^\x00-\x1f\x7f,]+(?:,[^\x00-\x1f\x7f,]+){0,2})?$"),
        Shown(
            "分区列",
            "Partition by columns",
            help_zh="至多三列，以逗号分隔；每张表使用其中自己有的列。按列值分子文件夹：country=CN。宜选取值少的列",
            help_en="At most three columns, divided by commas; each table uses those that it has. Folders by their "
            "values: country=CN. Take columns with few values",
            example="country, status",
            identifies=False,
            side="target",
        ),
    ] = ""
    filesize: Annotated[
        int,
        Field(ge=1, le=256),
        Shown(
            "文件大小上限（MiB）",
            "Largest file (MiB)",
            help_zh="一个事务的记录超过此大小（压缩前）时分成多个文件",
            help_en="Records of one transaction that are larger, before compression, are divided among files",
            identifies=False,
            side="target",
        ),
    ] = 64
    retention: Annotated[
        int,
        Field(ge=1, le=10_080),
        Shown(
            "被替换文件保留（分钟）",
            "Keep replaced files (min)",
            help_zh="仅用于当前行：正在读取的程序还需要被替换的文件",
            help_en="Of current rows: who is reading still needs files that were replaced",
            identifies=False,
            side="target",
        ),
    ] = 60
    gather: Annotated[
        int,
        Field(ge=0, le=3600),
        Shown(
            "写入间隔（秒）",
            "Write every (s)",
            help_zh="少于 10,000 行的更改至多每隔这么多秒写一次文件；0 为立即写入，会产生许多小文件",
            help_en="Changes of fewer than 10,000 rows are written at most once in so many seconds; 0: at once, which "
            "makes many small files",
            identifies=False,
            side="target",
        ),
    ] = 10


def written(capabilities: Capabilities) -> Capabilities:
    """Those of a kind of files that is written as well."""
    return replace(
        capabilities,
        delivery="transactional",
        ddl=True,
        default_schema=ROWS,
        comparable_target=True,
        row_errors=True,
        needs_key=True,
    )
