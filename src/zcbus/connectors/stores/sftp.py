"""Folders behind SFTP (draft-ietf-secsh-filexfer-02, as OpenSSH speaks it)."""

import asyncio
import io
import stat
import threading
import time
import uuid
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar, cast

import asyncssh

from zcbus.connectors.errors import AccessDenied, FolderMissing, SourceUnavailable
from zcbus.connectors.full_disk import says_full, unavailable_class
from zcbus.connectors.stores.local import MAX_FILES, MAX_WRITTEN
from zcbus.connectors.stores.store import UNFINISHED, StoredFile
from zcbus.kit.network import Route, dial
from zcbus.kit.ssh import HostKeyGuard, private_key

T = TypeVar("T")
_CONNECT_SECONDS = 10
_RESPONSE_SECONDS = 120.0
_CLOSE_SECONDS = 5.0
_ALIVE_SECONDS, _ALIVE_TIMES = 15, 3
_READ_BYTES = 1 << 20
_FULL = (asyncssh.SFTPNoSpaceOnFilesystem, asyncssh.SFTPQuotaExceeded)


@dataclass(frozen=True, slots=True)
class SftpAccess:
    """How to sign in. `host_key`: SHA256 fingerprint of the one key that the server may show."""

    kind: str
    host: str
    port: int
    user: str
    password: str
    key: str
    """A private key as OpenSSH or PEM writes it; ends of lines may be missing."""
    host_key: str
    way: Route | None = None

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"


class HostKeyUnknown(AccessDenied):
    """The server's host key differs from the trusted one. Further facts: shown."""


