"""How many failing changes of a table may still be skipped."""

from dataclasses import dataclass, replace

from zcbus.engine.subscribe.checkpoints.records import TableCheckpoint
from zcbus.protocol.tasks import SubscribedTable


@dataclass
class Skips:
    """Counts down from what the task allows; what was used is remembered in the table's checkpoint."""

    revision: int
    dml_left: int
    ddl_left: int
    dml_used: int = 0
    ddl_used: int = 0

    @classmethod
    def of(cls, task: SubscribedTable, checkpoint: TableCheckpoint) -> "Skips":
        """What is left. A new revision of the task's counts begins anew."""
        same = checkpoint.skip_revision == task.skip_revision
        dml, ddl = (checkpoint.dml_skipped, checkpoint.ddl_skipped) if same else (0, 0)
        return cls(task.skip_revision, max(0, task.dml_skip - dml), max(0, task.ddl_skip - ddl), dml, ddl)

    def take_dml(self) -> bool:
        """Skip one change of rows, if that is allowed."""
        if self.dml_left <= 0:
            return False
        self.dml_left, self.dml_used = self.dml_left - 1, self.dml_used + 1
        return True

    def take_ddl(self) -> bool:
        """Skip one change of the structure, if that is allowed."""
        if self.ddl_left <= 0:
            return False
        self.ddl_left, self.ddl_used = self.ddl_left - 1, self.ddl_used + 1
        return True

    @classmethod
    def carried(
        cls, task: SubscribedTable, before: TableCheckpoint | None, checkpoint: TableCheckpoint
    ) -> TableCheckpoint:
        """A table that begins anew, with what was used before: the counts are of the table, not of a load."""
        return checkpoint if before is None else cls.of(task, before).noted(checkpoint)

    def noted(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """The checkpoint with what was used."""
        if (checkpoint.skip_revision, checkpoint.dml_skipped, checkpoint.ddl_skipped) == (
            self.revision,
            self.dml_used,
            self.ddl_used,
        ):
            return checkpoint
        return replace(checkpoint, skip_revision=self.revision, dml_skipped=self.dml_used, ddl_skipped=self.ddl_used)
