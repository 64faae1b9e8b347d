"""Products that speak MySQL's protocol, by their documentation: versions, errors and what is claimed."""

import pymysql
import pytest

from zcbus.connectors.errors import RowRefused, SourceUnavailable, TargetLocked, TargetUnavailable
from zcbus.connectors.mysql.connection.errors import translate
from zcbus.connectors.mysql.variant import Variant, VariantOptions, variant_of
from zcbus.connectors.oceanbase.spec import OceanBaseOptions
from zcbus.connectors.registry import spec_of
from zcbus.connectors.roles import Side
from zcbus.connectors.tidb.spec import TiDBOptions

OCEANBASE, TIDB = OceanBaseOptions("host", database="shop"), TiDBOptions("host", database="shop")


@pytest.mark.parametrize(
    ("variant", "version", "product", "new_enough"),
    [
        (TIDB.variant, "8.0.11-TiDB-v7.5.1", True, True),
        (TIDB.variant, "5.7.25-TiDB-v6.5.0-serverless", True, True),
        (TIDB.variant, "5.7.25-TiDB-v6.1.7", True, False),
        (TIDB.variant, "8.0.36", False, True),
        (OCEANBASE.variant, "5.7.25-OceanBase-v4.3.5.1", True, True),
        (OCEANBASE.variant, "5.7.25-OceanBase_CE-v4.2.1.0", True, True),
        (OCEANBASE.variant, "5.7.25-OceanBase seekdb-v1.4.0.0", True, True),
        (OCEANBASE.variant, "5.7.25-OceanBase-v3.2.3.3", True, False),
        (Variant(), "10.11.6-MariaDB", True, True),
    ],
)
def test_versions_are_distinguished(variant: Variant, version: str, product: bool, new_enough: bool) -> None:
    assert (variant.is_product(version), variant.is_new_enough(version)) == (product, new_enough)


@pytest.mark.parametrize(
    ("options", "side", "number", "expected"),
    [
        (TIDB, "target", 9007, TargetUnavailable),
        (TIDB, "target", 8022, TargetUnavailable),
        (TIDB, "target", 9004, TargetLocked),
        (TIDB, "source", 9005, SourceUnavailable),
        (TIDB, "target", 8025, RowRefused),
        (OCEANBASE, "target", 6002, TargetUnavailable),
        (OCEANBASE, "target", 6005, TargetLocked),
        (OCEANBASE, "source", 4012, SourceUnavailable),
        (OCEANBASE, "target", 9007, RowRefused),
    ],
)
def test_errors_of_a_product_that_pass_are_retried(
    options: VariantOptions, side: Side, number: int, expected: type[Exception]
) -> None:
    error = pymysql.err.OperationalError(number, "said")
    assert type(translate(error, options, side, "t")) is expected


def test_what_is_claimed() -> None:
    for kind, tested in (("oceanbase", True), ("tidb", False)):
        can = spec_of(kind).capabilities
        assert (can.capture, can.deletes, can.delivery, can.truncate) == (
            "watermark",
            "by-comparison",
            "transactional",
            False,
        )
        assert bool(spec_of(kind).tested) is tested


def test_mysql_itself_has_everything() -> None:
    plain = variant_of(spec_of("mysql").model("host", 3306, "u", database="d"))  # type: ignore[call-arg,arg-type]
    assert plain == Variant()
    assert plain.has_log
    assert plain.temporary_tables
