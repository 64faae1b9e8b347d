"""Tidying up behind a deleted link."""

from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.bus.topics import real_topic
from zcbus.engine.connections import Connectors, options_of
from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.requests import Done, DropSource, DropTarget


def drop_source(request: DropSource, connectors: Connectors, data_dir: Path, bus_settings: BusSettings) -> Done:
    """Slot, publication and topics of a publish node. Raises TopicBusy while its service still runs."""
    bus = open_bus(bus_settings, data_dir)
    try:
        bus.delete(real_topic(request.node))
        for topic in [*bus.topics(f"full/{request.node}/"), *bus.topics(f"state/{request.node}")]:
            bus.delete(topic.name)
    finally:
        bus.close()
    connectors(request.source.kind).source(options_of(request.source)).drop(request.node)
    return Done()


def drop_target(request: DropTarget, connectors: Connectors) -> Done:
    """A subscription's lanes; the data stays."""
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        session.delete_lanes(request.subscription)
    return Done()
