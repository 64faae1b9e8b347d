"""Placement of services on hosts, so that a service never runs on two.

- Services without a host go to the host that has the fewest.
- A service that an operator moves to another host is stopped first, and moves once it has stopped.
- A host that is gone loses its services when its lease has surely run out (`Lease` in the agent). Only a host
  that reported that it follows leased orders can lose them; pinned services stay.

See docs/decisions/0016-leases.md for the times.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.placement import repository

LEASE_SECONDS = 6.0
"""How long an answer lets a host run services that others may take over."""
CONTACT_GAP = timedelta(seconds=3)
"""A longer silence interrupts the contact with a host; so does a larger jump of the clock."""
TAKE_OVER_AFTER = timedelta(seconds=10)
"""More than a lease and a gap together: whatever the clock did unnoticed, the lease has run out by then."""


def contact_since(agent: Row[Any], now: datetime) -> datetime:
    """Since when an agent's heartbeats came without a gap."""
    if agent.contact_since is None or abs(now - agent.heartbeat_at) > CONTACT_GAP:
        return now
    known: datetime = agent.contact_since
    return known


def is_leased(connection: Connection, agent: Row[Any], now: datetime) -> bool:
    """Whether an agent's services could be taken over by another host: there is one, on the same bus, and the container
    allows moves."""
    if not agent.bus or not containers.find_container(connection, agent.container_id).moves_services:
        return False
    others = agents.other_hosts(connection, agent.container_id, agent.id)
    return any(other.bus == agent.bus and abs(now - other.heartbeat_at) <= TAKE_OVER_AFTER for other in others)


def note_lease(connection: Connection, agent: Row[Any], *, holds: bool, gets: bool) -> None:
    """Whether an agent runs its services on a lease: as it reports, until it gets other orders."""
    if agent.leased != (holds and gets):
        repository.set_leased(connection, agent.id, holds and gets)


def place(connection: Connection, agent: Row[Any], now: datetime) -> None:
    """Assign services without a host, and those of hosts that are gone, to present hosts."""
    if repository.has_unclaimed(connection, agent.container_id):
        _claim(connection, agent, now)
    gone = repository.select_gone_hosts(connection, agent, now - TAKE_OVER_AFTER, now + TAKE_OVER_AFTER)
    for host_id in gone:
        _take_over(connection, agent, host_id, now)


def _claim(connection: Connection, agent: Row[Any], now: datetime) -> None:
    """To the host that has the fewest; all at once, since they belong together."""
    unclaimed = repository.select_unclaimed(connection, agent.container_id)
    hosts = repository.count_services(connection, agent, now - CONTACT_GAP, now) if agent.bus else {}
    _give(connection, unclaimed, _with_fewest(hosts or {agent.id: 0}), now)


def _take_over(connection: Connection, agent: Row[Any], host_id: str, now: datetime) -> None:
    """All at once: services that work together stay together."""
    hosts = repository.count_services(connection, agent, now - CONTACT_GAP, now - TAKE_OVER_AFTER)
    if hosts and repository.is_still_gone(connection, host_id, now - TAKE_OVER_AFTER, now + TAKE_OVER_AFTER):
        fewest = _with_fewest(hosts)
        targets: dict[str, list[str]] = {}
        for row in repository.select_movable(connection, host_id):
            targets.setdefault(row.next_agent_id if row.next_agent_id in hosts else fewest, []).append(row.id)
        for target, service_ids in targets.items():
            _give(connection, service_ids, target, now)


def hand_over(connection: Connection, agent: Row[Any], orders_revision: int, now: datetime) -> None:
    """Complete moves to other hosts once an agent that follows the orders of this revision has reported the stop. The
    states in each agent's sync are stored already."""
    for target, service_ids in repository.select_stopped_for_others(connection, agent.id, orders_revision).items():
        _give(connection, service_ids, target, now)


def _with_fewest(hosts: Mapping[str, int]) -> str:
    return min(hosts, key=lambda host: (hosts[host], host))


def _give(connection: Connection, service_ids: Sequence[str], agent_id: str, now: datetime) -> None:
    """Services that surely no host runs."""
    if service_ids:
        containers.assign_services(connection, service_ids, agent_id, now)
