"""The platform's own certificate authority, in <data>/tls: of its server where none is given, and of its agents."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zcbus.kit.certificates import (
    KeyPair,
    fingerprint,
    is_good_for,
    make_authority,
    make_server_certificate,
    sign_client,
)
from zcbus.kit.files import write_durably, write_private_file
from zcbus.kit.settings import Settings
from zcbus.kit.tls import AUTHORITY_FILE, FOLDER

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """TLS files of a server, in PEM."""

    certificate: str
    key: str
    client_authority: str


class Authority:
    """Made at the first start; every later start finds it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.data_dir / FOLDER

    def server_files(self, now: datetime) -> ServerFiles:
        """The files of the server's certificate: those that are given, else its own, renewed before they end."""
        pair, given = self._pair(now), self._settings.tls
        authority = str(self.authority_certificate)
        certificate, key = self.server_certificate, self._folder / "server.key"
        if given.certificate:
            return ServerFiles(str(certificate), given.key, authority)
        names = server_names(self._settings)
        stored = certificate.read_bytes() if certificate.exists() and key.exists() else b""
        if not is_good_for(stored, pair.certificate, names, now):
            made = make_server_certificate(pair, now, names)
            write_durably(key, made.key, mode=0o600)
            write_durably(certificate, made.certificate, mode=0o600)
        return ServerFiles(str(certificate), str(key), authority)

    @property
    def server_certificate(self) -> Path:
        """The file of the server's certificate."""
        given = self._settings.tls.certificate
        return Path(given) if given else self._folder / "server.pem"

    @property
    def authority_certificate(self) -> Path:
        """The file of the authority's certificate, by which clients are known."""
        return self._folder / AUTHORITY_FILE

    def certificate(self, now: datetime) -> bytes:
        """Of the authority itself, in PEM."""
        return self._pair(now).certificate

    def pin(self, now: datetime) -> str:
        """Fingerprint by which joining hosts know the authority; empty: the server's certificate is another's."""
        return "" if self._settings.tls.certificate else fingerprint(self.certificate(now))

    def sign_agent(self, request: str, account_id: str, now: datetime) -> str:
        """A certificate in the name of a host's account. Raises RequestInvalidError."""
        return sign_client(self._pair(now), request.encode(), account_id, now).decode()

    def _pair(self, now: datetime) -> KeyPair:
        certificate, key = self.authority_certificate, self._folder / "ca.key"
        if not certificate.exists():
            made = make_authority(now, f"ZCBUS {socket.gethostname()}")
            _write_once(key, made.key)
            write_durably(certificate, made.certificate, mode=0o600)
        return KeyPair(certificate.read_bytes(), key.read_bytes())


def server_names(settings: Settings) -> Sequence[str]:
    """Under which this server may be reached."""
    host = socket.gethostname()
    own = [settings.host] if settings.host not in ("0.0.0.0", "::", "") else _addresses()  # noqa: S104  compared
    return list(dict.fromkeys([host, socket.getfqdn(), *_LOCAL_NAMES, *own]))


def _addresses() -> list[str]:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return []
    return [str(address[4][0]).partition("%")[0] for address in found]


def _write_once(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    write_private_file(path, content.decode())
