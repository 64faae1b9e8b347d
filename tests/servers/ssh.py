"""A host to sign in to, within the test's process: a shell that repeats lines and knows its size."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import asyncssh

USER, PASSWORD = "operator", "Let-me-in-1"


@dataclass
class SshHost:
    """A running server. Its key changes with `new_key`."""

    port: int = 0
    opened: int = 0
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _server: asyncssh.SSHAcceptor | None = None

    def start(self, port: int = 0) -> None:
        """Listen with a fresh key; again after `stop` on the same port."""
        self._run(self._start(port))

    def stop(self) -> None:
        self._run(self._stop())

    def new_key(self) -> None:
        """As if the host had been set up again."""
        port = self.port
        self.stop()
        self.start(port)

    def _run(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(20)  # type: ignore[arg-type]

    async def _start(self, port: int) -> None:
        key = asyncssh.generate_private_key("ssh-ed25519")
        self._server = await asyncssh.create_server(
            _Door, "127.0.0.1", port, server_host_keys=[key], process_factory=self._shell, line_editor=False
        )
        self.port = self._server.get_port()

    async def _stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _shell(self, process: asyncssh.SSHServerProcess[str]) -> None:
        self.opened += 1
        process.stdout.write("你好 $ ")
        line = ""
        while not process.stdin.at_eof():
            try:
                line += await process.stdin.read(100)
            except asyncssh.TerminalSizeChanged:
                continue
            if not line.endswith("\r"):
                continue
            word, line = line.strip(), ""
            if word == "exit":
                break
            columns, rows = process.term_size[:2]
            process.stdout.write(f"{columns}x{rows}\r\n" if word == "size" else f"<{word}>\r\n")
        process.exit(0)


class _Door(asyncssh.SSHServer):
    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        return True  # leads on, as a bastion does

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == (USER, PASSWORD)


@contextmanager
def ssh_host() -> Iterator[SshHost]:
    """Running while the block runs."""
    host = SshHost()
    thread = threading.Thread(target=host._loop.run_forever, daemon=True)
    thread.start()
    host.start()
    try:
        yield host
    finally:
        host.stop()
        host._loop.call_soon_threadsafe(host._loop.stop)
        thread.join(5)
        host._loop.close()


if __name__ == "__main__":
    # For the browser tests: prints its port, and ends with its standard input.
    with ssh_host() as running:
        print(running.port, flush=True)
        sys.stdin.read()
