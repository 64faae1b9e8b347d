"""Runs the JSON export that a publish task requests."""

import threading

from zcbus.bus.contract import Bus, Retention
from zcbus.engine.publish.json_export import JsonExport
from zcbus.model.schema import TableName
from zcbus.protocol.reports import FeedReport
from zcbus.protocol.tasks import PublishTask


class JsonExportKeeper:
    """All calls except `report` belong to the service's thread."""

    def __init__(self, bus: Bus, stop: threading.Event) -> None:
        self._bus, self._stop = bus, stop
        self._export: JsonExport | None = None

    def report(self) -> FeedReport | None:
        """State of the export; None: there is none."""
        export = self._export
        return export.report() if export is not None else None

    def update(self, task: PublishTask, retention: Retention) -> None:
        """Run the export that the task requests, and no other."""
        if self._export is not None and self._export.name != task.json_topic:
            self.close()
        if task.json_topic and self._export is None:
            self._export = JsonExport(self._bus, task.node, task.json_topic, task.source, retention)
            self._export.tables = tables_of(task)
            self._export.start()
        elif self._export is not None:
            self._export.tables = tables_of(task)

    def finish(self, end: int) -> bool:
        """End the export after it reached an offset, before the real topic is removed.

        Returns false if it cannot, or if the service stops.
        """
        finished = self._export is None or self._export.finish(end, self._stop)
        self.close()
        return finished

    def close(self) -> None:
        """Stop the export and wait."""
        if self._export is not None:
            self._export.close()
            self._export = None


def tables_of(task: PublishTask) -> tuple[TableName, ...]:
    """Tables that the task publishes."""
    return tuple(TableName(table.source.schema_name, table.source.table) for table in task.tables)
