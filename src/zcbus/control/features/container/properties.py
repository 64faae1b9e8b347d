"""Properties of a container (`model.properties`): listed with their texts, checked, sent to its agents."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import repository, service
from zcbus.control.features.container.errors import PropertyRefusedError, PropertyUnknownError
from zcbus.control.features.container.schemas import (
    ContainerPropertiesChange,
    ContainerProperty,
    PropertyModule,
)
from zcbus.control.platform.call import Call
from zcbus.model.properties import PROPERTIES, Property, Values


def properties_of(connection: Connection, container_id: str) -> Values:
    """The set properties of a container."""
    return _set_of(repository.find_container(connection, container_id))


def describe(call: Call, container: Row[Any], module: str = "") -> list[PropertyModule]:
    """All properties by module, or those of one module."""
    known = [one for one in PROPERTIES.values() if module in ("", one.module)]
    values = _set_of(container)
    return [
        PropertyModule(
            module=name,
            title=call.text(f"property.{name}.title"),
            properties=[_record(call, one, values) for one in members],
        )
        for name, members in groupby(known, key=lambda one: one.module)
    ]


def change(
    connection: Connection, container: Row[Any], requested: ContainerPropertiesChange
) -> Mapping[str, int | None]:
    """Set the named properties, or reset them to their defaults. Services restart where a property needs it. Returns
    the changes. Raises PropertyUnknownError, PropertyRefusedError, and then nothing has changed."""
    before = _set_of(container)
    named = {f"{group.module}.{one.name}": one.value for group in requested.modulelist for one in group.properties}
    for key, value in named.items():
        _check(key, value)
    changed = {key: value for key, value in named.items() if before.get(key) != value}
    if changed:
        after = {key: value for key, value in {**before, **changed}.items() if value is not None}
        repository.set_plain_properties(connection, container.id, after)
        if any(PROPERTIES[key].restart for key in changed):
            service.restart(connection, repository.services_of_container(connection, container.id))
        service.notify_container(connection, container.id)
    return changed


def _set_of(container: Row[Any]) -> Values:
    # Properties of an older version that this one does not know are ignored.
    return {key: value for key, value in (container.properties or {}).items() if key in PROPERTIES}


def _record(call: Call, one: Property, values: Values) -> ContainerProperty:
    return ContainerProperty(
        name=one.name,
        title=call.text(f"property.{one.key}.title"),
        help=call.text(f"property.{one.key}.help"),
        unit=one.unit,
        value=values.get(one.key),
        default=one.default,
        least=one.least,
        most=one.most,
        restart=one.restart,
    )


def _check(key: str, value: int | None) -> None:
    if key not in PROPERTIES:
        raise PropertyUnknownError(name=key)
    one = PROPERTIES[key]
    if value is not None and not one.least <= value <= one.most:
        raise PropertyRefusedError(name=key, least=one.least, most=one.most)
