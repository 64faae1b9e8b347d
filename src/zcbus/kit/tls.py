"""TLS settings of the control plane and trust of its clients."""

import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

TlsMode = Literal["auto", "on", "off"]

TLS_MODES: tuple[TlsMode, ...] = ("auto", "on", "off")
FOLDER = "tls"
AUTHORITY_FILE = "ca.pem"


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """TLS settings. `auto`: no TLS on this host's own addresses, TLS on all others."""

    mode: TlsMode = "auto"
    certificate: str = ""
    """PEM files with the chain and its key; empty: a certificate of the platform's own authority."""
    key: str = ""
    trusted: str = ""
    """For agents and commands: a PEM file with authorities that are trusted in addition to the host's."""

    def is_used_on(self, host: str) -> bool:
        """Whether a server on this address uses TLS."""
        return self.mode == "on" or (self.mode == "auto" and (bool(self.certificate) or not is_loopback(host)))


def is_loopback(host: str) -> bool:
    """Whether the address is reachable only from this host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def client_context(trusted: str) -> ssl.SSLContext:
    """The host's authorities, and those in the PEM file `trusted` if it is not empty."""
    context = ssl.create_default_context()
    if trusted:
        context.load_verify_locations(trusted)
    return context


def trusted_by(url: str, data_dir: Path, settings: TlsSettings, *, known: Path | None = None) -> ssl.SSLContext | bool:
    """The trust of a client for the server's certificate (`verify` of httpx).

    It consists of the host's authorities, those of the settings, those of this data folder, and those in the file
    `known` if it exists.
    """
    if url.lower().startswith("http:"):
        return False
    if settings.certificate and is_loopback(urlsplit(url).hostname or ""):
        return _pinned(settings.certificate)
    context = ssl.create_default_context()
    for file in (data_dir / FOLDER / AUTHORITY_FILE, known, Path(settings.trusted) if settings.trusted else None):
        if file is not None and file.exists():
            context.load_verify_locations(file)
    return context


def _pinned(certificate: str) -> ssl.SSLContext:
    """This host's own server, whatever its certificate names."""
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context
