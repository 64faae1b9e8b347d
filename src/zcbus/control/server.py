"""Starts the control plane's web server."""

import gc
import os
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from anyio import to_thread

from zcbus.control.app import create_app
from zcbus.control.bootstrap import build_services, prepare
from zcbus.control.platform.services import Services
from zcbus.kit.gateway_settings import Network, parse_networks
from zcbus.kit.http_limits import HttpLimits, limited
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings
from zcbus.kit.tls import is_loopback

_SHUTDOWN_SECONDS = 5
_CERTIFICATE_TICKS = 36_000
"""Once an hour: a server ticks ten times a second."""
_log = get_logger("control.server")


def run(settings: Settings) -> None:
    """Serve in the foreground until SIGINT or SIGTERM. What the person must know once (the first administrator's
    password) goes to standard output."""
    services = build_services(settings)
    for line in prepare(services):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    server = _server(services)
    # Modules, routes and models are never freed. Garbage collections need not scan them again, which would slow down
    # calls that create many objects.
    gc.collect()
    gc.freeze()
    gc.enable()
    server.run()


@contextmanager
def running(settings: Settings) -> Iterator[str]:
    """Serve in a thread while the block runs; gives the address (`http://host:port`). Port 0 takes a free one."""
    services = build_services(settings)
    prepare(services)
    with serving(services) as address:
        yield address


@contextmanager
def serving(services: Services, *, periodic: bool = True) -> Iterator[str]:
    """Like `running`, over services that are ready already. Closes them at the end. `periodic`: see `create_app`."""
    server = _server(services, periodic=periodic)
    thread = threading.Thread(target=server.run, name="control-server", daemon=True)
    thread.start()
    try:
        scheme = "https" if services.settings.uses_tls else "http"
        yield f"{scheme}://{services.settings.host}:{_wait_for_port(server, thread)}"
    finally:
        server.should_exit = True
        thread.join(_SHUTDOWN_SECONDS * 2)


class _Server(uvicorn.Server):
    """Releases waiters for change events before it waits for calls to end, and loads renewed certificates."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._services = services
        self._events = services.database.change_events

    async def on_tick(self, counter: int) -> bool:
        if self._services.settings.uses_tls and counter % _CERTIFICATE_TICKS == _CERTIFICATE_TICKS - 1:
            await to_thread.run_sync(self._renew)
        return await super().on_tick(counter)

    def _renew(self) -> None:
        files = self._services.authority.server_files(self._services.clock.now())
        assert self.config.ssl is not None
        try:
            self.config.ssl.load_cert_chain(files.certificate, files.key)
        except (OSError, ssl.SSLError) as error:
            _log.error("certificate-not-loaded", file=files.certificate, error=str(error))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._events.close()
        await super().shutdown(sockets)


def _server(services: Services, *, periodic: bool = True) -> uvicorn.Server:
    settings = services.settings
    if not settings.uses_tls and not is_loopback(settings.host):
        _log.warning("plain-http", host=settings.host, advice="ZCBUS_TLS=off: passwords and data travel readable")
    return _Server(
        uvicorn.Config(
            create_app(services, periodic=periodic),
            host=settings.host,
            port=settings.port,
            # Our own middleware writes the log lines, with the request's id.
            access_log=False,
            log_level="warning",
            http=limited(HttpLimits(proxies=_proxies())),
            # Addresses for limits and the operation log come from X-Forwarded-For only behind proxies that the operator
            # named (uvicorn's own variable): other clients can set that header too.
            proxy_headers="FORWARDED_ALLOW_IPS" in os.environ,
            server_header=False,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            **_certificates(services),
        ),
        services,
    )


def _certificates(services: Services) -> dict[str, Any]:
    """How TLS is spoken: clients need no certificate, and one that they show is of the platform's authority."""
    if not services.settings.uses_tls:
        return {}
    files = services.authority.server_files(services.clock.now())
    return {
        "ssl_certfile": files.certificate,
        "ssl_keyfile": files.key,
        "ssl_ca_certs": files.client_authority,
        "ssl_cert_reqs": ssl.CERT_OPTIONAL,
    }


def _proxies() -> tuple[Network, ...]:
    """Those whose word about addresses counts: many callers share theirs."""
    named = os.environ.get("FORWARDED_ALLOW_IPS", "").split(",")
    return parse_networks(",".join("0.0.0.0/0,::/0" if name.strip() == "*" else name for name in named if _is_ip(name)))


def _is_ip(name: str) -> bool:
    """The variable may name sockets and hosts as well."""
    try:
        return name.strip() == "*" or bool(parse_networks(name))
    except ValueError:
        return False


def _wait_for_port(server: uvicorn.Server, thread: threading.Thread) -> int:
    deadline = time.monotonic() + 15
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("the control plane did not start")
        time.sleep(0.01)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    return port
