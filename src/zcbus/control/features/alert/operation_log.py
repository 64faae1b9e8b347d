"""An operation log that is not as it was written, that is not verified, or that does not reach its receivers."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import Connection

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.audit_stream.schemas import StreamRecord
from zcbus.control.features.audit_stream.service import streams
from zcbus.control.features.operation_log import verification
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.control.platform.services import Services

_SUBJECT = "operation-log"
# A receiver that is started again is not worth an alert.
_FAILS_LONG = timedelta(minutes=5)


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
    for stream in streams(connection, services):
        failing_since = stream.failing_since
        if failing_since is not None and services.clock.now() - failing_since >= _FAILS_LONG:
            yield Condition(Kind.AUDIT_STREAM, stream.way, DEFAULT_TENANT, _facts(stream, failing_since))


def _facts(stream: StreamRecord, since: datetime) -> dict[str, str]:
    at = since.isoformat(sep=" ", timespec="minutes")
    return {"receiver": stream.address, "detail": stream.failure or "", "at": at}


def _broken(result: verification.Result) -> Condition:
    breaks = result.proof.get("breaks", [])
    first = breaks[0]["reason"] if breaks else "result-forged"
    at = result.checked_at.isoformat(sep=" ", timespec="minutes")
    facts = {"host": result.host, "count": str(len(breaks) or 1), "break": first, "at": at}
    subject = result.instance[:32]
    # The next verification that finds the same is no other occurrence.
    return Condition(Kind.AUDIT_BROKEN, subject, DEFAULT_TENANT, facts, mark=f"{len(breaks)} {first}")
