"""Each structure of a published table is noted once, with the place where it begins."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.engine.history import TEXT, frame, schema

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.publish.schema_versions import SchemaVersions, read_schema_versions
from zcbus.engine.requests.schema_versions import lines_of
from zcbus.model.changes import ChangeFrame, Operation
from zcbus.model.schema import Column, TableSchema

NODE = "n"
FIRST = schema("t")
WIDER = replace(FIRST, columns=(*FIRST.columns, Column("extra", TEXT)))


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path)
    yield bus
    bus.close()


def changes(number: int, structure: TableSchema) -> ChangeFrame:
    plain = frame([(number, ("t", Operation.INSERT, "", "k", "v"))], [number], True)
    return replace(plain, tables=tuple(replace(table, schema=structure) for table in plain.tables))


def see(versions: SchemaVersions, *frames: ChangeFrame) -> None:
    for one in frames:
        for table in one.tables:
            versions.observe("t", table, one, str)
    versions.write()


def found(bus: EmbeddedBus) -> list[tuple[int, str, tuple[str, ...]]]:
    lines = lines_of(version for version in read_schema_versions(bus, NODE) if version.table == "t")
    return [(line.number, line.position, line.changes) for line in lines]


def test_each_structure_is_noted_once_also_over_a_restart(bus: EmbeddedBus) -> None:
    versions = SchemaVersions(bus, NODE)
    versions.begin([("t", FIRST), ("other", FIRST)], "0/5")
    see(versions, changes(1, FIRST), changes(2, WIDER), changes(3, WIDER))
    again = SchemaVersions(bus, NODE)
    again.begin([("t", FIRST)], "0/99")
    see(again, changes(3, WIDER), changes(4, replace(WIDER, comment="words")))
    assert found(bus) == [(1, "0/5", ()), (2, "0/20", ("ADD COLUMN extra text",))]


def test_a_schema_version_written_twice_counts_once(bus: EmbeddedBus) -> None:
    """The bus may have kept what it did not acknowledge."""
    first, second = SchemaVersions(bus, NODE), SchemaVersions(bus, NODE)
    see(first, changes(1, FIRST))
    see(second, changes(1, FIRST), changes(2, WIDER))
    assert [number for number, _, _ in found(bus)] == [1, 2]
