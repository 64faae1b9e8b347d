"""An operation log that is not as it was written, or that is not verified."""

from collections.abc import Iterator

from sqlalchemy import Connection

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.operation_log import verification
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.control.platform.services import Services

_SUBJECT = "operation-log"


def audit_in_trouble(connection: Connection, services: Services) -> Iterator[Condition]:
    """By the last result of each control plane. It concerns the whole platform, so the tenant of the system."""
    found = verification.results(connection, services)
    for result in found:
        if result.state != "intact":
            yield _broken(result)
    since = verification.unverified_since(connection, services, found)
    if since is not None:
        facts = {"at": since.isoformat(sep=" ", timespec="minutes")}
        yield Condition(Kind.AUDIT_UNVERIFIED, _SUBJECT, DEFAULT_TENANT, facts)


def _broken(result: verification.Result) -> Condition:
    breaks = result.proof.get("breaks", [])
    first = breaks[0]["reason"] if breaks else "result-forged"
    at = result.checked_at.isoformat(sep=" ", timespec="minutes")
    facts = {"host": result.host, "count": str(len(breaks) or 1), "break": first, "at": at}
    subject = result.instance[:32]
    # The next verification that finds the same is no other occurrence.
    return Condition(Kind.AUDIT_BROKEN, subject, DEFAULT_TENANT, facts, mark=f"{len(breaks)} {first}")
