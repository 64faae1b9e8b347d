"""A private RabbitMQ broker in a temporary folder, and its queues as the suites see a server: a database is what names
of queues begin with."""

import itertools
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pika
import pytest
from pika.adapters.blocking_connection import BlockingChannel
from pika.exceptions import ChannelClosedByBroker

from tests.support.processes import die_with_parent, wait_until
from zcbus.connectors.rabbitmq.spec import RabbitOptions

_SECONDS = 60.0
_SEGMENT_BYTES, _ALONE = 2500, 120
_NUMBERS = itertools.count(1)
_PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
"""Debian's, without the script around it that changes the user and the folders."""


class RabbitServer:
    """Started by the constructor, with the name server that Erlang's nodes need: its own one, on a port of its own."""

    kind = "rabbitmq"
    schema = "rows"

    def __init__(self, *settings: str, certificate: tuple[bytes, bytes] | None = None) -> None:
        """`settings`: further lines of its configuration. `certificate`: with its key; then the port takes TLS only."""
        if not _PROGRAM.exists():
            pytest.skip("rabbitmq-server is missing: Debian package rabbitmq-server")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-rabbitmq-"))
        self.port, self._names_port, distribution = _free_ports(3)
        self.given: dict[str, object] = {}
        """Options of tests besides the address."""
        self._context: ssl.SSLContext | None = None
        self._configure(settings, certificate)
        (self._folder / "plugins").write_text("[].\n")
        self._environment = {
            **os.environ,
            "HOME": str(self._folder),
            "ERL_EPMD_PORT": str(self._names_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "NOTIFY_SOCKET": str(self._folder / "unheard"),  # then the script becomes the server
            "RABBITMQ_NODENAME": "test@localhost",
            "RABBITMQ_DIST_PORT": str(distribution),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": str(self._folder / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(self._folder / "data"),
            "RABBITMQ_LOG_BASE": str(self._folder),
            "RABBITMQ_LOGS": "-",
            # Schedulers that spin for work would take both cores from the tests.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none",
        }
        self._names = self._spawn(["epmd", "-port", str(self._names_port), "-address", "127.0.0.1"])
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start on the same port as before, wait until it answers."""
        self._server = self._spawn([str(_PROGRAM)])
        wait_until(self._answers, _SECONDS, self.log(), pause=0.2)

    def kill(self) -> None:
        """SIGKILL; durable queues and their confirmed messages stay."""
        self._end(self._server, signal.SIGKILL)
        self._server = None

    def remove(self) -> None:
        """Stop and delete everything."""
        self.kill()
        self._end(self._names, signal.SIGKILL)
        shutil.rmtree(self._folder)

    def log(self) -> str:
        log = self._folder / "log"
        return log.read_text(errors="replace")[-3000:] if log.exists() else ""

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}-{os.getpid()}-{next(_NUMBERS)}"

    def drop_database(self, name: str) -> None:
        """Queues are deleted with the server."""

    def options(self, database: str, **more: object) -> Any:
        place = {"host": "127.0.0.1", "port": self.port, "user": "guest", "password": "guest", "topics": database}
        more = {"routing": f"{database}.{{table}}", **more}
        return RabbitOptions(**{**place, **self.given, **more})  # type: ignore[arg-type]

    @contextmanager
    def channel(self, user: str = "guest", password: str = "guest") -> Iterator[BlockingChannel]:
        """That confirms what is published."""
        secured = pika.SSLOptions(self._context, "localhost") if self._context else None
        account = pika.PlainCredentials(user, password)
        place = pika.ConnectionParameters("127.0.0.1", self.port, credentials=account, ssl_options=secured)
        with pika.BlockingConnection(place) as connection:
            channel = connection.channel()
            channel.confirm_delivery()
            yield channel

    def create(self, queue: str, kind: str = "quorum", **arguments: object) -> None:
        with self.channel() as channel:
            channel.queue_declare(queue, durable=True, arguments={"x-queue-type": kind, **arguments})

    def delete(self, queue: str) -> None:
        with self.channel() as channel:
            channel.queue_delete(queue)

    def put(
        self, queue: str, values: Iterable[bytes], headers: Mapping[str, object] | None = None, **more: Any
    ) -> None:
        """Publish; returns when the broker has confirmed all."""
        properties = pika.BasicProperties(delivery_mode=2, headers=dict(headers or {}), **more)
        with self.channel() as channel:
            for value in values:
                channel.basic_publish("", queue, value, properties, mandatory=True)

    def create_stream(self, name: str) -> None:
        """Its first messages (see `put_many`) are segments of their own, so that `forget` can have them."""
        self.create(name, "stream", **{"x-stream-max-segment-size-bytes": _SEGMENT_BYTES})

    def put_many(self, stream: str, values: Sequence[bytes], begin: int = 0) -> list[int]:
        """As `put`, to a stream that has nothing from an offset on; returns the offsets. The first ones fill a segment
        each, the others are confirmed together with the last."""
        self.put(stream, values[:_ALONE], {"filling": "x" * _SEGMENT_BYTES})
        with self.channel() as confirming, confirming.connection.channel() as channel:
            for value in values[_ALONE:-1]:
                channel.basic_publish("", stream, value)
            channel.confirm_delivery()
            for value in values[_ALONE:][-1:]:
                channel.basic_publish("", stream, value, mandatory=True)
        found: list[int] = []

        def is_there() -> bool:
            found[:] = self.offsets(stream, begin)
            return len(found) == len(values)

        wait_until(is_there, _SECONDS, f"{len(values)} messages")
        return found

    def offsets(self, stream: str, begin: int) -> list[int]:
        """Of all messages from an offset on."""
        return [_offset(properties) for properties, _ in self._read(stream, begin)]

    def bodies(self, stream: str) -> list[bytes]:
        """Of all messages."""
        return [body for _, body in self._read(stream, 0)]

    def serves(self, stream: str) -> bool:
        """Whether it can be read: not at once after a start."""
        try:
            self._read(stream, 0)
        except ChannelClosedByBroker:
            return False
        return True

    def _read(self, stream: str, begin: int) -> list[tuple[pika.BasicProperties, bytes]]:
        """What comes without a pause."""
        found: list[tuple[pika.BasicProperties, bytes]] = []
        with self.channel() as channel:
            channel.basic_qos(prefetch_count=65535)
            place = {"x-stream-offset": begin}
            channel.basic_consume(stream, lambda _1, _2, *one: found.append(one), arguments=place)
            count = -1
            while len(found) > count:
                count = len(found)
                channel.connection.process_data_events(0.2)
            channel._consumer_infos.clear()  # messages of a stream cannot be rejected
        return found

    def forget(self, stream: str, before: int) -> None:
        """Remove a stream's segments before an offset, as its retention does."""
        (folder,) = (self._folder / "data").glob(f"**/*_{stream}_*/")
        for index, following in itertools.pairwise(sorted(folder.glob("*.index"))):
            if int(following.stem) <= before:
                index.unlink()
                index.with_suffix(".segment").unlink()

    def take(self, queue: str) -> list[tuple[pika.BasicProperties, bytes]]:
        """All messages that are ready, which leave the queue."""
        found: list[tuple[pika.BasicProperties, bytes]] = []
        with self.channel() as channel:
            while True:
                method, properties, body = channel.basic_get(queue, auto_ack=True)
                if method is None:
                    return found
                found.append((properties, body))

    def count(self, queue: str) -> int:
        """Messages that are ready."""
        with self.channel() as channel:
            return int(channel.queue_declare(queue, passive=True).method.message_count)

    def control(self, *arguments: str) -> None:
        """The broker's own command."""
        command = [str(_PROGRAM.with_name("rabbitmqctl")), "-q", *arguments]
        subprocess.run(command, env=self._environment, check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL)

    def _configure(self, settings: Iterable[str], certificate: tuple[bytes, bytes] | None) -> None:
        lines = ["loopback_users.guest = true", "disk_free_limit.absolute = 10MB", "log.console.level = warning"]
        lines.append(f"listeners.tcp.default = 127.0.0.1:{self.port}" if not certificate else "listeners.tcp = none")
        if certificate:
            for name, content in zip(("certificate", "key"), certificate, strict=True):
                (self._folder / name).write_bytes(content)
            self._context = ssl.create_default_context(cadata=certificate[0].decode())
            self._context.verify_flags &= ~ssl.VERIFY_X509_STRICT
            lines += [
                f"listeners.ssl.default = 127.0.0.1:{self.port}",
                f"ssl_options.certfile = {self._folder}/certificate",
                f"ssl_options.keyfile = {self._folder}/key",
                "ssl_options.versions.1 = tlsv1.2",
            ]
        (self._folder / "rabbitmq.conf").write_text("\n".join([*lines, *settings]) + "\n")

    def _spawn(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )

    def _answers(self) -> bool:
        """It takes connections once it has started."""
        assert self._server is not None
        assert self._server.poll() is None, self.log()
        try:
            socket.create_connection(("127.0.0.1", self.port), _SECONDS).close()
        except OSError:
            return False
        return True

    def _end(self, process: "subprocess.Popen[bytes] | None", how: signal.Signals) -> None:
        if process is not None:
            process.send_signal(how)
            process.wait(_SECONDS)


def _offset(properties: pika.BasicProperties) -> int:
    assert properties.headers is not None
    return int(properties.headers["x-stream-offset"])


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
