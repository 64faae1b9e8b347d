"""Connections: checked against their kind's specification, stored with the password sealed, opened for agents."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec, Option
from zcbus.control.features.datasource import repository
from zcbus.control.features.datasource.errors import (
    KindUnsupportedError,
    OptionInvalidError,
    OptionMissingError,
    PasswordNeededError,
)
from zcbus.control.features.datasource.schemas import ConnectionInput, ConnectionRecord, Side
from zcbus.control.platform.secrets import SecretBox
from zcbus.kit.ids import new_id
from zcbus.model.states import LoadType
from zcbus.protocol.base import Connection

# One host name or address; no lists, paths or parameters, which drivers would read as something else.
_HOST = re.compile(r"[A-Za-z0-9_.:%-]+")
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")

_PUBLIC_OPTIONS = ("host", "port", "user", "database", "tls")
# A stored password goes only where it was given for.
_BINDING_OPTIONS = ("host", "port", "user", "tls")


def spec_of(kind: str) -> KindSpec:
    """The specification of a kind. Raises KindUnsupportedError."""
    if kind not in KINDS:
        raise KindUnsupportedError(kind=kind)
    return KINDS[kind].spec


def check(given: ConnectionInput, side: Side) -> None:
    """Hold a connection against its kind's specification. Raises KindUnsupportedError, OptionInvalidError,
    OptionMissingError."""
    spec = spec_of(given.kind)
    if not (spec.source if side == "source" else spec.target):
        raise KindUnsupportedError(kind=given.kind)
    values = given.model_dump(by_alias=False)
    for option in spec.options:
        _check_option(option, values.get(option.name), side)
    if not _HOST.fullmatch(given.host):
        raise OptionInvalidError(side=side, option="host", expected="db.example.com, 10.0.0.1")


def written(target: Connection, load_type: str) -> Connection:
    """A target as it is written by a load type."""
    return target.model_copy(update={"load_type": LoadType(load_type)})


def wire(given: ConnectionInput) -> Connection:
    """A connection as agents take it."""
    return Connection(
        kind=given.kind,
        host=given.host,
        port=given.port,
        user=given.user,
        password=SecretStr(given.password or ""),
        database=given.database,
        tls=given.tls,
    )


def create(
    connection: StoreConnection, secrets: SecretBox, tenant_id: str, given: ConnectionInput, now: datetime
) -> str:
    """Store a connection and return its id."""
    data_source_id = new_id()
    repository.insert(
        connection,
        data_source_id=data_source_id,
        tenant_id=tenant_id,
        kind=given.kind,
        options=_options(given),
        secret=secrets.seal(given.password or "", _context(data_source_id)),
        now=now,
    )
    return data_source_id


def merge(secrets: SecretBox, stored: Row[Any], given: ConnectionInput, side: Side) -> ConnectionInput:
    """`given` with the stored password where it has none. Raises PasswordNeededError where the place differs."""
    if given.password is not None:
        return given
    if any(stored.options[name] != getattr(given, name) for name in _BINDING_OPTIONS):
        raise PasswordNeededError(side=side)
    return given.model_copy(update={"password": _open(secrets, stored)})


def change(
    connection: StoreConnection, secrets: SecretBox, stored: Row[Any], given: ConnectionInput, now: datetime
) -> bool:
    """Store a changed connection, complete with its password. Returns whether anything differed."""
    password = given.password or ""
    if stored.options == _options(given) and _open(secrets, stored) == password:
        return False
    repository.change(connection, stored.id, _options(given), secrets.seal(password, _context(stored.id)), now)
    return True


def stored_row(connection: StoreConnection, data_source_id: str) -> Row[Any]:
    """A stored connection, its password sealed."""
    return repository.find(connection, data_source_id)


def remove(connection: StoreConnection, data_source_id: str) -> None:
    """Forget a connection."""
    repository.remove(connection, data_source_id)


def open_stored(connection: StoreConnection, secrets: SecretBox, data_source_id: str) -> Connection:
    """A stored connection with its password, for agents only."""
    return open_row(secrets, repository.find(connection, data_source_id))


def open_known(
    connection: StoreConnection, secrets: SecretBox, data_source_ids: Iterable[str]
) -> dict[str, Connection]:
    """As `open_stored`, by id; without those that were deleted meanwhile."""
    return {row.id: open_row(secrets, row) for row in repository.select_known(connection, data_source_ids)}


def open_row(secrets: SecretBox, stored: Row[Any]) -> Connection:
    """As `open_stored`, from its row."""
    return Connection(kind=stored.kind, password=SecretStr(_open(secrets, stored)), **stored.options)


def record(stored: Row[Any]) -> ConnectionRecord:
    """A stored connection as it is shown."""
    return ConnectionRecord(kind=stored.kind, **stored.options)


def _options(given: ConnectionInput) -> dict[str, Any]:
    return {name: getattr(given, name) for name in _PUBLIC_OPTIONS}


def _check_option(option: Option, value: object, side: Side) -> None:
    if value is None or value == "":
        if option.required:
            raise OptionMissingError(side=side, option=option.name)
        return
    if option.type == "choice" and value not in option.choices:
        raise OptionInvalidError(side=side, option=option.name, expected=", ".join(option.choices))
    if isinstance(value, int):
        if not 1 <= value <= option.maximum:
            raise OptionInvalidError(side=side, option=option.name, expected=f"1–{option.maximum}")
    elif len(str(value)) > option.maximum or (option.type == "text" and _CONTROL_CHARACTER.search(str(value))):
        raise OptionInvalidError(side=side, option=option.name, expected=f"≤ {option.maximum}")


def _open(secrets: SecretBox, stored: Row[Any]) -> str:
    return secrets.open(stored.secret, _context(stored.id))


def _context(data_source_id: str) -> str:
    return f"data-source:{data_source_id}:password"
