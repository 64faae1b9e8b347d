"""Signed and limited requests to a bucket.

Connections are made by Python's sockets, so that the network rules of the process apply to each of them. Redirects are
not followed, and the environment is ignored: no proxies, no credentials.
"""

import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from urllib.parse import urlsplit

import httpx

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.http_transport import client
from zcbus.connectors.stores.s3.answers import Page, Unexpected, page, refusal
from zcbus.connectors.stores.s3.signature import signed_headers, spelled_path, spelled_query
from zcbus.kit.network import Route
from zcbus.kit.retry import growing_pauses

_CONNECT_SECONDS = 10.0
_MAX_PAGE_BYTES = 16 << 20
_MAX_REFUSAL_BYTES = 64 << 10
_ATTEMPTS = 3
_BUSY = frozenset({429, 500, 502, 503, 504})
_ELSEWHERE = frozenset({301, 307, 308})
_OF_REGION = frozenset({"AuthorizationHeaderMalformed", "IllegalLocationConstraintException"})


@dataclass(frozen=True, slots=True)
class S3Access:
    """Address of a bucket, and the account."""

    kind: str
    endpoint: str
    """`https://host:port`, without the bucket."""
    region: str
    bucket: str
    key: str
    secret: str
    bucket_in_host: bool
    """The bucket is part of the host's name, else of the path."""
    verify: bool
    """Whether the server's certificate is checked."""
    way: Route | None = None

    @property
    def url(self) -> str:
        """Scheme and host of requests."""
        if not self.bucket_in_host:
            return self.endpoint
        scheme, _, host = self.endpoint.partition("://")
        return f"{scheme}://{self.bucket}.{host}"

    def path(self, key: str) -> str:
        """Path of an object; of the bucket where the key is empty."""
        return f"/{key}" if self.bucket_in_host else f"/{self.bucket}/{key}"


def aws_endpoint(region: str) -> str:
    """Where the service is at AWS (https://docs.aws.amazon.com/general/latest/gr/s3.html)."""
    return f"https://s3.{region}.{'amazonaws.com.cn' if region.startswith('cn-') else 'amazonaws.com'}"


class S3Refusal(Exception):
    """The server answered that it does not do it. `code`: as S3 calls the reason; may be empty."""

    def __init__(self, status: int, code: str, message: str, region: str) -> None:
        """`region`: the bucket's region, if the server reports it."""
        super().__init__(f"{status} {code}: {message}"[:300])
        self.status, self.code, self.region = status, code, region

    @property
    def is_of_region(self) -> bool:
        """The bucket is in another region than the requested one."""
        return self.status in _ELSEWHERE or self.code in _OF_REGION


