"""Options of a connection to a folder in a bucket."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.files.target.options import FilesWriting, written
from zcbus.connectors.options import CONFIG, KindOptions, Shown
from zcbus.connectors.spec import KindSpec

_PART = r"[^\x00-\x1f\x7f/.][^\x00-\x1f\x7f/]*"


@dataclass(frozen=True, config=CONFIG)
class _Location(KindOptions):
    """Location of the files, and the account."""

    routed: ClassVar[bool] = True
    endpoint: Annotated[
        str,
        Field(max_length=255, pattern=r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?/?)?$"),
        Shown(
            "服务地址",
            "Endpoint",
            help_zh="服务的 URL，不含存储桶；为空表示亚马逊 AWS",
            help_en="URL of the service without the bucket; empty: Amazon Web Services",
            example="https://minio.example.com:9000",
        ),
    ] = ""
    region: Annotated[
        str,
        Field(max_length=64, pattern=r"^[A-Za-z0-9-]+$"),
        Shown("区域", "Region", example="eu-central-1", required=True),
    ] = "us-east-1"
    bucket: Annotated[
        str,
        Field(max_length=63, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$"),
        Shown("存储桶", "Bucket", required=True, fixed=True),
    ] = ""
    folder: Annotated[
        str,
        Field(
            max_length=255,
            pattern=r"^([^\x00-\x1f\x7f/.][^\x00-\x1f\x7f/]*(/[^\x00-\x1f\x7f/.][^\x00-\x1f\x7f/]*)*/?)?$",
        ),
        Shown(
            "文件夹",
            "Folder",
            help_zh="对象键的前缀，为空表示整个存储桶。其中每个文件是一张表；每个子文件夹是一张表，包含其下所有文件的记录",
            help_en="Beginning of the objects' keys; empty: the whole bucket. Each file in it is a table; each folder "
            "in it is a table with the records of all files below",
            example="export/shop",
            fixed=True,
        ),
    ] = ""
    accesskey: Annotated[
        str,
        Field(max_length=128, pattern=r"^[\x21-\x7e]*$"),
        Shown("访问密钥 ID", "Access key ID", required=True),
    ] = ""
    secretkey: Annotated[str, Shown("私有访问密钥", "Secret access key", secret=True, required=True)] = Field(
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


@dataclass(frozen=True, config=CONFIG)
class S3Options(FilesWriting, FilesOptions, _Location):
    """A folder in a bucket. The address comes first in forms."""

    kind: ClassVar[str] = "s3"
    title_form: ClassVar[str] = "{bucket}/{folder}"
    address_form: ClassVar[str] = "{endpoint}"


S3 = KindSpec(
    name="S3",
    label="Amazon S3 / S3-compatible",
    label_zh="Amazon S3 / 兼容 S3 的存储",
    group="file",
    picture="s3",
    tested="SeaweedFS 4.48",
    model=S3Options,
    capabilities=written(CAPABILITIES),
)
