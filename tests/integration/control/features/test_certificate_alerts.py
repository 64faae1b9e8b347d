"""TLS certificates near their end are alerts, by stages, until others are in their place."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.clock import MovableClock
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.notice_receivers import WebReceiver, web_receiver
from zcbus.agent.certificates import CertificateEnds
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.notification.dispatch import deliver
from zcbus.control.platform.certificates import read_own
from zcbus.kit.certificates import SERVER_LIFETIME, make_authority, make_server_certificate
from zcbus.kit.clock import SystemClock
from zcbus.protocol.agent import CertificateEnd


@pytest.fixture
def hook(admin: Caller) -> Iterator[WebReceiver]:
    with web_receiver() as server:
        receiver = {"way": "webhook", "name": "hook", "secret": "s", "language": "en", "minLevel": 0}
        admin.call("sys/notice/receiver/add", {**receiver, "url": server.url()})
        yield server


def open_alerts(plane: ControlPlane) -> list[tuple[int, str, str]]:
    """Level, text and remedy of the open alerts about certificates, after a check of the platform."""
    evaluate(plane.services)
    deliver(plane.services)
    records = Caller(plane, plane.sign_in()).call("sys/alarmmsg/page", {"open": True})["records"]
    return [(one["level"], one["content"], one["remedy"]) for one in records if one["kind"] == "certificate-ending"]


def test_a_certificate_of_a_host_is_an_alert_at_30_7_and_1_days(
    plane: ControlPlane, admin: Caller, agent: FakeAgent, hook: WebReceiver
) -> None:
    def passed(days: float) -> list[int]:
        plane.clock.advance(timedelta(days=days))
        agent.sync(certificates=(gateway,))
        return [level for level, _, _ in open_alerts(plane)]

    ends_at = plane.clock.now() + timedelta(days=31)
    gateway = CertificateEnd(use="gateway", file="/etc/zcbus/shop.pem", ends_at=ends_at)
    assert passed(0) == []
    assert passed(2) == [0]
    admin = Caller(plane, plane.sign_in())
    (raised,) = admin.call("sys/alarmmsg/page", {"open": True})["records"]
    admin.call("sys/alarmmsg/acknowledge", {"id": raised["id"]})
    assert passed(1) == [0]
    for days, level in ((22, 1), (6, 3), (2, 3)):
        assert passed(days) == [level]
    # Who acknowledged the first stage is notified of the others.
    kinds = [one.json["occasion"] for one in hook.taken if one.json["kind"] == "certificate-ending"]
    assert kinds == ["raised", "repeated", "repeated", "repeated"]
    (shown,) = open_alerts(plane)
    at = ends_at.isoformat(sep=" ", timespec="minutes")
    assert shown[1] == (
        f"The TLS certificate of the data services on host here (default) is valid until {at}: /etc/zcbus/shop.pem"
    )
    assert "Replace this file and that of ZCBUS_GATEWAY_KEY" in shown[2]
    # A sync that did not read the files changes nothing.
    agent.sync()
    assert len(open_alerts(plane)) == 1
    agent.sync(certificates=(gateway.model_copy(update={"ends_at": ends_at + timedelta(days=365)}),))
    assert open_alerts(plane) == []


def test_the_control_plane_reports_its_own_certificates(tmp_path: Path) -> None:
    given, key = tmp_path / "given.pem", tmp_path / "given.key"
    began = MovableClock().now()
    authority = make_authority(began, "test")

    def write(at: datetime) -> None:
        pair = make_server_certificate(authority, at, ["127.0.0.1"])
        given.write_bytes(pair.certificate)
        key.write_bytes(pair.key)

    write(began)
    with control_plane(tmp_path, tls_certificate=str(given), tls_key=str(key)) as plane:
        read_own(plane.services)
        assert open_alerts(plane) == []
        plane.clock.advance(SERVER_LIFETIME - timedelta(days=5))
        read_own(plane.services)
        ((level, text, remedy),) = open_alerts(plane)
        assert level == 1
        assert text.startswith("The TLS certificate of the control plane on host ")
        assert "within an hour, without a restart" in remedy
        write(plane.clock.now())
        read_own(plane.services)
        assert open_alerts(plane) == []
        # Another control plane over this store, that is gone.
        plane.clock.advance(SERVER_LIFETIME - timedelta(days=5))
        assert open_alerts(plane) == []


def test_an_issued_certificate_that_is_not_renewed_is_an_alert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with control_plane(tmp_path, tls="on") as plane:
        plane.clock.advance(SERVER_LIFETIME - timedelta(days=20))

        def refused(_: datetime) -> None:
            raise OSError("read-only file system")

        monkeypatch.setattr(plane.services.authority, "server_files", refused)
        read_own(plane.services)
        ((level, text, _),) = open_alerts(plane)
        assert (level, "issued by the platform" in text) == (0, True)
        monkeypatch.undo()
        read_own(plane.services)
        assert open_alerts(plane) == []


def test_an_agent_reads_its_certificates_once_a_minute(tmp_path: Path) -> None:
    class Clock(SystemClock):
        seconds = 0.0

        def monotonic(self) -> float:
            return self.seconds

    clock, file, broken = Clock(), tmp_path / "shop.pem", tmp_path / "broken.pem"
    broken.write_text("no certificate")
    ends = CertificateEnds({"agent": tmp_path / "missing.pem", "gateway": file, "other": broken}, clock)
    now = clock.now()
    file.write_bytes(make_server_certificate(make_authority(now, "a"), now, ["localhost"]).certificate)
    (end,) = ends.read() or ()
    assert (end.use, end.file) == ("gateway", str(file))
    assert abs(end.ends_at - (now + SERVER_LIFETIME)) < timedelta(seconds=2)
    assert ends.read() is None
    clock.seconds = 61
    file.unlink()
    assert ends.read() == ()
