"""Types of columns in targets, from the mapping that each kind's pre-check shows."""

import re
from collections.abc import Iterator

from reference.file_types import KIND, meanings
from reference.markdown import LANGUAGES, code, page, table
from zcbus.connectors.files.target.options import FilesWriting
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec
from zcbus.model.schema import Column, TableName, TableSchema

TITLES = {"en": "Types in targets", "zh": "目标端的列类型"}
INTRODUCTIONS = {
    "en": "What a column of each meaning becomes in a table that the platform makes, where source and target are of "
    "different kinds; between databases of one kind it keeps its own type. Keys may have a type of their own; see "
    "[types](types.md). Files have those of their [format](file-types.md).",
    "zh": "源端与目标端类型不同时，平台新建的表中各类列的类型；同类数据库之间保持原类型。主键列可能另有类型，见"
    "[类型](types.md)。文件按其[格式](file-types.zh.md)取类型。",
}
TYPE = {"en": "type", "zh": "类型"}
NOTE = {"en": "", "zh": "说明"}
NOTES = {
    "en": {
        "": "",
        "type-widened": "wider",
        "stored-as-text": "as text",
        "stored-as-json": "as JSON",
        "stored-as-interval": "as an interval",
        "zone-dropped-utc": "in UTC",
        "zero-dates-infinity": "a zero date becomes `-infinity`",
    },
    "zh": {
        "": "",
        "type-widened": "加宽",
        "stored-as-text": "存为文本",
        "stored-as-json": "存为 JSON",
        "stored-as-interval": "存为时间间隔",
        "zone-dropped-utc": "以 UTC 保存",
        "zero-dates-infinity": "零日期成为 `-infinity`",
    },
}
UNCHANGED = {
    "en": "Each column keeps its meaning; values are sent or stored in canonical form.",
    "zh": "各列保持原含义，值以规范形式发送或保存。",
}
_DIGITS = re.compile(r"\((?:12|65), ?2\)")
_FILLED = {"url": "https://x"}
Mapping = tuple[tuple[str, str, str], ...]
"""Meaning, type and note of each column that the kind takes."""


def pages() -> dict[str, str]:
    """File name → text."""
    kinds: dict[Mapping, list[KindSpec]] = {}
    for kind, entry in KINDS.items():
        if entry.spec.target and not issubclass(entry.spec.model, FilesWriting):
            kinds.setdefault(tuple(_mapping(kind)), []).append(entry.spec)
    return {
        f"target-types{'' if language == 'en' else '.zh'}.md": page(
            TITLES[language], INTRODUCTIONS[language], *_sections(kinds, language)
        )
        for language in LANGUAGES
    }


def _sections(kinds: dict[Mapping, list[KindSpec]], language: str) -> Iterator[str]:
    for mapping, specs in kinds.items():
        yield "## " + ", ".join(spec.label_in(language) for spec in specs)
        if all(_bare(meaning) == _bare(native) for meaning, native, _ in mapping):
            yield UNCHANGED[language]
        else:
            yield table((KIND[language], TYPE[language], NOTE[language]), _rows(mapping, language))


def _rows(mapping: Mapping, language: str) -> Iterator[tuple[str, ...]]:
    """One for each type, with all that become it."""
    together: dict[tuple[str, str], list[str]] = {}
    for meaning, native, note in mapping:
        together.setdefault((native, note), []).append(code(meaning))
    for (native, note), found in together.items():
        yield ", ".join(found), code(native), NOTES[language][note]


def _mapping(kind: str) -> Iterator[tuple[str, str, str]]:
    spec = KINDS[kind].spec
    required = (option.name for option in spec.options if option.required and option.type == "text")
    target = KINDS[kind].make().target(spec.model(**{name: _FILLED.get(name, "x") for name in required}))
    for meaning, data in meanings():
        column = Column("c", data)
        (note,) = target.map_columns(TableSchema(TableName("", ""), "", (column,), ()), ())
        if not note.blocking:
            yield meaning, _DIGITS.sub("(p,s)", note.target_type).replace("()", "(…)"), note.note


def _bare(name: str) -> str:
    return name.partition("(")[0]
