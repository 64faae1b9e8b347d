"""Options and capabilities of Iceberg."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.lakes.options import FOLDER, Interval, LakeOptions
from zcbus.connectors.options import CONFIG, KindOptions, Shown
from zcbus.connectors.spec import KindSpec

SCHEMA = "iceberg"
"""Where all tables are: a connection has one namespace."""
_URL = r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[\w./~%-]*)?)?$"
_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*$"


@dataclass(frozen=True, config=CONFIG)
class _Catalogue(KindOptions):
    """The catalogue that knows the newest version of each table."""

    catalogue: Annotated[
        Literal["sqlite", "rest"],
        Shown(
            "目录服务",
            "Catalogue",
            help_zh="记录每张表的当前版本。sqlite：文件夹中的文件 catalog.db；rest：Iceberg REST 服务，需填写存储桶",
            help_en="Knows the current version of each table. sqlite: the file catalog.db in the folder; rest: a "
            "service that speaks Iceberg REST, with the files in a bucket",
            fixed=True,
        ),
    ] = "sqlite"
    uri: Annotated[
        str,
        Field(max_length=255, pattern=_URL),
        Shown(
            "目录服务地址",
            "Catalogue's URL",
            help_zh="仅用于 rest",
            help_en="Of rest",
            example="https://catalog.example.com/iceberg",
        ),
    ] = ""
    warehouse: Annotated[
        str,
        Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f]*$"),
        Shown(
            "仓库",
            "Warehouse",
            help_zh="仅用于 rest：服务中仓库的名称",
            help_en="Of rest: its name in the service",
            fixed=True,
        ),
    ] = ""
    clientid: Annotated[
        str,
        Field(max_length=255, pattern=r"^[\x21-\x39\x3b-\x7e]*$"),
        Shown("客户端 ID", "Client ID", help_zh="仅用于 rest：OAuth 客户端", help_en="Of rest: the client of OAuth"),
    ] = ""
    clientsecret: Annotated[str, Shown("客户端密钥", "Client secret", secret=True)] = Field(
        default="", max_length=255, repr=False
    )
    tokenuri: Annotated[
        str,
        Field(max_length=255, pattern=_URL),
        Shown(
            "令牌地址",
            "Token URL",
            help_zh="仅用于 rest：OAuth 令牌服务的 URL；为空表示目录服务的 /v1/oauth/tokens",
            help_en="Of rest: where OAuth gives tokens; empty: /v1/oauth/tokens of the catalogue",
        ),
    ] = ""
    namespace: Annotated[
        str,
        Field(max_length=128, pattern=_NAME),
        Shown(
            "命名空间",
            "Namespace",
            help_zh="所有表所在的命名空间，不存在时自动创建",
            help_en="Where all tables are; created where missing",
            required=True,
            fixed=True,
        ),
    ] = "zcbus"


@dataclass(frozen=True, config=CONFIG)
class IcebergOptions(LakeOptions, _Catalogue):
    """A namespace of Iceberg tables."""

    kind: ClassVar[str] = "iceberg"
    title_form: ClassVar[str] = "{namespace}"
    address_form: ClassVar[str] = "{uri}{folder}"
    routed: ClassVar[bool] = False
    """The catalogue's library connects by itself."""
    folder: Annotated[
        str,
        Field(max_length=255, pattern=FOLDER),
        Shown(
            "文件夹",
            "Folder",
            help_zh="仅用于 sqlite：代理所在主机的文件目录（ZCBUS_FILES_DIR）内的路径，存放目录服务的文件；"
            "未填写存储桶时也存放各表，否则各表位于存储桶中的同名文件夹。不存在时自动创建",
            help_en="Of sqlite: a path within the folder for files of the agent's host (ZCBUS_FILES_DIR) for the file "
            "of the catalogue, and for the tables, unless they are in a bucket, under the same path. Created where "
            "missing",
            example="lake/shop",
            fixed=True,
        ),
    ] = ""
    interval: Interval = 30
    history: Annotated[
        int,
        Field(ge=1, le=87_600),
        Shown(
            "历史（小时）",
            "History (h)",
            help_zh="旧快照及其文件保留多少小时；更早的快照不能再读取",
            help_en="Hours for which old snapshots and their files are kept; those before cannot be read any more",
            identifies=False,
            side="target",
        ),
    ] = 24


ICEBERG = KindSpec(
    name="Iceberg",
    label="Apache Iceberg",
    group="big-data",
    picture="iceberg",
    tested="PyIceberg 0.12, SeaweedFS 4.48",
    model=IcebergOptions,
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
