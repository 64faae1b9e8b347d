"""Specification of a kind of data source: names, typed options and capabilities."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import KindOptions, Option, options_of
from zcbus.connectors.row_errors import QUOTED_VALUE
from zcbus.connectors.shipped import ShippedDocument
from zcbus.model.query_text import QueryRules

Grammar = Literal["standard", "mysql", "postgresql"]
"""A grammar of SQL that editors know."""


GROUPS: tuple[str, ...] = (
    "relational",
    "big-data",
    "message-queue",
    "cache",
    "document",
    "file",
    "http",
)
"""Every group, in the order of the choose-a-type dialog."""


@dataclass(frozen=True, slots=True)
class KindSpec:
    """A kind of data source; forms, checks, links as code and documentation are derived from it."""

    name: str
    """The product's name, the same in every language (`MySQL`)."""
    label: str
    """The entry of the type dialog (`MySQL / MariaDB`)."""
    label_zh: str = field(default="", kw_only=True)
    """The entry in Chinese; empty: as `label`, as for most products."""
    group: str
    """Key of the group in the type dialog: `relational`."""
    model: type[KindOptions]
    capabilities: Capabilities
    tested: str = ""
    """Servers on which its conformance is tested, the same in every language (`PostgreSQL 12, 16, 18`); empty: it was
    written from the vendor's documentation and never tried on a server: a preview."""
    picture: str = ""
    """Name of its own picture in the type dialog; empty: the group's."""
    query_rules: QueryRules | None = None
    """How its server reads the queries of a data service; None: it runs none."""
    grammar: Grammar = "standard"
    """By which editors colour and complete its statements."""

    row_values: tuple[re.Pattern[str], ...] = (QUOTED_VALUE,)
    """Patterns by whose group the server's messages about refused rows differ from row to row; see
    `model.row_errors.cause_of`."""

    documents: Callable[[], Sequence[ShippedDocument]] = tuple
    """Ready-made documents, for kinds whose connections have one."""

    @property
    def kind(self) -> str:
        return self.model.kind

    def label_in(self, language: str) -> str:
        """The entry of the type dialog in a language."""
        return self.label_zh if language == "zh" and self.label_zh else self.label

    @property
    def options(self) -> tuple[Option, ...]:
        return options_of(self.model)

    @property
    def source(self) -> bool:
        return self.capabilities.capture != "none"

    @property
    def target(self) -> bool:
        return self.capabilities.delivery != "none"
