"""OceanBase and TiDB in the conformance suite: targets, and sources by watermark; Doris as a source."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tests.conformance.connectors.case import TypeCase, Value
from tests.conformance.connectors.mysql_case import MySQLCase
from tests.conformance.connectors.postgresql_case import PostgreSQLCase


class OceanBaseCase(MySQLCase):
    """See Case."""

    kind = "oceanbase"
    hold = "INSERT INTO t VALUES (1, 'x', 9, 'held')"
    table_options = "COLLATE utf8mb4_bin"
    many_rows = 8000
    types: ClassVar[Sequence[TypeCase]] = ()
    received: ClassVar[Mapping[str, tuple[Value, ...]]] = {
        "mysql.document": ('{"a": [1, 2.5], "b": "é"}',),
        **{
            f"postgresql.{case.name}": case.elsewhere.get("mysql8") or case.elsewhere["mysql"]
            for case in PostgreSQLCase.types
            if case.elsewhere.keys() & {"mysql", "mysql8"}
        },
    }
    refused: ClassVar[Mapping[str, tuple[int, ...]]] = {
        f"postgresql.{case.name}": case.refused_values["mysql"]
        for case in PostgreSQLCase.types
        if "mysql" in case.refused_values
    }


class DorisCase(MySQLCase):
    """A source by watermark on a named server."""

    kind = "doris"
    many_rows = 2000
    types: ClassVar[Sequence[TypeCase]] = ()


class TiDBCase(OceanBaseCase):
    """On a named server."""

    kind = "tidb"
