"""Connections: checked against their kind's specification, stored with their secrets sealed, opened for agents."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row

from zcbus.connectors.options import KindOptions, OptionsInvalid, parse, references_in
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec
from zcbus.control.features.container import agents
from zcbus.control.features.datasource import repository
from zcbus.control.features.datasource.errors import (
    DocumentInvalidError,
    KindUnsupportedError,
    OptionInvalidError,
    OptionMissingError,
    PasswordNeededError,
)
from zcbus.control.features.datasource.schemas import ConnectionInput, ConnectionRecord, Side
from zcbus.control.features.network_route import users
from zcbus.control.features.network_route.routes import with_route
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.data_source import data_source
from zcbus.kit.ids import new_id
from zcbus.model.states import LoadType
from zcbus.protocol.base import Connection


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
    _parsed(given, side)


def check_queried(given: ConnectionInput) -> None:
    """Hold a connection that queries run against against its kind's specification. Raises as `check`."""
    if spec_of(given.kind).query_rules is None:
        raise KindUnsupportedError(kind=given.kind)
    _parsed(given, "source")


def fixed_option(stored: Row[Any], given: ConnectionInput) -> str | None:
    """The option that identifies the database and differs from the stored one; None: it is the same database."""
    if stored.kind != given.kind:
        return "kind"
    fixed = (option.name for option in spec_of(given.kind).options if option.shown.fixed)
    return next((name for name in fixed if stored.options.get(name) != given.options.get(name)), None)


def written(target: Connection, load_type: str) -> Connection:
    """A target with a load type."""
    return target.model_copy(update={"load_type": LoadType(load_type)})


def wire(given: ConnectionInput, tenant_id: str) -> Connection:
    """A tenant's connection that was checked, without its route. A reference to a secret stands among the options: that
    is how agents distinguish it from a secret."""
    model = spec_of(given.kind).model
    options, references = parse(model, given.options), references_in(model, given.options)
    secrets = {name: SecretStr(value) for name, value in options.secrets().items() if name not in references}
    return Connection(kind=given.kind, options={**options.document(), **references}, secrets=secrets, tenant=tenant_id)


def create(
    connection: StoreConnection, secrets: SecretBox, tenant_id: str, given: ConnectionInput, now: datetime
) -> str:
    """Store a connection and return its id. Raises ReferenceUnreadError."""
    data_source_id = new_id()
    connected = wire(given, tenant_id)
    _require_readers(connection, connected)
    repository.insert(
        connection,
        data_source_id=data_source_id,
        tenant_id=tenant_id,
        kind=given.kind,
        options=connected.options,
        secrets=_sealed(secrets, connected, data_source_id),
        now=now,
    )
    return data_source_id


def merge(secrets: SecretBox, stored: Row[Any], given: ConnectionInput, side: Side) -> ConnectionInput:
    """`given` with the stored secrets where it has none. Raises PasswordNeededError where its destination differs: a
    stored secret is sent only to the server it was given for."""
    spec = spec_of(given.kind)
    missing = [o.name for o in spec.options if o.shown.secret and given.options.get(o.name) is None]
    if not missing or stored.kind != given.kind:
        return given
    complete = _parsed(given, side).document()
    known = {**_open(secrets, stored), **references_in(spec.model, stored.options)}
    kept = {name: known.get(name) for name in missing}
    if any(kept.values()) and any(stored.options.get(name) != complete[name] for name in _leading(spec)):
        raise PasswordNeededError(side=side)
    return ConnectionInput.model_validate({"kind": given.kind, **given.options, **kept})


def change(
    connection: StoreConnection, secrets: SecretBox, stored: Row[Any], given: ConnectionInput, now: datetime
) -> bool:
    """Store a changed connection, complete with its secrets. Returns whether anything differed. Raises
    ReferenceUnreadError."""
    new = wire(given, stored.tenant_id)
    if stored.options == new.options and _open(secrets, stored) == _revealed(new):
        return False
    _require_readers(connection, new)
    repository.change(connection, stored.id, new.options, _sealed(secrets, new, stored.id), now)
    return True


def stored_row(connection: StoreConnection, data_source_id: str) -> Row[Any]:
    """A stored connection, its password sealed."""
    return repository.find(connection, data_source_id)


def remove(connection: StoreConnection, data_source_id: str) -> None:
    """Forget a connection."""
    repository.remove(connection, data_source_id)


def open_stored(connection: StoreConnection, secrets: SecretBox, data_source_id: str) -> Connection:
    """A stored connection with its password, for agents only."""
    return open_row(connection, secrets, repository.find(connection, data_source_id))


def open_known(
    connection: StoreConnection, secrets: SecretBox, data_source_ids: Iterable[str]
) -> dict[str, Connection]:
    """As `open_stored`, by id; without those that were deleted meanwhile."""
    return {row.id: open_row(connection, secrets, row) for row in repository.select_known(connection, data_source_ids)}


def open_row(store: StoreConnection, secrets: SecretBox, stored: Row[Any]) -> Connection:
    """As `open_stored`, from its row."""
    opened = {name: SecretStr(value) for name, value in _open(secrets, stored).items()}
    found = Connection(kind=stored.kind, options=stored.options, secrets=opened, tenant=stored.tenant_id)
    return with_route(store, secrets, found)


def for_agents(services: Services, given: ConnectionInput, tenant_id: str, container_id: str) -> Connection:
    """A tenant's connection that was checked, as a container's agents take it. Opens a transaction of its own. Raises
    ReferenceUnreadError."""
    connected = wire(given, tenant_id)
    with services.database.read() as store:
        if _refers(connected):
            agents.require_reference_readers(store, [container_id])
        return with_route(store, services.secrets, connected)


def record(stored: Row[Any]) -> ConnectionRecord:
    """A stored connection as a record."""
    return ConnectionRecord(kind=stored.kind, **stored.options)


def _refers(connected: Connection) -> bool:
    return bool(references_in(spec_of(connected.kind).model, connected.options))


def _require_readers(store: StoreConnection, connected: Connection) -> None:
    if _refers(connected):
        agents.require_reference_readers(store, users.containers(store, connected.tenant))


def _leading(spec: KindSpec) -> list[str]:
    """The options that say where secrets go."""
    shown = ((option.name, option.shown) for option in spec.options if not option.shown.secret)
    return [name for name, one in shown if (not one.fixed if one.leads is None else one.leads)]


def _parsed(given: ConnectionInput, side: Side) -> KindOptions:
    model = spec_of(given.kind).model
    try:
        options: KindOptions = parse(model, given.options)
        references_in(model, given.options)
    except OptionsInvalid as error:
        name, expected = str(error.facts["option"]), str(error.facts["expected"])
        if "line" in error.facts:
            where = {fact: error.facts[fact] for fact in ("line", "place", "problem", "detail")}
            raise DocumentInvalidError(side=side, option=name, **where) from error
        if not expected:
            raise OptionMissingError(side=side, option=name) from error
        raise OptionInvalidError(side=side, option=name, expected=expected) from error
    return options


def _revealed(connection: Connection) -> dict[str, str]:
    return {name: secret.get_secret_value() for name, secret in connection.secrets.items()}


def _sealed(secrets: SecretBox, connection: Connection, data_source_id: str) -> dict[str, str]:
    return {
        name: secrets.seal(value, place(data_source.c.secrets, data_source_id, name))
        for name, value in _revealed(connection).items()
    }


def _open(secrets: SecretBox, stored: Row[Any]) -> dict[str, str]:
    return {
        name: secrets.open(sealed, place(data_source.c.secrets, stored.id, name))
        for name, sealed in stored.secrets.items()
    }
