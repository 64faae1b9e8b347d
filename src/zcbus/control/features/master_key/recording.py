"""Records of the operation log about master keys."""

from typing import Any

from sqlalchemy import Connection

from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.principal import local_principal
from zcbus.control.platform.services import Services


def record(connection: Connection, services: Services, verb: str, facts: dict[str, Any]) -> None:
    """Record what the command `zcbus key` did; no key is among the facts."""
    where = Circumstances(f"master-key_{verb}", f"zcbus key {verb}", "", "")
    audit.record(connection, services, local_principal(), where, AuditNote(subject=str(facts["key"]), after=facts))
