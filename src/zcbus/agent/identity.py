"""An agent's identity, in its data folder: id, container and current token."""

import hashlib
from pathlib import Path

from pydantic import SecretStr, ValidationError, field_serializer

from zcbus.kit.files import write_durably
from zcbus.kit.ids import new_id
from zcbus.protocol.base import Message


class Membership(Message):
    """Membership of a container, as joining returned it."""

    url: str
    """URL of the control plane."""
    container: str
    token: SecretStr
    """The agent's own token, not the join token."""
    joined_with: str
    """Hash of the join token: running the same join command again changes nothing."""

    @field_serializer("token", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()

    def came_from(self, join_token: str) -> bool:
        """Whether this join token created the membership."""
        return self.joined_with == join_token_hash(join_token)


def join_token_hash(join_token: str) -> str:
    return hashlib.sha256(join_token.encode()).hexdigest()


def agent_folder(data_dir: Path) -> Path:
    """The agent's folder, created if missing."""
    folder = data_dir / "agent"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def own_id(folder: Path) -> str:
    """This agent's id, created at its first start."""
    path = folder / "id"
    if not path.exists():
        write_durably(path, new_id().encode())
    return path.read_text().strip()


def load_membership(folder: Path) -> Membership | None:
    """The stored membership; None if this host never joined."""
    try:
        return Membership.model_validate_json((folder / "membership").read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def save_membership(folder: Path, membership: Membership) -> None:
    """Store the membership, readable by its owner only."""
    write_durably(folder / "membership", membership.model_dump_json().encode(), mode=0o600)


class _StoredToken(Message):
    url: str
    token: SecretStr

    @field_serializer("token", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class AgentTokens:
    """Tokens for an agent's calls: the newest from the control plane, then the initial one.

    The newest is stored in the agent's folder (mode 0600), for this control plane only.
    """

    def __init__(self, folder: Path, url: str, started_with: str) -> None:
        self._path = folder / "token"
        self._url = url
        self._started_with = started_with
        self._stored = self._load()

    @property
    def current(self) -> str:
        return self._stored or self._started_with

    def replace(self, token: SecretStr) -> None:
        """Use and store a newer token."""
        stored = _StoredToken(url=self._url, token=token)
        write_durably(self._path, stored.model_dump_json().encode(), mode=0o600)
        self._stored = token.get_secret_value()

    def refused(self) -> bool:
        """Drop the stored token after it was rejected. False: there is no other one to try."""
        if self._stored is None or self._stored == self._started_with:
            return False
        self._stored = None
        return True

    def forget(self) -> None:
        """Drop the stored token: the one from the start counts."""
        self._path.unlink(missing_ok=True)
        self._stored = None

    def _load(self) -> str | None:
        try:
            stored = _StoredToken.model_validate_json(self._path.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return stored.token.get_secret_value() if stored.url == self._url else None
