"""Reading files as a source, beside the library that reads them: rows of an image, in canonical form.

The library makes columns of their own types, with both cores.
"""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import csv, json, parquet
from tests.servers.files import TENANT, FilesFolder

from bench.report import Result
from bench.timing import compare, seconds
from zcbus.connectors.localfiles.connector import connector
from zcbus.connectors.localfiles.spec import LocalFilesOptions
from zcbus.model.schema import TableName

_FILES = 2
_RECORD = 50_000
"""Rows of a record of the bus."""


def _write_json(rows: pa.Table, path: Path) -> None:
    path.write_bytes(b"".join(orjson.dumps(row, default=str) + b"\n" for row in rows.to_pylist()))


_FORMS: dict[str, tuple[str, Callable[[pa.Table, Path], object], Callable[[Path], Any]]] = {
    "csv": ("CSV", csv.write_csv, csv.read_csv),
    "jsonl": ("JSON lines", _write_json, json.read_json),
    "parquet": ("Parquet", parquet.write_table, parquet.read_table),
}
"""By the end of a file's name: label, how it is made, and the library's reading."""


def run(rows: pa.Table) -> Iterator[Result]:
    """Of each form a folder with these rows."""
    files = FilesFolder()
    try:
        for end, (label, write, read) in _FORMS.items():
            paths = _written(files.folder / end / "orders", end, rows, write)
            ours = partial(_image, end, len(rows))
            peer = {f"pyarrow, {label}": lambda paths=paths, read=read: seconds(lambda: [read(one) for one in paths])}
            yield from compare("kinds", f"{label} as a source", "rows", len(rows), ours, peer)
    finally:
        files.remove()


def _written(folder: Path, end: str, rows: pa.Table, write: Callable[[pa.Table, Path], object]) -> list[Path]:
    folder.mkdir(parents=True)
    part = -(-len(rows) // _FILES)
    paths = [folder / f"{number}.{end}" for number in range(_FILES)]
    for number, path in enumerate(paths):
        write(rows.slice(number * part, part), path)
        os.utime(path, (time.time() - 3600,) * 2)
    return paths


def _image(folder: str, count: int) -> float:
    """Seconds of all rows of the table."""
    options = LocalFilesOptions(folder=folder, tenant=TENANT, rest=0)
    made = connector()
    with made.discoverer(options) as discoverer:
        (schema,) = discoverer.describe([TableName("files", "orders")])

    def work() -> None:
        with made.reader(options, "source") as reader:
            found = sum(batch.num_rows for batch, _ in reader.read(schema, schema.key(), None, _RECORD))
        assert found == count

    return seconds(work)