class S3Client:
    """For one bucket. Raises S3Refusal, SourceUnavailable. Not for several threads."""

    def __init__(self, access: S3Access, seconds: float = 60.0) -> None:
        """`seconds`: how long the server may say nothing."""
        self._access, self._seconds = access, seconds
        self._http: httpx.Client | None = None
        self._answered_at = 0.0

    @property
    def answered_at(self) -> float:
        """The server's clock when it last answered, in seconds since 1970-01-01 UTC."""
        return self._answered_at

    def page(self, prefix: str, after: str, most: int) -> Page:
        """A part of the list of objects whose keys begin with `prefix`. `after`: `next` of the part before."""
        query = {"list-type": "2", "prefix": prefix, "max-keys": str(most)}
        if after:
            query["continuation-token"] = after
        body, _ = self._request("", query, {}, _MAX_PAGE_BYTES)
        try:
            return page(body)
        except Unexpected as error:
            raise self.unavailable(str(error)) from error

    def part(self, key: str, start: int, size: int, etag: str) -> tuple[bytes, str, int]:
        """Bytes of an object from an existing offset, its ETag, and its size. `etag`: refused if the object has another
        one now; empty: any."""
        headers_sent = {"range": f"bytes={start}-{start + size - 1}"}
        if etag:
            headers_sent["if-match"] = etag
        body, headers = self._request(key, {}, headers_sent, size)
        place, _, total = headers.get("content-range", "").removeprefix("bytes ").partition("/")
        if place.partition("-")[0] != str(start) or not total.isdecimal() or not body:
            raise self.unavailable("the server does not give parts of objects")
        return body, headers.get("etag", ""), int(total)

    def whole(self, key: str, most: int) -> bytes:
        """All bytes of an object of at most so many."""
        return self._request(key, {}, {}, most)[0]

    def put(self, key: str, data: bytes, *, only_new: bool) -> None:
        """Write an object in one step. `only_new`: refused (409, 412) where there is one."""
        conditions = {"if-none-match": "*"} if only_new else {}
        self._request(key, {}, conditions, _MAX_REFUSAL_BYTES, "PUT", data)

    def copy(self, key: str, to: str) -> None:
        """Copy an object in one step, within the bucket. Replaces."""
        source = spelled_path(f"/{self._access.bucket}/{key}")
        body, _ = self._request(to, {}, {"x-amz-copy-source": source}, _MAX_REFUSAL_BYTES, "PUT")
        # The service may answer first, and say in the body that the copy failed.
        failed = refusal(body)
        if failed:
            raise self.unavailable(f"copy: {failed.get('Code', '')} {failed.get('Message', '')}"[:300])

    def delete(self, key: str) -> None:
        """Idempotent."""
        self._request(key, {}, {}, _MAX_REFUSAL_BYTES, "DELETE")

    def close(self) -> None:
        """Idempotent."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def unavailable(self, detail: str) -> SourceUnavailable:
        """The error for an answer that is none."""
        return SourceUnavailable(kind=self._access.kind, address=self._access.url, detail=detail)

    def _request(
        self,
        key: str,
        query: Mapping[str, str],
        headers_sent: Mapping[str, str],
        most: int,
        method: str = "GET",
        data: bytes = b"",
    ) -> tuple[bytes, httpx.Headers]:
        # A condition may have been met by the request whose answer was lost: that is for the caller to find out.
        attempts = 1 if "if-none-match" in headers_sent else _ATTEMPTS
        pauses = list(islice(growing_pauses(), attempts - 1))
        while True:
            try:
                return self._send(key, query, headers_sent, most, method, data)
            except S3Refusal as refused:
                if refused.status not in _BUSY or not pauses:
                    raise
            except httpx.HTTPError as error:
                if not isinstance(error, httpx.RemoteProtocolError | httpx.ReadError) or not pauses:
                    raise self.unavailable(str(error) or "no answer") from error
            time.sleep(pauses.pop(0))

    def _send(
        self,
        key: str,
        query: Mapping[str, str],
        headers_sent: Mapping[str, str],
        most: int,
        method: str,
        data: bytes,
    ) -> tuple[bytes, httpx.Headers]:
        access, path = self._access, self._access.path(key)
        headers = signed_headers(
            path,
            query,
            {"host": urlsplit(access.url).netloc, **headers_sent},
            region=access.region,
            key=access.key,
            secret=access.secret,
            at=datetime.now(UTC),
            method=method,
            body=data,
        )
        target = spelled_path(path) + (f"?{spelled_query(query)}" if query else "")
        headers |= {"accept-encoding": "identity"}
        with self._client().stream(method, f"{access.url}{target}", headers=headers, content=data or None) as response:
            self._answered_at = _date(response.headers.get("date", ""))
            if response.status_code // 100 != 2:
                raise _refused(response)
            return self._body(response, most), response.headers

    def _body(self, response: httpx.Response, most: int) -> bytes:
        found = bytearray()
        for part in response.iter_raw():
            found += part
            if len(found) > most:
                raise self.unavailable("more bytes than were asked for")
        return bytes(found)

    def _client(self) -> httpx.Client:
        if self._http is None:
            context = ssl.create_default_context()
            if not self._access.verify:
                context.check_hostname = False
                context.verify_mode = ssl.CERT_NONE
            timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
            self._http = client(self._access.way, verify=context, timeout=timeout)
        return self._http


def _refused(response: httpx.Response) -> S3Refusal:
    body = bytearray()
    for part in response.iter_raw():
        body += part
        if len(body) > _MAX_REFUSAL_BYTES:
            break
    document = refusal(bytes(body[:_MAX_REFUSAL_BYTES]))
    region = response.headers.get("x-amz-bucket-region", document.get("Region", ""))
    return S3Refusal(
        response.status_code, document.get("Code", ""), document.get("Message", response.reason_phrase), region
    )


def _date(text: str) -> float:
    try:
        return parsedate_to_datetime(text).timestamp()
    except ValueError:
        return time.time()
