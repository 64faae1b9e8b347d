"""Requests of WebHDFS (https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/WebHDFS.html).

The NameNode answers what concerns names, and says by `Location` which DataNode sends or takes the bytes of a file.
Connections are made by Python's sockets: the network rules of the process hold for those addresses as well.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import orjson

from zcbus.connectors import tls
from zcbus.connectors.http_transport import client
from zcbus.kit.network import Route

_CONNECT_SECONDS = 10.0
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class HdfsAccess:
    """Where the NameNode is, and who asks it."""

    kind: str
    host: str
    port: int
    user: str
    tls: str
    """`disable`: plain HTTP."""
    way: Route | None = None

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        scheme = "http" if self.tls == "disable" else "https"
        return f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class HdfsRefusal(Exception):
    """An answer that is no success. `name`: of the exception in Java; empty: the answer is none of WebHDFS."""

    def __init__(self, status: int, name: str, detail: str) -> None:
        super().__init__(detail[:_SHOWN])
        self.status, self.name = status, name


class HdfsClient:
    """Raises HdfsRefusal, and OSError where nothing answers. Not for several threads."""

    def __init__(self, access: HdfsAccess, seconds: float) -> None:
        """`seconds`: how long a server may say nothing."""
        self._access, self._seconds = access, seconds
        self._http: httpx.Client | None = None
        self._behind = 0.0
        """Seconds from the server's clock to this host's."""

    @property
    def now(self) -> float:
        """The NameNode's clock, by its last answer."""
        return time.time() - self._behind

    def ask(self, method: str, path: str, operation: str, **parameters: str) -> Any:
        """The answer to an operation on a path as JSON; None: it has no content."""
        response = self._name_node(method, path, operation, parameters)
        return orjson.loads(response.content) if response.content else None

    def read(self, path: str, offset: int, size: int) -> bytes:
        """Bytes of a file. `offset`: less than its length."""
        parameters = {"offset": str(offset), "length": str(size), "noredirect": "true"}
        place = orjson.loads(self._name_node("GET", path, "OPEN", parameters).content)["Location"]
        return self._sent("GET", _of_data_node(place)).content

    def create(self, path: str, data: bytes) -> None:
        """Write a file, with the folders above it, in place of an earlier one. It may be found half written."""
        parameters = {"overwrite": "true", "noredirect": "true"}
        place = orjson.loads(self._name_node("PUT", path, "CREATE", parameters).content)["Location"]
        self._sent("PUT", _of_data_node(place), data)

    def close(self) -> None:
        """Idempotent."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _name_node(self, method: str, path: str, operation: str, parameters: Mapping[str, str]) -> httpx.Response:
        who = {"user.name": self._access.user} if self._access.user else {}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in {**who, **parameters}.items())
        url = f"{self._access.url}/webhdfs/v1{quote(path)}?op={operation}" + (f"&{query}" if query else "")
        response = self._sent(method, url)
        if "date" in response.headers:
            self._behind = time.time() - parsedate_to_datetime(response.headers["date"]).timestamp()
        return response

    def _sent(self, method: str, url: str, data: bytes | None = None) -> httpx.Response:
        try:
            response = self._opened().request(method, url, content=data)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OSError(f"{urlsplit(url).netloc}: {error or 'no answer'}") from error
        if response.status_code // 100 != 2:
            raise _refusal(response)
        return response

    def _opened(self) -> httpx.Client:
        if self._http is None:
            timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
            self._http = client(self._access.way, verify=tls.context(self._access.tls), timeout=timeout)
        return self._http


def _of_data_node(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https"):
        raise HdfsRefusal(502, "", f"the NameNode names {url[:_SHOWN]}")
    return url


def _refusal(response: httpx.Response) -> HdfsRefusal:
    """The server's exception; its message has the trace of the stack behind the first line."""
    try:
        found = orjson.loads(response.content)["RemoteException"]
        return HdfsRefusal(response.status_code, str(found["exception"]), str(found["message"]).partition("\n")[0])
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return HdfsRefusal(response.status_code, "", f"{response.status_code} {response.reason_phrase}")
