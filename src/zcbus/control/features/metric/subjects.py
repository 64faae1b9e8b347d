"""Access to metrics: those of a subject need the right to view it, and follow from what was sampled of its parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, or_, select

from zcbus.control.features.metric.catalogue import SubjectKind
from zcbus.control.features.metric.readings import CHANGES, LOADS, OF_SERVICES
from zcbus.control.features.metric.schemas import MetricSubject
from zcbus.control.platform.authorisation import Access, authorise_any
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task

Statement = Select[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """What is sampled of a subject: the subjects of one kind that belong to it, which are shown together."""

    kind: SubjectKind
    ids: Sequence[str]
    metrics: Sequence[str] | None = None
    """Of these only; None: all of the kind."""


class _Members(NamedTuple):
    """How the members of a subject are found: `visible` selects their ids (NULL: it has none) for those who may see
    the subject, `owner` is the column of the subject's id."""

    kind: SubjectKind
    visible: Callable[[Principal], Statement]
    owner: Any
    metrics: Sequence[str] | None = None
    is_optional: bool = False
    """Without members it has no such part; otherwise there is no such subject."""


class _Subject(NamedTuple):
    pages: tuple[str, ...]
    """The menu keys behind which it is seen."""
    members: tuple[_Members, ...]


def _links(principal: Principal) -> Statement:
    found = select(sync_task.c.channel_id).join(sync_link, sync_link.c.id == sync_task.c.link_id)
    return found.where(principal.visible(sync_link.c.tenant_id))


def _channels(principal: Principal) -> Statement:
    return _of_customer(select(channel.c.id), principal)


def _tables(principal: Principal) -> Statement:
    found = select(subscribed_table.c.id).join(channel, channel.c.id == subscribed_table.c.channel_id)
    return _of_customer(found, principal)


def _of_customer(found: Statement, principal: Principal) -> Statement:
    """`found`: a query over channels."""
    return (
        found.join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .where(principal.visible(customer.c.tenant_id))
    )


def _customers(principal: Principal) -> Statement:
    found = select(channel.c.id).select_from(customer).outerjoin(master, master.c.customer_id == customer.c.id)
    found = found.outerjoin(channel, channel.c.master_id == master.c.id)
    return found.where(principal.visible(customer.c.tenant_id))


def _nodes(principal: Principal) -> Statement:
    return select(publish_node.c.service_id).where(principal.visible(publish_node.c.tenant_id))


def _published(principal: Principal) -> Statement:
    found = select(published_table.c.id).join(publish_node, publish_node.c.id == published_table.c.node_id)
    return found.where(principal.visible(publish_node.c.tenant_id))


def _services(principal: Principal) -> Statement:
    return select(service.c.id).where(principal.visible(service.c.tenant_id))


def _publishing(principal: Principal) -> Statement:
    return _services(principal).join(publish_node, publish_node.c.service_id == service.c.id)


def _channels_of_services(principal: Principal) -> Statement:
    found = select(channel.c.id).join(service, service.c.id == channel.c.service_id)
    return found.where(principal.visible(service.c.tenant_id))


def _hosts(principal: Principal) -> Statement:
    found = select(agent.c.id).join(container, container.c.id == agent.c.container_id)
    return found.where(_shared_or_own(principal))


def _hosts_of_container(principal: Principal) -> Statement:
    found = select(agent.c.id).select_from(container).outerjoin(agent, agent.c.container_id == container.c.id)
    return found.where(_shared_or_own(principal))


def _services_of_container(principal: Principal) -> Statement:
    own = and_(service.c.container_id == container.c.id, principal.visible(service.c.tenant_id))
    return select(service.c.id).select_from(container).outerjoin(service, own).where(_shared_or_own(principal))


def _shared_or_own(principal: Principal) -> ColumnElement[bool]:
    return or_(container.c.tenant_id.is_(None), principal.visible(container.c.tenant_id))


_APPLYING = ("sync-link", "sync-task", "subscribe", "databus")
_PATHS = ("flow-path", "linkMonitor")
"""Pages that show each hop of a way."""
_SERVICES_OF_HOSTS = (*CHANGES, "restarts", "retries", "backlog_bytes")
"""What services of a container show together; memory is that of its hosts, and hops are those of single ways."""

_APPLIED = (*CHANGES, *LOADS, "lag_ms", "row_errors", "failed_tables")

_SUBJECTS: Mapping[MetricSubject, _Subject] = {
    MetricSubject.LINK: _Subject(("sync-link",), (_Members(SubjectKind.CHANNEL, _links, sync_link.c.id),)),
    MetricSubject.TASK: _Subject(("sync-task",), (_Members(SubjectKind.CHANNEL, _links, sync_task.c.id),)),
    MetricSubject.CHANNEL: _Subject((*_APPLYING, *_PATHS), (_Members(SubjectKind.CHANNEL, _channels, channel.c.id),)),
    MetricSubject.CUSTOMER: _Subject(
        ("subscribe", "databus"), (_Members(SubjectKind.CHANNEL, _customers, customer.c.id),)
    ),
    MetricSubject.TABLE: _Subject(_APPLYING, (_Members(SubjectKind.TABLE, _tables, subscribed_table.c.id),)),
    MetricSubject.NODE: _Subject(("publish",), (_Members(SubjectKind.SERVICE, _nodes, publish_node.c.id),)),
    MetricSubject.PUBLISHED_TABLE: _Subject(
        ("publish",), (_Members(SubjectKind.PUBLISHED_TABLE, _published, published_table.c.id),)
    ),
    MetricSubject.SERVICE: _Subject(
        ("container", "publish", "sync-link", "system/service_management", *_PATHS),
        (
            _Members(SubjectKind.SERVICE, _publishing, service.c.id, CHANGES, is_optional=True),
            _Members(SubjectKind.CHANNEL, _channels_of_services, service.c.id, _APPLIED, is_optional=True),
            _Members(SubjectKind.SERVICE, _services, service.c.id, OF_SERVICES),
        ),
    ),
    MetricSubject.HOST: _Subject(("container",), (_Members(SubjectKind.HOST, _hosts, agent.c.id),)),
    MetricSubject.CONTAINER: _Subject(
        ("container",),
        (
            _Members(SubjectKind.HOST, _hosts_of_container, container.c.id),
            _Members(SubjectKind.SERVICE, _services_of_container, container.c.id, _SERVICES_OF_HOSTS),
        ),
    ),
}


def _access(pages: tuple[str, ...]) -> Access:
    return authorise_any(*((page, Operation.VIEW) for page in pages))


ANY_SUBJECT = _access(tuple(dict.fromkeys(page for subject in _SUBJECTS.values() for page in subject.pages)))
"""For callers who may see one of them."""


def find(connection: Connection, principal: Principal, kind: MetricSubject, subject_id: str) -> Sequence[Part]:
    """What is sampled of a subject. Raises ForbiddenError, RecordNotFoundError."""
    subject = _SUBJECTS[kind]
    _access(subject.pages).check(principal)
    found = []
    for members in subject.members:
        ids = connection.execute(members.visible(principal).where(members.owner == subject_id)).scalars().all()
        if not ids and members.is_optional:
            continue
        if not ids:
            raise RecordNotFoundError(kind=kind.value, id=subject_id)
        found.append(Part(members.kind, [one for one in ids if one is not None], members.metrics))
    return found
