"""How a host becomes one of a container's: by a token that is good once, for an hour, and is stored as a hash."""

import secrets
from datetime import datetime, timedelta

from pydantic import SecretStr
from sqlalchemy import Connection, delete

from zcbus.control.features.cluster.errors import (
    CertificateRequestRefusedError,
    HostIdTakenError,
    JoinTokenRefusedError,
)
from zcbus.control.features.cluster.schemas import JoinOffer
from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.platform.authority import Authority
from zcbus.control.platform.errors import HttpError
from zcbus.control.platform.host_tokens import (
    Host,
    account_of_agent,
    create_account,
    find_host,
    issue_token,
    require_certificate,
    revoke_host,
)
from zcbus.control.platform.host_tokens import remove_expired as remove_expired_hosts
from zcbus.control.platform.services import Services
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.container import join_token
from zcbus.kit.certificates import RequestInvalidError
from zcbus.kit.ids import new_id
from zcbus.protocol.agent import Join, Joined

JOIN_LIFETIME = timedelta(hours=1)


def offer(connection: Connection, now: datetime, container_id: str, pin: str) -> JoinOffer:
    """A new token for one host of a container, with the fingerprint of the platform's authority."""
    # Without a hyphen at its beginning, which a command line would take for an option.
    token, expires_at = secrets.token_hex(32), now + JOIN_LIFETIME
    connection.execute(
        join_token.insert().values(
            id=new_id(),
            container_id=container_id,
            token_hash=token_hash(token),
            created_at=now,
            expires_at=expires_at,
        )
    )
    name = containers.find_container(connection, container_id).name
    return JoinOffer(
        id=container_id, container_name=name, token=f"{token}.{pin}" if pin else token, expires_at=expires_at
    )


def join(connection: Connection, now: datetime, message: Join, authority: Authority | None) -> Joined:
    """Register a host; `authority` issues its certificate where its connection reaches this process unbroken. Raises
    JoinTokenRefusedError; CertificateRequestRefusedError, HostIdTakenError and BusNotSharedError, which leave the token
    valid."""
    hashed = token_hash(message.token.get_secret_value())
    used = connection.execute(
        delete(join_token)
        .where(join_token.c.token_hash == hashed, join_token.c.expires_at > now)
        .returning(join_token.c.container_id)
    ).scalar()
    if used is None:
        raise JoinTokenRefusedError
    container = containers.find_container(connection, used)
    agents.check_bus(connection, container, message.agent, message.bus, now)
    _free_id(connection, now, message)
    host = Host(message.agent, message.host, message.machine_code)
    account_id = create_account(connection, container.id, host, now)
    certificate = _certificate(connection, now, message, account_id, authority)
    token = SecretStr(issue_token(connection, account_id, now))
    return Joined(token=token, container=container.name, certificate=certificate)


def _certificate(
    connection: Connection, now: datetime, message: Join, account_id: str, authority: Authority | None
) -> str:
    if authority is None or not message.certificate_request:
        return ""
    try:
        certificate = authority.sign_agent(message.certificate_request, account_id, now)
    except RequestInvalidError:
        raise CertificateRequestRefusedError from None
    require_certificate(connection, account_id)
    return certificate


def _free_id(connection: Connection, now: datetime, message: Join) -> None:
    """An agent's id goes to another account only by its present token. Raises HostIdTakenError."""
    owner = account_of_agent(connection, message.agent)
    if owner is None:
        return
    if not _is_present_token(connection, now, message.present, owner.id):
        raise HostIdTakenError(host=owner.host or "")
    revoke_host(connection, message.agent, now)


def _is_present_token(connection: Connection, now: datetime, present: SecretStr | None, account_id: str) -> bool:
    try:
        return present is not None and find_host(connection, present.get_secret_value(), now).user_id == account_id
    except HttpError:
        return False


def remove_expired(services: Services) -> None:
    """Delete tokens that were not used in time."""
    with services.database.write() as connection:
        connection.execute(delete(join_token).where(join_token.c.expires_at <= services.clock.now()))
        remove_expired_hosts(connection, services.clock.now())
