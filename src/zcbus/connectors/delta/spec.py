"""Options and capabilities of Delta Lake."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.lakes.options import LakeOptions
from zcbus.connectors.options import CONFIG, Shown
from zcbus.connectors.spec import KindSpec

SCHEMA = "delta"
"""Where all tables are: there are no schemas."""


@dataclass(frozen=True, config=CONFIG)
class DeltaOptions(LakeOptions):
    """A folder of Delta Lake tables."""

    kind: ClassVar[str] = "delta"
    interval: Annotated[
        int,
        Field(ge=0, le=3600),
        Shown(
            "写入间隔（秒）",
            "Interval (s)",
            help_zh="修改已有行会重写数据文件，因此少于 10,000 行的更改至多每隔这么多秒写入一次；0 为立即写入",
            help_en="A change of existing rows rewrites their files, so changes of fewer than 10,000 rows are "
            "written at most once per interval; 0: at once",
            identifies=False,
            side="target",
        ),
    ] = 10
    history: Annotated[
        int,
        Field(ge=1, le=87_600),
        Shown(
            "历史（小时）",
            "History (h)",
            help_zh="不再属于当前版本的文件保留多少小时；更早的版本不能再读取",
            help_en="Hours for which files are kept that the newest version does not need; versions before cannot be "
            "read any more",
            identifies=False,
            side="target",
        ),
    ] = 168


DELTA = KindSpec(
    name="Delta Lake",
    label="Delta Lake",
    group="big-data",
    model=DeltaOptions,
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
