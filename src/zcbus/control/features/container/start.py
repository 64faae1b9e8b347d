"""What a fresh platform has: one container shared by all tenants, and a token for the agent on this host."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from zcbus.control.features.container import repository
from zcbus.control.features.container.creation import create_container
from zcbus.control.platform.errors import NotAuthenticatedError
from zcbus.control.platform.secrets import write_private_file
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import create_token, find_principal
from zcbus.kit.ids import new_id

DEFAULT_CONTAINER = "default"
AGENT_TOKEN_FILE = "agent-token"  # noqa: S105  a file's name


def prepare(services: Services) -> None:
    """Make the default container and this host's agent token where they are missing."""
    ensure_agent_token(services)


def ensure_agent_token(services: Services) -> str:
    """The token for an agent of the default container, kept in <data dir>/agent-token (0600)."""
    path = services.settings.data_dir / AGENT_TOKEN_FILE
    with services.database.write_alone() as connection:
        account_id = _ensure_container(connection, services.clock.now())
        kept = _kept_token(services, connection, path, account_id)
        if kept is not None:
            return kept
        new = create_token(
            connection,
            user_id=account_id,
            kind="agent",
            now=services.clock.now(),
            lifetime=None,
            name=DEFAULT_CONTAINER,
        )
    _replace_private_file(path, new.token + "\n")
    return new.token


def _ensure_container(connection: Connection, now: datetime) -> str:
    """The account of the default container's agents."""
    existing = repository.find_container_by_name(connection, DEFAULT_CONTAINER)
    if existing is None:
        made = create_container(connection, now, DEFAULT_CONTAINER, tenant_id=None, display_name=DEFAULT_CONTAINER)
        existing = repository.find_container(connection, made)
    return str(existing.account_id)


def _kept_token(services: Services, connection: Connection, path: Path, account_id: str) -> str | None:
    """The token in the file, unless this store does not know it."""
    if not path.exists():
        return None
    token = path.read_text("utf-8").strip()
    try:
        principal = find_principal(services, connection, token)
    except NotAuthenticatedError:
        return None
    return token if principal.user_id == account_id else None


def _replace_private_file(path: Path, content: str) -> None:
    fresh = path.with_name(f"{path.name}.{new_id()}")
    write_private_file(fresh, content)
    fresh.replace(path)
