"""Reading and replacing the installation's registration, and counting the use of its limits."""

from datetime import datetime, timedelta
from importlib.metadata import version

from sqlalchemy import Connection

from zcbus.control.features.registration.code import Registration, RegistrationCodeInvalidError, read
from zcbus.control.features.registration.errors import RegistrationCodeOverError, RegistrationKeyMissingError
from zcbus.control.features.registration.schemas import (
    Edition,
    RegistrationDetailRecord,
    RegistrationRecord,
    RegistrationStatus,
    UsageRecord,
)
from zcbus.control.features.subscribe import service as subscribe
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.kit.files import write_durably
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings

CODE_FILE = "registration"
ABOUT_TO_EXPIRE = timedelta(days=30)

_log = get_logger("control.registration")


def find(settings: Settings) -> Registration | None:
    """The contents of `<data dir>/registration`; None without a valid code."""
    path = settings.data_dir / CODE_FILE
    if settings.registration_key is None or not path.is_file():
        return None
    try:
        return read(path.read_text("utf-8"), settings.registration_key)
    except (RegistrationCodeInvalidError, UnicodeDecodeError) as error:
        _log.warning("registration refused", path=str(path), reason=str(error))
        return None


def describe(services: Services) -> RegistrationRecord:
    """The installation's present registration. Without a key and a code it is the community's; a code that cannot be
    verified is never ignored."""
    registration, settings = find(services.settings), services.settings
    if registration is not None:
        status = _status(registration.end_time, services.clock.now())
        return RegistrationRecord(
            status=status, edition=Edition.LICENSED, end_time=registration.end_time, holder=registration.holder
        )
    is_community = settings.registration_key is None and not (settings.data_dir / CODE_FILE).exists()
    return RegistrationRecord(
        status=RegistrationStatus.REGISTERED if is_community else RegistrationStatus.UNREGISTERED,
        edition=Edition.COMMUNITY if is_community else None,
        end_time=None,
        holder=None,
    )


def detail(connection: Connection, services: Services, principal: Principal) -> RegistrationDetailRecord:
    """The same with the use of its limits, and the text to request another code with."""
    record = describe(services)
    tables = used_tables(connection, services, principal)
    controls = used_controls(connection, services, principal)
    lines = {
        "product": f"ZCBUS {version('zcbus')}",
        "holder": record.holder or "",
        "ends": record.end_time.isoformat() if record.end_time else "",
        "tables": tables.used_count,
        "controls": controls.used_count,
    }
    return RegistrationDetailRecord(
        **record.model_dump(),
        tables=tables,
        controls=controls,
        checks_codes=services.settings.registration_key is not None,
        request_text="".join(f"{name}: {value}\n" for name, value in lines.items()),
    )


def register(services: Services, code: str) -> RegistrationRecord:
    """Replace the present code, on stable storage. Raises RegistrationKeyMissingError, RegistrationCodeInvalidError and
    RegistrationCodeOverError; then nothing has changed."""
    key = services.settings.registration_key
    if key is None:
        raise RegistrationKeyMissingError
    registration = read(code, key)
    if registration.end_time <= services.clock.now():
        raise RegistrationCodeOverError(end=registration.end_time.isoformat(sep=" ", timespec="minutes"))
    write_durably(services.settings.data_dir / CODE_FILE, code.strip().encode() + b"\n", 0o600)
    return describe(services)


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
