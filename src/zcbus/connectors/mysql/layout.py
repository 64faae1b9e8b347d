"""A table with what only its own dialect needs to know: every column's place and character set."""

from dataclasses import dataclass

from zcbus.model.schema import Column, TableSchema


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """A column as the table has it."""

    column: Column
    charset: str | None
    """Character set of text; None for all else."""
    virtual: bool = False
    """Computed when read; it has a place in the table but is not carried."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All columns of a table in its own order; `schema` has the carried ones."""

    schema: TableSchema
    columns: tuple[ColumnLayout, ...]

    def charset(self, name: str) -> str | None:
        """Character set of a carried column."""
        return next(layout.charset for layout in self.columns if layout.column.name == name)
