"""Options of lakes: where the tables lie, and who signs in."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.options import CONFIG, KindOptions, Shown


@dataclass(frozen=True, config=CONFIG)
class LakeOptions(KindOptions):
    """A folder in the folder for files of the agent's host, or in a bucket."""

    title_form: ClassVar[str] = "{folder}"
    address_form: ClassVar[str] = "{bucket}"
    folder: Annotated[
        str,
        Field(
            max_length=255,
            pattern=r"^[^\x00-\x1f\x7f/\\.][^\x00-\x1f\x7f/\\]*(/[^\x00-\x1f\x7f/\\.][^\x00-\x1f\x7f/\\]*)*$",
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

    @property
    def place(self) -> str:
        return f"s3://{self.bucket}/{self.folder}" if self.bucket else self.folder
