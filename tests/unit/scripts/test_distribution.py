"""Files whose tests need the same slow server are run by one worker."""

from pathlib import Path

from tests.support.distribution import group_of

ROOT = Path(__file__).resolve().parents[3]


def test_files_that_need_a_slow_server_are_together() -> None:
    copying, changes, written, broker, buses, old, tables = (
        group_of(ROOT, f"tests/{name}.py")
        for name in (
            "conformance/connectors/test_copying",
            "conformance/connectors/test_changes",
            "integration/engine/test_opensearch_target",
            "integration/connectors/test_kafka",
            "conformance/bus/test_inspection",
            "integration/engine/test_exact_keys",
            "integration/engine/test_tables",
        )
    )
    assert copying == changes == written == broker == buses
    assert old == group_of(ROOT, "tests/integration/engine/test_partitions.py")
    assert len({copying, old, tables}) == 3
    assert tables == "tests/integration/engine/test_tables.py"
