"""The client of a database server that is spoken to by HTTP.

Connections are made by sockets of Python, so that the network rules of the process hold for each of them; redirections
are not followed, and nothing of the process's environment counts: no proxies, no credentials.
"""

import httpx

from zcbus.connectors.http_transport import client
from zcbus.connectors.tls import context
from zcbus.kit.network import Route

_CONNECT_SECONDS = 10.0


def server_client(
    host: str, port: int, tls: str, account: tuple[str, str] | None, wait: float, way: Route | None
) -> httpx.Client:
    """A client of one server. Connects with the first request.

    `tls`: a mode of `connectors.tls`. `account`: user and password of basic authentication. `wait`: seconds for each
    answer, at most. Raises httpx.InvalidURL where the host is no name or address.
    """
    scheme = "http" if tls == "disable" else "https"
    name = f"[{host}]" if ":" in host else host
    return client(
        way,
        base_url=httpx.URL(f"{scheme}://{name}:{port}"),
        auth=httpx.BasicAuth(*account) if account else None,
        verify=context(tls),
        timeout=httpx.Timeout(wait, connect=min(wait, _CONNECT_SECONDS)),
    )
