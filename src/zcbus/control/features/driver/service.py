"""The life of a driver: trusted, distributed, removed."""

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, or_, select, update

from zcbus.connectors.options import DRIVER, parse
from zcbus.connectors.registry import KINDS
from zcbus.control.features.container import service as containers
from zcbus.control.features.driver.errors import (
    DriverNameTakenError,
    DriverUnconfirmedError,
    DriverUnsignedError,
    PackageUnknownError,
    TooManyDriversError,
)
from zcbus.control.features.driver.schemas import (
    DRIVER_KINDS,
    DRIVERS,
    PACKAGE,
    DriverContainer,
    DriverDownload,
    DriverHost,
    DriverInput,
    DriverKind,
    DriverName,
    DriverPageRequest,
    DriverRecord,
    DriverRules,
    DriverTargets,
    DriverUser,
)
from zcbus.control.features.upload import service as uploads
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.data_source_owners import owned_data_sources
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.container import agent, container
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.driver import driver, driver_container, driver_state
from zcbus.control.store.tables.upload import upload
from zcbus.kit.file_content import wheel_of
from zcbus.kit.signatures import key_names, signer_of
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.drivers import MAX_DRIVERS

_MB = 1 << 20


def rules(call: Call) -> DriverRules:
    """What an upload needs."""
    keys = call.services.settings.driver_keys
    return DriverRules(
        signed=keys is not None,
        keys=key_names(keys) if keys is not None else [],
        most=call.services.settings.uploads.file_mb * _MB,
        kinds=[DriverKind(kind=kind, label=_label(kind)) for kind in (*DRIVER_KINDS, PACKAGE)],
    )


def listing(call: Call, request: DriverPageRequest) -> Listing[DriverRecord]:
    """By name."""
    statement = _described()
    if request.search.strip():
        statement = statement.where(
            any_contains((driver.c.name, driver.c.version, upload.c.user_name), request.search.strip())
        )
    if request.kind:
        statement = statement.where(driver.c.kind == request.kind)
    chosen = _containers_by_driver(call.connection)
    return Listing(DRIVERS, statement, [driver.c.name], lambda row: _record(row, chosen.get(row.id, [])))


def names(call: Call) -> list[DriverName]:
    """Drivers of the containers that the caller may use, by name."""
    usable = containers.usable_ids(call.connection, call.principal)
    chosen = select(driver_container.c.driver_id).where(driver_container.c.container_id.in_(usable))
    its = or_(driver.c.everywhere, driver.c.id.in_(chosen))
    statement = select(driver).where(its, driver.c.kind != PACKAGE).order_by(driver.c.name)
    return [DriverName.of_row(row) for row in call.connection.execute(statement)]


def downloads(connection: Connection, principal: Principal) -> list[DriverDownload]:
    """Drivers and packages of the containers that the caller may use, by name."""
    usable = containers.usable_ids(connection, principal)
    chosen = select(driver_container.c.driver_id).where(driver_container.c.container_id.in_(usable))
    statement = _described().where(or_(driver.c.everywhere, driver.c.id.in_(chosen))).order_by(driver.c.name)
    return [
        DriverDownload(
            id=row.id, name=row.name, kind=row.kind, kind_label=_label(row.kind), size=row.size, sha256=row.sha256
        )
        for row in connection.execute(statement)
    ]


def content(call: Call, driver_id: str) -> tuple[DriverDownload, Iterator[bytes]]:
    """One of `downloads`, and its content. Raises RecordNotFoundError, KeepingUnavailable."""
    with call.services.database.read() as store:
        its = next((one for one in downloads(store, call.principal) if one.id == driver_id), None)
        if its is None:
            raise RecordNotFoundError(kind="driver", id=driver_id)
        row = uploads.find_any(store, driver_id, "driver")
    return its, uploads.content(call, row)


def find(connection: Connection, driver_id: str) -> DriverRecord:
    """Raises RecordNotFoundError."""
    row = connection.execute(_described().where(driver.c.id == driver_id)).one_or_none()
    if row is None:
        raise RecordNotFoundError(kind="driver", id=driver_id)
    return _record(row, _containers_by_driver(connection).get(driver_id, []))


