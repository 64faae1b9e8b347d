"""Retained log of a source for a node whose service does not run."""

from contextlib import closing
from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.bus.topics import real_topic
from zcbus.connectors.roles.source import backlog_bytes
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.publish.real_topic import reached
from zcbus.engine.publish.retained_log import exceeded, release
from zcbus.engine.reasons import reason_of
from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.answers import RetainedLog
from zcbus.protocol.requests import WatchHeldLog


def watch_held_log(
    request: WatchHeldLog, connectors: Connectors, data_dir: Path, bus_settings: BusSettings
) -> RetainedLog:
    """See MeasuredLog.backlog_bytes. Beyond the limit the log is released, and the node's state records the reason."""
    source = connectors(request.source.kind).source(options_of(request.source))
    with closing(open_bus(bus_settings, data_dir)) as bus:
        retained = backlog_bytes(source, request.node, reached(bus, real_topic(request.node)))
        error = exceeded(request.source.kind, retained, request.limit_bytes)
        if error is None:
            return RetainedLog(size_bytes=retained)
        release(source, bus, request.node, error)
    return RetainedLog(size_bytes=None, let_go=reason_of(error))
