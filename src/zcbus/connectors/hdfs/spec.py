"""Options of a connection to a folder of HDFS."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.files.target.options import FilesWriting, written
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, AddressOptions, HostName, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class _Location(AddressOptions):
    """Location of the files, and the account."""

    routed: ClassVar[bool] = True
    host: Annotated[
        HostName,
        Shown(
            "NameNode 主机",
            "NameNode",
            help_zh="提供 WebHDFS 的 NameNode（高可用集群为活动节点）；文件内容由它指定的 DataNode 收发，均须可达",
            help_en="The one that offers WebHDFS, of several the active one; contents go to and from DataNodes that it "
            "names, which must be reachable",
            example="namenode.example.com",
            required=True,
        ),
    ] = ""
    port: Annotated[int, Field(ge=1, le=65535), Shown("HTTP 端口", "HTTP port")] = 9870
    user: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown(
            "用户名",
            "User",
            help_zh="以简单认证声明的用户；不支持 Kerberos",
            help_en="Named by simple authentication; Kerberos is not supported",
            example="hadoop",
            required=True,
        ),
    ] = ""
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="disable：HTTP；require：HTTPS，不校验服务器证书；verify-full：HTTPS，校验证书",
            help_en="disable: HTTP; require: HTTPS, certificates are not checked; verify-full: HTTPS, they are checked",
            identifies=False,
        ),
    ] = "disable"
    folder: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "文件夹",
            "Folder",
            help_zh="HDFS 中从根目录起的路径。其中每个文件是一张表；每个子文件夹是一张表，包含其下所有文件的记录",
            help_en="Path from the root. Each file in it is a table; each folder in it is a table with the records of "
            "all files below",
            example="/export/shop",
            required=True,
            fixed=True,
        ),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class HdfsOptions(FilesWriting, FilesOptions, _Location):
    """A folder of HDFS. The address comes first in forms."""

    kind: ClassVar[str] = "hdfs"
    title_form: ClassVar[str] = "{folder}"


HDFS = KindSpec(
    name="HDFS",
    label="HDFS",
    group="big-data",
    picture="hdfs",
    tested="Hadoop 3.4",
    model=HdfsOptions,
    capabilities=written(CAPABILITIES),
)
