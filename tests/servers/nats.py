"""A private NATS server with JetStream in a temporary folder, and its streams as the suites see a server: a database is
what names of streams begin with."""

import asyncio
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

import nats
from nats.aio.client import Client
from nats.js.api import ConsumerConfig, StreamConfig

from tests.support.processes import die_with_parent, wait_until
from zcbus.connectors.nats.spec import NatsOptions

T = TypeVar("T")
_SECONDS = 20.0
_NUMBERS = itertools.count(1)


class NatsServer:
    """Started by the constructor; `arguments` are the server's own."""

    kind = "nats"
    schema = "rows"

    def __init__(self, *arguments: str, jetstream: bool = True) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-nats-"))
        self._arguments = (*(("-js", "-sd", str(self._folder)) if jetstream else ()), *arguments)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.given: dict[str, object] = {}
        """Options of tests besides the address."""
        self._process: subprocess.Popen[bytes] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client: Client | None = None
        self.start()

    def start(self) -> None:
        """Start on the same port as before, wait until it answers."""
        program = Path(sys.executable).with_name("nats-server")
        command = [str(program), "-a", "127.0.0.1", "-p", str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        wait_until(self._answers, _SECONDS, "the server answers")

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), _SECONDS).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """SIGKILL; its data stays."""
        self._disconnect()
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(_SECONDS)
            self._process = None

    def remove(self) -> None:
        """Stop and delete everything."""
        self.kill()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_SECONDS)
        self._loop.close()
        shutil.rmtree(self._folder)

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}-{os.getpid()}-{next(_NUMBERS)}"

    def options(self, database: str) -> Any:
        place = {"host": "127.0.0.1", "port": self.port, "topics": f"{database}*", "subject": f"{database}.{{table}}"}
        return NatsOptions(**{**place, **self.given})  # type: ignore[arg-type]

    def create(self, stream: str, **config: Any) -> None:
        """A stream of the subjects that begin with its name."""
        self._do(self._jetstream.add_stream(StreamConfig(name=stream, subjects=[f"{stream}.>"], **config)))

    def delete(self, stream: str) -> None:
        self._do(self._jetstream.delete_stream(stream))

    def forget(self, stream: str, before: int) -> None:
        """Delete the messages before a sequence number."""
        self._do(self._jetstream.purge_stream(stream, seq=before))

    def delete_message(self, stream: str, number: int) -> None:
        self._do(self._jetstream.delete_msg(stream, number))

    def delete_consumers(self, stream: str) -> None:
        async def delete() -> None:
            for one in await jetstream.consumers_info(stream):
                await jetstream.delete_consumer(stream, one.name)

        jetstream = self._jetstream
        self._do(delete())

    def put(self, stream: str, values: Iterable[bytes], subject: str = "a", **headers: str) -> None:
        async def publish() -> None:
            for part in _parts(list(values)):
                sent = (jetstream.publish(f"{stream}.{subject}", one, headers=headers or None) for one in part)
                await asyncio.gather(*sent)

        jetstream = self._jetstream
        self._do(publish())

    def messages(self, stream: str) -> list[tuple[str, dict[str, str], bytes]]:
        """Subject, headers and value of all that a stream holds."""

        async def read() -> list[tuple[str, dict[str, str], bytes]]:
            found = []
            subscription = await jetstream.subscribe(
                "", stream=stream, ordered_consumer=True, config=ConsumerConfig(mem_storage=True)
            )
            for _ in range((await jetstream.stream_info(stream)).state.messages):
                one = await subscription.next_msg(_SECONDS)
                found.append((one.subject, dict(one.headers or {}), one.data))
            await subscription.unsubscribe()
            return found

        jetstream = self._jetstream
        return self._do(read())

    @property
    def _jetstream(self) -> Any:
        if self._client is None or not self._client.is_connected:
            account = {name: str(self.given[name]) for name in ("user", "password", "token") if name in self.given}
            self._client = self._do(nats.connect(f"nats://127.0.0.1:{self.port}", allow_reconnect=False, **account))
        return self._client.jetstream(timeout=_SECONDS)

    def _disconnect(self) -> None:
        if self._client is not None:
            self._do(self._client.close())
            self._client = None

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_SECONDS)


def _parts(values: list[bytes]) -> list[list[bytes]]:
    return [values[first : first + 500] for first in range(0, len(values), 500)]
