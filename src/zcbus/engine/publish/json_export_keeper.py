"""Keeps the JSON topic written that a publish task wants, if it wants one."""

import threading

from zcbus.bus.contract import Bus, Retention
from zcbus.engine.publish.json_export import JsonExport
from zcbus.model.schema import TableName
from zcbus.protocol.reports import FeedReport
from zcbus.protocol.tasks import PublishTask


class JsonExportKeeper:
    """All calls but `report` belong to the service's thread."""

    def __init__(self, bus: Bus, stop: threading.Event) -> None:
        self._bus, self._stop = bus, stop
        self._feed: JsonExport | None = None

    def report(self) -> FeedReport | None:
        """What is seen of the topic; None: there is none."""
        feed = self._feed
        return feed.report() if feed is not None else None

    def tend(self, task: PublishTask, retention: Retention) -> None:
        """Have the topic written that the task wants, and no other."""
        if self._feed is not None and self._feed.name != task.json_topic:
            self.close()
        if task.json_topic and self._feed is None:
            self._feed = JsonExport(self._bus, task.node, task.json_topic, task.source, retention)
            self._feed.tables = tables_of(task)
            self._feed.start()
        elif self._feed is not None:
            self._feed.tables = tables_of(task)

    def finish(self, end: int) -> bool:
        """Before the real topic goes: wait until the JSON topic says all that is on it before that offset, and end;
        false: it cannot, or the service is to stop."""
        finished = self._feed is None or self._feed.finish(end, self._stop)
        self.close()
        return finished

    def close(self) -> None:
        """End, and wait for that."""
        if self._feed is not None:
            self._feed.close()
            self._feed = None


def tables_of(task: PublishTask) -> tuple[TableName, ...]:
    """What the task publishes."""
    return tuple(TableName(table.source.schema_name, table.source.table) for table in task.tables)
