"""Where services of a container may connect to, and where its data services may listen."""

from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import repository, service
from zcbus.control.features.container.errors import AddressOutsideError
from zcbus.control.features.container.schemas import ContainerNetwork, ContainerNetworkChange
from zcbus.kit.gateway_settings import GatewaySettings, parse_networks
from zcbus.protocol.agent import Reach


def describe(container: Row[Any]) -> ContainerNetwork:
    """The stored setting; default: all that its hosts allow."""
    return ContainerNetwork.model_validate(container.network or {})


def change(connection: Connection, container: Row[Any], requested: ContainerNetworkChange) -> None:
    """Services restart where their connections may change."""
    before, after = describe(container), ContainerNetwork(**requested.model_dump(exclude={"containerid"}))
    if before == after:
        return
    repository.set_network(connection, container.id, after.model_dump(mode="json"))
    if (before.allow, before.deny) != (after.allow, after.deny):
        service.restart(connection, repository.services_of_container(connection, container.id))
    service.notify_container(connection, container.id)


def reach_of(connection: Connection, container_id: str, loopback: bool) -> Reach:
    """The setting for its agents. `loopback`: hosts may be connected to by their own services."""
    known = describe(repository.find_container(connection, container_id))
    return Reach(allow=tuple(known.allow), deny=tuple(known.deny), loopback=loopback)


def check_listening(connection: Connection, container_id: str, host: str, port: int) -> None:
    """Raises AddressOutsideError where a data service of the container may not listen there."""
    known = describe(repository.find_container(connection, container_id))
    limits = GatewaySettings(
        addresses=parse_networks(",".join(known.listen_addresses)), ports=(known.first_port, known.last_port)
    )
    if not limits.allows(host, port):
        raise AddressOutsideError(host=host, port=port, first=known.first_port, last=known.last_port)
