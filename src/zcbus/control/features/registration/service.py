"""Reads the installation's registration and counts what it speaks of."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from zcbus.control.features.registration.code import Registration, RegistrationCodeInvalidError, read
from zcbus.control.features.registration.schemas import RegistrationRecord, RegistrationStatus, UsageRecord
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings

CODE_FILE = "registration"
ABOUT_TO_EXPIRE = timedelta(days=30)

_log = get_logger("control.registration")


def find(settings: Settings) -> Registration | None:
    """What `<data dir>/registration` says; None where there is no code or not a valid one."""
    path = settings.data_dir / CODE_FILE
    if settings.registration_key is None or not path.is_file():
        return None
    try:
        return read(path.read_text("utf-8"), settings.registration_key)
    except (RegistrationCodeInvalidError, UnicodeDecodeError) as error:
        _log.warning("registration refused", path=str(path), reason=str(error))
        return None


def describe(services: Services) -> RegistrationRecord:
    """The installation's registration now."""
    registration = find(services.settings)
    if registration is None:
        return RegistrationRecord(status=RegistrationStatus.UNREGISTERED, end_time=None, holder=None)
    status = _status(registration.end_time, services.clock.now())
    return RegistrationRecord(status=status, end_time=registration.end_time, holder=registration.holder)


def used_tables(connection: Connection, services: Services, principal: Principal) -> UsageRecord:
    """Subscribed tables of the tenants the caller may see."""
    registration = find(services.settings)
    return UsageRecord(
        used_count=subscribe.count_tables(connection, principal),
        max_limit=registration.max_tables if registration else None,
    )


def used_controls(connection: Connection, services: Services, principal: Principal) -> UsageRecord:
    """Masters of the tenants the caller may see."""
    registration = find(services.settings)
    return UsageRecord(
        used_count=subscribe.count_masters(connection, principal),
        max_limit=registration.max_controls if registration else None,
    )


def _status(end: datetime, now: datetime) -> RegistrationStatus:
    if end <= now:
        return RegistrationStatus.EXPIRED
    return RegistrationStatus.ABOUT_TO_EXPIRE if end - now <= ABOUT_TO_EXPIRE else RegistrationStatus.REGISTERED
