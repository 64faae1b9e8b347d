"""Options and capabilities of Snowflake connections."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.jdbc.options import SOURCE_CAPABILITIES
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, KindOptions, Shown
from zcbus.connectors.polling.options import Interval, Overlap, Watermark
from zcbus.connectors.spec import KindSpec

_Name = Annotated[str, Field(max_length=255, pattern=PLAIN_TEXT)]
_ONE_LINE = r"^[^\x00-\x1f\x7f]*$"
"""Of what becomes a header."""


@dataclass(frozen=True, config=CONFIG)
class SnowflakeOptions(KindOptions):
    """A database of an account, asked by its interface for SQL."""

    kind: ClassVar[str] = "snowflake"
    title_form: ClassVar[str] = "{database}"
    address_form: ClassVar[str] = "{url}"
    routed: ClassVar[bool] = True
    url: Annotated[
        str,
        Field(max_length=300, pattern=r"^(https?://[A-Za-z0-9_.-]+(:\d{1,5})?)?$"),
        Shown(
            "账号地址",
            "Account address",
            help_zh="账号的 URL，不带路径",
            help_en="URL of the account, without a path",
            example="https://myorg-shop.snowflakecomputing.com",
            required=True,
            fixed=True,
        ),
    ] = ""
    user: Annotated[
        _Name,
        Shown(
            "用户名",
            "User",
            help_zh="令牌所属的用户，仅用于显示",
            help_en="Whose token it is; shown only",
        ),
    ] = ""
    token: Annotated[
        str,
        Shown(
            "访问令牌",
            "Access token",
            help_zh="程序化访问令牌（programmatic access token）；过期前在此更换",
            help_en="A programmatic access token; replace it here before it expires",
            secret=True,
            required=True,
        ),
    ] = Field(default="", max_length=4000, pattern=_ONE_LINE, repr=False)
    database: Annotated[
        _Name,
        Shown(
            "数据库",
            "Database",
            help_zh="区分大小写，通常为大写",
            help_en="As it is spelled, mostly in capitals",
            example="SHOP",
            required=True,
            fixed=True,
        ),
    ] = ""
    warehouse: Annotated[
        _Name,
        Shown(
            "虚拟仓库",
            "Warehouse",
            help_zh="执行查询的虚拟仓库，每轮查询都会唤醒它；留空则使用用户的默认值",
            help_en="Runs the queries, and is woken by each round; empty: the user's own",
            example="LOAD_WH",
            identifies=False,
        ),
    ] = ""
    role: Annotated[
        _Name,
        Shown(
            "角色",
            "Role",
            help_zh="留空则使用用户的默认角色",
            help_en="Empty: the user's own",
            identifies=False,
        ),
    ] = ""
    watermark: Watermark = "updated_at, modified_at"
    interval: Interval = 60
    overlap: Overlap = 60


SNOWFLAKE = KindSpec(
    name="Snowflake",
    label="Snowflake",
    group="big-data",
    picture="snowflake",
    model=SnowflakeOptions,
    capabilities=SOURCE_CAPABILITIES,
)
