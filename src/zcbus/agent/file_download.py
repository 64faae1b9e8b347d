"""Files that the agent fetches from the control plane, each checked by its checksum."""

import hashlib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from zcbus.agent.identity import AgentTokens
from zcbus.engine.requests.watch import Watch
from zcbus.kit.errors import TransientError
from zcbus.protocol.table_import import UploadedFile

_SECONDS = 60.0


class FileNotReceived(TransientError):
    """The control plane did not send a file, or another one. Facts: url, detail."""

    code = "file-not-received"


class FileDownload:
    """Fetches files with the agent's token. Thread-safe."""

    def __init__(self, url: str, tokens: AgentTokens, trusted: ssl.SSLContext | bool, agent: str) -> None:
        self._url, self._tokens, self._trusted, self._agent = url.rstrip("/"), tokens, trusted, agent

    @contextmanager
    def import_file(self, file: UploadedFile, watch: Watch) -> Iterator[Path]:
        """The file of an import, while the import lasts. Raises FileNotReceived, RequestWithdrawn."""
        with TemporaryDirectory(prefix="zcbus-import-") as folder:
            path = Path(folder) / "data"
            self.fetch("/api/zcbus/agent/import/file", file, path, watch)
            yield path

    def fetch(self, address: str, file: UploadedFile, to: Path, watch: Watch | None = None) -> None:
        """Write a file to a path. Raises FileNotReceived, RequestWithdrawn, OSError."""
        try:
            self._receive(address, file, to, watch)
        except httpx.HTTPError as error:
            raise FileNotReceived(url=self._url, detail=type(error).__name__) from error

    def _receive(self, address: str, file: UploadedFile, to: Path, watch: Watch | None) -> None:
        headers = {"source": "zcbus-agent", "ZCBUS-TOKEN": self._tokens.current}
        query = {"agent": self._agent, "id": file.id}
        digest, size = hashlib.sha256(), 0
        with (
            httpx.Client(base_url=self._url, trust_env=False, verify=self._trusted, timeout=_SECONDS) as client,
            client.stream("GET", address, params=query, headers=headers) as response,
            to.open("wb") as out,
        ):
            if response.status_code != httpx.codes.OK:
                raise FileNotReceived(url=self._url, detail=f"HTTP {response.status_code}")
            for piece in response.iter_bytes():
                size += len(piece)
                if size > file.size:
                    break
                digest.update(piece)
                out.write(piece)
                if watch is not None:
                    watch.reached(size, max(file.size, 1))
        if size != file.size or digest.hexdigest() != file.sha256:
            raise FileNotReceived(url=self._url, detail="another checksum")
