"""Options of a connection to a folder on an SFTP server."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.files.target.options import FilesWriting, written
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, Port, ServerOptions, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """Location of the files, and the account."""

    host: Annotated[HostName, Shown("主机", "Host", example="files.example.com", required=True)] = ""
    port: Port = 22
    password: Annotated[
        str, Shown("密码", "Password", help_zh="使用私钥时留空", help_en="Empty with a private key", secret=True)
    ] = Field(default="", max_length=255, repr=False)
    key: Annotated[
        str,
        Shown(
            "私钥",
            "Private key",
            help_zh="OpenSSH 或 PEM 格式、无口令的私钥全文",
            help_en="The whole text of a key without a passphrase, as OpenSSH or PEM writes it",
            secret=True,
        ),
    ] = Field(default="", max_length=8000, repr=False)
    hostkey: Annotated[
        str,
        Field(max_length=64, pattern=r"^(SHA256:[A-Za-z0-9+/]{43})?$"),
        Shown(
            "主机密钥指纹",
            "Host key",
            help_zh="服务器公钥的 SHA256 指纹（ssh-keygen -l）。为空时连接测试会显示服务器的指纹，核对后填入",
            help_en="SHA256 fingerprint of the server's key (ssh-keygen -l). Where it is empty the connection test "
            "shows the server's: compare, then enter it",
            example="SHA256:…",
            identifies=False,
        ),
    ] = ""
    folder: Annotated[
        str,
        Field(max_length=255, pattern=PLAIN_TEXT),
        Shown(
            "文件夹",
            "Folder",
            help_zh="服务器上的路径。其中每个文件是一张表；每个子文件夹是一张表，包含其下所有文件的记录",
            help_en="Path on the server. Each file in it is a table; each folder in it is a table with the records of "
            "all files below",
            example="/export/shop",
            required=True,
            fixed=True,
        ),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class SftpOptions(FilesWriting, FilesOptions, _Location):
    """A folder of an SFTP server. The address comes first in forms."""

    kind: ClassVar[str] = "sftp"
    title_form: ClassVar[str] = "{folder}"
    address_form: ClassVar[str] = "{host}:{port}"


SFTP = KindSpec(
    name="SFTP",
    label="SFTP",
    group="file",
    picture="sftp",
    tested="OpenSSH 9.2",
    model=SftpOptions,
    capabilities=written(CAPABILITIES),
)
