"""The properties of containers as parameters of a module: what can be set, with its default.

What a container has set is its own (`features/container`)."""

from zcbus.control.features.parameter.schemas import ParameterRecord
from zcbus.control.platform.call import Call
from zcbus.model.properties import PROPERTIES

CONTAINER_MODULE = "bus_cluster_container_properties"
"""The specification's name of the module."""


def container_parameters(call: Call) -> list[ParameterRecord]:
    """Every property of a container; `value` is its default, null where each host has its own."""
    return [
        ParameterRecord(
            variable_name=one.key,
            name=one.key,
            module=CONTAINER_MODULE,
            description=f"{call.text(f'property.{one.key}.title')}: {call.text(f'property.{one.key}.help')}",
            value=one.default,
            updated_at=None,
        )
        for one in PROPERTIES.values()
    ]
