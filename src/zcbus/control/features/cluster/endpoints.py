"""Calls of containers (the specification's 7.6) and of hosts that join them."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.cluster import hosts, joining, service, statistics
from zcbus.control.features.cluster.schemas import (
    CONTAINERS,
    ClusterDetail,
    ClusterRecord,
    ClusterStatistics,
    ContainerDeletion,
    ContainerEdit,
    ContainerInfoChoice,
    ContainerPageRequest,
    ExceptionCount,
    ExceptionKindCount,
    HostDeletion,
    HostRemoval,
    JoinOffer,
    NewContainer,
    StatusCount,
    StatusStatistics,
    StatusStatisticsRequest,
    TypeCount,
)
from zcbus.control.features.container import agents
from zcbus.control.features.container.schemas import ContainerIdChoice
from zcbus.control.platform.authorisation import authorise, public
from zcbus.control.platform.authority import Authority
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api
from zcbus.protocol.agent import Join, Joined

api = Api("cluster")

_CLUSTER = "/api/zcbus/container/cluster"
_CUSTOMER = f"{_CLUSTER}/customer"
_VIEW = authorise(service.MENU_KEY, Operation.VIEW)


@api.read(f"{_CLUSTER}/getAll", authorise("sync-link", Operation.VIEW), lists=CONTAINERS)
def page(call: Call, body: ContainerPageRequest) -> Page[ClusterRecord]:
    """Containers the caller may run services in, by page."""
    return answer_page(call, body, service.listing(call.principal, body, call.services.clock.now()))


@api.change(f"{_CLUSTER}/add", authorise(service.MENU_KEY, Operation.CREATE), unit=Unit.OWN)
def add(call: Call, body: NewContainer) -> JoinOffer:
    """Make a container; the answer joins its first host."""
    call.audit.subject = body.container_name
    now = call.services.clock.now()
    with call.services.database.write_alone() as connection:
        return joining.offer(connection, now, service.add(connection, now, body), _pin(call))


@api.change(f"{_CLUSTER}/edit", authorise(service.MENU_KEY, Operation.EDIT))
def edit(call: Call, body: ContainerEdit) -> None:
    """Change a container."""
    row = service.find(call.connection, call.principal, call.services.clock.now(), body.id)
    call.audit.subject, call.audit.before = row.container_name, service.plain(row)
    service.edit(call.connection, body)


@api.change(f"{_CLUSTER}/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: ContainerDeletion) -> None:
    """Remove a container in which no services are. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = service.find(call.connection, call.principal, call.services.clock.now(), body.id)
    call.audit.subject, call.audit.before, call.audit.after = row.container_name, service.plain(row), None
    service.delete(call.connection, row)


@api.change(f"{_CLUSTER}/join/offer", authorise(service.MENU_KEY, Operation.CREATE))
def offer_join(call: Call, body: ContainerIdChoice) -> JoinOffer:
    """A token that joins one host to a container."""
    row = service.find(call.connection, call.principal, call.services.clock.now(), body.containerid)
    call.audit.subject = row.container_name
    return joining.offer(call.connection, call.services.clock.now(), row.id, _pin(call))


@api.change("/api/zcbus/container/host/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete_host(call: Call, body: HostDeletion) -> HostRemoval:
    """Delete a host that is gone for good; others get its services. Codes 40104 and 40105 concern the captcha."""
    confirm_deletion(call, body)
    host = agents.find_agent(call.connection, call.principal, body.device_id)
    names = hosts.remove(call.connection, host, call.services.clock.now())
    call.audit.subject = f"{host.container_name} / {host.host}"
    call.audit.before, call.audit.after = {"host": host.host, "services": list(names)}, None
    return HostRemoval(services=list(names))


@api.change("/api/zcbus/agent/join", public("the join token in the body says who may"))
def join(call: Call, body: Join) -> Joined:
    """A host with a join token becomes one of a container's."""
    call.audit.user_name = call.audit.subject = body.host[:255]
    joined = joining.join(call.connection, call.services.clock.now(), body, _authority(call))
    call.audit.after = {"host": body.host, "container": joined.container}
    return joined


@api.read(f"{_CUSTOMER}/getContainerInfo", _VIEW)
def info(call: Call, body: ContainerInfoChoice) -> ClusterDetail:
    """A container with its hosts."""
    return service.describe(call.connection, call.principal, call.services.clock.now(), body)


@api.read(f"{_CUSTOMER}/getTypeCount", _VIEW)
def type_count(call: Call, body: ContainerIdChoice) -> list[TypeCount]:
    """A container's services by type."""
    return statistics.by_type(call.connection, call.principal, _known(call, body))


@api.read(f"{_CUSTOMER}/getStatusCount", _VIEW)
def status_count(call: Call, body: ContainerIdChoice) -> list[StatusCount]:
    """A container's services by state."""
    return statistics.by_status(call.connection, call.principal, _known(call, body))


@api.read(f"{_CUSTOMER}/getExceptionCount", _VIEW)
def exception_count(call: Call, body: ContainerIdChoice) -> ExceptionCount:
    """How many things are wrong in a container."""
    return ExceptionCount(count=sum(one.count for one in exception_statistics_count(call, body)))


@api.read(f"{_CUSTOMER}/getExceptionStatistcsCount", _VIEW)
def exception_statistics_count(call: Call, body: ContainerIdChoice) -> list[ExceptionKindCount]:
    """Problems in a container, by kind."""
    return statistics.exceptions(call.connection, call.principal, _known(call, body), call.services.clock.now())


@api.read(f"{_CUSTOMER}/getStatistics", _VIEW)
def get_statistics(call: Call, body: ContainerIdChoice) -> ClusterStatistics:
    """A container's figures."""
    return statistics.statistics(call.connection, call.principal, _known(call, body), call.services.clock.now())


@api.read(f"{_CUSTOMER}/getStatusStatistics", _VIEW)
def status_statistics(call: Call, body: StatusStatisticsRequest) -> list[StatusStatistics]:
    """Chosen services of a container by type and state."""
    _known(call, body)
    return statistics.by_type_and_status(call.connection, call.principal, body)


def _pin(call: Call) -> str:
    services = call.services
    return services.authority.pin(services.clock.now()) if services.settings.uses_tls else ""


def _authority(call: Call) -> Authority | None:
    """Behind a proxy an agent's certificate does not arrive here."""
    direct = call.services.settings.uses_tls and "x-forwarded-for" not in call.request.headers
    return call.services.authority if direct else None


def _known(call: Call, body: ContainerIdChoice) -> str:
    """The container's id. Raises RecordNotFoundError."""
    return str(service.find(call.connection, call.principal, call.services.clock.now(), body.containerid).id)
