"""A private Kafka broker (KRaft, one node) in a temporary folder, or the one that ZCBUS_TEST_KAFKA names."""

import base64
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from tests.servers.maven import ServerNotAvailable, made_once, with_dependencies
from tests.support.processes import die_with_parent
from tests.support.proxy import Proxy
from zcbus.kit.bus_settings import BusSettings

_JAVA = (
    "-Xmx320m",
    "-Xms128m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
)
_PASSWORD = "broker-secret"
_JAAS = "org.apache.kafka.common.security"
_WATCHED = "WATCHED"
_LISTENERS = {
    "PLAINTEXT": "PLAINTEXT",
    _WATCHED: "PLAINTEXT",
    "SASL": "SASL_PLAINTEXT",
    "TLS": "SSL",
    "SASLTLS": "SASL_SSL",
}


class Broker(Protocol):
    """What tests need of a broker."""

    wire: Proxy | None
    """Keeps what clients say to the broker; None where the traffic is not recorded."""

    def settings(self, prefix: str) -> BusSettings:
        """Settings of an installation whose topics begin with `prefix`."""

    def watched(self, prefix: str) -> BusSettings:
        """The same for an installation whose connections all go over `wire`, if there is one."""

    def servers(self) -> str:
        """`host:port,…` without security."""


class NamedBroker:
    """A broker that runs somewhere: `host:port,…` without security."""

    wire: Proxy | None = None

    def __init__(self, servers: str) -> None:
        self._servers = servers

    def servers(self) -> str:
        return self._servers

    def settings(self, prefix: str) -> BusSettings:
        return BusSettings(f"kafka://{self._servers}/{prefix}")

    def watched(self, prefix: str) -> BusSettings:
        return self.settings(prefix)


