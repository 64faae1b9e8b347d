"""Connections to FTP servers: passive, by the network rules of the process, with TLS before the password.

The server chooses ports only: data connections go to the address that the control connection has.
"""

import ftplib
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceNotReady, SourceUnavailable
from zcbus.connectors.stores.ftp.entries import Entry, NotAnEntry, is_moment, of_facts
from zcbus.kit import network
from zcbus.kit.errors import ZcbusError
from zcbus.kit.network import Route

_MAX_REPLY_LINES = 500
MAX_LISTED, _MAX_LINE = 200_000, 8192
"""Lines of one list, and characters of one line."""
UNKNOWN_COMMAND = frozenset({"500", "501", "502", "504"})
_NOT_SIGNED_IN = frozenset({"530", "532"})
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class FtpAccess:
    """How to sign in."""

    kind: str
    host: str
    port: int
    user: str
    """Empty: anonymous."""
    password: str = field(repr=False)
    tls: str
    """`disable`; `require`: the certificate is not checked; `verify-full`."""
    implicit: bool
    """TLS from the first byte, else by AUTH TLS (RFC 4217)."""
    names: str
    """Encoding of the names of files."""
    way: Route | None = None

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def unavailable(self, detail: str) -> SourceUnavailable:
        """The error for what may be better later."""
        return SourceUnavailable(kind=self.kind, address=self.address, detail=self._shown(detail))

    def denied(self, detail: str) -> AccessDenied:
        """The error of a missing right."""
        user = self.user or "anonymous"
        return AccessDenied(kind=self.kind, address=self.address, user=user, detail=self._shown(detail))

    def not_ready(self, setting: str, value: str, expected: str) -> SourceNotReady:
        """The error for what the server cannot do."""
        facts = {"setting": setting, "value": self._shown(value), "expected": expected}
        return SourceNotReady(kind=self.kind, address=self.address, **facts)

    def error_of(self, error: Exception) -> ZcbusError:
        """The connector's error for one of the library, the network or the server."""
        if isinstance(error, ZcbusError):
            return error
        if isinstance(error, UnicodeDecodeError):
            other = "gb18030" if self.names == "utf-8" else "utf-8"
            return self.not_ready("names", self.names, other)
        if isinstance(error, ftplib.error_perm) and code_of(error) in _NOT_SIGNED_IN:
            return self.denied(str(error))
        return self.unavailable(str(error) or "no answer")

    def _shown(self, detail: str) -> str:
        """Servers repeat what they were sent."""
        return (detail.replace(self.password, "***") if self.password else detail)[:_SHOWN]


def code_of(error: ftplib.Error) -> str:
    """The three digits of a reply."""
    return str(error)[:3]


