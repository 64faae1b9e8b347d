"""API apps: programs that may call, with a key and a secret that is shown once."""

import hashlib
import secrets as randomness
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.data_service import apis, data_services, repository
from zcbus.control.features.data_service.errors import AppNameTakenError
from zcbus.control.features.data_service.schemas import (
    APP_LIST,
    AppChange,
    AppInput,
    AppRecord,
    AppSecret,
    SearchPageRequest,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.data_service import api_app
from zcbus.kit.ids import new_id

_KEY_BYTES = 12
_SECRET_BYTES = 32


def listing(connection: Connection, principal: Principal, request: SearchPageRequest) -> Listing[AppRecord]:
    """By name."""

    def record(row: Row[Any]) -> AppRecord:
        return _record(row, repository.grants_of(connection, [row.id]).get(row.id, []))

    return Listing(APP_LIST, repository.apps(principal, request.search), [api_app.c.name, api_app.c.id], record)


def find(connection: Connection, principal: Principal, identifier: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.first(connection, repository.apps(principal), api_app.c.id == identifier)
    if row is None:
        raise RecordNotFoundError(kind="api-app", id=identifier)
    return row


def add(call: Call, given: AppInput) -> AppSecret:
    """Raises AppNameTakenError."""
    tenant_id, now = call.principal.tenant_id, call.services.clock.now()
    _check_name(call, tenant_id, given.name, None)
    identifier, key, secret = new_id(), f"app-{randomness.token_hex(_KEY_BYTES)}", _new_secret()
    call.connection.execute(
        api_app.insert().values(
            id=identifier,
            tenant_id=tenant_id,
            key=key,
            sealed_hash=_sealed(call.services.secrets, identifier, secret),
            created_at=now,
            updated_at=now,
            **_values(given),
        )
    )
    _grant(call, identifier, tenant_id, given)
    return AppSecret(id=identifier, key=key, secret=secret)


def edit(call: Call, row: Row[Any], given: AppChange) -> None:
    """Counts at once. Raises AppNameTakenError."""
    _check_name(call, row.tenant_id, given.name, row.id)
    repository.change(call.connection, api_app, row.id, updated_at=call.services.clock.now(), **_values(given))
    _grant(call, row.id, row.tenant_id, given)


def renew(call: Call, row: Row[Any]) -> AppSecret:
    """Replace an app's secret; the old one is invalid."""
    secret = _new_secret()
    repository.change(
        call.connection,
        api_app,
        row.id,
        sealed_hash=_sealed(call.services.secrets, row.id, secret),
        updated_at=call.services.clock.now(),
    )
    data_services.notify_agents(call.connection, row.tenant_id)
    return AppSecret(id=row.id, key=row.key, secret=secret)


def delete(call: Call, row: Row[Any]) -> None:
    """From now on it may not call."""
    repository.remove(call.connection, api_app, row.id)
    data_services.notify_agents(call.connection, row.tenant_id)


def secret_hash(secrets: SecretBox, row: Row[Any]) -> str:
    """Data by which a data service authenticates callers."""
    return secrets.open(row.sealed_hash, place(api_app.c.sealed_hash, row.id))


def plain(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """For the operation log."""
    grants = repository.grants_of(connection, [row.id]).get(row.id, [])
    return _record(row, grants).model_dump(mode="json", by_alias=True, exclude={"id", "updated_at"})


def _new_secret() -> str:
    return randomness.token_urlsafe(_SECRET_BYTES)


def _sealed(secrets: SecretBox, identifier: str, secret: str) -> str:
    return secrets.seal(hashlib.sha256(secret.encode()).hexdigest(), place(api_app.c.sealed_hash, identifier))


def _grant(call: Call, identifier: str, tenant_id: str, given: AppInput) -> None:
    own = apis.ids_of_tenant(call.connection, call.principal, tenant_id, given.apis)
    repository.replace_grants(call.connection, identifier, own)
    data_services.notify_agents(call.connection, tenant_id)


def _values(given: AppInput) -> dict[str, Any]:
    return given.model_dump(by_alias=False, exclude={"id", "apis"})


def _check_name(call: Call, tenant_id: str, name: str, besides: str | None) -> None:
    same = (api_app.c.tenant_id == tenant_id, api_app.c.name == name, api_app.c.id != (besides or ""))
    if repository.first(call.connection, repository.apps(call.principal), *same) is not None:
        raise AppNameTakenError(name=name)


def _record(row: Row[Any], grants: list[str]) -> AppRecord:
    return AppRecord(
        id=row.id,
        name=row.name,
        key=row.key,
        addresses=row.addresses,
        per_minute=row.per_minute,
        enabled=row.enabled,
        expires_at=row.expires_at,
        remark=row.remark,
        apis=grants,
        updated_at=row.updated_at,
    )
