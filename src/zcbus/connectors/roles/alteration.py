"""Alterations of an existing target table that follow its source's."""

from dataclasses import dataclass

from zcbus.connectors.roles.target_table import MappedColumn
from zcbus.model.schema import Index


@dataclass(frozen=True, slots=True)
class AddedColumn:
    """A column added to the source. `value`: the value of existing rows, as text; None: NULL."""

    column: MappedColumn
    value: str | None


@dataclass(frozen=True, slots=True)
class Alteration:
    """Steps in this order. Names are the target's; a new name is never one that another column has."""

    drop_unique: tuple[tuple[str, ...], ...] = ()
    drop: tuple[str, ...] = ()
    rename: tuple[tuple[str, MappedColumn], ...] = ()
    redefine: tuple[MappedColumn, ...] = ()
    """Type, default, nullability and comment as the source has them now."""
    add: tuple[AddedColumn, ...] = ()
    add_unique: tuple[tuple[str, ...], ...] = ()
    drop_indexes: tuple[str, ...] = ()
    rename_indexes: tuple[tuple[str, str], ...] = ()
    indexes: tuple[Index, ...] = ()
    """Indexes that must exist with this definition. Those that the target cannot create are skipped: rows do not wait
    for them."""
    comment: str | None = None
    """Of the table; None: unchanged."""

    @property
    def is_empty(self) -> bool:
        return self == Alteration()
