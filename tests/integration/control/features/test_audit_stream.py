"""The operation log reaches a file, syslog servers and a webhook: in order, each entry at least once."""

import hmac
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_audit_proof import tamper, write
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.notice_receivers import identity_files, web_receiver
from tests.support.syslog_receivers import datagram_server, stream_server
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.audit_stream import repository
from zcbus.control.features.audit_stream.receivers import WAYS
from zcbus.control.features.audit_stream.sending import send_new
from zcbus.control.features.operation_log.retention import remove_old
from zcbus.control.platform.audit import AuditNote
from zcbus.kit.certificates import make_authority

STREAMS = "monitor/operation-log/streams"
SECRET = "0123456789abcdef"
MESSAGE = re.compile(rb"<(\d+)>1 (\S+Z) (\S+) zcbus (\d+) (\S+) - (\{.*\})", re.DOTALL)


@contextmanager
def platform(tmp_path: Path, **settings: str) -> Iterator[tuple[ControlPlane, Caller]]:
    with control_plane(tmp_path / "platform", **settings) as plane:
        yield plane, Caller(plane, plane.sign_in())


def state(admin: Caller) -> dict[str, Any]:
    (found,) = admin.call(STREAMS)
    return dict(found)


def kinds(plane: ControlPlane, admin: Caller) -> list[str]:
    evaluate(plane.services)
    records = admin.call("sys/alarmmsg/page")["records"]
    return [one["kind"] for one in records if one["kind"] == "audit-stream" and one["recoveredTime"] is None]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_file_gets_every_entry_in_order_and_survives_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "audit.jsonl"
    with platform(tmp_path, audit_file=str(file)) as (plane, admin):
        write(plane, 450)
        send_new(plane.services, "file")
        sent = lines(file)
        assert [one["sequence"] for one in sent] == list(range(1, len(sent) + 1))
        assert sent[-1]["record"]["subject"] == "link 449"
        assert state(admin)["waiting"] == 0
        assert file.stat().st_mode & 0o777 == 0o600
        # The platform ends between sending and noting the position, and leaves a part of a line.
        write(plane, 2)
        with monkeypatch.context() as broken:
            broken.setattr(repository, "change", _end)
            with pytest.raises(KeyboardInterrupt):
                send_new(plane.services, "file")
        with file.open("a") as whole:
            whole.write('{"sequence": ')
        send_new(plane.services, "file")
        text = file.read_text("utf-8").splitlines()
        assert text[-3] == '{"sequence": '
        tail = [json.loads(line)["record"]["subject"] for line in [*text[-5:-3], *text[-2:]]]
        assert tail == ["link 0", "link 1", "link 0", "link 1"]


