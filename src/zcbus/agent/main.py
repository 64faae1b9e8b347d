"""`zcbus agent`: registers, syncs, supervises, and stops everything cleanly on SIGTERM or SIGINT."""

import asyncio
import contextlib
import os
import signal
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from zcbus.agent.answers import Answers
from zcbus.agent.certificates import CertificateEnds
from zcbus.agent.control_client import AgentRefused, ControlAway, ControlClient, HostRemoved
from zcbus.agent.drivers import KeptDrivers
from zcbus.agent.file_download import FileDownload
from zcbus.agent.host import HostMeasure
from zcbus.agent.identity import AgentTokens, agent_folder, own_id
from zcbus.agent.lease import Lease
from zcbus.agent.machine import machine_code, serial_number
from zcbus.agent.order_store import OrderStore
from zcbus.agent.outbox import Outbox
from zcbus.agent.service import Service
from zcbus.agent.timeouts import Timeouts
from zcbus.engine.transform.confinement import confine_evaluations, release_evaluations
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.clock import SystemClock, uptime
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.gateway_settings import parse_networks
from zcbus.kit.logging import get_logger
from zcbus.kit.network import NetworkRules, use, watch_sockets
from zcbus.kit.retry import growing_pauses
from zcbus.kit.settings import distributed_drivers
from zcbus.model.properties import Values
from zcbus.protocol.agent import Order, Orders, Reach, Registration, SyncRequest, SyncResponse, plain
from zcbus.protocol.changes import completed

_log = get_logger("agent")
_SYNC_PAUSE = 0.5
_EVENT_PAUSE = 0.1
"""Pause between two syncs if there are events."""
_NOTHING = Orders(version="host-removed", orders=())
"""Orders of a host that was removed: none."""


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Options of an agent. `token` is never logged."""

    data_dir: Path
    bus: BusSettings
    url: str
    token: str
    container: str
    trusted: ssl.SSLContext | bool = field(default=True, compare=False)
    """Trust for the control plane's certificate, with the agent's own one."""
    network: NetworkRules = field(default_factory=NetworkRules)
    """Where the services of this host may connect to."""
    certificates: Mapping[str, Path] = field(default_factory=dict)
    """PEM files of the host's certificates, by their use (CertificateEnd)."""
    driver_keys: Path | None = None
    """Folder of the keys of which one must have signed each distributed driver; None: none is needed."""


