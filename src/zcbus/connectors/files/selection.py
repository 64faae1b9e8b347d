"""Which files are read, and by which format, by their names."""

import fnmatch
from collections.abc import Callable

from zcbus.connectors.files.options import FilesOptions

BY_NAME = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".parquet": "parquet",
    ".avro": "avro",
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "excel"),
}
"""End of a name → format."""


def suffix(name: str) -> str:
    """The end of a name that says the format; that it is packed does not."""
    return "." + name.removesuffix(".gz").rpartition(".")[2].lower()


def selection(options: FilesOptions) -> Callable[[str], bool]:
    """Whether a file is read, by its path."""
    patterns = [one.strip() for one in options.pattern.split(",") if one.strip()]

    def is_selected(name: str) -> bool:
        last = name.rpartition("/")[2]
        matches = any(fnmatch.fnmatchcase(last, pattern) for pattern in patterns)
        return matches and (options.format != "by-name" or suffix(last) in BY_NAME)

    return is_selected
