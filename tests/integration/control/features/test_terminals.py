"""Shells on hosts and logs of services: permissions, ends, records in the operation log."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused
from tests.integration.control.features.people import administrator_of
from tests.servers.ssh import PASSWORD, USER, SshHost, ssh_host
from tests.support.control_plane import ControlPlane
from tests.support.processes import wait_until
from zcbus.agent.logs import LogAbsent, read_log, search_log
from zcbus.control.platform import sockets
from zcbus.protocol.base import Message
from zcbus.protocol.requests import ReadLog

GET, UPDATE = "container/machine/list/get/by/deviceId", "container/machine/list/update"
OPEN_SHELL, OPEN_LOG = "container/terminal/ssh/open", "container/terminal/log/open"
OPEN_HOST_LOG = "container/host/log/open"
DEVICE = {"deviceId": "fake-agent"}


@pytest.fixture
def host() -> Iterator[SshHost]:
    with ssh_host() as running:
        yield running


@pytest.fixture
def known(host: SshHost, admin: Caller, agent: FakeAgent) -> SshHost:
    """A host that the platform can sign in to."""
    admin.call(UPDATE, form(host))
    return host


def form(machine: SshHost, **changes: Any) -> dict[str, Any]:
    return {**DEVICE, "host": "127.0.0.1", "port": machine.port, "user": USER, "password": PASSWORD, **changes}


def opened(plane: ControlPlane, ticket: dict[str, Any], origin: str = "") -> AbstractContextManager[ClientConnection]:
    return connect(
        plane.address.replace("http", "ws", 1) + ticket["path"],
        subprotocols=["zcbus", ticket["ticket"]],  # type: ignore[list-item]
        origin=(origin or plane.address),  # type: ignore[arg-type]
        proxy=None,
    )


def heard(socket: ClientConnection, wanted: str) -> str:
    """Everything up to and including `wanted`."""
    text = ""
    while wanted not in text:
        frame = socket.recv(timeout=15)
        text += frame if isinstance(frame, str) else f"[{frame.decode()}]"
    return text


def newest(admin: Caller, action: str) -> dict[str, Any]:
    (record, *_) = admin.call("monitor/operation-log/page", {"search": action})["records"]
    detail: dict[str, Any] = admin.call("monitor/operation-log/get", {"id": record["id"]})
    return detail


def test_how_to_sign_in_is_kept_once_it_has_worked(host: SshHost, admin: Caller, agent: FakeAgent) -> None:
    empty = admin.call(GET, DEVICE)
    assert (empty["host"], empty["port"], empty["passwordKept"], empty["hostKey"]) == ("here", 22, False, "")
    assert admin.refused(UPDATE, form(host, password="wrong"))["data"]["error"] == "machine-refused"
    assert admin.refused(UPDATE, form(host, port=1))["data"]["error"] == "machine-unreachable"
    assert admin.refused(UPDATE, form(host, password=""))["data"]["error"] == "machine-password-needed"
    assert admin.call(GET, DEVICE) == empty
    kept = admin.call(UPDATE, form(host))
    assert kept == admin.call(GET, {**DEVICE, "decrypt": True})
    assert (kept["user"], kept["password"], kept["passwordKept"]) == (USER, "", True)
    assert kept["hostKey"].startswith("SHA256:")
    assert admin.call(UPDATE, form(host, password=""))["updatedAt"]
    # The stored password cannot be sent to another server.
    assert (
        admin.refused(UPDATE, form(host, password="", host="localhost"))["data"]["error"] == "machine-password-needed"
    )
    assert PASSWORD not in json.dumps(newest(admin, "machine_update"))


def test_without_a_device_the_only_host_is_meant(host: SshHost, admin: Caller, agent: FakeAgent) -> None:
    as_specified = form(host)
    del as_specified["deviceId"]
    assert admin.call(UPDATE, as_specified) == admin.call(GET, DEVICE)
    agent.stop()
    admin.plane.clock.advance(timedelta(minutes=30))
    admin.call("container/host/delete", DEVICE)
    refused = admin.refused(UPDATE, as_specified)
    assert (refused["data"]["error"], refused["message"]) == ("agent-choice-needed", "Choose a host: there are 0")


def test_another_key_is_not_trusted_until_a_user_vouches_for_it(known: SshHost, admin: Caller) -> None:
    known.new_key()
    refused = admin.refused(UPDATE, form(known))
    assert refused["data"]["error"] == "machine-key-changed"
    with opened(admin.plane, admin.call(OPEN_SHELL, DEVICE)) as socket:
        assert json.loads(socket.recv(timeout=15))["end"] == "machine-key-changed"
    assert known.opened == 0
    shown = refused["data"]["facts"]["shown"]
    assert admin.call(UPDATE, form(known, hostKey=shown))["hostKey"] == shown


def test_a_shell_passes_text_and_size_and_stays_in_the_log(known: SshHost, admin: Caller) -> None:
    with opened(admin.plane, admin.call(OPEN_SHELL, DEVICE)) as socket:
        assert "你好 $ " in heard(socket, "$ ")
        socket.send("größe\r")
        assert "<größe>" in heard(socket, ">")
        socket.send(json.dumps({"resize": [132, 50]}).encode())
        socket.send("size\r")
        assert "132x50" in heard(socket, "x50")
        socket.send("exit\r")
        assert '"end":"shell-ended"' in heard(socket, "shell-ended")
    assert newest(admin, "terminal_open_shell")["subject"] == "here"
    wait_until(lambda: "terminal_shell" in actions(admin), 10, "the end is recorded")
    ended = newest(admin, "terminal_shell")
    assert (ended["userName"], ended["subject"], ended["after"]["ended"]) == ("admin", "fake-agent", "ended")
    assert ended["after"]["seconds"] >= 0


def actions(admin: Caller) -> list[str]:
    return [record["action"] for record in admin.call("monitor/operation-log/page", {"size": 20})["records"]]


def test_a_ticket_opens_one_socket_of_its_own_page_at_once(known: SshHost, admin: Caller, plane: ControlPlane) -> None:
    ticket = admin.call(OPEN_SHELL, DEVICE)
    with opened(plane, ticket) as socket:
        heard(socket, "$ ")
    elsewhere = admin.call(OPEN_SHELL, DEVICE)
    late = admin.call(OPEN_SHELL, DEVICE)
    for wrong, origin in (
        (ticket, ""),
        ({**ticket, "ticket": "made-up"}, ""),
        ({**elsewhere, "path": "/ws/docker/fake-agent"}, ""),
        (admin.call(OPEN_SHELL, DEVICE), "http://evil.example"),
    ):
        with pytest.raises(InvalidStatus), opened(plane, wrong, origin):
            pass
    plane.clock.advance(timedelta(seconds=31))
    with pytest.raises(InvalidStatus), opened(plane, late):
        pass
    assert known.opened == 1


def test_a_shell_ends_with_its_session_and_without_input(
    known: SshHost, admin: Caller, plane: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "CHECK_SECONDS", 0.1)
    with opened(plane, admin.call(OPEN_SHELL, DEVICE)) as socket:
        heard(socket, "$ ")
        assert plane.post("sys/authentication/logout", {}, admin.token).status_code == 200
        assert '"end":"session-revoked"' in heard(socket, "session-revoked")
    again = Caller(plane, plane.sign_in())
    monkeypatch.setattr(sockets, "IDLE_SECONDS", 0.3)
    with opened(plane, again.call(OPEN_SHELL, DEVICE)) as socket:
        assert '"end":"socket-idle"' in heard(socket, "socket-idle")


def test_hosts_are_the_whole_platforms(known: SshHost, plane: ControlPlane) -> None:
    south = administrator_of(plane, "south")
    for path in (GET, OPEN_SHELL):
        assert south.refused(path, DEVICE)["code"] == 40103
    assert south.refused(UPDATE, form(known))["code"] == 40103


@pytest.fixture
def service(admin: Caller, agent: FakeAgent, tmp_path: Path) -> str:
    """A service whose log the agent reads as the real one does."""

    def read(request: ReadLog) -> Message:
        try:
            return read_log(tmp_path, request)
        except LogAbsent as error:
            raise Refused(error.code) from error

    agent.handlers["read-log"] = read
    admin.call("sync/link/apply", {"document": document()})
    wait_until(lambda: agent.orders is not None and bool(agent.orders.orders), 10, "the agent has the services")
    service_id: str = admin.call("container/service/list")[0]["id"]
    (tmp_path / "logs").mkdir()
    return service_id


def test_a_log_is_shown_followed_and_read_whole(service: str, admin: Caller, tmp_path: Path) -> None:
    ticket = admin.call(OPEN_LOG, {"deviceId": service})
    file = tmp_path / "logs" / ticket["logFile"]
    with opened(admin.plane, ticket) as socket:
        socket.send(f"cat '{ticket['logFile']}'")
        assert '"error":"log-absent"' in heard(socket, "log-absent")
        # More than the agent reads at once.
        lines = [f"line {number} é" for number in range(40_000)]
        file.write_text("\n".join(lines) + "\n", "utf-8")
        socket.send(f"tail -n 2 '{ticket['logFile']}'")
        assert heard(socket, '"done"').startswith("line 39998 é\nline 39999 é\n")
        socket.send(f"cat '{ticket['logFile']}'")
        assert heard(socket, '[{"done":"cat"}]').split("[")[0] == file.read_text("utf-8")
        socket.send(f"tail -n 1 -f '{ticket['logFile']}'")
        heard(socket, "line 39999")
        with file.open("a") as log:
            log.write("a new one\n")
        assert "a new one" in heard(socket, "new one")
        file.write_text("begun again\n")
        assert "begun again" in heard(socket, "again")


def test_no_other_file_and_no_other_command(service: str, admin: Caller) -> None:
    ticket = admin.call(OPEN_LOG, {"deviceId": service})
    other = f"cat {ticket['logFile']}; ls"
    with opened(admin.plane, ticket) as socket:
        for command in ("cat /etc/passwd", "cat '../keys'", "tail -n 1 -f 'x.log'", "ls", other, "cat 'open"):
            socket.send(command)
            assert '"error":"log-command"' in heard(socket, "log-command")


def test_the_log_of_an_agent_is_shown_and_searched(
    service: str, admin: Caller, agent: FakeAgent, tmp_path: Path
) -> None:
    agent.handlers["search-log"] = lambda request: search_log(tmp_path, request)
    (tmp_path / "logs" / "agent.log").write_text('{"event": "worker-stuck", "level": "warning"}\nplain\n')
    ticket = admin.call(OPEN_HOST_LOG, DEVICE)
    assert ticket["logFile"] == "agent.log"
    with opened(admin.plane, ticket) as socket:
        socket.send("cat agent.log")
        assert heard(socket, '"done"').startswith('{"event": "worker-stuck"')
        socket.send(f"cat {service}.log")
        assert '"error":"log-command"' in heard(socket, "log-command")
    found = admin.call("container/host/log/search", {**DEVICE, "text": "STUCK", "level": "warning"})
    assert (len(found["lines"]), found["more"]) == (1, False)
    south = administrator_of(admin.plane, "south")
    assert south.refused(OPEN_HOST_LOG, DEVICE)["code"] == 40103


def test_logs_stay_in_their_tenant(service: str, plane: ControlPlane) -> None:
    assert administrator_of(plane, "south").refused(OPEN_LOG, {"deviceId": service})["code"] == 404
