"""System parameters: defaults, reading, changes."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row

from zcbus.control.features.parameter import repository
from zcbus.control.features.parameter.container_module import CONTAINER_MODULE, container_parameters
from zcbus.control.features.parameter.definitions import check_value, module_of, with_addresses, without_addresses
from zcbus.control.features.parameter.errors import ParameterUnknownError
from zcbus.control.features.parameter.schemas import ParameterPageRequest, ParameterRecord
from zcbus.control.features.parameter.verification_effects import verification_changed
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import ListDefinition, Page, page_of
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.platform.services import Services

SYSTEM_CONFIGURATION = "sys_config"
LAG_LIMIT = "alert_lag_seconds"
RETAINED_LOG_LIMIT = "alert_held_log_mb"
EXPIRY_LEAD = "alert_expiry_hours"
API_LOG_DAYS = "api_log_days"
OPERATION_LOG_DAYS = "operation_log_days"
LOAD_HISTORY_DAYS = "load_history_days"
RECYCLE_BIN_DAYS = "recycle_bin_days"
API_TOKEN_DAYS = "api_token_days"  # noqa: S105  a parameter's name
VERIFICATION = "verification_percent"
FRONT_ADDRESSES = "front_addresses"
SOURCE_ADDRESSES = "source_addresses"

MENU_KEY = "system/bus-sys-parameter"

_USUAL_LIMITS = {
    LAG_LIMIT: 60,
    RETAINED_LOG_LIMIT: 10_240,
    EXPIRY_LEAD: 12,
    API_LOG_DAYS: 30,
    OPERATION_LOG_DAYS: 730,
    LOAD_HISTORY_DAYS: 90,
    RECYCLE_BIN_DAYS: 30,
    API_TOKEN_DAYS: 365,
}

_USUAL_VERIFICATION = 1

_DEFAULTS: dict[str, object] = {
    SYSTEM_CONFIGURATION: {
        # Whether deletions need a picture code.
        "isDeleteCode": False,
        # Text at the lower left of the console.
        "leftLowerText": "ZCBUS",
        # Seconds between two polls of the number of unread alerts.
        "countdown": 10,
        # Picture and name above the menu; empty: the product's own.
        "homeLogo": "",
        "homeHeaderText": "",
        # Text and the authorities' number of the site in the footer; empty: the product's name, and none.
        "footerTxt": "",
        "caseNumber": "",
    },
    # Alert limits: lag of a link, MB of its retained log, hours before retention removes data; days that the API log,
    # the history of loads and the recycle bin are kept, and that an API token lives at most.
    **_USUAL_LIMITS,
    # Percent of a core, and of a session's time on either server, that each channel may spend on proving its tables
    # equal to their source; 0: nothing.
    VERIFICATION: _USUAL_VERIFICATION,
    # Tenants whose console is elsewhere: a tenant's id and the address its people are sent to when they sign in.
    FRONT_ADDRESSES: {},
    # Addresses that may send people here to sign in, and to which they go back when they sign out.
    SOURCE_ADDRESSES: [],
}

# Readable only with the right to change parameters: they name other tenants and other systems.
_CONFIDENTIAL = frozenset({FRONT_ADDRESSES, SOURCE_ADDRESSES})


def store_defaults(services: Services) -> None:
    """Store defaults of parameters without a value; changed values stay."""
    with services.database.write_alone() as connection:
        known = {row.variable_name for row in repository.select_all(connection)}
        for name, value in _DEFAULTS.items():
            if name not in known:
                repository.insert(connection, name, value, services.clock.now())


def get(connection: Connection, variable_name: str) -> Row[Any]:
    """One parameter's row: `variable_name`, `value`, `updated_at`. Raises ParameterUnknownError."""
    row = repository.find(connection, variable_name)
    if row is None:
        raise ParameterUnknownError(name=variable_name)
    return row


def read(call: Call, variable_name: str) -> ParameterRecord:
    """One parameter as the caller may see it. Raises ParameterUnknownError."""
    if not _is_shown(call.principal, variable_name):
        raise ParameterUnknownError(name=variable_name)
    return record(call, get(call.connection, variable_name))


PARAMETERS = ListDefinition[ParameterRecord](
    ParameterRecord,
    sort_keys={
        "variableName": lambda one: one.variable_name,
        "module": lambda one: one.module,
        "description": lambda one: one.description,
        "updatedAt": lambda one: one.updated_at,
    },
)


def page(call: Call, request: ParameterPageRequest) -> Page[ParameterRecord]:
    """A page of the parameters that the caller may see. Descriptions are the catalogue's, so they are searched and
    sorted here."""
    text = request.search.strip().casefold()
    found = (one for one in list_all(call) if text in f"{one.variable_name}\n{one.description}".casefold())
    return page_of(found, request, PARAMETERS)


def change(call: Call, row: Row[Any], value: object) -> None:
    """Set a parameter, effective from its next read. Raises ParameterValueError."""
    connection = call.connection
    if row.variable_name == SYSTEM_CONFIGURATION:
        value = without_addresses(row.variable_name, value, _addresses(call))
    check_value(row.variable_name, value, row.value)
    repository.change(connection, row.variable_name, value, call.services.clock.now())
    if row.variable_name == VERIFICATION:
        verification_changed(connection, verification_percent(connection))


