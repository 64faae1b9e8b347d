"""Joining a container, and the options of an agent."""

import argparse
import hmac
import os
import socket
import ssl
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
from zcbus.kit.certificates import fingerprint, make_request
from zcbus.kit.files import write_durably
from zcbus.kit.settings import Settings
from zcbus.kit.tls import AUTHORITY_FILE, trusted_by
from zcbus.protocol.agent import Join, Joined

CERTIFICATE_FILE = "agent.pem"
KEY_FILE = "agent.key"
AGENT_TOKEN_FILE = "agent-token"  # noqa: S105  a file's name
DEFAULT_CONTAINER = "default"


def agent_options(options: argparse.Namespace, settings: Settings) -> AgentOptions:
    """Options of an agent, joining first if there is a new join token. Raises ApiError.

    Precedence: command line, environment, stored membership, data folder.
    """
    folder = agent_folder(settings.data_dir)
    membership = load_membership(folder)
    url = options.url or os.environ.get("ZCBUS_URL")
    if options.join and not (membership and membership.came_from(options.join)):
        membership = _join(folder, url or local_url(settings), options.join, settings)
    token = options.token or os.environ.get("ZCBUS_TOKEN")
    url = url or (membership.url if membership else local_url(settings))
    return AgentOptions(
        data_dir=settings.data_dir,
        bus=settings.bus,
        url=url,
        token=token or (membership.token.get_secret_value() if membership else _local_token(settings.data_dir)),
        container=options.container or (membership.container if membership else DEFAULT_CONTAINER),
        trusted=_trusted(folder, url, settings),
        network=settings.network,
        certificates=_certificates(folder, settings),
        driver_keys=settings.driver_keys,
    )


def _certificates(folder: Path, settings: Settings) -> dict[str, Path]:
    files = {"agent": folder / CERTIFICATE_FILE}
    return files | ({"gateway": Path(settings.gateway.certificate)} if settings.gateway.certificate else {})


def _join(folder: Path, url: str, joined_with: str, settings: Settings) -> Membership:
    token, _, pin = joined_with.partition(".")
    host, bus = socket.gethostname(), settings.bus.shared_name
    if pin and url.lower().startswith("https:"):
        write_durably(folder / AUTHORITY_FILE, fetch_authority(url, pin), mode=0o600)
    request, key = make_request(host) if url.lower().startswith("https:") else (b"", b"")
    message = Join(
        token=SecretStr(token),
        agent=own_id(folder),
        host=host,
        bus=bus,
        machine_code=machine_code(),
        certificate_request=request.decode(),
        present=_present_token(folder, url),
    )
    with Api(url, "", trusted_by(url, settings.data_dir, settings.tls, known=folder / AUTHORITY_FILE)) as api:
        joined = Joined.model_validate(api.call("agent/join", message.model_dump(mode="json")))
    membership = Membership(
        url=url, container=joined.container, token=joined.token, joined_with=join_token_hash(joined_with)
    )
    _save_certificate(folder, joined.certificate, key)
    save_membership(folder, membership)
    AgentTokens(folder, url, "").forget()
    return membership


def _save_certificate(folder: Path, certificate: str, key: bytes) -> None:
    (folder / CERTIFICATE_FILE).unlink(missing_ok=True)
    if certificate:
        write_durably(folder / KEY_FILE, key, mode=0o600)
        write_durably(folder / CERTIFICATE_FILE, certificate.encode(), mode=0o600)


def _trusted(folder: Path, url: str, settings: Settings) -> ssl.SSLContext | bool:
    """TLS context of the agent: its trust for the control plane and its own certificate."""
    context = trusted_by(url, settings.data_dir, settings.tls, known=folder / AUTHORITY_FILE)
    if isinstance(context, ssl.SSLContext) and (folder / CERTIFICATE_FILE).exists():
        context.load_cert_chain(folder / CERTIFICATE_FILE, folder / KEY_FILE)
    return context


def _present_token(folder: Path, url: str) -> SecretStr | None:
    """The current token of a host that moves to another container."""
    membership = load_membership(folder)
    started_with = membership.token.get_secret_value() if membership else ""
    current = AgentTokens(folder, url, started_with).current
    return SecretStr(current) if current else None


def fetch_authority(url: str, pin: str) -> bytes:
    """Download the platform's authority and verify its fingerprint. Raises ApiError."""
    import httpx

    try:
        answer = httpx.get(f"{url.rstrip('/')}/ca.pem", verify=False, trust_env=False, timeout=10)  # noqa: S501  pinned below
        if answer.status_code == 200 and hmac.compare_digest(fingerprint(answer.content), pin):
            return answer.content
    except httpx.HTTPError as error:
        raise ApiError(f"{url} cannot be reached: {type(error).__name__}") from error
    except ValueError:
        pass
    raise ApiError(f"{url} is not the platform that the join token is of")


def _local_token(data_dir: Path) -> str:
    path = data_dir / AGENT_TOKEN_FILE
    try:
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise ApiError(f"no agent token: give --join, --token or ZCBUS_TOKEN ({path} cannot be read)") from error
