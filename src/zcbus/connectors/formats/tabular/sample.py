"""What a file has: columns, types, first rows, and how many records."""

from dataclasses import dataclass, field

from zcbus.connectors.formats.form import TEXT
from zcbus.connectors.formats.tabular.inference import guesses, spelled
from zcbus.connectors.formats.tabular.records import Fault, FileForm, read

_LOOKED_AT = 100_000
"""Records that types are inferred from."""
_FAULTS = 100
_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class SampleColumn:
    """`type`: bytes, or as `declared.TYPE` spells it."""

    name: str
    type: str


@dataclass(slots=True)
class Sample:
    """`rows`: the first ones with their lines, values cut short; `records`: all, `refused` of them malformed; `faults`:
    the first of these."""

    columns: list[SampleColumn]
    rows: list[tuple[int, list[str | None]]] = field(default_factory=list)
    records: int = 0
    refused: int = 0
    faults: list[Fault] = field(default_factory=list)


def sample(path: str, form: FileForm, count: int) -> Sample:
    """Read a file to its end, keeping `count` rows. Raises ValueError."""
    records = read(path, form)
    found = Sample([])
    types = guesses(len(records.columns), form.kind in ("json", "jsonl"))
    for row in records.rows:
        found.records += 1
        if isinstance(row, Fault):
            found.refused += 1
            if len(found.faults) < _FAULTS:
                found.faults.append(row)
            continue
        line, values = row
        if found.records <= _LOOKED_AT:
            for guess, value in zip(types, values, strict=True):
                guess.add(value)
        if len(found.rows) < count:
            found.rows.append((line, [shown_value(value) for value in values]))
    for (name, data), guess in zip(records.columns.items(), types, strict=True):
        found.columns.append(SampleColumn(name, guess.type if data is TEXT else spelled(data)))
    return found


def shown_value(value: str | bytes | None) -> str | None:
    """A value cut short; bytes in hexadecimal digits."""
    text = value.hex() if isinstance(value, bytes) else value
    return text if text is None or len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"
