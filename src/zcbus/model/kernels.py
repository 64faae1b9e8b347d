"""Arrow's compute kernels, without the stubs, which lack some kernels and argument types."""

from typing import Any

import pyarrow.compute

compute: Any = pyarrow.compute
