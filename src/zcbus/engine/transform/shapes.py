"""Transforms bound to schemas of tables."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from zcbus.model.schema import TableSchema
from zcbus.protocol.transforms import Transform

if TYPE_CHECKING:
    from zcbus.engine.transform.shaping import Shape, Shaping


class Shapes:
    """Binds transforms.

    The library that evaluates is large, and most workers never need it: it is loaded at the first use.
    """

    def __init__(self, mask_key: str) -> None:
        """`mask_key`: the key of masks by hash; empty where no rows are read."""
        self._mask_key = mask_key

    def shape(self, transform: Transform, schema: TableSchema, key: tuple[str, ...]) -> "Shape | None":
        """The transform of a table with this schema; None: it changes no rows. Raises TableStopped."""
        if not transform.changes_rows:
            return None
        from zcbus.engine.transform.shaping import shape_of

        return shape_of(transform, schema, key, self._mask_key)

    def shaping(self, shape: "Shape | None", targets: Mapping[str, str]) -> "Shaping | None":
        """The transform for a target. `targets`: target columns by column of the result. Raises TableStopped."""
        if shape is None:
            return None
        from zcbus.engine.transform.shaping import Shaping

        shape.check_target(dict(targets))
        return Shaping(shape, dict(targets))
