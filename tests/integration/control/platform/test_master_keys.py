"""Master keys: rotated while control planes run, interrupted anywhere, retired once nothing needs them."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.support.clock import MovableClock
from zcbus.control.bootstrap import build_services, prepare
from zcbus.control.features.encode_tool.cipher import decode, encode
from zcbus.control.features.master_key.errors import (
    KeyNeededError,
    KeyNotEverywhereError,
    KeyRecentError,
    KeySealsError,
)
from zcbus.control.features.master_key.holders import LIVE, report
from zcbus.control.features.master_key.resealing import census
from zcbus.control.features.master_key.retirement import SETTLED, retire
from zcbus.control.features.master_key.rotation import Waiting, rotate
from zcbus.control.features.master_key.status import holders, key_states
from zcbus.control.features.operation_log.proof import verify
from zcbus.control.platform.audit_chain import Chain
from zcbus.control.platform.secrets import Lasting, SecretBox
from zcbus.control.platform.services import Services
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.kit.ids import new_id
from zcbus.kit.settings import load_settings

SOURCES = 250
"""More than a transaction takes."""


class Killed(BaseException):
    pass


@contextmanager
def services_in(folder: Path, store: str, clock: MovableClock) -> Iterator[Services]:
    services = build_services(load_settings({"ZCBUS_DATA_DIR": str(folder), "ZCBUS_DATABASE_URL": store}), clock)
    prepare(services)
    try:
        yield services
    finally:
        services.close()


@pytest.fixture
def planes(prepared_store: str, tmp_path: Path) -> Iterator[tuple[Services, Services, Services]]:
    """Two control planes on two hosts, and a command on the first one."""
    clock = MovableClock()
    one, two = tmp_path / "var", tmp_path / "two"
    with services_in(one, prepared_store, clock) as first:
        two.mkdir()
        shutil.copy(one / "keys", two / "keys")
        with services_in(two, prepared_store, clock) as second, services_in(one, prepared_store, clock) as command:
            yield first, second, command


def store_secrets(services: Services, count: int = SOURCES) -> dict[str, str]:
    """Data sources with passwords, and one in the recycle bin; returns the passwords by place."""
    now, tenant = services.clock.now(), "default"
    known: dict[str, str] = {}

    def row() -> dict[str, Any]:
        key = new_id()
        secrets = {name: f"{name}-{key}" for name in ("password", "token")}
        places = {name: place(data_source.c.secrets, key, name) for name in secrets}
        known.update({places[name]: value for name, value in secrets.items()})
        sealed = {name: services.secrets.seal(value, places[name]) for name, value in secrets.items()}
        times = {"created_at": now, "updated_at": now}
        return {"id": key, "tenant_id": tenant, "kind": "mysql", "options": {}, "secrets": sealed, **times}

    with services.database.write() as connection:
        connection.execute(data_source.insert(), [row() for _ in range(count)])
        deleted = {name: value for name, value in row().items() if not name.endswith("_at")}
        kept = {"id": new_id(), "tenant_id": tenant, "kind": "policy", "name": "x", "deleted_by": "", "deleted_at": now}
        content = {"data_source": [deleted]}
        connection.execute(recycled_object.insert().values(**kept, content=content, expires_at=now + timedelta(1)))
    return known


def opened(services: Services, box: SecretBox) -> dict[str, str]:
    """All passwords by place, opened with these keys."""
    with services.database.read() as connection:
        rows = [(row.id, row.secrets) for row in connection.execute(select(data_source))]
        for content in connection.execute(select(recycled_object.c.content)).scalars():
            rows += [(row["id"], row["secrets"]) for row in content["data_source"]]
    found = {place(data_source.c.secrets, key, name): text for key, texts in rows for name, text in texts.items()}
    return {where: box.open(text, where) for where, text in found.items()}


def keys_in(services: Services) -> set[str]:
    """Keys that stored texts need."""
    with services.database.read() as connection:
        return {key for _, key in census(connection)}


def living(*planes: Services) -> Waiting:
    """A wait in which these control planes do what they do every 5 s."""

    def pause(_: float) -> None:
        for plane in planes:
            report(plane)

    return Waiting(30.0, pause)


@pytest.mark.wide
@pytest.mark.every_store
def test_all_secrets_move_to_a_new_key_while_two_control_planes_run(
    planes: tuple[Services, Services, Services],
) -> None:
    first, second, command = planes
    known = store_secrets(first)
    encoded = encode(first.secrets, "t", "text")
    for plane in (first, second):
        report(plane)
    [old] = keys_in(command)
    lasting = {purpose: command.secrets.derive_lasting(purpose) for purpose in Lasting}
    with pytest.raises(KeyNotEverywhereError, match="keys"):
        rotate(command, Waiting(0.0, lambda _: None))
    assert keys_in(command) == {old}
    assert second.secrets.sealing_key_id == first.secrets.sealing_key_id == old
    source = command.secrets.source
    assert source is not None
    shutil.copy(source.name, str(second.settings.keys.file))
    steps: list[str] = []
    waiting = living(first, second)
    waiting.say = lambda step, _: steps.append(step)
    done = rotate(command, waiting)
    assert (done.rows, steps[0]) == (SOURCES + 1, "continued")
    assert keys_in(command) == {done.key} != {old}
    for plane in planes:
        assert opened(plane, plane.secrets) == known
        assert plane.secrets.sealing_key_id == done.key
        assert decode(plane.secrets, "t", encoded) == "text"
    assert [(one.key, one.texts) for one in key_states(command)] == [(old, 0), (done.key, 2 * SOURCES + 2)]
    assert {one.seals_with for one in holders(command)} == {done.key}
    retire_everywhere(planes, old)
    assert opened(first, first.secrets) == opened(second, second.secrets) == known
    for plane in planes:
        assert {purpose: plane.secrets.derive_lasting(purpose) for purpose in Lasting} == lasting
    fresh = build_services(first.settings, first.clock)
    assert (list(fresh.secrets.ring.keys), opened(fresh, fresh.secrets)) == ([done.key], known)
    assert Chain.of(fresh.secrets) == Chain.of(second.secrets)
    assert verify(fresh).breaks == []
    fresh.close()
    assert actions(first) == ["add", "activate", "rotate", "retire", "retire"]


def retire_everywhere(planes: tuple[Services, Services, Services], old: str) -> None:
    first, second, command = planes
    sealing = command.secrets.sealing_key_id
    with pytest.raises(KeyRecentError):
        retire(command, old)
    with pytest.raises(KeySealsError):
        retire(command, sealing)
    assert isinstance(command.clock, MovableClock)
    command.clock.advance(SETTLED)
    retire(command, old)
    assert list(second.secrets.ring.keys) == [old, sealing]
    retire(second, old)
    for plane in (first, second):
        report(plane)
        assert list(plane.secrets.ring.keys) == [sealing]


def actions(services: Services) -> list[str]:
    with services.database.read() as connection:
        recorded = select(audit_record.c.action).where(audit_record.c.action.startswith("master-key_"))
        found = connection.execute(recorded.order_by(audit_record.c.recorded_at, audit_record.c.id)).scalars()
        return [action.removeprefix("master-key_") for action in found]


def test_a_rotation_that_is_killed_anywhere_loses_nothing_and_is_continued(
    planes: tuple[Services, Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, command = planes
    known = store_secrets(first)
    [old] = keys_in(command)
    end, rows = 0, None
    while rows is None:
        with monkeypatch.context() as patch:
            kill_at_the_end_of_a_transaction(patch, command, end)
            try:
                rows = rotate(command, living(first)).rows
            except Killed:
                end += 1
        for box in (first.secrets, SecretBox({}, command.secrets.source)):
            assert opened(first, box) == known
    # Made, activated, 4 portions, the record: each run was killed one transaction later than the one before.
    assert end >= 6
    assert keys_in(first) == {command.secrets.sealing_key_id} != {old}


def kill_at_the_end_of_a_transaction(patch: pytest.MonkeyPatch, services: Services, number: int) -> None:
    whole, left = services.database.write, [number]

    @contextmanager
    def write() -> Iterator[Any]:
        with whole() as connection:
            yield connection
            left[0] -= 1
            if left[0] < 0:
                raise Killed

    patch.setattr(services.database, "write", write)


def test_a_key_that_something_needs_is_not_retired(planes: tuple[Services, Services, Services]) -> None:
    first, _, command = planes
    store_secrets(first, 1)
    [old] = keys_in(command)
    with pytest.raises(KeySealsError):
        retire(command, old)
    rotate(command, living())
    late = first.secrets.seal_by(old, "late", "x")
    with command.database.write() as connection:
        connection.execute(data_source.update().values(secrets={"password": late}))
    assert isinstance(command.clock, MovableClock)
    command.clock.advance(SETTLED)
    with pytest.raises(KeyNeededError, match="data_source") as raised:
        retire(command, old)
    assert raised.value.facts["count"] == 1
    assert old in json.dumps(Path(command.settings.keys.file).read_text())


def test_a_control_plane_that_ended_does_not_hold_up_a_rotation(planes: tuple[Services, Services, Services]) -> None:
    first, second, command = planes
    for plane in (first, second):
        report(plane)
    assert isinstance(command.clock, MovableClock)
    command.clock.advance(LIVE)
    done = rotate(command, living(first))
    report(first)
    assert first.secrets.sealing_key_id == done.key
