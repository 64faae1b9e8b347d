"""Who an agent is, kept in its data folder: its id, the container that it joined, and its present token."""

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


class _KeptToken(Message):
    url: str
    token: SecretStr

    @field_serializer("token", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class AgentTokens:
    """The tokens that an agent may sign its calls with: the newest that the control plane gave, then the one that the
    agent was started with. The newest is kept in the agent's folder (0600), for this control plane only."""

    def __init__(self, folder: Path, url: str, started_with: str) -> None:
        self._path = folder / "token"
        self._url = url
        self._started_with = started_with
        self._kept = self._load()

    @property
    def current(self) -> str:
        return self._kept or self._started_with

    def replace(self, token: SecretStr) -> None:
        """Use and keep a newer token."""
        kept = _KeptToken(url=self._url, token=token)
        write_durably(self._path, kept.model_dump_json().encode(), mode=0o600)
        self._kept = token.get_secret_value()

    def refused(self) -> bool:
        """Give up the kept token, which is not taken any more. False: there is no other one to try."""
        if self._kept is None or self._kept == self._started_with:
            return False
        self._kept = None
        return True

    def forget(self) -> None:
        """From now on the token that the agent is started with is the newest."""
        self._path.unlink(missing_ok=True)
        self._kept = None

    def _load(self) -> str | None:
        try:
            kept = _KeptToken.model_validate_json(self._path.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return kept.token.get_secret_value() if kept.url == self._url else None
