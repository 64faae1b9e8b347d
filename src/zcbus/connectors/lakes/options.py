"""Options of lakes: where the tables lie, and who signs in."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.options import CONFIG, KindOptions, Shown

_PART = r"[^\x00-\x1f\x7f/\\.][^\x00-\x1f\x7f/\\]*"
_PATH = rf"{_PART}(/{_PART})*"
FOLDER = rf"^({_PATH})?$"
"""A path, or none."""
Interval = Annotated[
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
]


@dataclass(frozen=True, config=CONFIG)
class LakeOptions(KindOptions):
    """A folder in the folder for files of the agent's host, or in a bucket."""

    title_form: ClassVar[str] = "{folder}"
    address_form: ClassVar[str] = "{bucket}"
    routed: ClassVar[bool] = True
    folder: Annotated[
        str,
        Field(
            max_length=255,
            pattern=rf"^{_PATH}$",
        ),
        Shown(
            "文件夹",
            "Folder",
            help_zh="每张表是其中的一个子文件夹。未填写存储桶时是代理所在主机的文件目录（ZCBUS_FILES_DIR）内的路径；"
            "不存在时自动创建",
            help_en="Each table is a folder in it. Without a bucket a path within the folder for files of the agent's "
            "host (ZCBUS_FILES_DIR); created where missing",
            example="lake/shop",
            required=True,
            fixed=True,
        ),
    ] = ""
    bucket: Annotated[
        str,
        Field(max_length=63, pattern=r"^([A-Za-z0-9][A-Za-z0-9._-]*)?$"),
        Shown(
            "存储桶",
            "Bucket",
            help_zh="S3 存储桶；为空表示代理所在主机的文件目录",
            help_en="A bucket of S3; empty: the folder for files of the agent's host",
            fixed=True,
        ),
    ] = ""
    endpoint: Annotated[
        str,
        Field(max_length=255, pattern=r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?/?)?$"),
        Shown(
            "服务地址",
            "Endpoint",
            help_zh="S3 服务的 URL，不含存储桶；为空表示亚马逊 AWS",
            help_en="URL of the S3 service without the bucket; empty: Amazon Web Services",
            example="https://minio.example.com:9000",
        ),
    ] = ""
    region: Annotated[
        str,
        Field(max_length=64, pattern=r"^[A-Za-z0-9-]+$"),
        Shown("区域", "Region", example="eu-central-1"),
    ] = "us-east-1"
    accesskey: Annotated[
        str,
        Field(max_length=128, pattern=r"^[\x21-\x7e]*$"),
        Shown("访问密钥 ID", "Access key ID"),
    ] = ""
    secretkey: Annotated[str, Shown("私有访问密钥", "Secret access key", secret=True)] = Field(
        default="", max_length=255, repr=False
    )
    addressing: Annotated[
        Literal["auto", "path", "host"],
        Shown(
            "寻址方式",
            "Addressing",
            help_zh="存储桶在 URL 中的位置。自动（auto）：AWS 用主机名，其他服务用路径",
            help_en="Where URLs have the bucket. path: in the path; host: in the host's name; auto: in the host's name "
            "at AWS, else in the path",
            identifies=False,
        ),
    ] = "auto"
    tls: Annotated[
        Literal["require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="用于 https 地址。require：不校验服务器证书",
            help_en="Of https. require: the server's certificate is not checked",
            identifies=False,
        ),
    ] = "verify-full"

    interval: Interval = 10
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

    @property
    def place(self) -> str:
        return f"s3://{self.bucket}/{self.folder}" if self.bucket else self.folder
