"""Arrow's array type for annotations: the stubs make it generic, the library does not."""

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    ArrowArray = pa.Array[Any]
else:
    ArrowArray = pa.Array