class FtpConnection(ftplib.FTP):
    """A control connection. Raises what `FtpAccess.error_of` takes. Not for several threads.

    Steps in their order: `dialled`, `secured`, `signed_in`. After `signed_in` all transfers are of bytes.
    """

    sock: socket.socket

    def __init__(self, access: FtpAccess, seconds: float) -> None:
        """`seconds`: how long the server may say nothing."""
        super().__init__(timeout=seconds, encoding=access.names)
        self._access, self._seconds = access, seconds
        self._context = None if access.tls == "disable" else tls.context(access.tls)
        self._is_private = False
        self.has_facts = False
        """MLSD and MLST, which list names, sizes and times for programs."""

    def dialled(self) -> str:
        """Connect, and take the greeting. Returns the address that answered."""
        access = self._access
        self.host = access.host
        self.sock = network.dial(access.host, access.port, self._seconds, access.way)
        self.af = self.sock.family
        peer = self.sock.getpeername()
        if self._context is not None and access.implicit:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=access.host)
        self._read_replies()
        self.welcome = self.getresp()
        return f"{peer[0]}:{peer[1]}"

    def secured(self) -> str:
        """Encrypt the control connection, unless `tls` is `disable`. Returns the version of TLS, or nothing."""
        if self._context is None:
            return ""
        if not isinstance(self.sock, ssl.SSLSocket):
            try:
                self.voidcmd("AUTH TLS")
            except ftplib.error_perm as error:
                raise self._access.not_ready("TLS", str(error), "AUTH TLS") from error
            # What came in clear behind the reply is left behind with the old file: it is not trusted.
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self._access.host)
            self._read_replies()
        return self.sock.version() or ""

    def signed_in(self) -> None:
        """Send name and password, and agree on how data come."""
        access = self._access
        try:
            self.login(access.user or "anonymous", access.password)
        except ftplib.error_perm as error:
            raise access.denied(str(error)) from error
        if self._context is not None:
            self._protect()
        self._agree()

    def data(self, command: str, offset: int = 0) -> socket.socket:
        """The data connection of a transfer, from an offset of the file on. Further: SourceNotReady where the server
        does not begin there."""
        return self.ntransfercmd(command, offset or None)[0]

    def ntransfercmd(self, cmd: str, rest: Any = None) -> tuple[socket.socket, int | None]:
        """As the library's, with addresses by the network rules and the TLS session of the control connection, without
        which many servers refuse data connections."""
        host, port = self.makepasv()
        if self._access.way is not None and self._access.way.leads_through:
            host = self._access.host  # the peer of the control connection is the bastion or proxy
        data = network.dial(host, port, self._seconds, self._access.way)
        try:
            if rest is not None:
                self._restart_at(int(rest))
            reply = self.sendcmd(cmd)
            if reply[0] == "2":  # some servers send one too many
                reply = self.getresp()
            if reply[0] != "1":
                raise self._access.unavailable(reply)
            return self._wrapped(data), None
        except BaseException:
            data.close()
            raise

    def lines(self, command: str) -> list[str]:
        """The lines of a list, all of them: the server said that it ended."""
        self.voidcmd("TYPE A")
        found: list[str] = []
        with self.data(command) as data, data.makefile("r", encoding=self.encoding, newline="\n") as text:
            while line := text.readline(_MAX_LINE + 1):
                if len(line) > _MAX_LINE or len(found) >= MAX_LISTED:
                    raise self._access.unavailable(f"{command}: more than {MAX_LISTED} lines of {_MAX_LINE} characters")
                found.append(line.rstrip("\r\n"))
        self.voidresp()
        self.voidcmd("TYPE I")
        return found

    def about(self, path: str) -> Entry:
        """Size and time of a file. Raises error_perm where there is none, NotAnEntry."""
        if self.has_facts:
            lines = self.sendcmd(f"MLST {path}").split("\n")
            entry = of_facts(lines[1].lstrip(" ")) if len(lines) > 2 else None
            if entry is None or entry.is_folder:
                raise NotAnEntry("; ".join(lines))
            return self.completed(entry, path)
        return self.completed(Entry(path, False), path)

    def completed(self, entry: Entry, path: str) -> Entry:
        """A file's entry with size and time, asked for where the list lacks them."""
        size = entry.size if entry.size is not None else self._size(path)
        return Entry(entry.name, False, size, entry.moment or self._moment(path), entry.shown)

    def getmultiline(self) -> str:
        """As the library's, of a limited length."""
        line = self.getline()
        if line[3:4] != "-":
            return line
        lines, end = [line], line[:3]
        while not (lines[-1][:3] == end and lines[-1][3:4] != "-"):
            lines.append(self.getline())
            if len(lines) > _MAX_REPLY_LINES:
                raise self._access.unavailable(f"a reply of more than {_MAX_REPLY_LINES} lines")
        return "\n".join(lines)

    def _read_replies(self) -> None:
        # Greetings are in any encoding; names are in lists.
        self.file = self.sock.makefile("r", encoding=self.encoding, errors="replace", newline="\n")

    def _protect(self) -> None:
        try:
            self.voidcmd("PBSZ 0")
            self.voidcmd("PROT P")
        except ftplib.error_perm as error:
            raise self._access.not_ready("TLS", str(error), "PROT P") from error
        self._is_private = True

    def _agree(self) -> None:
        try:
            features = {line.strip().partition(" ")[0].upper() for line in self.sendcmd("FEAT").split("\n")[1:-1]}
        except ftplib.error_perm:
            features = set()
        self.has_facts = "MLST" in features
        if "UTF8" in features and self._access.names == "utf-8":
            # Servers for which it is always on may not know the command.
            with suppress(ftplib.error_perm):
                self.sendcmd("OPTS UTF8 ON")
        self.voidcmd("TYPE I")

    def _restart_at(self, offset: int) -> None:
        try:
            self.sendcmd(f"REST {offset}")
        except ftplib.error_perm as error:
            raise self._access.not_ready("REST", str(error), "REST STREAM") from error

    def _wrapped(self, data: socket.socket) -> socket.socket:
        if not self._is_private:
            return data
        assert self._context is not None
        assert isinstance(self.sock, ssl.SSLSocket)
        return self._context.wrap_socket(data, server_hostname=self._access.host, session=self.sock.session)

    def _size(self, path: str) -> int:
        size = self._reported("SIZE", path)
        if not (size.isascii() and size.isdecimal()):
            raise self._access.not_ready("SIZE", size, "SIZE (RFC 3659)")
        return int(size)

    def _moment(self, path: str) -> str:
        moment = self._reported("MDTM", path)
        if not is_moment(moment):
            raise self._access.not_ready("MDTM", moment, "MDTM (RFC 3659)")
        return moment

    def _reported(self, command: str, path: str) -> str:
        try:
            return self.sendcmd(f"{command} {path}")[3:].strip()
        except ftplib.error_perm as error:
            if code_of(error) in UNKNOWN_COMMAND:
                # Lists for people have times to the minute, and in no certain zone.
                raise self._access.not_ready(command, str(error), f"{command} (RFC 3659)") from error
            raise
