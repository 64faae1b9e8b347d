"""How a host joins a container, and what an agent is started with afterwards."""

import argparse
import os
import socket
from pathlib import Path

from pydantic import SecretStr

from zcbus.agent.identity import (
    AgentTokens,
    Membership,
    agent_folder,
    join_token_hash,
    load_membership,
    own_id,
    save_membership,
)
from zcbus.agent.machine import machine_code
from zcbus.agent.main import AgentOptions
from zcbus.cli.http import Api, ApiError, local_url
from zcbus.kit.settings import Settings
from zcbus.protocol.agent import Join, Joined

AGENT_TOKEN_FILE = "agent-token"  # noqa: S105  a file's name
DEFAULT_CONTAINER = "default"


def agent_options(options: argparse.Namespace, settings: Settings) -> AgentOptions:
    """What the command line, the environment, the kept membership and the data folder say, in this order. With a new
    join token the host joins first. Raises ApiError."""
    folder = agent_folder(settings.data_dir)
    membership = load_membership(folder)
    url = options.url or os.environ.get("ZCBUS_URL")
    if options.join and not (membership and membership.came_from(options.join)):
        membership = _join(folder, url or local_url(settings), options.join, settings)
    token = options.token or os.environ.get("ZCBUS_TOKEN")
    return AgentOptions(
        data_dir=settings.data_dir,
        bus=settings.bus,
        url=url or (membership.url if membership else local_url(settings)),
        token=token or (membership.token.get_secret_value() if membership else _local_token(settings.data_dir)),
        container=options.container or (membership.container if membership else DEFAULT_CONTAINER),
        network=settings.network,
    )


def _join(folder: Path, url: str, token: str, settings: Settings) -> Membership:
    host, bus = socket.gethostname(), settings.bus.shared_name
    message = Join(
        token=SecretStr(token),
        agent=own_id(folder),
        host=host,
        bus=bus,
        machine_code=machine_code(),
        present=_present_token(folder, url),
    )
    with Api(url, "") as api:
        joined = Joined.model_validate(api.call("agent/join", message.model_dump(mode="json")))
    membership = Membership(url=url, container=joined.container, token=joined.token, joined_with=join_token_hash(token))
    save_membership(folder, membership)
    AgentTokens(folder, url, "").forget()
    return membership


def _present_token(folder: Path, url: str) -> SecretStr | None:
    """The token of a host that goes from one container to another."""
    membership = load_membership(folder)
    started_with = membership.token.get_secret_value() if membership else ""
    current = AgentTokens(folder, url, started_with).current
    return SecretStr(current) if current else None


def _local_token(data_dir: Path) -> str:
    path = data_dir / AGENT_TOKEN_FILE
    try:
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise ApiError(f"no agent token: give --join, --token or ZCBUS_TOKEN ({path} cannot be read)") from error
