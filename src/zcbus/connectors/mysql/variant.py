"""What differs between servers that speak MySQL's protocol and language: facts that their kinds declare."""

import re
from dataclasses import dataclass
from typing import ClassVar

from pydantic.dataclasses import dataclass as model

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, ConnectionOptions
from zcbus.connectors.polling.options import Interval, Overlap, Watermark
from zcbus.connectors.row_errors import QUOTED_VALUE


@dataclass(frozen=True, slots=True)
class Variant:
    """A product. The defaults are those of MySQL and MariaDB."""

    product: str = ""
    """Is in the server's answer to `version`; empty: any server will do."""
    oldest: tuple[int, int] = (0, 0)
    """Its oldest version, where the answer has one behind the name: `8.0.11-TiDB-v7.5.1`."""
    has_log: bool = True
    """Whether changes are read from a binary log. Else no marks of their origin are written."""
    temporary_tables: bool = True
    """Whether batches are staged in temporary tables; else they are written by statements with literals, and what
    depends on existing rows passes through this process."""
    local_data: bool = True
    """Whether LOAD DATA LOCAL reports each value that it changes."""
    checks_moments: bool = True
    """Whether it refuses a moment with something behind it, such as an era; else the connector does."""
    same_server: bool = True
    """Whether a server's own identifier is the same on each way to the database; else its address is."""
    version: str = "SELECT VERSION()"
    """Says what the server is."""
    settings: bool = True
    """Whether sessions have MySQL's settings; else none is made but those of `session`."""
    session: tuple[str, ...] = ()
    """Statements of each new connection."""
    waits: tuple[str, ...] = ("SET SESSION innodb_lock_wait_timeout={wait}, lock_wait_timeout={wait}",)
    """Statements of a target's session; `{wait}`: seconds that it waits for a lock."""
    unavailable: frozenset[int] = frozenset()
    """Further error numbers of what a later attempt may not meet."""
    locked: frozenset[int] = frozenset()
    """Further error numbers of a lock that was not to be had in time."""

    @property
    def wanted(self) -> str:
        """The product and its oldest version, for people."""
        return f"{self.product} {'.'.join(map(str, self.oldest))}"

    def is_product(self, version: str) -> bool:
        """Whether a server that answers so to `version` is of the product."""
        return self.product.lower() in version.lower()

    def is_new_enough(self, version: str) -> bool:
        """Whether it is of the oldest version or a later one."""
        found = re.search(rf"{re.escape(self.product)}-v(\d+)\.(\d+)", version, re.IGNORECASE)
        return found is None or (int(found[1]), int(found[2])) >= self.oldest


MYSQL_ITSELF = Variant()


@model(frozen=True, config=CONFIG)
class VariantOptions(ConnectionOptions):
    """A database of another product, whose changes are found by a watermark."""

    variant: ClassVar[Variant] = MYSQL_ITSELF
    watermark: Watermark = "updated_at, modified_at"
    interval: Interval = 1
    overlap: Overlap = 5


ROW_VALUES = (QUOTED_VALUE, re.compile(r"\brow (\d+)"))
"""What differs from row to row in messages about refused rows: a value, and the row's number in a load."""

CAPABILITIES = Capabilities(
    capture="watermark",
    deletes="by-comparison",
    delivery="transactional",
    keyless=True,
    ddl=True,
    schemas="database",
    comparable=True,
    verifiable=True,
    row_errors=True,
    fills_not_null=True,
)
"""Of each variant."""


def variant_of(options: ConnectionOptions) -> Variant:
    """The product that a connection expects."""
    return options.variant if isinstance(options, VariantOptions) else MYSQL_ITSELF