def add(call: Call, given: DriverInput) -> DriverRecord:
    """Make the caller's own uploaded file a driver that agents fetch. Raises RecordNotFoundError,
    DriverNameTakenError, DriverUnsignedError, DriverUnconfirmedError, PackageUnknownError, TooManyDriversError,
    ContainerUnknownError, KeepingUnavailable."""
    with call.services.database.read() as store:
        row = uploads.find_own_ready(store, call.principal, given.upload_id, "driver")
        _check_new(store, given)
    _check_package(call, row, given)
    signer = _trusted(call, row, given)
    with call.services.database.write() as store:
        _check_new(store, given)
        store.execute(
            driver.insert().values(
                id=row.id,
                name=given.name,
                kind=given.kind,
                version=given.version,
                signature=given.signature if signer else "",
                signer=signer[:100],
                everywhere=given.everywhere,
                created_at=call.services.clock.now(),
            )
        )
        _choose(call, store, row.id, given)
        _notify(store, _ordered(store, row.id))
        return find(store, row.id)


def distribute(call: Call, driver_id: str, given: DriverTargets) -> DriverRecord:
    """Change its containers; hosts of others delete it. Raises RecordNotFoundError, ContainerUnknownError."""
    store = call.connection
    find(store, driver_id)
    before = _ordered(store, driver_id)
    store.execute(update(driver).where(driver.c.id == driver_id).values(everywhere=given.everywhere))
    store.execute(delete(driver_container).where(driver_container.c.driver_id == driver_id))
    _choose(call, store, driver_id, given)
    _notify(store, before ^ _ordered(store, driver_id))
    return find(store, driver_id)


def remove(call: Call, driver_id: str) -> None:
    """Its hosts delete it. Raises RecordNotFoundError, KeepingUnavailable: the driver is gone, its content is not."""
    with call.services.database.write() as store:
        find(store, driver_id)
        row = uploads.find_any(store, driver_id, "driver")
        ordered = _ordered(store, driver_id)
        store.execute(delete(driver).where(driver.c.id == driver_id))
        _notify(store, ordered)
    uploads.remove(call, row)


def hosts(call: Call, driver_id: str) -> list[DriverHost]:
    """Hosts that should keep a driver, by container and name. Raises RecordNotFoundError."""
    store, now, texts = call.connection, call.services.clock.now(), ReasonTexts.of(call)
    find(store, driver_id)
    state = driver_state.alias("own")
    statement = (
        select(
            agent.c.id,
            agent.c.host,
            agent.c.heartbeat_at,
            container.c.display_name,
            state.c.state,
            state.c.reason,
            state.c.reported_at,
        )
        .join(container, container.c.id == agent.c.container_id)
        .join(state, (state.c.agent_id == agent.c.id) & (state.c.driver_id == driver_id), isouter=True)
        .where(agent.c.container_id.in_(_ordered(store, driver_id)))
        .order_by(container.c.display_name, agent.c.host, agent.c.id)
    )
    return [
        DriverHost(
            agent_id=row.id,
            host=row.host,
            container_name=row.display_name,
            alive=not is_stale(row.heartbeat_at, now),
            state=row.state or "waiting",
            reason=texts.record(row.reason),
            reported_at=row.reported_at,
        )
        for row in store.execute(statement)
    ]


def users(connection: Connection, driver_id: str) -> list[DriverUser]:
    """Connections of all tenants that give a driver's name, or leave the choice among those of its kind to their
    hosts. Raises RecordNotFoundError."""
    its = find(connection, driver_id)
    found = []
    for row in connection.execute(owned_data_sources().where(data_source.c.kind.in_(DRIVER_KINDS))):
        given = row.options.get(DRIVER, "")
        if given == its.name or (not given and row.kind == its.kind):
            place = parse(KINDS[row.kind].spec.model, row.options).place
            found.append(DriverUser(use=row.use, name=row.name, kind=row.kind, place=place, named=bool(given)))
    return sorted(found, key=lambda one: not one.named)


def _check_new(store: Connection, given: DriverInput) -> None:
    if store.execute(select(func.count()).select_from(driver)).scalar_one() >= MAX_DRIVERS:
        raise TooManyDriversError(most=MAX_DRIVERS)
    if store.execute(select(driver.c.id).where(driver.c.id == given.upload_id)).first() is not None:
        raise RecordNotFoundError(kind="upload", id=given.upload_id)
    if store.execute(select(driver.c.id).where(driver.c.name == given.name)).first() is not None:
        raise DriverNameTakenError(name=given.name)


