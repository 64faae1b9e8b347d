"""Options of databases that are captured by watermark."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Shown

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
class PolledFileOptions(KindOptions):
    """A database file in the folder for files of the agent's host."""

    title_form: ClassVar[str] = "{file}"
    file: Annotated[
        str,
        Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f/\\]+(/[^\x00-\x1f\x7f/\\]+)*$"),
        Shown(
            "文件",
            "File",
            help_zh="代理所在主机的文件目录（ZCBUS_FILES_DIR）内的路径；不存在时自动创建",
            help_en="Path within the folder for files of the agent's host (ZCBUS_FILES_DIR); created where missing",
            example="reports/shop.db",
            required=True,
            fixed=True,
        ),
    ] = ""
    watermark: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "水位列",
            "Watermark columns",
            help_zh="每次修改行都会增大的列，以逗号分隔，各表使用其中第一个存在的列。删除的行只能由比对发现",
            help_en="Columns that grow with each change of a row, divided by commas; each table uses the "
            "first that it has. Deleted rows are found by comparison only",
            example="updated_at, modified_at",
            identifies=False,
            side="source",
        ),
    ] = "updated_at, modified_at"
    interval: Interval = 1
    overlap: Overlap = 5
