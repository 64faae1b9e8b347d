"""A data service over TLS: clients that do not trust its certificate send nothing, and a renewed one is served."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.support.processes import wait_until

from zcbus.engine.task_box import TaskBox
from zcbus.gateway import server
from zcbus.gateway.service import DataService
from zcbus.kit.certificates import KeyPair, make_authority, make_server_certificate
from zcbus.kit.clock import SystemClock
from zcbus.kit.gateway_settings import GatewaySettings
from zcbus.protocol.data_service import DataServiceTask

NOW = SystemClock().now()


@contextmanager
def serving(certificate: Path, key: Path) -> Iterator[int]:
    task = DataServiceTask(service="svc", host="127.0.0.1", port=0, sources={}, apis=(), apps=())
    stop = threading.Event()
    service = DataService(TaskBox(task), stop, settings=GatewaySettings(certificate=str(certificate), key=str(key)))
    thread = threading.Thread(target=service.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: service.address is not None, 30, "the data service listens")
        assert service.address is not None
        yield service.address[1]
    finally:
        stop.set()
        thread.join(30)


def trusting(authority: KeyPair) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=authority.certificate.decode())
    return context


def answered(port: int, authority: KeyPair, host: str = "127.0.0.1") -> int:
    return httpx.get(f"https://{host}:{port}/-/healthz", verify=trusting(authority), timeout=30).status_code


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "shop.pem", tmp_path / "shop.key"


def write(files: tuple[Path, Path], authority: KeyPair) -> None:
    pair = make_server_certificate(authority, NOW, ["127.0.0.1"])
    files[0].write_bytes(pair.certificate)
    files[1].write_bytes(pair.key)


def test_a_client_refuses_a_certificate_of_another_authority_or_name(files: tuple[Path, Path]) -> None:
    authority, other = make_authority(NOW, "one"), make_authority(NOW, "two")
    write(files, authority)
    with serving(*files) as port:
        assert answered(port, authority) == 200
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            answered(port, other)
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            answered(port, authority, "localhost")
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/-/healthz", timeout=30)


def test_a_replaced_certificate_is_served_without_a_restart(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_CERTIFICATE_TICKS", 1)
    old, new = make_authority(NOW, "old"), make_authority(NOW, "new")
    write(files, old)

    def is_served(authority: KeyPair) -> bool:
        try:
            return answered(port, authority) == 200
        except httpx.ConnectError:
            return False

    with serving(*files) as port:
        assert is_served(old)
        # Half replaced: the one that is loaded stays.
        files[0].write_text("")
        assert is_served(old)
        write(files, new)
        wait_until(lambda: is_served(new), 30, "the new certificate is served")
