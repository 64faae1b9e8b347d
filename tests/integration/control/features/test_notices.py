"""Alerts reach receivers by each way, once, in order, signed as documented; secrets stay, and failures are shown."""

import hmac
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default as mail_policy
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.notice_receivers import (
    PASSWORD,
    USER,
    MailReceiver,
    WebReceiver,
    identity_files,
    mail_receiver,
    web_receiver,
)
from tests.support.processes import wait_until
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.notification import dispatch, receivers, turns
from zcbus.control.features.notification.dispatch import RETRIES, deliver, remove_old
from zcbus.control.features.notification.queueing import WINDOW
from zcbus.kit.certificates import make_authority
from zcbus.model.states import SyncState

SECRET = "signing-secret-1"
HOOK = {"way": "webhook", "name": "hook", "secret": SECRET, "language": "en"}
NO_PORT = 9


@pytest.fixture
def authority_folder(tmp_path: Path) -> Path:
    """With a certificate of 127.0.0.1, and one of another name, by an authority that the platform trusts."""
    now = datetime.now(UTC)
    authority = make_authority(now, "tests")
    (tmp_path / "ca.pem").write_bytes(authority.certificate)
    identity_files(authority, tmp_path, now, "127.0.0.1")
    identity_files(authority, tmp_path, now, "elsewhere.example")
    return tmp_path


@pytest.fixture
def plane(prepared_store: str, authority_folder: Path) -> Iterator[ControlPlane]:
    with control_plane(authority_folder, prepared_store, tls_trusted=str(authority_folder / "ca.pem")) as running:
        yield running


@pytest.fixture
def admin(plane: ControlPlane) -> Caller:
    """A user whose session does not end while days pass."""
    return Caller(plane, plane.local_token())


@pytest.fixture
def hook() -> Iterator[WebReceiver]:
    with web_receiver() as running:
        yield running


@pytest.fixture
def post_office(authority_folder: Path) -> Iterator[MailReceiver]:
    with mail_receiver((authority_folder / "127.0.0.1.pem", authority_folder / "127.0.0.1.key")) as running:
        yield running


def receiver(caller: Caller, **values: Any) -> str:
    identifier: str = caller.call("sys/notice/receiver/add", values)["id"]
    return identifier


def mail(port: int, **changes: Any) -> dict[str, Any]:
    server = {"host": "127.0.0.1", "port": port, "security": "starttls", "user": USER, "sender": USER}
    settings = {**server, "recipients": ["first@example.com", "second@example.com"], **changes}
    return {"way": "mail", "name": "mail", "mail": settings, "password": PASSWORD}


def fail_table(running: FakeAgent, table: str = "public.orders") -> None:
    running.report_tables(SyncState.INCREMENTAL_ERROR, [table])
    evaluate(running.plane.services)


def mend_tables(running: FakeAgent) -> None:
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=0)
    evaluate(running.plane.services)


def states(caller: Caller, **wanted: Any) -> list[tuple[str, str]]:
    """Occasion and state of each delivery, the oldest first."""
    page = caller.call("sys/notice/delivery/page", {"sort": "createdAt", "order": "asc", **wanted})
    return [(one["occasion"], one["state"]) for one in page["records"]]


def _delivered(caller: Caller) -> int:
    deliver(caller.plane.services)
    return len(states(caller, state=["sent"]))


def newest(caller: Caller) -> dict[str, Any]:
    record: dict[str, Any] = caller.call("sys/notice/delivery/page")["records"][0]
    return record