def record(call: Call, row: Row[Any]) -> ParameterRecord:
    """A parameter as a record."""
    key = f"parameter.{row.variable_name}"
    is_system = row.variable_name == SYSTEM_CONFIGURATION
    is_described = key in call.services.catalogue.message_keys()
    return ParameterRecord(
        variable_name=row.variable_name,
        name=row.variable_name,
        module=module_of(row.variable_name),
        description=call.text(key) if is_described else row.variable_name,
        value=with_addresses(row.value, _addresses(call)) if is_system else row.value,
        updated_at=row.updated_at,
    )


def _addresses(call: Call) -> Mapping[str, str]:
    """Where consoles send their calls and open their sockets; empty: the address they came from, as always for consoles
    that were not opened at the public address, whose calls elsewhere a browser refuses."""
    settings = call.services.settings
    names = [urlsplit(address).netloc for address in (settings.public_address, settings.service_url) if address]
    is_public = call.request.headers.get("host", "") in names
    stated = {"serviceUrl": settings.service_url, "websocketUrl": settings.websocket_url}
    return {name: address if address and is_public else "" for name, address in stated.items()}


def front_address(connection: Connection, tenant_id: str) -> str | None:
    """Address of the tenant's own console; ignored unless it is a web address."""
    row = repository.find(connection, FRONT_ADDRESSES)
    address = row.value.get(tenant_id) if row is not None and isinstance(row.value, dict) else None
    return address if isinstance(address, str) and address.startswith(("https://", "http://")) else None


def source_address(connection: Connection, url: str) -> str | None:
    """The origin of a sign-in, if `source_addresses` allows it: the same origin, and a path below the allowed one."""
    row = repository.find(connection, SOURCE_ADDRESSES)
    allowed = row.value if row is not None and isinstance(row.value, list) else []
    return url if any(_lies_within(url, address) for address in allowed) else None


def _lies_within(url: str, allowed: object) -> bool:
    if not isinstance(allowed, str) or "\\" in url:
        return False
    address, limit = urlsplit(url), urlsplit(allowed)
    if address.scheme not in ("https", "http") or (address.scheme, address.netloc) != (limit.scheme, limit.netloc):
        return False
    folder = limit.path.rstrip("/")
    return (address.path == folder or address.path.startswith(folder + "/") or not folder) and "/.." not in address.path


def lag_limit_seconds(connection: Connection) -> int:
    """From which lag of a link on an alert is raised."""
    return _limit(connection, LAG_LIMIT)


def retained_log_limit_mb(connection: Connection) -> int:
    """From how many MB of log that a source keeps for a link on an alert is raised."""
    return _limit(connection, RETAINED_LOG_LIMIT)


def expiry_lead_hours(connection: Connection) -> int:
    """Hours before retention removes data at which an alert is raised."""
    return _limit(connection, EXPIRY_LEAD)


def api_log_days(connection: Connection) -> int:
    """Days that calls of data services are kept."""
    return _limit(connection, API_LOG_DAYS)


def operation_log_days(connection: Connection) -> int:
    """Days that records of the operation log are kept."""
    return _limit(connection, OPERATION_LOG_DAYS)


def load_history_days(connection: Connection) -> int:
    """Days that ended full loads are kept."""
    return _limit(connection, LOAD_HISTORY_DAYS)


def recycle_bin_days(connection: Connection) -> int:
    """Days that deleted objects stay in the recycle bin."""
    return _limit(connection, RECYCLE_BIN_DAYS)


def api_token_days(connection: Connection) -> int:
    """Days after which an API token ends at the latest."""
    return _limit(connection, API_TOKEN_DAYS)


def verification_percent(connection: Connection) -> float:
    """How much of a core verification may take of each channel; 0: tables are not verified."""
    row = repository.find(connection, VERIFICATION)
    value: object = row.value if row else None
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100
    return float(value) if usable and isinstance(value, int | float) else float(_USUAL_VERIFICATION)


def _limit(connection: Connection, name: str) -> int:
    """The usual limit where the parameter is no positive number."""
    row = repository.find(connection, name)
    value: object = row.value if row else None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return _USUAL_LIMITS[name]


def list_all(call: Call, module: str | None = None) -> list[ParameterRecord]:
    """Every parameter that the caller may see by name, or those of one module; the properties that containers have are
    a module of their own."""
    if module == CONTAINER_MODULE:
        return [] if call.principal.client_remote else container_parameters(call)
    rows = [row for row in repository.select_all(call.connection) if _is_shown(call.principal, row.variable_name)]
    return [record(call, row) for row in rows if module is None or module_of(row.variable_name) == module]


def _is_shown(principal: Principal, variable_name: str) -> bool:
    if principal.client_remote:
        return variable_name == SYSTEM_CONFIGURATION
    return variable_name not in _CONFIDENTIAL or principal.may(MENU_KEY, Operation.VIEW)
