"""Signing in to a host by SSH, only with the given credentials: this user's own configuration, keys and agent are
ignored."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zcbus.control.features.machine.errors import MachineKeyChangedError, MachineRefusedError, MachineUnreachableError

# The library is large, and most platforms know no machine: it is loaded when one is spoken to.
if TYPE_CHECKING:
    import asyncssh

_CONNECT_SECONDS = 10
# A host that does not answer three times in a row is gone.
_ALIVE_SECONDS = 15
_ALIVE_TIMES = 3


@dataclass(frozen=True, slots=True)
class Access:
    """How to sign in to a host. `host_key`: the only public key that is trusted, as OpenSSH writes it."""

    host: str
    port: int
    user: str
    password: str
    host_key: str


async def shown_key(host: str, port: int) -> str:
    """The public key that a host presents, before it is trusted. Raises MachineUnreachableError."""
    import asyncssh

    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            key = await asyncssh.get_server_host_key(host, port, config=None)
    except (OSError, asyncssh.Error) as error:
        raise _unreachable(host, port, error) from error
    if key is None:
        raise MachineUnreachableError(host=host, port=str(port), detail="no host key")
    return key.export_public_key("openssh").decode().strip()


def fingerprint(host_key: str) -> str:
    """`SHA256:…` of a public key, as `ssh-keygen -l` prints it."""
    import asyncssh

    return asyncssh.import_public_key(host_key).get_fingerprint()


@asynccontextmanager
async def connected(access: Access) -> AsyncIterator["asyncssh.SSHClientConnection"]:
    """Signed in while the block runs. Raises MachineUnreachableError, MachineRefusedError, MachineKeyChangedError."""
    import asyncssh

    try:
        connection = await asyncssh.connect(
            access.host,
            access.port,
            username=access.user,
            password=access.password,
            known_hosts=([asyncssh.import_public_key(access.host_key)], [], []),
            client_keys=None,
            agent_path=None,
            config=None,
            connect_timeout=_CONNECT_SECONDS,
            login_timeout=_CONNECT_SECONDS,
            keepalive_interval=_ALIVE_SECONDS,
            keepalive_count_max=_ALIVE_TIMES,
        )
    except asyncssh.HostKeyNotVerifiable as error:
        facts = {"known": fingerprint(access.host_key), "shown": fingerprint(await shown_key(access.host, access.port))}
        raise MachineKeyChangedError(host=access.host, port=str(access.port), **facts) from error
    except asyncssh.PermissionDenied as error:
        raise MachineRefusedError(host=access.host, port=str(access.port), user=access.user) from error
    except (OSError, asyncssh.Error) as error:
        raise _unreachable(access.host, access.port, error) from error
    async with connection:
        yield connection


async def prove(access: Access) -> None:
    """Sign in and out again. Raises as `connected`."""
    async with connected(access):
        pass


def _unreachable(host: str, port: int, error: Exception) -> MachineUnreachableError:
    detail = str(error) or type(error).__name__
    return MachineUnreachableError(host=host, port=str(port), detail=detail[:200])