class SftpStore:
    """See WritableStore. Keeps one connection, in a thread of its own, and reconnects after a loss."""

    def __init__(self, access: SftpAccess, folder: str) -> None:
        self._access, self._folder = access, folder.rstrip("/") or "/"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._connection: asyncssh.SSHClientConnection | None = None
        self._sftp: asyncssh.SFTPClient | None = None

    def files(self) -> list[StoredFile]:
        try:
            found = self._run(self._list())
        except FileNotFoundError as error:
            raise FolderMissing(**self._where(), detail=f"{self._folder}: no such folder") from error
        return sorted(found, key=lambda file: file.name.encode())

    def now(self) -> float:
        # Times have whole seconds: within the same second a file may be written again.
        return time.time() - 1

    def open(self, name: str) -> BinaryIO:
        opened = self._run(self._open(self._path(name)))
        return cast("BinaryIO", io.BufferedReader(_RemoteFile(self, opened), _READ_BYTES))

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """See WritableStore."""
        if not self._run(self._put(self._path(name), data, only_new=only_new)):
            raise FileExistsError(name)

    def get(self, name: str) -> bytes | None:
        """See WritableStore."""
        try:
            return self._run(self._get(self._path(name)))
        except FileNotFoundError:
            return None

    def move(self, name: str, to: str) -> bool:
        """See WritableStore."""
        try:
            self._run(self._move(self._path(name), self._path(to)))
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        """See WritableStore."""
        with suppress(FileNotFoundError):
            self._run(self._delete(self._path(name)))

    def below(self, folder: str) -> list[StoredFile]:
        """See WritableStore."""
        try:
            found = self._run(self._list(f"{folder}/" if folder else "", hidden=True))
        except FileNotFoundError:
            return []
        return sorted(found, key=lambda file: file.name.encode())

    def identity(self) -> str:
        return f"{self._access.user}@{self._access.address}/{self._folder}"

    def close(self) -> None:
        loop, self._loop = self._loop, None
        if loop is None or self._thread is None:
            return
        with suppress(Exception):  # close in any case, whatever the server does
            asyncio.run_coroutine_threadsafe(self._end(), loop).result(_CLOSE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()

    def read(self, file: asyncssh.SFTPClientFile, size: int, offset: int) -> bytes:
        """Bytes of an open file."""
        return cast("bytes", self._run(file.read(size, offset)))

    def forget(self, file: asyncssh.SFTPClientFile) -> None:
        """Close an open file; never raises."""
        with suppress(SourceUnavailable, AccessDenied, FileNotFoundError):
            self._run(file.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="sftp", daemon=True)
            self._thread.start()
        pending = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return pending.result(_RESPONSE_SECONDS)
        except asyncssh.SFTPNoSuchFile as error:
            raise FileNotFoundError(str(error)) from error
        except (asyncssh.SFTPPermissionDenied, asyncssh.PermissionDenied) as error:
            raise AccessDenied(**self._where(), user=self._access.user, detail=error.reason) from error
        except (OSError, asyncssh.Error, TimeoutError) as error:
            pending.cancel()
            self._disconnect()
            detail = str(error) or "no answer"
            full = isinstance(error, _FULL) or says_full(error)
            raise unavailable_class("source", full=full)(**self._where(), detail=detail) from error

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _where(self) -> dict[str, str]:
        return {"kind": self._access.kind, "address": self._access.address}

    async def _client(self) -> asyncssh.SFTPClient:
        if self._sftp is None:
            access, guard = self._access, HostKeyGuard(self._access.host_key)
            key = _private_key(access) if access.key else None
            plain = await asyncio.to_thread(dial, access.host, access.port, _CONNECT_SECONDS, access.way)
            try:
                self._connection = await asyncssh.connect(
                    access.host,
                    access.port,
                    sock=plain,
                    username=access.user,
                    password=access.password or None,
                    client_keys=[key] if key else None,
                    client_factory=lambda: guard,
                    known_hosts=([], [], []),
                    agent_path=None,
                    config=None,
                    login_timeout=_CONNECT_SECONDS,
                    keepalive_interval=_ALIVE_SECONDS,
                    keepalive_count_max=_ALIVE_TIMES,
                )
            except asyncssh.HostKeyNotVerifiable as error:
                detail = f"host key {guard.shown}"
                raise HostKeyUnknown(**self._where(), user=access.user, detail=detail, shown=guard.shown) from error
            self._sftp = await self._connection.start_sftp_client()
        return self._sftp

    async def _put(self, path: str, data: bytes, *, only_new: bool) -> bool:
        """False: there is a file, which was to be new."""
        client = await self._client()
        unfinished = self._path(f"{UNFINISHED}/{uuid.uuid4().hex}")
        for one in (path, unfinished):
            await client.makedirs(one.rpartition("/")[0], exist_ok=True)
        try:
            try:
                async with client.open(unfinished, "wb") as file:
                    await file.write(data)
                    await _sync(file)
            except asyncssh.SFTPFailure as error:
                await _require_room(client, unfinished, len(data))
                raise error
            if not only_new:
                await client.posix_rename(unfinished, path)
                return True
            try:
                # By the protocol this one does not replace a file.
                await client.rename(unfinished, path)
            except asyncssh.SFTPError:
                if not await client.exists(path):
                    raise
                return False
            return True
        finally:
            with suppress(asyncssh.SFTPError):
                await client.remove(unfinished)

    async def _get(self, path: str) -> bytes:
        client = await self._client()
        async with client.open(path, "rb") as file:
            return cast("bytes", await file.read())

    async def _move(self, path: str, to: str) -> None:
        client = await self._client()
        await client.makedirs(to.rpartition("/")[0], exist_ok=True)
        await client.posix_rename(path, to)

    async def _delete(self, path: str) -> None:
        client = await self._client()
        await client.remove(path)
        parent = path.rpartition("/")[0]
        with suppress(asyncssh.SFTPError):
            while len(parent) > len(self._folder):
                await client.rmdir(parent)
                parent = parent.rpartition("/")[0]

    async def _list(self, begin: str = "", *, hidden: bool = False) -> list[StoredFile]:
        client = await self._client()
        found: list[StoredFile] = []
        folders = [begin]
        while folders:
            folder = folders.pop()
            async for entry in client.scandir(f"{self._folder}/{folder}"):
                name = str(entry.filename)
                if name in (".", "..") or (name.startswith(".") and not hidden):
                    continue
                about = entry.attrs
                mode = about.permissions or 0
                if stat.S_ISDIR(mode):
                    folders.append(f"{folder}{name}/")
                elif stat.S_ISREG(mode):
                    size, changed = about.size or 0, about.mtime or 0
                    found.append(StoredFile(f"{folder}{name}", size, f"{size}-{changed}", float(changed)))
                most = MAX_WRITTEN if hidden else MAX_FILES
                if len(found) > most:
                    raise SourceUnavailable(**self._where(), detail=f"more than {most} files")
        return found

    async def _open(self, path: str) -> asyncssh.SFTPClientFile:
        client = await self._client()
        return await client.open(path, "rb")

    async def _end(self) -> None:
        connection, self._connection, self._sftp = self._connection, None, None
        if connection is not None:
            connection.abort()
            await connection.wait_closed()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _disconnect(self) -> None:
        connection, self._connection, self._sftp = self._connection, None, None
        if connection is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(connection.abort)


class _RemoteFile(io.RawIOBase):
    """An open file of a store."""

    def __init__(self, store: SftpStore, file: asyncssh.SFTPClientFile) -> None:
        self._store, self._file, self._at = store, file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            raise io.UnsupportedOperation("the end is not known")
        self._at = max(0, offset if whence == io.SEEK_SET else self._at + offset)
        return self._at

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        part = self._store.read(self._file, len(buffer), self._at)
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self._store.forget(self._file)
        super().close()


async def _sync(file: asyncssh.SFTPClientFile) -> None:
    """Make a file durable, where the server offers it."""
    with suppress(asyncssh.SFTPOpUnsupported):
        await file.fsync()


async def _require_room(client: asyncssh.SFTPClient, path: str, size: int) -> None:
    """Raise SFTPNoSpaceOnFilesystem where bytes have no room: the protocol of OpenSSH says only that it failed."""
    with suppress(asyncssh.SFTPOpUnsupported):
        room = await client.statvfs(path)
        if room.bavail * room.frsize < size:
            raise asyncssh.SFTPNoSpaceOnFilesystem("No space left on device")


def _private_key(access: SftpAccess) -> asyncssh.SSHKey:
    try:
        return private_key(access.key)
    except ValueError as error:
        detail = f"private key: {error}"
        raise AccessDenied(kind=access.kind, address=access.address, user=access.user, detail=detail) from error
