"""Control plane and agents speak TLS by the platform's own authority; hosts' tokens need their certificates."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.processes import wait_until

from zcbus.agent.identity import own_id
from zcbus.agent.main import Agent, AgentOptions
from zcbus.cli import fork_server
from zcbus.cli.http import ApiError
from zcbus.cli.joining import agent_options
from zcbus.cli.main import build_parser
from zcbus.kit.certificates import make_authority, make_request, make_server_certificate
from zcbus.kit.clock import SystemClock
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.settings import load_settings
from zcbus.kit.tls import TlsSettings, trusted_by
from zcbus.protocol.agent import Join


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[ControlPlane]:
    with control_plane(tmp_path, tls="on") as running:
        yield running


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZCBUS_TOKEN", raising=False)
    monkeypatch.delenv("ZCBUS_URL", raising=False)


def call(plane: ControlPlane, path: str, body: Any) -> Any:
    answer = plane.post(f"container/cluster/{path}", body, plane.local_token()).json()
    assert answer["code"] == 200, answer
    return answer["data"]


def options_of(folder: Path, *arguments: str) -> AgentOptions:
    settings = load_settings({"ZCBUS_DATA_DIR": str(folder)})
    return agent_options(build_parser().parse_args(["agent", *arguments]), settings)


@contextmanager
def running(options: AgentOptions) -> Iterator[None]:
    held: list[Any] = []
    started = threading.Event()

    async def run() -> None:
        agent = Agent(options, ForkServer(fork_server.COMMAND))
        held.extend((agent, asyncio.get_running_loop()))
        started.set()
        await agent.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert started.wait(20)
    try:
        yield
    finally:
        held[1].call_soon_threadsafe(held[0].stop)
        thread.join(30)


def test_a_host_joins_over_tls_and_its_token_needs_its_certificate(plane: ControlPlane, tmp_path: Path) -> None:
    offer = call(plane, "add", {"containerName": "east", "displayName": "East"})
    folder = tmp_path / "host"
    options = options_of(folder, "--url", plane.address, "--join", offer["token"])
    assert isinstance(options.trusted, ssl.SSLContext)

    def hosts() -> Any:
        return call(plane, "customer/getContainerInfo", {"id": offer["id"]})["agents"]

    with running(options):
        wait_until(lambda: bool(hosts()), 30, "the host is known")
    stolen = {"ZCBUS-TOKEN": options.token}
    body = {"agent": own_id(folder / "agent")}
    with httpx.Client(base_url=plane.address, headers=stolen, verify=options.trusted, trust_env=False) as own:
        assert own.post("/api/zcbus/agent/news", json={"agent": "another"}).json()["data"]["error"] == "agent-unknown"
    with httpx.Client(base_url=plane.address, headers=stolen, verify=False, trust_env=False) as elsewhere:
        answer = elsewhere.post("/api/zcbus/agent/news", json=body)
    assert (answer.status_code, answer.json()["data"]["error"]) == (403, "certificate-needed")
    again = call(plane, "add", {"containerName": "west", "displayName": "West"})
    other = options_of(tmp_path / "other", "--url", plane.address, "--join", again["token"])
    with httpx.Client(base_url=plane.address, headers=stolen, verify=other.trusted, trust_env=False) as another:
        assert another.post("/api/zcbus/agent/news", json=body).json()["data"]["error"] == "certificate-needed"


def test_a_host_joins_no_platform_that_its_token_is_not_of(plane: ControlPlane, tmp_path: Path) -> None:
    token = call(plane, "add", {"containerName": "east", "displayName": "East"})["token"]
    secret, _, pin = token.partition(".")
    assert len(pin) == 64
    with pytest.raises(ApiError, match="is not the platform"):
        options_of(tmp_path / "one", "--url", plane.address, "--join", f"{secret}.{'0' * 64}")
    with pytest.raises(ApiError, match="cannot be reached"):
        options_of(tmp_path / "two", "--url", plane.address, "--join", secret)


def test_a_request_for_a_certificate_is_proven_by_its_key(plane: ControlPlane) -> None:
    token = call(plane, "add", {"containerName": "east", "displayName": "East"})["token"].partition(".")[0]
    message = Join(token=token, agent="one", host="here", bus="", certificate_request="not one").model_dump(mode="json")
    assert plane.post("agent/join", message).json()["data"]["error"] == "certificate-request-refused"
    request, _ = make_request("localhost")
    message = Join(token=token, agent="one", host="here", bus="", certificate_request=request.decode())
    assert plane.post("agent/join", message.model_dump(mode="json")).json()["data"]["certificate"]


def test_clients_in_clear_and_clients_of_another_authority_get_nothing(plane: ControlPlane, tmp_path: Path) -> None:
    with pytest.raises(httpx.HTTPError):
        httpx.get(plane.address.replace("https:", "http:") + "/healthz", trust_env=False)
    stranger = trusted_by(plane.address, tmp_path / "nowhere", TlsSettings())
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{plane.address}/healthz", verify=stranger, trust_env=False)
    local = trusted_by(plane.address, plane.data_dir, TlsSettings())
    assert httpx.get(f"{plane.address}/healthz", verify=local, trust_env=False).status_code == 200
    for name in ("ca.key", "server.key"):
        assert (plane.data_dir / "tls" / name).stat().st_mode & 0o777 == 0o600


def test_a_given_certificate_is_served_and_programs_of_this_host_take_it(tmp_path: Path) -> None:
    now = SystemClock().now()
    authority = make_authority(now, "somebody's")
    pair = make_server_certificate(authority, now, ["bus.example"])
    files = tmp_path / "given.pem", tmp_path / "given.key"
    files[0].write_bytes(pair.certificate)
    files[1].write_bytes(pair.key)
    given = TlsSettings(certificate=str(files[0]), key=str(files[1]))
    with control_plane(tmp_path, tls_certificate=str(files[0]), tls_key=str(files[1])) as plane:
        assert plane.address.startswith("https:")
        trusted = trusted_by(plane.address, plane.data_dir, given)
        assert httpx.get(f"{plane.address}/healthz", verify=trusted, trust_env=False).status_code == 200
        assert "." not in call(plane, "add", {"containerName": "east", "displayName": "East"})["token"]


@pytest.mark.parametrize(("tls", "scheme", "warned"), [("auto", "https:", False), ("off", "http:", True)])
def test_clear_text_beyond_this_host_is_asked_for_and_warned_of(
    tmp_path: Path, tls: str, scheme: str, warned: bool
) -> None:
    with capture_logs() as lines, control_plane(tmp_path, host="0.0.0.0", tls=tls) as plane:
        assert plane.address.startswith(scheme)
        assert plane.client.get("/ca.pem").status_code == (404 if warned else 200)
    assert any(line["event"] == "plain-http" and line["log_level"] == "warning" for line in lines) is warned
