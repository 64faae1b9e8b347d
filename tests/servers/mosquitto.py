"""A private MQTT broker in a temporary folder, and its topics as the suites see a server: a database is the first level
of topics."""

import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from tests.support.processes import die_with_parent, wait_until
from zcbus.connectors.mqtt.spec import MqttOptions

_SECONDS = 20.0
_NUMBERS = itertools.count(1)
_SETTINGS = ("max_queued_messages 0", "max_inflight_messages 0", "persistence true")


class MosquittoServer:
    """Started by the constructor. It writes sessions and messages to disk when it is stopped in order."""

    kind = "mqtt"
    schema = "rows"

    def __init__(self, *settings: str, is_anonymous: bool = True) -> None:
        """`settings`: further lines of its configuration."""
        self._program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        if self._program is None:
            pytest.skip("mosquitto is missing: Debian package mosquitto")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-mosquitto-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.given: dict[str, object] = {}
        """Options of tests besides the address."""
        account = "root" if os.getuid() == 0 else ""
        lines = [
            *(f"listener {self.port} 127.0.0.1", f"allow_anonymous {'true' if is_anonymous else 'false'}"),
            *(*_SETTINGS, f"persistence_location {self._folder}/", *settings),
            *([f"user {account}"] if account else []),
        ]
        (self._folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start on the same port as before, wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._program), "-v", "-c", str(self._folder / "mosquitto.conf")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        wait_until(self._answers, _SECONDS, lambda: (self._folder / "log").read_text()[-2000:])

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), _SECONDS).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop in order; its sessions stay."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL; what it saved at an orderly stop stays."""
        self._end(signal.SIGKILL)

    def lose_sessions(self) -> None:
        """As a broker that keeps nothing on disk and is restarted."""
        self.stop()
        for saved in self._folder.glob("mosquitto.db*"):
            saved.unlink()
        self.start()

    def remove(self) -> None:
        """Stop and delete everything."""
        self.kill()
        shutil.rmtree(self._folder)

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}-{os.getpid()}-{next(_NUMBERS)}"

    def drop_database(self, name: str) -> None:
        """Topics are not made."""

    def options(self, database: str, **more: object) -> Any:
        place = {"host": "127.0.0.1", "port": self.port, "topics": f"{database}/#"}
        more = {"destination": f"{database}/{{table}}", **more}
        return MqttOptions(**{**place, **self.given, **more})  # type: ignore[arg-type]

    @contextmanager
    def subscribed(self, topic_filter: str) -> Iterator[list[MQTTMessage]]:
        """The messages that come from now on, in their order."""
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        found: list[MQTTMessage] = []
        ready = threading.Event()
        client.on_message = lambda *given: found.append(given[2])
        client.on_subscribe = lambda *_: ready.set()
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        client.subscribe(topic_filter, 1)
        assert ready.wait(_SECONDS)
        yield found
        client.disconnect()
        client.loop_stop()

    def put(
        self,
        topic: str,
        values: Iterable[bytes],
        qos: int = 1,
        retain: bool = False,
        headers: Sequence[tuple[str, str]] = (),
        user: str = "",
        password: str = "",
    ) -> None:
        """Publish; returns when the broker has confirmed all."""
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        client.max_queued_messages_set(0)
        if user:
            client.username_pw_set(user, password)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        properties = Properties(PacketTypes.PUBLISH)
        if headers:
            properties.UserProperty = list(headers)
        sent = [client.publish(topic, value, qos, retain, properties) for value in values]
        for one in sent:
            one.wait_for_publish(_SECONDS)
            assert one.is_published()
        client.disconnect()
        client.loop_stop()

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_SECONDS)
            self._process = None
