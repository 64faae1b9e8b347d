"""Options of a connection to files at addresses of HTTP."""

from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.options import CONFIG, KindOptions, OptionalUser, OptionFault, Shown
from zcbus.connectors.spec import KindSpec

_ONE_LINE = r"^[^\x00-\x1f\x7f]*$"
"""Of what becomes a header."""
_HOSTS = r"^([A-Za-z0-9_.-]+(:\d{1,5})?(\s*,\s*[A-Za-z0-9_.-]+(:\d{1,5})?)*)?$"


def _with_port(url: str) -> str:
    urlsplit(url).port  # noqa: B018 - raises ValueError where it is none
    return url


def _addresses(text: str) -> str:
    # The reader of lists is loaded by who has a connection of this kind, not by every command.
    from zcbus.connectors.stores.web.links import NotListed, is_comment, split_line

    for number, line in enumerate(text.splitlines(), 1):
        try:
            if not is_comment(line):
                split_line(line)
        except NotListed as error:
            raise OptionFault(number, "", "value", line.strip()[:200]) from error
    return text


@dataclass(frozen=True, config=CONFIG)
class _Location(KindOptions):
    """Where the files are, and the account."""

    routed: ClassVar[bool] = True
    url: Annotated[
        str,
        Field(
            max_length=500,
            pattern=r"^(https?://([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[^\x00-\x20\x7f?#]*)?)?$",
        ),
        AfterValidator(_with_port),
        Shown(
            "地址",
            "Address",
            help_zh="列出文件的网页或清单的 URL；逐个填写文件地址时，相对地址以它为起点",
            help_en="URL of the page or manifest that lists the files; of files that are declared below, what relative "
            "addresses begin with",
            example="https://data.example.com/export/",
            required=True,
            fixed=True,
            leads=True,
        ),
    ] = ""
    listing: Annotated[
        Literal["page", "manifest", "lines"],
        Shown(
            "文件清单",
            "List of files",
            help_zh="网页（page）：指向该目录以下的链接，含子目录的网页；JSON 清单（manifest）；逐行填写（lines）",
            help_en="page: links of the page to files below its folder, and of the folders' pages; manifest: a list in "
            "JSON; lines: declared below",
            fixed=True,
        ),
    ] = "page"
    addresses: Annotated[
        str,
        Field(max_length=32_000),
        AfterValidator(_addresses),
        Shown(
            "文件地址",
            "Addresses of files",
            help_zh="仅用于逐行填写：每行一个地址，或“名称 = 地址”；地址不得含密码或令牌。名称中的文件夹即表",
            help_en="Where they are declared: an address in each line, or `name = address`, without secrets. "
            "A folder in a name is a table",
            document=True,
            identifies=False,
            leads=False,
        ),
    ] = ""
    hosts: Annotated[
        str,
        Field(max_length=1000, pattern=_HOSTS),
        Shown(
            "允许的其他主机",
            "Further hosts",
            help_zh="以逗号分隔。文件和重定向只能指向“地址”的主机和这些主机，这些主机收不到密码",
            help_en="Comma-separated. Files and redirects may be at the address's host and at these, which get no "
            "password",
            example="cdn.example.com",
            identifies=False,
            leads=False,
        ),
    ] = ""
    auth: Annotated[
        Literal["none", "basic", "bearer"],
        Shown(
            "认证",
            "Sign-in",
            help_zh="basic：用户名和密码；bearer：令牌",
            help_en="basic: user and password; bearer: a token",
        ),
    ] = "none"
    user: OptionalUser = ""
    secret: Annotated[str, Shown("密码或令牌", "Password or token", secret=True)] = Field(
        default="", max_length=4000, pattern=_ONE_LINE, repr=False
    )
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
    largest: Annotated[
        int,
        Field(ge=1, le=1_048_576),
        Shown(
            "最大文件（MiB）",
            "Largest file (MiB)",
            help_zh="更大的文件会使表停止。服务器不支持分段读取的文件先完整存入磁盘",
            help_en="A larger one stops its table. Files that the server does not give in parts are kept on disk while "
            "they are read",
            identifies=False,
            leads=False,
        ),
    ] = 1024


@dataclass(frozen=True, config=CONFIG)
class WebFilesOptions(FilesOptions, _Location):
    """Files at addresses of HTTP. The address comes first in forms."""

    kind: ClassVar[str] = "webfiles"
    title_form: ClassVar[str] = "{url}"
    interval: Annotated[
        int,
        Field(ge=1, le=86_400),
        Shown(
            "查询间隔（秒）",
            "Interval (s)",
            help_zh="每隔多少秒查询一次各个文件",
            help_en="Seconds between polls of the files",
            identifies=False,
            leads=False,
        ),
    ] = 60


WEB_FILES = KindSpec(
    name="Web files",
    label="HTTP(S) files",
    label_zh="HTTP(S) 文件",
    group="file",
    tested="Starlette, uvicorn",
    model=WebFilesOptions,
    capabilities=CAPABILITIES,
    picture="webfiles",
)
