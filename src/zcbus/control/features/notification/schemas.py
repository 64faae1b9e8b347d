"""Requests and answers about receivers of notices and deliveries to them."""

from datetime import datetime
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.notification.states import DeliveryState, Occasion
from zcbus.control.features.notification.ways.base import Way
from zcbus.control.features.task_plan.schemas import TimeZone
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.language import Language
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.kit.tls import is_loopback

Id = Annotated[str, StringConstraints(min_length=1, max_length=ID_LENGTH)]
MailAddress = Annotated[str, Field(max_length=254, pattern=r"^[!#-'*+\-./0-9=?A-Z^-~]+@[A-Za-z0-9.-]+$")]
Level = Literal[0, 1, 3]
Security = Literal["tls", "starttls", "none"]

EVENTS_URL = "https://events.pagerduty.com/v2/enqueue"
MAX_RECIPIENTS = 20


def _web_address(value: str) -> str:
    """An address of HTTP or HTTPS without user and password; empty: none."""
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
        parts = urlsplit("")
    if value and (not is_address or parts.username is not None or parts.password is not None):
        raise field_fault("web-address")
    return value


WebAddress = Annotated[str, Field(max_length=1_000, pattern=r"^[!-~]*$"), AfterValidator(_web_address)]


class MailSettings(Schema):
    """A mail server. `security`: TLS from the start, STARTTLS, or none, then without signing in. An empty user does
    not sign in."""

    host: str = Field(min_length=1, max_length=255, pattern=r"^[A-Za-z0-9.:_-]+$")
    port: int = Field(ge=1, le=65_535)
    security: Security = "starttls"
    user: str = Field("", max_length=255, pattern=r"^[ -~]*$")
    sender: MailAddress
    recipients: list[MailAddress] = Field(min_length=1, max_length=MAX_RECIPIENTS)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.security == "none" and self.user:
            raise field_fault("login-without-tls")
        return self


class QuietHours(Schema):
    """When notices are held back until the end. `begin`, `end`: minutes of the day in `timeZone`; an end before its
    beginning lies on the next day. `importantPasses`: important alerts are sent all the same."""

    begin: int = Field(ge=0, lt=1440)
    end: int = Field(ge=0, lt=1440)
    time_zone: TimeZone
    important_passes: bool = True

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.begin == self.end:
            raise field_fault("quiet-hours")
        return self


class ReceiverInput(ConfidentialSchema):
    """A receiver. `mail` and `password` are for mail; `url` is the address of a webhook or a robot; `secret` what a
    webhook, DingTalk and Feishu sign with, or PagerDuty's routing key; `eventsUrl` where PagerDuty takes events.
    `password`, `url` and `secret` are never answered; left empty in a change they stay. `customerId`: only what
    concerns this subscriber. `minLevel`: 0 general, 1 attention, 3 important. `recovery`: also that an alert is over.
    `quiet`: null: no quiet hours.
    """

    name: Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
    way: Way
    mail: MailSettings | None = None
    # Signing in to a mail server is defined for ASCII.
    password: str = Field("", max_length=500, pattern=r"^[ -~]*$")
    url: WebAddress = ""
    secret: str = Field("", max_length=500, pattern=r"^[ -~]*$")
    events_url: WebAddress = EVENTS_URL
    language: Language = "zh"
    customer_id: Id | None = None
    min_level: Level = 1
    recovery: bool = True
    enabled: bool = True
    quiet: QuietHours | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.way is Way.MAIL) != (self.mail is not None):
            raise field_fault("mail-settings")
        if self.way is Way.PAGERDUTY and not self.events_url:
            raise field_fault("web-address")
        for address in (self.url, self.events_url):
            parts = urlsplit(address)
            # A robot's address or a routing key admits anyone who reads it on its way.
            if parts.scheme == "http" and self.way is not Way.WEBHOOK and not is_loopback(parts.hostname or ""):
                raise field_fault("https-needed")
        return self


class ReceiverChoice(Schema):
    id: Id


class ReceiverChange(ReceiverInput, ReceiverChoice):
    """A receiver with its new settings. Its way stays."""


class ReceiverDeletion(ReceiverChoice, DeletionProof):
    """The receiver to delete; its pending deliveries fail."""


class ReceiverPageRequest(PageRequest):
    """`search`: part of the name or of whom it reaches."""

    search: str = Field("", max_length=255)
    way: Way | None = None


class LastDelivery(Schema):
    """State of the newest delivery."""

    state: DeliveryState
    at: datetime
    reason: ReasonRecord | None


class ReceiverRecord(Schema):
    """A receiver without its secrets. `target`: mail addresses, or the host of a webhook. `hasPassword`, `hasSecret`:
    one is stored. `customerName`: null where the subscriber is gone. `waiting`: number of open deliveries."""

    id: str
    name: str
    way: Way
    target: str
    mail: MailSettings | None
    events_url: str | None
    has_password: bool
    has_secret: bool
    language: Language
    customer_id: str | None
    customer_name: str | None
    min_level: int
    recovery: bool
    enabled: bool
    quiet: QuietHours | None
    waiting: int
    last: LastDelivery | None
    updated_at: datetime


class NoticeDeliveryPageRequest(PageRequest):
    """`search`: part of the title, or of the receiver's name or target. `receiver`: deliveries to one receiver."""

    receiver: Id | None = None
    search: str = Field("", max_length=255)
    state: list[DeliveryState] = Field(default_factory=list, max_length=len(DeliveryState))


class NoticeDeliveryChoice(Schema):
    id: Id


class NoticeDeliveryRecord(Schema):
    """One notice to one receiver. `alerts`: number of alerts it covers. `attempts`: how many were begun. `nextAt`:
    when a waiting one is sent or tried again. `reason`: why the last attempt failed."""

    id: str
    receiver_id: str
    receiver_name: str
    way: Way
    target: str
    occasion: Occasion
    level: int
    customer_name: str
    title: str
    content: str
    alerts: int
    state: DeliveryState
    attempts: int
    next_at: datetime | None
    created_at: datetime
    ended_at: datetime | None
    reason: ReasonRecord | None


RECEIVERS = ListDefinition[ReceiverRecord](
    ReceiverRecord, columns={"name": "name", "way": "way", "updatedAt": "updated_at"}
)
DELIVERIES = ListDefinition[NoticeDeliveryRecord](
    NoticeDeliveryRecord,
    columns={
        "createdAt": "created_at",
        "endedAt": "ended_at",
        "receiverName": "receiver_name",
        "state": "state",
        "level": "level",
    },
)