class KafkaServer:
    """Started by the constructor. Listens in clear, with SASL (PLAIN and SCRAM, user `zcbus`), and, where a PEM file
    with key and certificate is given, with TLS and with both. Raises ServerNotAvailable."""

    user, password = "zcbus", _PASSWORD

    def __init__(self, tls_pem: bytes | None = None) -> None:
        if shutil.which("java") is None:
            raise ServerNotAvailable("java is not installed (Debian package default-jre-headless)")
        self._archives = with_dependencies(Path(__file__).with_name("kafka.xml"))
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-kafka-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._tls = tls_pem is not None
        names = (*self._names, "CONTROLLER")
        self._ports = dict(zip(names, _free_ports(len(names)), strict=True))
        self.wire: Proxy | None = Proxy(self._ports[_WATCHED], keeps=True)
        # The broker sends clients of this listener to the proxy, so that no connection goes past it.
        self._advertised = {**self._ports, _WATCHED: self.wire.port}
        if tls_pem is not None:
            (self._folder / "server.pem").write_bytes(tls_pem)
        (self._folder / "server.properties").write_text(self._properties())
        self._format()
        self.start()

    @property
    def _names(self) -> list[str]:
        return [name for name in _LISTENERS if self._tls or "TLS" not in name]

    def servers(self, listener: str = "PLAINTEXT") -> str:
        """`host:port` of a listener: PLAINTEXT, SASL, TLS, SASLTLS."""
        return f"localhost:{self._advertised[listener]}"

    def settings(self, prefix: str) -> BusSettings:
        return BusSettings(f"kafka://{self.servers()}/{prefix}")

    def watched(self, prefix: str) -> BusSettings:
        return BusSettings(f"kafka://{self.servers(_WATCHED)}/{prefix}")

    def secured(self, prefix: str, security: str, sasl: str = "PLAIN", ca: str = "") -> BusSettings:
        """Settings for `sasl`, `tls` or `sasl+tls`."""
        listener = {"sasl": "SASL", "tls": "TLS", "sasl+tls": "SASLTLS"}[security]
        settings = BusSettings(f"kafka://{self.servers(listener)}/{prefix}", security, ca=ca)
        return replace(settings, sasl=sasl, user=self.user, password=self.password)

    def start(self) -> None:
        """Start on the same ports as before, wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._java("kafka.Kafka", str(self._folder / "server.properties")),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self._wait_until_it_answers()

    def stop(self) -> None:
        """Stop in order; its data stays."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL; its data stays."""
        self._end(signal.SIGKILL)

    def remove(self) -> None:
        """Stop and delete everything."""
        self.kill()
        if self.wire is not None:
            self.wire.close()
        shutil.rmtree(self._folder)

    @property
    def log(self) -> Path:
        """The broker's own log."""
        return self._folder / "log"

    def _java(self, program: str, *arguments: str) -> list[str]:
        return ["java", *_JAVA, "-cp", f"{self._archives}/*", program, *arguments]

    def _properties(self) -> str:
        listeners = ",".join(f"{name}://127.0.0.1:{port}" for name, port in self._ports.items())
        advertised = ",".join(f"{name}://localhost:{self._advertised[name]}" for name in self._names)
        protocols = ",".join(f"{name}:{_LISTENERS.get(name, 'PLAINTEXT')}" for name in self._ports)
        login = f'username="{self.user}" password="{self.password}"'
        lines = [
            "process.roles=broker,controller",
            "node.id=1",
            f"controller.quorum.voters=1@127.0.0.1:{self._ports['CONTROLLER']}",
            "controller.listener.names=CONTROLLER",
            f"listeners={listeners}",
            f"advertised.listeners={advertised}",
            f"listener.security.protocol.map={protocols}",
            "inter.broker.listener.name=PLAINTEXT",
            f"log.dirs={self._folder}/data",
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "transaction.state.log.num.partitions=1",
            # A broker that was killed is let in again once its last session is over.
            "broker.heartbeat.interval.ms=500",
            "broker.session.timeout.ms=2000",
            "sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
        ]
        for name in self._names:
            if "SASL" in name:
                prefix = f"listener.name.{name.lower()}"
                lines += [
                    f"{prefix}.plain.sasl.jaas.config={_JAAS}.plain.PlainLoginModule required "
                    f'user_{self.user}="{self.password}" {login};',
                    f"{prefix}.scram-sha-256.sasl.jaas.config={_JAAS}.scram.ScramLoginModule required {login};",
                    f"{prefix}.scram-sha-512.sasl.jaas.config={_JAAS}.scram.ScramLoginModule required {login};",
                ]
        if self._tls:
            lines += ["ssl.keystore.type=PEM", f"ssl.keystore.location={self._folder}/server.pem"]
        return "\n".join(lines) + "\n"

    def _format(self) -> None:
        users = [
            part
            for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512")
            for part in ("--add-scram", f"{mechanism}=[name={self.user},password={self.password}]")
        ]
        name = f"{self._archives.name}-{zlib.crc32(repr(users).encode()):08x}.data"
        empty = made_once(name, lambda folder: self._keep_formatted(users, folder))
        shutil.copytree(empty, self._folder / "data")

    def _keep_formatted(self, users: list[str], folder: Path) -> None:
        """A folder that takes seconds to make, for all brokers to begin with."""
        # A random name may begin with a hyphen, which the program takes for an option.
        cluster = base64.urlsafe_b64encode(b"zcbus-test-kafka").decode().rstrip("=")
        properties = str(self._folder / "server.properties")
        command = self._java("kafka.tools.StorageTool", "format", "-t", cluster, "-c", properties, *users)
        done = subprocess.run(command, check=False, capture_output=True, cwd=self._folder, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")
        shutil.move(self._folder / "data", folder)

    def _wait_until_it_answers(self, seconds: float = 90.0) -> None:
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient

        deadline = time.monotonic() + seconds
        client = AdminClient({"bootstrap.servers": self.servers(), "log_level": 0, "reconnect.backoff.max.ms": 100})
        while True:
            try:
                if client.list_topics(timeout=1).brokers:
                    return
            except KafkaException:
                if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(self.log.read_text(errors="replace")[-3000:]) from None

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None


def open_broker() -> Broker:
    """The broker to test with; a KafkaServer is to be removed by the caller. Raises ServerNotAvailable."""
    named = os.environ.get("ZCBUS_TEST_KAFKA")
    return NamedBroker(named) if named else KafkaServer()


def _free_ports(count: int) -> list[int]:
    """All different: one that was given back at once might be had twice."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
