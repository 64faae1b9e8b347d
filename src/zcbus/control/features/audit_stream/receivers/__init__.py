"""Ways to a receiver, by the settings."""

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from zcbus.control.features.audit_stream.entries import Entry
from zcbus.control.features.audit_stream.receivers.file import FileReceiver
from zcbus.control.features.audit_stream.receivers.syslog import SyslogReceiver
from zcbus.control.features.audit_stream.receivers.webhook import WebhookReceiver
from zcbus.control.platform.services import Services

Way = Literal["file", "syslog", "webhook"]
WAYS: tuple[Way, ...] = get_args(Way)


class Receiver(Protocol):
    """Takes entries in order."""

    @property
    def address(self) -> str:
        """Where it is, without secrets."""
        ...

    def take(self, entries: Sequence[Entry]) -> None:
        """Returns once the receiver has them, as far as its protocol says so; within a minute. Raises
        AuditReceiverError; some may have arrived then."""
        ...


def receiver_of(services: Services, way: Way) -> Receiver | None:
    """None where the settings name none."""
    settings = services.settings.audit
    trusted = services.settings.tls.trusted
    if way == "file":
        return FileReceiver(settings.file) if settings.file else None
    if way == "syslog":
        return SyslogReceiver(settings.syslog, trusted) if settings.syslog else None
    if settings.webhook is None:
        return None
    return WebhookReceiver(settings.webhook, settings.webhook_secret, trusted, services.clock)