def test_an_alert_and_its_end_reach_a_webhook_once_each(running: FakeAgent, admin: Caller, hook: WebReceiver) -> None:
    receiver(admin, **HOOK, url=hook.url())
    receiver(admin, **HOOK | {"name": "important", "minLevel": 3, "recovery": False}, url=hook.url("/important"))
    receiver(admin, **HOOK | {"name": "off", "enabled": False}, url=hook.url("/off"))
    other = admin.call("subscribe/customer/list", {})[0]["customerid"]
    receiver(admin, **HOOK | {"name": "subscriber", "customerId": other}, url=hook.url("/subscriber"))
    fail_table(running)
    evaluate(admin.plane.services)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(deliver, [admin.plane.services] * 12))
    admin.plane.clock.advance(timedelta(seconds=1))
    mend_tables(running)
    deliver(admin.plane.services)
    by_path = {path: [one for one in hook.taken if one.path.startswith(path)] for path in ("/hook", "/important")}
    assert [one.json["occasion"] for one in by_path["/hook"]] == ["raised", "recovered"]
    assert [one.json["occasion"] for one in by_path["/important"]] == ["raised"]
    assert [one.json["occasion"] for one in hook.taken if one.path == "/subscriber"] == ["raised", "recovered"]
    assert not [one for one in hook.taken if one.path == "/off"]
    raised, over = by_path["/hook"]
    for one in (raised, over):
        signed = hmac.new(SECRET.encode(), one.headers["X-ZCBUS-Timestamp"].encode() + b"." + one.content, "sha256")
        assert one.headers["X-ZCBUS-Signature"] == f"v1={signed.hexdigest()}"
        assert one.headers["X-ZCBUS-Delivery"] == one.json["id"]
    assert raised.json["title"] == "[ZCBUS] Important: Table public.orders of link shop is in incremental error"
    assert over.json["title"].startswith("[ZCBUS] Recovered: Table public.orders")
    assert (raised.json["kind"], raised.json["level"], raised.json["customerName"]) == ("table-failed", 3, "shop")
    assert raised.json["alertId"] == over.json["alertId"]
    assert states(admin) == [("raised", "sent")] * 3 + [("recovered", "sent")] * 2


def test_a_server_that_does_not_answer_holds_up_no_other_receiver(
    running: FakeAgent, admin: Caller, hook: WebReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.2)
    with web_receiver() as slow:
        slow.open.clear()
        for number in range(turns.AT_ONCE - 1):
            receiver(admin, **HOOK | {"name": f"a{number}"}, url=slow.url())
        receiver(admin, **HOOK, url=hook.url())
        fail_table(running)
        deliver(admin.plane.services)
        admin.plane.clock.advance(timedelta(seconds=1))
        mend_tables(running)
        # On a busy machine a turn may end before the hook's thread begins: the next one serves it.
        wait_until(lambda: _delivered(admin) == 2, 30, "the notices of the server that answers")
        assert [one.json["occasion"] for one in hook.taken] == ["raised", "recovered"]
        assert states(admin, state=["sent"]) == [("raised", "sent"), ("recovered", "sent")]
        slow.open.set()
        wait_until(lambda: _delivered(admin) == 2 * turns.AT_ONCE, 30, "the slow server's notices")
        assert len(slow.taken) == 2 * (turns.AT_ONCE - 1)


