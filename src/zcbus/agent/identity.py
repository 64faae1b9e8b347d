"""Who an agent is, kept in its data folder: its id, and the container that it joined."""

import hashlib
from pathlib import Path

from pydantic import SecretStr, ValidationError, field_serializer

from zcbus.kit.files import write_durably
from zcbus.kit.ids import new_id
from zcbus.protocol.base import Message


class Membership(Message):
    """What joining gave."""

    url: str
    """Of the control plane."""
    container: str
    token: SecretStr
    """The agent's own, not the join token."""
    joined_with: str
    """Hash of the join token: the same command again changes nothing."""

    @field_serializer("token", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()

    def came_from(self, join_token: str) -> bool:
        """Whether it was this join token that gave it."""
        return self.joined_with == join_token_hash(join_token)


def join_token_hash(join_token: str) -> str:
    return hashlib.sha256(join_token.encode()).hexdigest()


def agent_folder(data_dir: Path) -> Path:
    """Where an agent keeps what is its own; made where it is missing."""
    folder = data_dir / "agent"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def own_id(folder: Path) -> str:
    """This agent's id, made at its first start."""
    path = folder / "id"
    if not path.exists():
        write_durably(path, new_id().encode())
    return path.read_text().strip()


def load_membership(folder: Path) -> Membership | None:
    """What was kept; None where this host never joined."""
    try:
        return Membership.model_validate_json((folder / "membership").read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def save_membership(folder: Path, membership: Membership) -> None:
    """Keep it, readable by the owner only."""
    write_durably(folder / "membership", membership.model_dump_json().encode(), mode=0o600)