def _end(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_tcp_takes_framed_messages_and_a_reset_is_sent_again(tmp_path: Path) -> None:
    with (
        stream_server() as server,
        platform(tmp_path, audit_syslog=f"tcp://127.0.0.1:{server.port}") as (plane, admin),
    ):
        admin.refused("sync/link/delete", {"id": "x"})
        write(plane, 1, AuditNote(subject="名 \n x", after={"line": "a\nb"}))
        server.resets = True
        send_new(plane.services, "syslog")
        assert state(admin)["failure"]
        waiting = state(admin)["waiting"]
        assert waiting >= 2
        server.resets = False
        send_new(plane.services, "syslog")
        assert (state(admin)["waiting"], state(admin)["failure"]) == (0, None)
        assert len(server.messages) == waiting
        found = [MESSAGE.fullmatch(one) for one in server.messages]
        assert all(found)
        fields = [(int(one[1]), one[5].decode(), json.loads(one[6])) for one in found if one]
        failed = next(one for one in fields if one[1].startswith("sync-link_delete") and one[2]["record"]["errorCode"])
        assert failed[0] == 13 * 8 + 4
        assert fields[-1][0] == 13 * 8 + 5
        assert fields[-1][2]["record"]["subject"] == "名 \n x"
        assert [one[2]["sequence"] for one in fields] == sorted(one[2]["sequence"] for one in fields)


def test_tls_is_taken_from_a_trusted_server_only(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    authority = make_authority(now, "tests")
    trusted = tmp_path / "authority.pem"
    trusted.write_bytes(authority.certificate)
    identity = identity_files(authority, tmp_path, now, "127.0.0.1")
    with stream_server(identity) as server:
        address = f"tls://127.0.0.1:{server.port}"
        with platform(tmp_path / "one", audit_syslog=address) as (plane, admin):
            send_new(plane.services, "syslog")
            assert "certificate" in state(admin)["failure"]
            assert server.messages == []
        with platform(tmp_path / "two", audit_syslog=address, tls_trusted=str(trusted)) as (plane, admin):
            send_new(plane.services, "syslog")
            assert state(admin)["failure"] is None
            assert MESSAGE.fullmatch(server.messages[0])


def test_udp_takes_a_datagram_each_and_long_records_without_their_values(tmp_path: Path) -> None:
    with datagram_server() as receiver:
        address = f"udp://127.0.0.1:{receiver.getsockname()[1]}"
        with platform(tmp_path, audit_syslog=address) as (plane, _):
            write(plane, 1, AuditNote(subject="long", after={"text": "x" * 100_000}))
            send_new(plane.services, "syslog")
            last = b""
            while b'"long"' not in last:
                last = receiver.recv(65_536)
            found = MESSAGE.fullmatch(last)
            assert found
            record = json.loads(found[6])["record"]
            assert (record["after"], record["omitted"]) == (None, True)


def test_a_webhook_is_signed_and_a_lasting_failure_is_an_alert(tmp_path: Path) -> None:
    with web_receiver() as receiver:
        settings = {"audit_webhook": receiver.url(), "audit_webhook_secret": SECRET}
        with platform(tmp_path, **settings) as (plane, admin):
            receiver.status = 503
            send_new(plane.services, "webhook")
            shown = state(admin)
            assert (shown["failure"], shown["address"]) == ("HTTP 503", f"http://127.0.0.1:{receiver.port}")
            assert kinds(plane, admin) == []
            plane.clock.advance(timedelta(minutes=5))
            send_new(plane.services, "webhook")
            assert kinds(plane, admin) == ["audit-stream"]
            receiver.status = 204
            plane.clock.advance(timedelta(seconds=10))
            send_new(plane.services, "webhook")
            assert (state(admin)["waiting"], kinds(plane, admin)) == (0, [])
            taken = receiver.taken[-1]
            moment = taken.headers["X-ZCBUS-Timestamp"]
            expected = hmac.new(SECRET.encode(), moment.encode() + b"." + taken.content, "sha256").hexdigest()
            assert taken.headers["X-ZCBUS-Signature"] == f"v1={expected}"
            assert taken.json["entries"][0]["sequence"] == 1


def test_entries_that_retention_removed_unsent_are_counted_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with platform(tmp_path, audit_file=str(file)) as (plane, admin):
        admin.call("bus-sys-parameter/update", {"variableName": "operation_log_days", "value": 30})
        send_new(plane.services, "file")
        had = len(lines(file))
        write(plane, 3)
        plane.clock.advance(timedelta(days=31))
        remove_old(plane.services)
        admin = Caller(plane, plane.sign_in())
        send_new(plane.services, "file")
        assert lines(file)[had] == {"sequence": had + 3, "lost": 3}
        assert state(admin)["lost"] == 3


def test_a_new_receiver_begins_with_the_oldest_record_and_lost_none(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with platform(tmp_path, audit_file=str(file)) as (plane, admin):
        admin.call("bus-sys-parameter/update", {"variableName": "operation_log_days", "value": 30})
        plane.clock.advance(timedelta(days=31))
        remove_old(plane.services)
        admin = Caller(plane, plane.sign_in())
        send_new(plane.services, "file")
        assert [one["record"]["action"] for one in lines(file)] == ["session_login"]
        assert state(admin)["lost"] == 0


def test_one_control_plane_sends_until_it_is_silent(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with platform(tmp_path, audit_file=str(file)) as (plane, _):
        send_new(plane.services, "file")
        had = len(lines(file))
        tamper(plane, "UPDATE audit_stream SET holder = 'other'")
        write(plane, 1)
        send_new(plane.services, "file")
        assert len(lines(file)) == had
        plane.clock.advance(repository.HELD)
        send_new(plane.services, "file")
        assert len(lines(file)) == had + 1


def test_receivers_are_shown_to_users_who_see_every_tenant(plane: ControlPlane, admin: Caller) -> None:
    assert admin.call(STREAMS) == []
    for way in WAYS:
        send_new(plane.services, way)
    assert administrator_of(plane, "south").refused(STREAMS)["code"] == 40103
