"""The ends of TLS certificates: those of agents' hosts as they report them, and each control plane's own."""

import socket
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, select

from zcbus.control.platform.services import Services
from zcbus.control.store.tables.container import agent, container, tls_certificate
from zcbus.kit.certificates import end_of
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import CertificateEnd

READ_EVERY = timedelta(minutes=10)
# Certificates of control planes that read theirs no more.
_GONE_AFTER = timedelta(days=1)

_log = get_logger("control.certificates")


def save_reported(connection: Connection, reporter: Row[Any], ends: Sequence[CertificateEnd], now: datetime) -> None:
    """Replace what an agent reported before."""
    rows = [_row(reporter.host, end.use, end.file, end.ends_at, now, agent_id=reporter.id) for end in ends]
    _replace(connection, tls_certificate.c.agent_id == reporter.id, rows)


def read_own(services: Services) -> None:
    """Read this control plane's own certificates, renewed where they are its own and near their end."""
    now = services.clock.now()
    rows = [
        _row(socket.gethostname(), use, str(file), ends_at, now, instance=services.instance)
        for use, file in _own_files(services, now).items()
        if (ends_at := _end(file)) is not None
    ]
    own = tls_certificate.c.instance == services.instance
    with services.database.write() as connection:
        _replace(connection, own | (tls_certificate.c.instance.is_not(None) & _gone(now)), rows)


def ending(connection: Connection, now: datetime, before: datetime) -> Sequence[Row[Any]]:
    """Certificates in use that end before a time, those of agents with their container's name."""
    statement = (
        select(tls_certificate, container.c.name.label("container_name"))
        .join(agent, agent.c.id == tls_certificate.c.agent_id, isouter=True)
        .join(container, container.c.id == agent.c.container_id, isouter=True)
        .where(tls_certificate.c.ends_at < before)
        .where(tls_certificate.c.agent_id.is_not(None) | ~_gone(now))
        .order_by(tls_certificate.c.ends_at, tls_certificate.c.id)
    )
    return connection.execute(statement).all()


def _own_files(services: Services, now: datetime) -> Mapping[str, Path]:
    """By their use: the server's certificate, and that of the authority for its clients."""
    if not services.settings.uses_tls:
        return {}
    try:
        services.authority.server_files(now)
    except OSError as error:
        # The one that was not renewed still counts.
        _log.error("certificate-not-renewed", error=str(error))
    server = "control-plane" if services.settings.tls.certificate else "issued"
    return {server: services.authority.server_certificate, "authority": services.authority.authority_certificate}


def _end(file: Path) -> datetime | None:
    try:
        return end_of(file.read_bytes())
    except (OSError, ValueError) as error:
        _log.warning("certificate-unreadable", file=str(file), error=str(error))
        return None


def _gone(now: datetime) -> ColumnElement[bool]:
    return tls_certificate.c.seen_at < now - _GONE_AFTER


def _row(host: str, use: str, file: str, ends_at: datetime, now: datetime, **owner: str) -> dict[str, Any]:
    owners: dict[str, str | None] = {"agent_id": None, "instance": None, **owner}
    return {
        "id": new_id(),
        "host": host[:255],
        "use": use,
        "file": file[:1000],
        "ends_at": ends_at,
        "seen_at": now,
    } | owners


def _replace(connection: Connection, those: ColumnElement[bool], rows: Sequence[dict[str, Any]]) -> None:
    connection.execute(delete(tls_certificate).where(those))
    if rows:
        connection.execute(tls_certificate.insert(), rows)
