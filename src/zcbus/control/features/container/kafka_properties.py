"""Properties of a container's connections to Kafka: of those that write (push) and of those that read (client)."""

from collections.abc import Mapping
from typing import Any

import orjson
from sqlalchemy import Connection, Row

from zcbus.control.features.container import repository, service
from zcbus.control.features.container.errors import ContainerChoiceNeededError, KafkaPropertyRefusedError
from zcbus.control.features.container.schemas import (
    KafkaPropertiesChange,
    KafkaPropertiesRecord,
    KafkaProperty,
    KafkaSort,
)
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.container import container as containers

Properties = dict[str, str]


def find(connection: Connection, principal: Principal, container_id: str) -> Row[Any]:
    """A container the caller may use. Raises ContainerUnknownError."""
    return service.find_usable(connection, principal, container_id)


def find_or_only(connection: Connection, principal: Principal, container_id: str) -> Row[Any]:
    """A container by its id; without one the only container the caller may use. Raises ContainerUnknownError,
    ContainerChoiceNeededError."""
    if container_id:
        return find(connection, principal, container_id)
    rows = repository.select_containers(connection, principal)
    if len(rows) != 1:
        raise ContainerChoiceNeededError(count=len(rows))
    return rows[0]


def of_container(connection: Connection, secrets: SecretBox, container_id: str) -> Mapping[str, Properties]:
    """Stored properties of a container, by KafkaSort."""
    return _opened(secrets, repository.find_container(connection, container_id))


def describe(secrets: SecretBox, container: Row[Any], sort: KafkaSort) -> KafkaPropertiesRecord:
    """The properties without secrets."""
    # The client library is large, and seldom needed here.
    from zcbus.bus.kafka.checking import is_secret

    stored = _opened(secrets, container).get(sort, {})
    properties = [
        KafkaProperty(name=name, value=None if is_secret(name) else value, secret=is_secret(name))
        for name, value in sorted(stored.items())
    ]
    return KafkaPropertiesRecord(kafka_type=sort, containerid=container.id, properties=properties)


def change(connection: Connection, secrets: SecretBox, container: Row[Any], requested: KafkaPropertiesChange) -> None:
    """Replace the properties of one sort; an omitted value stays. The container's services restart with them. Raises
    KafkaPropertyRefusedError."""
    from zcbus.bus.kafka.checking import problem_with

    stored, sort = _opened(secrets, container), requested.kafka_type
    before = stored.get(sort, {})
    new = {one.name: before.get(one.name) if one.value is None else one.value for one in requested.properties}
    given = {name: value for name, value in new.items() if value is not None}
    missing = sorted(new.keys() - given.keys())
    problem = f"{missing[0]}: no value" if missing else problem_with(sort, given)
    if problem:
        raise KafkaPropertyRefusedError(detail=problem)
    if given == before:
        return
    sealed = secrets.seal(
        orjson.dumps({**stored, sort: given}).decode(), place(containers.c.sealed_properties, container.id)
    )
    repository.set_properties(connection, container.id, sealed)
    service.restart(connection, repository.services_of_container(connection, container.id))
    service.notify_container(connection, container.id)


def _opened(secrets: SecretBox, container: Row[Any]) -> Mapping[str, Properties]:
    if container.sealed_properties is None:
        return {}
    stored: dict[str, Properties] = orjson.loads(
        secrets.open(container.sealed_properties, place(containers.c.sealed_properties, container.id))
    )
    return stored
