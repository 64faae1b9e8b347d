"""Writes into Delta Lake; see lakes.writer."""

from zcbus.connectors.delta.folder import LakeFolder
from zcbus.connectors.delta.merging import merge, tidy
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.delta.staging import stage, unstage
from zcbus.connectors.delta.state import StateTable
from zcbus.connectors.delta.tables import DeltaTables
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.lakes.parts import Part
from zcbus.connectors.lakes.writer import LakeWriter


class DeltaWriter(LakeWriter):
    """See LakeWriter."""

    def __init__(self, options: DeltaOptions) -> None:
        self._folder = LakeFolder(options)
        state, tables = StateTable(self._folder), DeltaTables(self._folder)
        super().__init__(options, self._folder.root, state, tables, TYPES)

    def stage(self, part: Part) -> Part:
        return stage(self._folder, part)

    def unstage(self, part: Part) -> None:
        unstage(self._folder, part)

    def merge(self, part: Part, application: str, number: int) -> bool:
        return merge(self._folder, part, application, number)

    def tidy(self, table: str) -> None:
        tidy(self._folder, table, self._options.history)
