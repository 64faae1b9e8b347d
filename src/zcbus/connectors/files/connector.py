"""The connector of a kind of files that is read and written."""

from abc import abstractmethod
from typing import Any

from zcbus.connectors.files.catalog import FilesDiscoverer
from zcbus.connectors.files.rows import FilesReader
from zcbus.connectors.files.source import FilesSource
from zcbus.connectors.files.target.current.writer import CurrentWriter
from zcbus.connectors.files.target.log_writer import LogWriter
from zcbus.connectors.files.target.options import ROWS, FilesWriting
from zcbus.connectors.files.target.records import refusing_own
from zcbus.connectors.files.target.writer import FORMATS
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import Connector, Side
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.connectors.stores import WritableStore
from zcbus.connectors.two_sided import TwoSidedDiscoverer
from zcbus.connectors.writing.connector import WriterDiscoverer, WriterTarget
from zcbus.connectors.writing.reader import WriterTableReader


class FilesConnector(Connector):
    """See Connector. A kind says how it is tested, and where its files are."""

    @abstractmethod
    def store(self, options: Any) -> WritableStore:
        """A new one. Connects when it is used."""

    def discoverer(self, options: Any) -> TwoSidedDiscoverer:
        files = FilesDiscoverer(options, self.store(options))
        return TwoSidedDiscoverer(files, WriterDiscoverer(self._writer(options), ROWS), ROWS)

    def source(self, options: Any, log: SourceLog = FIRST_LOG) -> FilesSource:
        return FilesSource(options, lambda: self.store(options))

    def target(self, options: FilesWriting) -> WriterTarget:
        form = FORMATS[options.output]
        map_columns = refusing_own(form.map_columns) if options.content == "changes" else form.map_columns
        return WriterTarget(self.kind, ROWS, lambda: self._writer(options), map_columns)

    def reader(self, options: Any, side: Side) -> TableReader:
        if side == "source":
            return FilesReader(options, self.store(options))
        return WriterTableReader(lambda: self._writer(options), {"kind": self.kind, "address": options.address})

    def _writer(self, options: FilesWriting) -> LogWriter | CurrentWriter:
        writer = CurrentWriter if options.content == "rows" else LogWriter
        return writer(options, lambda: self.store(options))
