"""Arrow's kernels. Their stubs know fewer of them, and fewer kinds of arguments, than there are."""

from typing import Any

import pyarrow.compute

compute: Any = pyarrow.compute
