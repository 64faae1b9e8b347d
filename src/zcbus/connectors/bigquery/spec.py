"""Options and capabilities of BigQuery connections."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES
from zcbus.connectors.options import CONFIG, KindOptions, Shown
from zcbus.connectors.polling.options import Interval, Overlap, Watermark
from zcbus.connectors.spec import KindSpec

GOOGLE = "https://bigquery.googleapis.com"


@dataclass(frozen=True, config=CONFIG)
class BigQueryOptions(KindOptions):
    """A project, asked by the REST interface; its datasets are schemas."""

    kind: ClassVar[str] = "bigquery"
    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{url}"
    routed: ClassVar[bool] = True
    url: Annotated[
        str,
        Field(max_length=300, pattern=r"^(https?://[A-Za-z0-9_.-]+(:\d{1,5})?)?$"),
        Shown(
            "服务地址",
            "Address",
            help_zh="通常无需修改；使用专用端点时填写其 URL，不带路径",
            help_en="Seldom another one: the URL of a private endpoint, without a path",
            example=GOOGLE,
            required=True,
            fixed=True,
        ),
    ] = GOOGLE
    database: Annotated[
        str,
        Field(max_length=128, pattern=r"^([a-z0-9.:-]*[a-z][a-z0-9.:-]*)?$"),
        Shown(
            "项目",
            "Project",
            help_zh="项目 ID，查询费用计入该项目",
            help_en="ID of the project, which also pays for the queries",
            example="shop-prod",
            required=True,
            fixed=True,
        ),
    ] = ""
    location: Annotated[
        str,
        Field(max_length=64, pattern=r"^[A-Za-z0-9-]*$"),
        Shown(
            "位置",
            "Location",
            help_zh="数据集所在的区域；美国和欧盟多区域可以留空",
            help_en="Region of the datasets; may be empty for the multi-regions US and EU",
            example="europe-west3",
            identifies=False,
        ),
    ] = ""
    key: Annotated[
        str,
        Shown(
            "服务账号密钥",
            "Service account key",
            help_zh="JSON 密钥文件的内容",
            help_en="What the JSON file of the key has",
            secret=True,
            required=True,
        ),
    ] = Field(default="", max_length=8000, repr=False)
    watermark: Watermark = "updated_at, modified_at"
    interval: Interval = 300
    overlap: Overlap = 60

    @property
    def user(self) -> str:
        """Errors name the project: the account is a part of the key."""
        return self.database


BIGQUERY = KindSpec(
    name="BigQuery",
    label="BigQuery",
    group="big-data",
    picture="bigquery",
    model=BigQueryOptions,
    capabilities=SOURCE_CAPABILITIES,
)
