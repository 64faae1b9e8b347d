"""A server of Prometheus' protocols: Prometheus, VictoriaMetrics, Mimir, Thanos."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import orjson

from zcbus.control.store.metrics.remote.encoding import HEADERS, Sample, write_request
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.telemetry_settings import MetricStoreSettings
from zcbus.kit.tls import client_context

_TIMEOUT = httpx.Timeout(10.0, connect=3.0)
_MAX_BYTES = 64 << 20
_DETAIL_LENGTH = 300
_BAD_REQUEST = 400


class MetricServerFailed(TransientError):
    """The server could not be used now. Facts: server, detail."""

    code = "metric-server-failed"


class MetricServerRefused(TerminalError):
    """The server does not take what was sent, and will not. Facts: server, detail."""

    code = "metric-server-refused"


@dataclass(frozen=True, slots=True)
class FoundSeries:
    """A series and its samples."""

    labels: dict[str, str]
    samples: Sequence[tuple[float, float]]
    """Moments in seconds since 1970, and values."""


class MetricServer:
    """Safe for many threads. Redirects and the environment's proxies are not followed."""

    def __init__(self, settings: MetricStoreSettings, trusted: str) -> None:
        """`trusted`: a PEM file with further authorities, or empty."""
        self._settings = settings
        parts = urlsplit(settings.address)
        self.name = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self._client = httpx.Client(
            headers=dict(settings.headers),
            timeout=_TIMEOUT,
            trust_env=False,
            verify=client_context(trusted) if "https:" in settings.address + settings.write else False,
        )

    def close(self) -> None:
        self._client.close()

    def write(self, series: Sequence[tuple[bytes, Sequence[Sample]]]) -> None:
        """Send samples; the same ones may be sent again. Raises MetricServerFailed, MetricServerRefused."""
        with self._errors():
            answer = self._client.post(self._settings.write, content=write_request(series), headers=HEADERS)
        if answer.is_success:
            return
        if answer.status_code == _BAD_REQUEST:
            raise MetricServerRefused(server=self.name, detail=_first_line(answer.text))
        raise MetricServerFailed(server=self.name, detail=_status(answer.status_code, answer.text))

    def samples(self, selector: str, start: int, end: int) -> Iterator[FoundSeries]:
        """Stored samples of all series that a selector of PromQL finds, between two moments in seconds. They are asked
        for as they are stored, since `query_range` would move them to steps of its own. Raises MetricServerFailed."""
        query = {"query": f"{selector}[{end - start}s]", "time": str(end)}
        with (
            self._errors(),
            self._client.stream("POST", f"{self._settings.address}/api/v1/query", data=query) as answer,
        ):
            content = self._content(answer)
        try:
            document = orjson.loads(content)
            if answer.is_success and document["status"] == "success":
                for one in document["data"]["result"]:
                    yield FoundSeries(one["metric"], [(float(at), float(value)) for at, value in one["values"]])
                return
            detail = str(document["error"])
        except (ValueError, KeyError, TypeError):
            detail = content.decode(errors="replace")
        raise MetricServerFailed(server=self.name, detail=_status(answer.status_code, detail))

    def _content(self, answer: httpx.Response) -> bytes:
        content = bytearray()
        for part in answer.iter_bytes():
            content += part
            if len(content) > _MAX_BYTES:
                raise MetricServerFailed(server=self.name, detail=f"more than {_MAX_BYTES >> 20} MB")
        return bytes(content)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            detail = str(error) or type(error).__name__
            raise MetricServerFailed(server=self.name, detail=detail[:_DETAIL_LENGTH]) from error


def _status(status: int, text: str) -> str:
    return f"HTTP {status}: {_first_line(text)}".rstrip(": ")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:_DETAIL_LENGTH]