def _check_package(call: Call, row: Row[Any], given: DriverInput) -> None:
    """Raises PackageUnknownError unless the file is of the chosen sort, and a package the one that it is called."""
    if given.kind == PACKAGE:
        with uploads.on_disk(call, row) as path:
            found = wheel_of(path) if row.kind == "wheel" else None
        if found != ("zcbus", given.version) or given.name != f"zcbus-{given.version}-py3-none-any.whl":
            raise PackageUnknownError(name=given.name, found=" ".join(found) if found else "-")
    elif row.kind != "jar":
        raise PackageUnknownError(name=given.name, found=row.kind)


def _label(kind: str) -> str:
    return "ZCBUS" if kind == PACKAGE else KINDS[kind].spec.label


def _trusted(call: Call, row: Row[Any], given: DriverInput) -> str:
    """The name of the key that signed it; empty: its checksum was confirmed."""
    keys = call.services.settings.driver_keys
    if keys is None:
        if given.sha256 != row.sha256:
            raise DriverUnconfirmedError(name=given.name, sha256=row.sha256)
        return ""
    with uploads.on_disk(call, row) as path:
        signer = signer_of(path, given.signature, keys)
    if not signer:
        raise DriverUnsignedError(name=given.name, keys=", ".join(key_names(keys)) or "-")
    return signer


def _choose(call: Call, store: Connection, driver_id: str, given: DriverTargets) -> None:
    if given.everywhere:
        return
    ids = [containers.find_usable(store, call.principal, one).id for one in dict.fromkeys(given.container_ids)]
    store.execute(driver_container.insert(), [{"driver_id": driver_id, "container_id": one} for one in ids])


def _ordered(store: Connection, driver_id: str) -> set[str]:
    """Containers whose hosts keep it."""
    everywhere = select(driver.c.everywhere).where(driver.c.id == driver_id)
    if store.execute(everywhere).scalar():
        return set(store.execute(select(container.c.id)).scalars())
    chosen = select(driver_container.c.container_id).where(driver_container.c.driver_id == driver_id)
    return set(store.execute(chosen).scalars())


def _notify(store: Connection, container_ids: Iterable[str]) -> None:
    # Always in one order, so that two changes never wait for each other.
    for container_id in sorted(container_ids):
        containers.notify_container(store, container_id)


def _described() -> Select[Any]:
    chosen = select(driver_container.c.container_id).where(driver_container.c.driver_id == driver.c.id)
    reported = select(func.count()).select_from(driver_state).where(driver_state.c.driver_id == driver.c.id)
    its = or_(driver.c.everywhere, agent.c.container_id.in_(chosen.correlate(driver)))
    return select(
        driver,
        *(upload.c[name] for name in ("size", "sha256", "user_name")),
        select(func.count()).select_from(agent).where(its).correlate(driver).scalar_subquery().label("hosts"),
        *(
            reported.where(driver_state.c.state == state).correlate(driver).scalar_subquery().label(state)
            for state in ("present", "failed")
        ),
    ).join(upload, upload.c.id == driver.c.id)


def _containers_by_driver(connection: Connection) -> dict[str, list[DriverContainer]]:
    statement = (
        select(driver_container.c.driver_id, container.c.id, container.c.display_name)
        .join(container, container.c.id == driver_container.c.container_id)
        .order_by(container.c.display_name)
    )
    found: dict[str, list[DriverContainer]] = {}
    for row in connection.execute(statement):
        found.setdefault(row.driver_id, []).append(DriverContainer(id=row.id, name=row.display_name))
    return found


def _record(row: Row[Any], chosen: list[DriverContainer]) -> DriverRecord:
    return DriverRecord(
        id=row.id,
        name=row.name,
        kind=row.kind,
        kind_label=_label(row.kind),
        version=row.version,
        size=row.size,
        sha256=row.sha256,
        signer=row.signer,
        user_name=row.user_name,
        created_at=row.created_at,
        everywhere=row.everywhere,
        containers=chosen,
        hosts=row.hosts,
        present=row.present,
        failed=row.failed,
    )
