"""Options of a connection to a folder on an FTP server."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.options import CONFIG, PLAIN_TEXT, HostName, Port, ServerOptions, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class _Location(ServerOptions):
    """Location of the files, and the account."""

    host: Annotated[HostName, Shown("主机", "Host", example="ftp.example.com", required=True)] = ""
    port: Port = 21
    user: Annotated[
        str,
        Field(max_length=128, pattern=PLAIN_TEXT),
        Shown("用户名", "User", help_zh="留空表示匿名登录", help_en="Empty: anonymous"),
    ] = ""
    password: Annotated[str, Shown("密码", "Password", secret=True)] = Field(
        default="", max_length=255, pattern=PLAIN_TEXT, repr=False
    )
    tls: Annotated[
        Literal["disable", "require", "verify-full"],
        Shown(
            "加密传输",
            "TLS",
            help_zh="verify-full：校验服务器证书和主机名；require：不校验；disable：不加密，密码和文件以明文传输",
            help_en="verify-full: the server's certificate and name are checked; require: not checked; "
            "disable: password and files travel in clear text",
            identifies=False,
        ),
    ] = "verify-full"
    implicit: Annotated[
        bool,
        Shown(
            "隐式 TLS",
            "Implicit TLS",
            help_zh="连接一建立即加密，端口通常为 990；否则以 AUTH TLS 开始加密",
            help_en="Encrypted from the first byte, usually at port 990; else from AUTH TLS on",
            identifies=False,
        ),
    ] = False
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
    names: Annotated[
        Literal["utf-8", "gb18030"],
        Shown(
            "文件名编码",
            "Encoding of names",
            help_zh="服务器列出文件名所用的编码；文件内容的编码另行选择",
            help_en="In which the server lists files; that of their contents is another option",
            identifies=False,
        ),
    ] = "utf-8"


@dataclass(frozen=True, config=CONFIG)
class FtpOptions(FilesOptions, _Location):
    """A folder of an FTP server. The address comes first in forms."""

    kind: ClassVar[str] = "ftp"
    title_form: ClassVar[str] = "{folder}"
    address_form: ClassVar[str] = "{host}:{port}"


FTP = KindSpec(
    name="FTP",
    label="FTP / FTPS",
    group="file",
    tested="pyftpdlib 2.2",
    model=FtpOptions,
    capabilities=CAPABILITIES,
    picture="ftp",
)
