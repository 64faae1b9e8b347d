"""OceanBase in the conformance suite: a target, and a source by watermark."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import TypeCase
from tests.conformance.connectors.mysql_case import MySQLCase


class OceanBaseCase(MySQLCase):
    """See Case."""

    kind = "oceanbase"
    hold = "SELECT * FROM t FOR UPDATE"
    table_options = "COLLATE utf8mb4_bin"
    many_rows = 8000
    types: ClassVar[Sequence[TypeCase]] = ()