def test_failed_deliveries_are_retried_in_order_and_given_up_at_the_end(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    plane = admin.plane
    made = receiver(admin, **HOOK, url=hook.url())
    hook.status, hook.answer = 503, b"later, please"
    fail_table(running)
    deliver(plane.services)
    plane.clock.advance(timedelta(seconds=1))
    mend_tables(running)
    deliver(plane.services)
    assert states(admin) == [("raised", "waiting"), ("recovered", "waiting")]
    first = admin.call("sys/notice/delivery/page", {"search": "Important"})["records"][0]
    assert first["reason"]["text"] == "127.0.0.1 does not take it for now: 503 later, please"
    assert first["attempts"] == 1
    assert len(hook.taken) == 1
    hook.status, hook.answer = 200, b""
    plane.clock.advance(RETRIES[0])
    deliver(plane.services)
    assert [one.json["occasion"] for one in hook.taken] == ["raised", "raised", "recovered"]
    assert hook.taken[0].json["id"] == hook.taken[1].json["id"]
    assert states(admin, receiver=made, state=["sent"]) == [("raised", "sent"), ("recovered", "sent")]

    hook.status = 500
    plane.clock.advance(WINDOW)
    fail_table(running)
    for pause in (timedelta(), *RETRIES, *RETRIES):
        plane.clock.advance(pause)
        deliver(plane.services)
    failed = newest(admin)
    assert (failed["state"], failed["attempts"]) == ("failed", len(RETRIES) + 1)
    hook.status, hook.headers = 302, {"Location": hook.url("/elsewhere")}
    admin.call("sys/notice/delivery/resend", {"id": failed["id"]})
    assert admin.refused("sys/notice/delivery/resend", {"id": failed["id"]})["code"] == 300
    deliver(plane.services)
    assert newest(admin)["reason"]["code"] == "notice-refused"
    assert not [one for one in hook.taken if one.path == "/elsewhere"]
    hook.status = 200
    admin.call("sys/notice/delivery/resend", {"id": failed["id"]})
    deliver(plane.services)
    assert newest(admin)["state"] == "sent"
    plane.clock.advance(timedelta(days=91))
    remove_old(plane.services)
    assert states(admin) == []


def test_an_attempt_of_a_dead_control_plane_is_made_again_under_the_same_id(
    running: FakeAgent, admin: Caller, hook: WebReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    plane = admin.plane
    receiver(admin, **HOOK, url=hook.url())
    fail_table(running)
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "attempt", lambda *_, **__: False)
        deliver(plane.services)
    assert states(admin) == [("raised", "sending")]
    deliver(plane.services)
    assert hook.taken == []
    plane.clock.advance(dispatch.CLAIM)
    deliver(plane.services)
    assert (newest(admin)["state"], newest(admin)["attempts"]) == ("sent", 2)
    # An outdated notice, and one without a receiver, is not sent.
    fail_table(running, "public.lines")
    plane.clock.advance(dispatch.EXPIRY + timedelta(seconds=1))
    deliver(plane.services)
    assert newest(admin)["reason"]["code"] == "notice-expired"
    mend_tables(running)
    admin.call("sys/notice/receiver/delete", {"id": newest(admin)["receiverId"]})
    assert newest(admin)["reason"]["code"] == "notice-receiver-gone"
    assert admin.refused("sys/notice/delivery/resend", {"id": newest(admin)["id"]})["code"] == 300


def test_mail_goes_over_starttls_with_the_account_to_every_recipient(
    running: FakeAgent, admin: Caller, post_office: MailReceiver
) -> None:
    made = receiver(admin, **mail(post_office.port))
    fail_table(running)
    deliver(admin.plane.services)
    (envelope,) = post_office.mails
    assert post_office.encrypted == [True]
    assert (envelope.mail_from, envelope.rcpt_tos) == (USER, ["first@example.com", "second@example.com"])
    message = message_from_bytes(envelope.content, policy=mail_policy)  # type: ignore[arg-type]
    assert message["Subject"] == "[ZCBUS 告警] 重要：链路 shop 的表 public.orders 增量异常"
    text = message.get_body().get_content()  # type: ignore[union-attr]
    assert text.splitlines()[:3] == ["链路 shop 的表 public.orders 增量异常", "级别：重要", "对象：shop"]
    assert message["Message-ID"] == f"<{newest(admin)['id']}@example.com>"

    post_office.refused = {"second@example.com"}
    test = admin.call("sys/notice/receiver/test", {"id": made})
    assert (test["state"], test["reason"]["code"]) == ("failed", "notice-recipients-refused")
    assert "second@example.com" in test["reason"]["text"]
    changed = {**mail(post_office.port), "id": made, "password": "wrong-1"}
    admin.call("sys/notice/receiver/edit", changed)
    test = admin.call("sys/notice/receiver/test", {"id": made})
    assert test["reason"]["code"] == "notice-login-refused"


def test_a_server_with_a_certificate_of_another_name_gets_neither_password_nor_address(
    admin: Caller, authority_folder: Path
) -> None:
    files = (authority_folder / "elsewhere.example.pem", authority_folder / "elsewhere.example.key")
    with mail_receiver(files) as office, web_receiver(files) as web:
        for given in (mail(office.port), {**HOOK, "url": web.url()}):
            test = admin.call("sys/notice/receiver/test", {"id": receiver(admin, **given)})
            assert test["reason"]["code"] == "notice-unreachable"
            assert "certificate" in test["reason"]["text"]
        assert (office.mails, web.taken) == ([], [])


def test_robots_get_what_their_makers_document(admin: Caller, running: FakeAgent, authority_folder: Path) -> None:
    files = (authority_folder / "127.0.0.1.pem", authority_folder / "127.0.0.1.key")
    with web_receiver(files) as web:
        ways = ("dingtalk", "wecom", "feishu", "slack", "teams")
        for way in ways:
            given = {"way": way, "name": way, "url": web.url(f"/{way}?token=url-secret-1"), "language": "en"}
            receiver(admin, **given, **({"secret": SECRET} if way in ("dingtalk", "feishu") else {}))
        receiver(admin, way="pagerduty", name="p", secret=SECRET, eventsUrl=web.url("/pagerduty"), language="en")
        fail_table(running)
        deliver(admin.plane.services)
        mend_tables(running)
        deliver(admin.plane.services)
        assert states(admin, state=["failed", "waiting"]) == []
        taken = {one.path.strip("/").partition("?")[0]: one for one in reversed(web.taken)}
        events = [one.json for one in web.taken if one.path == "/pagerduty"]
    title = "[ZCBUS] Important: Table public.orders of link shop is in incremental error"
    query = parse_qs(urlsplit(taken["dingtalk"].path).query)
    moment = query["timestamp"][0]
    assert int(moment) == int(admin.plane.clock.now().timestamp() * 1000)
    signed = hmac.digest(SECRET.encode(), f"{moment}\n{SECRET}".encode(), "sha256")
    assert (query["token"], query["sign"]) == (["url-secret-1"], [b64encode(signed).decode()])
    assert taken["dingtalk"].json["markdown"]["title"] == title
    assert taken["wecom"].json["markdown"]["content"].startswith(f"### {title}\n")
    feishu = taken["feishu"].json
    signed = hmac.digest(f"{feishu['timestamp']}\n{SECRET}".encode(), b"", "sha256")
    assert feishu["sign"] == b64encode(signed).decode()
    assert feishu["content"]["text"].startswith(title)
    assert taken["slack"].json["text"].startswith(f"*{title}*")
    card = taken["teams"].json["attachments"][0]
    assert card["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert card["content"]["body"][0]["text"] == title
    assert [one["event_action"] for one in events] == ["trigger", "resolve"]
    assert len({one["dedup_key"] for one in events}) == 1
    assert events[0]["routing_key"] == SECRET
    assert events[0]["payload"]["severity"] == "critical"


@pytest.mark.wide
@pytest.mark.parametrize(
    ("way", "answer", "state"),
    [
        ("dingtalk", b'{"errcode":310000,"errmsg":"sign not match"}', "failed"),
        ("dingtalk", b'{"errcode":130101,"errmsg":"send too fast"}', "waiting"),
        ("wecom", b'{"errcode":45009}', "waiting"),
        ("feishu", b'{"code":19021,"msg":"sign match fail"}', "failed"),
        ("feishu", b"<html>", "failed"),
    ],
)
def test_robots_that_answer_200_with_a_code_have_not_taken_it(
    running: FakeAgent, admin: Caller, hook: WebReceiver, way: str, answer: bytes, state: str
) -> None:
    hook.answer = answer
    receiver(admin, way=way, name=way, url=hook.url())
    fail_table(running)
    deliver(admin.plane.services)
    assert newest(admin)["state"] == state


def test_secrets_are_kept_write_only_and_go_nowhere_else(admin: Caller, hook: WebReceiver) -> None:
    made = receiver(admin, **HOOK, url=hook.url())
    posted = receiver(admin, **mail(NO_PORT))
    events = receiver(admin, way="pagerduty", name="p", secret=SECRET)
    # Omitted, they stay, for the same server.
    admin.call("sys/notice/receiver/edit", {**HOOK, "id": made, "secret": "", "name": "renamed"})
    assert admin.call("sys/notice/receiver/test", {"id": made})["state"] == "sent"
    assert len(hook.taken) == 1
    elsewhere = {**mail(NO_PORT, host="elsewhere.example"), "id": posted, "password": ""}
    assert admin.refused("sys/notice/receiver/edit", elsewhere)["data"]["fields"][0]["field"] == "password"
    hook.status, hook.answer = 404, f"Cannot POST /hook?key=url-secret-1 {SECRET}".encode()
    refused = admin.call("sys/notice/receiver/test", {"id": made})
    assert refused["reason"]["text"] == "127.0.0.1 refused it: 404 Cannot POST *** ***"
    hook.status = 200
    other = {"id": events, "way": "pagerduty", "name": "p", "eventsUrl": "https://elsewhere.example/"}
    assert admin.refused("sys/notice/receiver/edit", other)["data"]["fields"][0]["field"] == "secret"
    shown = str(admin.call("sys/notice/receiver/page")) + str(admin.call("sys/notice/delivery/page"))
    log = admin.call("monitor/operation-log/page", {"search": "notification"})["records"]
    shown += "".join(str(admin.call("monitor/operation-log/get", {"id": one["id"]})) for one in log)
    for secret in (SECRET, PASSWORD, "url-secret-1"):
        assert secret not in shown
    with admin.plane.services.database.read() as store:
        stored = str(store.exec_driver_sql("SELECT * FROM notice_receiver").all())
    assert not any(secret in stored for secret in (SECRET, PASSWORD, "url-secret-1"))


def test_a_receiver_keeps_its_way_and_what_follows_from_it(
    running: FakeAgent, admin: Caller, hook: WebReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack = {"way": "slack", "name": "room", "url": "https://hooks.example.com/x", "language": "en"}
    made = receiver(admin, **slack)
    # A robot's address in the clear, and a mail server for a webhook.
    for given in ({**HOOK, "url": "http://hooks.example.com/x"}, mail(25)):
        refused = admin.refused("sys/notice/receiver/edit", {**given, "id": made})
        assert refused["data"]["fields"][0]["field"] == "way"
    # What waits goes to where the receiver is by then, and says so.
    fail_table(running)
    assert newest(admin)["target"] == "hooks.example.com"
    admin.call("sys/notice/receiver/edit", {**slack, "id": made, "name": "moved", "url": hook.url()})
    deliver(admin.plane.services)
    assert len(hook.taken) == 1
    assert (newest(admin)["target"], newest(admin)["receiverName"]) == ("127.0.0.1", "moved")
    monkeypatch.setattr(receivers, "MAX_RECEIVERS", 1)
    assert admin.refused("sys/notice/receiver/add", {**slack, "name": "one too many"})["code"] == 300


@pytest.mark.parametrize(
    "given",
    [
        {**HOOK, "url": "ftp://example.com"},
        {**HOOK, "url": "https://user:word@example.com/"},
        {"way": "pagerduty", "name": "x", "secret": SECRET, "eventsUrl": ""},
        mail(25) | {"password": "пароль"},
        {**HOOK, "url": "https://example.com/\r\nX: y"},
        {"way": "slack", "name": "x", "url": "http://hooks.example.com/x"},
        {"way": "slack", "name": "x", "url": "https://hooks.example.com/x", "mail": mail(1)["mail"]},
        {"way": "mail", "name": "x"},
        mail(25, security="none"),
        mail(25, sender="a@example.com\r\nBcc: b@example.com"),
        mail(25, recipients=[]),
        mail(25, recipients=["a@example.com"] * 21),
    ],
)
def test_invalid_receivers_are_refused(admin: Caller, given: dict[str, Any]) -> None:
    assert admin.refused("sys/notice/receiver/add", given)["code"] == 422


def test_addresses_that_the_network_rules_forbid_are_not_connected_to(
    prepared_sqlite: Path, tmp_path: Path, hook: WebReceiver
) -> None:
    store = f"sqlite:///{tmp_path}/own.db"
    with control_plane(tmp_path / "own", store, network_loopback="off") as plane:
        caller = Caller(plane, plane.sign_in())
        for name, url in (("a", hook.url()), ("b", "http://169.254.169.254/latest")):
            test = caller.call("sys/notice/receiver/test", {"id": receiver(caller, **HOOK | {"name": name}, url=url)})
            assert test["reason"]["code"] == "notice-address-refused"
    assert hook.taken == []
