"""Data of a fresh platform: one container shared by all tenants, and a token for the agent on this host."""

from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.features.container import repository
from zcbus.control.platform.errors import HttpError
from zcbus.control.platform.host_tokens import create_account, find_host, issue_token
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.container import host_account
from zcbus.kit.files import write_private_file
from zcbus.kit.ids import new_id

DEFAULT_CONTAINER = "default"
AGENT_TOKEN_FILE = "agent-token"  # noqa: S105  a file's name


def prepare(services: Services) -> None:
    """Make the default container and this host's agent token where they are missing."""
    ensure_agent_token(services)


def ensure_agent_token(services: Services) -> str:
    """The token for the agent of this data folder, in the default container, kept in <data dir>/agent-token (0600)."""
    path = services.settings.data_dir / AGENT_TOKEN_FILE
    now = services.clock.now()
    with services.database.write_alone() as connection:
        container = _ensure_container(connection, now)
        stored = _stored_token(connection, path, now)
        if stored is not None:
            return stored
        account = _own_account(connection, services.settings.data_dir, container.id)
        account_id = account.id if account is not None else create_account(connection, container.id, None, now)
        token = issue_token(connection, account_id, now)
    _replace_private_file(path, token + "\n")
    return token


def _ensure_container(connection: Connection, now: datetime) -> Row[Any]:
    existing = repository.find_container_by_name(connection, DEFAULT_CONTAINER)
    if existing is not None:
        return existing
    made = repository.insert_container(
        connection, name=DEFAULT_CONTAINER, tenant_id=None, display_name=DEFAULT_CONTAINER, created_at=now
    )
    return repository.find_container(connection, made)


def _stored_token(connection: Connection, path: Path, now: datetime) -> str | None:
    """The token in the file, unless this store does not take it: agents replace theirs."""
    if not path.exists():
        return None
    token = path.read_text("utf-8").strip()
    try:
        find_host(connection, token, now)
    except HttpError:
        return None
    return token


def _own_account(connection: Connection, data_dir: Path, container_id: str) -> Row[Any] | None:
    """The account of the agent that runs in the same data folder; None: there is none yet, or it was removed."""
    try:
        agent_id = (data_dir / "agent" / "id").read_text("utf-8").strip()
    except OSError:
        return None
    belongs = (host_account.c.agent_id == agent_id) & host_account.c.removed_at.is_(None)
    own = select(host_account).where(belongs, host_account.c.container_id == container_id)
    return connection.execute(own).one_or_none()


def _replace_private_file(path: Path, content: str) -> None:
    fresh = path.with_name(f"{path.name}.{new_id()}")
    write_private_file(fresh, content)
    fresh.replace(path)
