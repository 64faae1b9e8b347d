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
    poll: Annotated[
        int,
        Field(ge=1, le=3600),
        Shown(
            "查询间隔（秒）",
            "Poll (s)",
            help_zh="每隔多少秒查看各表的新版本",
            help_en="Seconds between looks for new versions of the tables",
            identifies=False,
            side="source",
        ),
    ] = 5


DELTA = KindSpec(
    name="Delta Lake",
    label="Delta Lake",
    group="big-data",
    picture="delta",
    tested="delta-rs 1.6",
    model=DeltaOptions,
    capabilities=Capabilities(
        capture="feed",
        delivery="transactional",
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
        needs_key=True,
    ),
)
