"""Rules of receivers: their filters, ways and secrets."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Row

from zcbus.control.features.notification import group_repository, repository, texts
from zcbus.control.features.notification.dispatch import CLAIM, attempt, opened
from zcbus.control.features.notification.errors import (
    MailPasswordNeededError,
    ReceiverNameTakenError,
    SigningSecretNeededError,
    TooManyReceiversError,
    WayStaysError,
    WebhookAddressNeededError,
)
from zcbus.control.features.notification.queueing import hold_until
from zcbus.control.features.notification.schemas import (
    RECEIVERS,
    LastDelivery,
    MailSettings,
    QuietHours,
    ReceiverChange,
    ReceiverInput,
    ReceiverPageRequest,
    ReceiverRecord,
)
from zcbus.control.features.notification.states import DeliveryState
from zcbus.control.features.notification.ways import Way
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.sealed import place
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.notification import notice_receiver
from zcbus.kit.ids import new_id

MAX_RECEIVERS = 100
"""Of one tenant. Every alert is written once for each."""
_MAX_TARGET_LENGTH = 500
LEVELS = (0, 1, 3)
_SECRETS: Mapping[Way, tuple[str, ...]] = {
    Way.MAIL: ("password",),
    Way.WEBHOOK: ("url", "secret"),
    Way.DINGTALK: ("url", "secret"),
    Way.WECOM: ("url",),
    Way.FEISHU: ("url", "secret"),
    Way.SLACK: ("url",),
    Way.TEAMS: ("url",),
    Way.PAGERDUTY: ("secret",),
}
# Robots of DingTalk and Feishu may be protected by a word instead.
_SIGNED = frozenset({Way.WEBHOOK, Way.PAGERDUTY})


def listing(call: Call, request: ReceiverPageRequest) -> Listing[ReceiverRecord]:
    """By name."""
    reasons = ReasonTexts.of(call)
    statement = repository.receivers(call.principal)
    if request.search.strip():
        searched = (notice_receiver.c.name, notice_receiver.c.target)
        statement = statement.where(any_contains(searched, request.search.strip()))
    if request.way is not None:
        statement = statement.where(notice_receiver.c.way == request.way)
    usual = [notice_receiver.c.name, notice_receiver.c.id]
    return Listing(RECEIVERS, statement, usual, lambda row: _record(row, reasons, call))


def find(call: Call, receiver_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_receiver(call.connection, call.principal, receiver_id)
    if row is None:
        raise RecordNotFoundError(kind="notice-receiver", id=receiver_id)
    return row


def record(call: Call, row: Row[Any]) -> ReceiverRecord:
    """Without its secrets."""
    return _record(row, ReasonTexts.of(call), call)


def plain(call: Call, row: Row[Any]) -> dict[str, Any]:
    """For the operation log."""
    left_out = {"waiting", "last", "updated_at"}
    return record(call, row).model_dump(mode="json", by_alias=True, exclude=left_out)


def add(call: Call, given: ReceiverInput) -> str:
    """Returns the new receiver's id. Raises TooManyReceiversError, ReceiverNameTakenError, MailPasswordNeededError,
    WebhookAddressNeededError, SigningSecretNeededError, RecordNotFoundError."""
    receiver_id, tenant_id, now = new_id(), call.principal.tenant_id, call.services.clock.now()
    if repository.count_receivers(call.connection, tenant_id) >= MAX_RECEIVERS:
        raise TooManyReceiversError(most=MAX_RECEIVERS)
    values = _values(call, given, tenant_id, receiver_id, None)
    owner = {"id": receiver_id, "tenant_id": tenant_id, "way": given.way, "created_at": now}
    repository.insert_receiver(call.connection, **owner, **values)
    return receiver_id


def edit(call: Call, row: Row[Any], given: ReceiverChange) -> None:
    """Raises WayStaysError, and as `add`."""
    # The checks of a receiver depend on its way.
    if given.way != row.way:
        raise WayStaysError
    values = _values(call, given, row.tenant_id, row.id, row)
    repository.change_receiver(call.connection, row.id, **values)
    if not given.enabled:
        reason = {"code": "notice-receiver-off", "facts": {}}
        repository.fail_open(call.connection, row.id, call.services.clock.now(), reason)
    _reschedule_held(call, row.id)


def delete(call: Call, row: Row[Any]) -> None:
    """Its pending deliveries fail."""
    reason = {"code": "notice-receiver-gone", "facts": {}}
    repository.fail_open(call.connection, row.id, call.services.clock.now(), reason)
    repository.remove_receiver(call.connection, row.id)


def send_test(call: Call, receiver_id: str) -> Row[Any]:
    """Send a test at once, in transactions of its own. Returns the delivery. Raises RecordNotFoundError."""
    services, now = call.services, call.services.clock.now()
    with services.database.write() as store:
        row = repository.find_receiver(store, call.principal, receiver_id)
        if row is None:
            raise RecordNotFoundError(kind="notice-receiver", id=receiver_id)
        call.audit.subject, call.audit.after = row.name, {"target": row.target}
        delivery_id = repository.insert_delivery(
            store,
            tenant_id=row.tenant_id,
            receiver_id=row.id,
            receiver_name=row.name,
            way=row.way,
            target=row.target,
            occasion="test",
            kind="test",
            level=0,
            customer_name="",
            **texts.test(services.catalogue, row.language, row.name, call.principal.user_name),
            state=DeliveryState.SENDING,
            attempts=1,
            next_at=now,
            claimed_until=now + CLAIM,
            created_at=now,
        )
        delivery = _delivery(call, store, delivery_id)
    attempt(services, delivery, row, again=False)
    with services.database.read() as store:
        return _delivery(call, store, delivery_id)


def _delivery(call: Call, store: Any, delivery_id: str) -> Row[Any]:
    found = repository.find_delivery(store, call.principal, delivery_id)
    assert found is not None
    return found


def _values(call: Call, given: ReceiverInput, tenant_id: str, receiver_id: str, row: Row[Any] | None) -> dict[str, Any]:
    if repository.name_is_taken(call.connection, tenant_id, given.name, row.id if row else None):
        raise ReceiverNameTakenError(name=given.name)
    if given.customer_id is not None:
        _check_customer(call, given.customer_id, tenant_id)
    way = given.way
    kept = opened(call.services, row) if row else {}
    secrets = _secrets(way, given, row, kept)
    return {
        "name": given.name,
        "settings": _settings(way, given),
        "secret": call.services.secrets.seal(json.dumps(secrets), place(notice_receiver.c.secret, receiver_id)),
        "target": _target(way, given, secrets),
        "language": given.language,
        "customer_id": given.customer_id,
        "min_level": given.min_level,
        "recovery": given.recovery,
        "enabled": given.enabled,
        **_quiet(given.quiet),
        "updated_at": call.services.clock.now(),
    }


def _check_customer(call: Call, customer_id: str, tenant_id: str) -> None:
    found = subscribe.find_customers(call.connection, call.principal, [customer_id])
    if not any(one.tenant_id == tenant_id for one in found):
        raise RecordNotFoundError(kind="customer", id=customer_id)


def _secrets(way: Way, given: ReceiverInput, row: Row[Any] | None, kept: Mapping[str, str]) -> dict[str, str]:
    """The given secrets, else the stored ones if their destination is unchanged."""
    offered = {"password": given.password, "url": given.url, "secret": given.secret}
    secrets = {name: offered[name] or kept.get(name, "") for name in _SECRETS[way]}
    if "url" in secrets and not secrets["url"]:
        raise WebhookAddressNeededError
    if way in _SIGNED and not secrets["secret"]:
        raise SigningSecretNeededError
    if way is Way.MAIL:
        mail = given.mail
        assert mail is not None
        if not mail.user:
            return {"password": ""}
        if not secrets["password"] or (not given.password and _place(row) != (mail.host, mail.port, mail.user)):
            raise MailPasswordNeededError
    if way is Way.PAGERDUTY and not given.secret and row is not None and row.settings["eventsUrl"] != given.events_url:
        raise SigningSecretNeededError
    return secrets


def _place(row: Row[Any] | None) -> tuple[str, int, str] | None:
    return (row.settings["host"], row.settings["port"], row.settings["user"]) if row else None


def _settings(way: Way, given: ReceiverInput) -> dict[str, Any]:
    if way is Way.MAIL and given.mail is not None:
        return given.mail.model_dump(mode="json", by_alias=False)
    return {"eventsUrl": given.events_url} if way is Way.PAGERDUTY else {}


def _target(way: Way, given: ReceiverInput, secrets: Mapping[str, str]) -> str:
    if given.mail is not None:
        return ", ".join(given.mail.recipients)[:_MAX_TARGET_LENGTH]
    return urlsplit(given.events_url if way is Way.PAGERDUTY else secrets["url"]).hostname or ""


def _quiet(given: QuietHours | None) -> dict[str, Any]:
    if given is None:
        return {"quiet_from": None, "quiet_to": None, "quiet_zone": None, "quiet_important": False}
    begin, end, zone = given.begin, given.end, given.time_zone
    return {"quiet_from": begin, "quiet_to": end, "quiet_zone": zone, "quiet_important": given.important_passes}


def _quiet_hours(row: Row[Any]) -> QuietHours | None:
    if row.quiet_zone is None:
        return None
    begin, end, passes = row.quiet_from, row.quiet_to, row.quiet_important
    return QuietHours(begin=begin, end=end, time_zone=row.quiet_zone, important_passes=passes)


def _reschedule_held(call: Call, receiver_id: str) -> None:
    """Move the release of held notices to the receiver's present quiet hours."""
    now, receiver = call.services.clock.now(), repository.receiver_of(call.connection, receiver_id)
    assert receiver is not None
    for level in LEVELS:
        until = hold_until(receiver, level, now) or now
        group_repository.reschedule_held(call.connection, receiver_id, [level], until, now)


def _record(row: Row[Any], reasons: ReasonTexts, call: Call) -> ReceiverRecord:
    way = Way(row.way)
    secrets = opened(call.services, row)
    return ReceiverRecord(
        id=row.id,
        name=row.name,
        way=way,
        target=row.target,
        mail=MailSettings.model_validate(row.settings) if way is Way.MAIL else None,
        events_url=row.settings.get("eventsUrl"),
        has_password=bool(secrets.get("password")),
        has_secret=bool(secrets.get("secret")),
        language=row.language,
        customer_id=row.customer_id,
        customer_name=row.customer_name,
        min_level=row.min_level,
        recovery=row.recovery,
        enabled=row.enabled,
        quiet=_quiet_hours(row),
        waiting=row.waiting,
        last=_last(row, reasons),
        updated_at=row.updated_at,
    )


def _last(row: Row[Any], reasons: ReasonTexts) -> LastDelivery | None:
    if row.last_state is None:
        return None
    return LastDelivery(state=row.last_state, at=row.last_at, reason=reasons.record(row.last_reason))