class Agent:
    """One agent, on one event loop."""

    def __init__(self, options: AgentOptions, forks: ForkServer) -> None:
        self._options = options
        self._forks = forks
        folder = agent_folder(options.data_dir)
        self._store = OrderStore(folder)
        self._id = own_id(folder)
        tokens = AgentTokens(folder, options.url, options.token)
        self._client = ControlClient(options.url, tokens, options.trusted)
        download = FileDownload(options.url, tokens, options.trusted, self._id)
        self._events = asyncio.Event()
        self._bus = options.bus
        """The bus with the container's properties."""
        self._outbox = Outbox(self._events.set)
        self._answers = Answers(options.data_dir, options.bus, self._outbox.put_answer, download)
        self._services: dict[str, Service] = {}
        self._clock = SystemClock()
        self._lease = Lease()
        self._host = HostMeasure(options.data_dir, self._clock)
        self._certificates = CertificateEnds(options.certificates, self._clock)
        drivers = distributed_drivers(options.data_dir)
        self._drivers = KeptDrivers(drivers, download, options.driver_keys, self._drivers_changed)
        self._closings: set[asyncio.Task[None]] = set()
        self._orders: Orders | None = None
        """The orders in force."""
        self._registered = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Work until `stop` is called; then stop every service."""
        _log.info("agent-started", agent=self._id, version=version("zcbus"), pid=os.getpid())
        self._loop = asyncio.get_running_loop()
        stored = self._store.load()
        if stored is not None:
            await self._follow(stored)
        syncing, listening = asyncio.create_task(self._sync_loop()), asyncio.create_task(self._listen())
        await self._stopping.wait()
        await asyncio.gather(*(service.close() for service in self._services.values()), *self._closings)
        for task in (syncing, listening):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._drivers.close()
        await self._report_end()
        self._answers.close()
        await self._client.close()
        await self._forks.close()

    def stop(self) -> None:
        """Ask `run` to end."""
        self._stopping.set()

    def _drivers_changed(self) -> None:
        """Called in another thread, which may outlive the loop."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._events.set)

    async def _sync_loop(self) -> None:
        """Register, then sync until `stop`. Services run on whatever the control plane does."""
        pauses = growing_pauses(0.3, limit=5.0)
        # A wait may swallow its cancellation where it ends in the same moment (Python before 3.12).
        while not self._stopping.is_set():
            try:
                if not self._registered.is_set():
                    await self._client.register(self._registration())
                    self._registered.set()
                await self._sync()
                pauses = growing_pauses(0.3, limit=5.0)
                await self._rest()
            except (ControlAway, AgentRefused) as error:
                self._registered.clear()
                _log.warning(error.code, **error.facts)
                if isinstance(error, HostRemoved):
                    await self._take_orders(_NOTHING)
                await asyncio.sleep(next(pauses))

    async def _listen(self) -> None:
        """Long-poll for events that the next sync would bring; without it they only arrive later."""
        pauses = growing_pauses(0.3, limit=5.0)
        while not self._stopping.is_set():
            await self._registered.wait()
            try:
                happened = await self._client.wait_for_event(self._id)
            except (ControlAway, AgentRefused):
                await asyncio.sleep(next(pauses))
                continue
            pauses = growing_pauses(0.3, limit=5.0)
            if happened:
                self._events.set()
            else:
                await asyncio.sleep(_EVENT_PAUSE)

    async def _rest(self) -> None:
        """Wait until the next sync is due, or until an event."""
        await asyncio.sleep(_EVENT_PAUSE)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SYNC_PAUSE - _EVENT_PAUSE):
                await self._events.wait()
        self._events.clear()

    async def _sync(self) -> None:
        request, requested_at = self._request(), uptime()
        try:
            response = await self._client.sync(request)
        except BaseException:
            self._outbox.give_back(request)
            self._drivers.report_again()
            raise
        if response.lease_s is not None:
            self._lease.renew(requested_at, response.lease_s)
        await self._take(response)
        for service in list(self._services.values()):
            await service.lease_renewed()

    async def _report_end(self) -> None:
        """Sync a last time, so that the console shows the services stopped at once."""
        with contextlib.suppress(ControlAway, AgentRefused):
            await self._client.sync(self._request())

    def _request(self) -> SyncRequest:
        reports, attempts, answers = self._outbox.take()
        return SyncRequest(
            agent=self._id,
            orders_version=self._orders.version if self._orders else "",
            orders_edition=self._orders.edition if self._orders else "",
            statuses=tuple(service.status() for service in self._services.values()),
            reports=reports,
            attempts=attempts,
            answers=answers,
            progress=self._answers.progress(),
            figures=self._host.measure(),
            certificates=self._certificates.read(),
            drivers=self._drivers.report(),
            keeps_leases=True,
            at=self._clock.now(),
        )

    async def _take(self, response: SyncResponse) -> None:
        if response.orders is not None:
            await self._take_orders(response.orders)
        for request in response.requests:
            self._answers.take(request)
        for request_id in response.withdrawn:
            self._answers.withdraw(request_id)

    async def _take_orders(self, received: Orders) -> None:
        """Store and apply orders, which may be complete or only changes."""
        orders = completed(self._orders, received)
        if orders is None:
            # The next sync reports no orders, so the control plane sends all of them.
            self._orders = None
            return
        self._store.save(orders, received)
        await self._follow(orders)

    async def _follow(self, orders: Orders) -> None:
        """Bring the services in line with the orders; stop and forget services without one."""
        self._orders = orders
        bus = self._options.bus.with_properties(plain(orders.push_properties), plain(orders.client_properties))
        self._bus = self._answers.bus = bus
        network = _rules_of(orders.reach).within(self._options.network)
        use(network)
        self._drivers.order(orders.drivers)
        desired = {order.service: order for order in orders.orders}
        for name in [name for name in self._services if name not in desired]:
            self._close_in_background(self._services.pop(name))
        for name, order in desired.items():
            if name in self._services:
                # The bus takes effect at the next start of the process; the order requests one where needed.
                self._services[name].bus = bus
                self._apply_settings(self._services[name], orders.properties, network)
                await self._services[name].give_order(order)
            else:
                self._services[name] = self._new_service(order, orders.properties, network)

    def _close_in_background(self, service: Service) -> None:
        """Close a service without waiting: draining must not delay the orders of others."""
        task = asyncio.create_task(service.close())
        self._closings.add(task)
        task.add_done_callback(self._closings.discard)

    @staticmethod
    def _apply_settings(service: Service, properties: Values, network: NetworkRules) -> None:
        service.properties, service.timeouts = properties, Timeouts.of(properties)
        service.network = network

    def _new_service(self, order: Order, properties: Values, network: NetworkRules) -> Service:
        service = Service(
            order=order,
            data_dir=self._options.data_dir,
            bus=self._bus,
            clock=self._clock,
            on_report=self._outbox.put_report,
            on_attempt=self._outbox.put_attempt,
            lease=self._lease,
            start=self._forks.start,
        )
        self._apply_settings(service, properties, network)
        service.begin()
        return service

    def _registration(self) -> Registration:
        return Registration(
            agent=self._id,
            host=socket.gethostname(),
            pid=os.getpid(),
            version=version("zcbus"),
            container=self._options.container,
            bus=self._options.bus.shared_name,
            machine_code=machine_code(),
            serial_number=serial_number(),
            reads_route_references=True,
        )


def _rules_of(reach: Reach) -> NetworkRules:
    return NetworkRules(
        parse_networks(",".join(reach.allow)), parse_networks(",".join(reach.deny)), reach.loopback, link_local=True
    )


async def run_agent(options: AgentOptions, forks: ForkServer) -> None:
    """Run an agent until SIGTERM or SIGINT. `forks` starts its workers and is closed at the end."""
    agent = Agent(options, forks)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, agent.stop)
    confine_evaluations()
    use(options.network)
    watch_sockets(main_thread=False)
    try:
        await agent.run()
    finally:
        release_evaluations()
