"""Cleanup after a deleted link."""

from pathlib import Path

from zcbus.bus.open import open_bus
from zcbus.bus.topics import full_topics, real_topic, state_topic, structure_topic, versions_topic
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.roles.source import drop
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.subscribe.checkpoints.records import table_checkpoint
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.schema import TableName
from zcbus.protocol.answers import Done
from zcbus.protocol.requests import DropSource, DropTarget


def drop_source(request: DropSource, connectors: Connectors, data_dir: Path, bus_settings: BusSettings) -> Done:
    """Drop slot, publication and topics of a publish node. Raises TopicBusy while its service still runs."""
    bus = open_bus(bus_settings, data_dir)
    try:
        bus.delete(real_topic(request.node))
        for topic in bus.topics(full_topics(request.node)):
            bus.delete(topic.name)
        bus.delete(state_topic(request.node))
        bus.delete(structure_topic(request.node))
        bus.delete(versions_topic(request.node))
        if request.json_topic:
            bus.delete_export(request.json_topic)
    finally:
        bus.close()
    drop(connectors(request.source.kind).source(options_of(request.source)), request.node)
    return Done()


def _drop_shadow_tables(session: TargetSession, request: DropTarget) -> None:
    """Drop the shadow tables of unfinished loads."""
    schemas = {table.id: table.target.schema_name for table in request.tables}
    for checkpoint in session.checkpoints(request.subscription):
        shadow = table_checkpoint(checkpoint.data).beside if checkpoint.name in schemas else ""
        if shadow:
            session.drop_table(TableName(schemas[checkpoint.name], shadow))


def drop_target(request: DropTarget, connectors: Connectors) -> Done:
    """Delete a subscription's checkpoints; the data stays."""
    with connectors(request.target.kind).target(options_of(request.target)).open() as session:
        session.prepare_store()
        _drop_shadow_tables(session, request)
        session.delete_checkpoints(request.subscription)
    return Done()
