"""Calls of containers and services."""

from zcbus.control.features.container import agents, kafka_properties, network, properties, service
from zcbus.control.features.container.schemas import (
    ContainerIdChoice,
    ContainerNetwork,
    ContainerNetworkChange,
    ContainerPropertiesChange,
    ContainerRecord,
    KafkaPropertiesChange,
    KafkaPropertiesRecord,
    ModuleOfContainer,
    PropertyModule,
    ServiceRecord,
)
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api
from zcbus.control.platform.schema import Empty

api = Api("container")


@api.read("/api/zcbus/container/list", authorise("sync-link", Operation.VIEW))
def list_containers(call: Call, body: Empty) -> list[ContainerRecord]:
    """Containers the caller may use, with their agents."""
    return agents.list_containers(call.connection, call.principal, call.services.clock.now())


@api.read("/api/zcbus/container/service/list", authorise("sync-link", Operation.VIEW))
def list_services(call: Call, body: Empty) -> list[ServiceRecord]:
    """Services with desired and observed state apart, and how their last runs ended."""
    return service.list_services(call.connection, call.principal, ReasonTexts.of(call), call.services.clock.now())


_CUSTOMER = "/api/zcbus/container/cluster/customer"


@api.read(f"{_CUSTOMER}/proEditPushKafkaProperties", authorise("container", Operation.VIEW))
def push_properties(call: Call, body: ContainerIdChoice) -> KafkaPropertiesRecord:
    """Properties of a container's producers; secrets without their values."""
    container = kafka_properties.find(call.connection, call.principal, body.containerid)
    return kafka_properties.describe(call.services.secrets, container, "push")


@api.read(f"{_CUSTOMER}/proEditClientKafkaProperties", authorise("container", Operation.VIEW))
def client_properties(call: Call, body: ContainerIdChoice) -> KafkaPropertiesRecord:
    """Properties of a container's consumers; secrets without their values."""
    container = kafka_properties.find(call.connection, call.principal, body.containerid)
    return kafka_properties.describe(call.services.secrets, container, "client")


@api.read(f"{_CUSTOMER}/getBusClusterContainerPropertiesListByContainerAndMid", authorise("container", Operation.VIEW))
def list_properties(call: Call, body: ModuleOfContainer) -> list[PropertyModule]:
    """Properties of a container by module, with their effects and limits."""
    container = kafka_properties.find(call.connection, call.principal, body.containerid)
    return properties.describe(call, container, body.mid)


@api.change(f"{_CUSTOMER}/addAndUpdateProperties", authorise("container", Operation.EDIT))
def change_properties(call: Call, body: ContainerPropertiesChange) -> None:
    """Set properties of a container, which reach its hosts at once. Its services restart where one needs it."""
    container = kafka_properties.find(call.connection, call.principal, body.container_id)
    before = properties.properties_of(call.connection, container.id)
    changed = properties.change(call.connection, container, body)
    call.audit.subject, call.audit.after = container.name, dict(changed)
    call.audit.before = {key: before.get(key) for key in changed}


@api.read(f"{_CUSTOMER}/network", authorise("container", Operation.VIEW))
def get_network(call: Call, body: ContainerIdChoice) -> ContainerNetwork:
    """Where services of a container may connect to, and its data services listen."""
    return network.describe(kafka_properties.find(call.connection, call.principal, body.containerid))


@api.change(f"{_CUSTOMER}/editNetwork", authorise("container", Operation.EDIT))
def edit_network(call: Call, body: ContainerNetworkChange) -> None:
    """Replace it; services restart where it may change their connections."""
    container = kafka_properties.find(call.connection, call.principal, body.containerid)
    before = network.describe(container)
    call.audit.subject, call.audit.before = container.name, before.model_dump(mode="json", by_alias=True)
    network.change(call.connection, container, body)


@api.change(f"{_CUSTOMER}/editKafkaProperties", authorise("container", Operation.EDIT))
def edit_properties(call: Call, body: KafkaPropertiesChange) -> None:
    """Replace properties of one sort; the container's services restart with them."""
    container = kafka_properties.find_or_only(call.connection, call.principal, body.containerid)
    known = kafka_properties.describe(call.services.secrets, container, body.kafka_type)
    call.audit.subject, call.audit.before = container.name, {body.kafka_type: [one.name for one in known.properties]}
    call.audit.after = {body.kafka_type: [one.name for one in body.properties]}
    kafka_properties.change(call.connection, call.services.secrets, container, body)
