"""TLS certificates near their end, of control planes, of agents and of data services."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import blake2b

from sqlalchemy import Connection

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind, Level
from zcbus.control.features.container import agents
from zcbus.control.platform.certificates import ending
from zcbus.control.platform.principal import DEFAULT_TENANT

# Days before the end, with the level from then on; the platform's own certificates are renewed before the first.
STAGES = ((0, Level.IMPORTANT), (1, Level.IMPORTANT), (7, Level.ATTENTION), (30, Level.GENERAL))


def certificates_ending(connection: Connection, now: datetime) -> Iterator[Condition]:
    """One for each certificate, until a later one is in its place; receivers are notified at each stage. It concerns
    the tenants whose services run on an agent's host, else that of the system."""
    concerned = agents.tenants_of_agents(connection)
    for row in ending(connection, now, now + timedelta(days=max(days for days, _ in STAGES))):
        stage, level = next(one for one in STAGES if row.ends_at < now + timedelta(days=one[0]))
        facts = {
            "use": row.use,
            "mend": row.use,
            "host": f"{row.host} ({row.container_name})" if row.container_name else row.host,
            "file": row.file,
            "at": row.ends_at.isoformat(sep=" ", timespec="minutes"),
        }
        # Rows are written again at each report.
        subject = f"{row.agent_id or row.instance} {row.use}"
        for tenant_id in concerned.get(row.agent_id, {DEFAULT_TENANT}):
            yield Condition(
                Kind.CERTIFICATE_ENDING,
                blake2b(subject.encode(), digest_size=16).hexdigest(),
                tenant_id,
                facts,
                mark=f"{facts['at']} {stage}",
                level=level,
                escalates=True,
            )
