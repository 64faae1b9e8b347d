"""Access to metrics: those of a subject need the right to view it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, or_, select

from zcbus.control.features.metric.catalogue import SubjectKind
from zcbus.control.features.metric.schemas import MetricSubject
from zcbus.control.platform.authorisation import Access, authorise_any
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task

Statement = Select[Any]


class _Subject(NamedTuple):
    kind: SubjectKind
    pages: tuple[str, ...]
    """The menu keys behind which it is seen."""
    visible: Callable[[Principal], Statement]
    """The ids that have the metrics, of those that the caller may see."""
    id: Any
    """The column of its id in requests."""


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


def _published(principal: Principal) -> Statement:
    found = select(published_table.c.id).join(publish_node, publish_node.c.id == published_table.c.node_id)
    return found.where(principal.visible(publish_node.c.tenant_id))


def _services(principal: Principal) -> Statement:
    return select(service.c.id).where(principal.visible(service.c.tenant_id))


def _hosts(principal: Principal) -> Statement:
    shared_or_own = or_(container.c.tenant_id.is_(None), principal.visible(container.c.tenant_id))
    return select(agent.c.id).join(container, container.c.id == agent.c.container_id).where(shared_or_own)


_APPLYING = ("sync-link", "sync-task", "subscribe", "databus")

_SUBJECTS: Mapping[MetricSubject, _Subject] = {
    MetricSubject.LINK: _Subject(SubjectKind.CHANNEL, ("sync-link",), _links, sync_link.c.id),
    MetricSubject.CHANNEL: _Subject(SubjectKind.CHANNEL, _APPLYING, _channels, channel.c.id),
    MetricSubject.TABLE: _Subject(SubjectKind.TABLE, _APPLYING, _tables, subscribed_table.c.id),
    MetricSubject.PUBLISHED_TABLE: _Subject(
        SubjectKind.PUBLISHED_TABLE, ("publish",), _published, published_table.c.id
    ),
    MetricSubject.SERVICE: _Subject(
        SubjectKind.SERVICE, ("container", "publish", "sync-link"), _services, service.c.id
    ),
    MetricSubject.HOST: _Subject(SubjectKind.HOST, ("container",), _hosts, agent.c.id),
}


def _access(pages: tuple[str, ...]) -> Access:
    return authorise_any(*((page, Operation.VIEW) for page in pages))


ANY_SUBJECT = _access(tuple(dict.fromkeys(page for subject in _SUBJECTS.values() for page in subject.pages)))
"""For callers who may see one of them."""


def find(connection: Connection, principal: Principal, kind: MetricSubject, subject_id: str) -> tuple[SubjectKind, str]:
    """The kind and id that have the metrics. Raises ForbiddenError, RecordNotFoundError."""
    subject = _SUBJECTS[kind]
    _access(subject.pages).check(principal)
    found = connection.execute(subject.visible(principal).where(subject.id == subject_id)).scalar()
    if found is None:
        raise RecordNotFoundError(kind=kind.value, id=subject_id)
    return subject.kind, found
