"""Types of columns in files that the platform writes, from the formats themselves."""

from collections.abc import Iterator

from reference.markdown import LANGUAGES, page, table
from zcbus.connectors.files.target.writer import FORMATS
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TITLES = {"en": "Types in written files", "zh": "写出文件的列类型"}
INTRODUCTIONS = {
    "en": "What columns of each meaning become in files of a [target](../how-to/files.md), by its format. A value that "
    "a type does not hold (`NaN` of a decimal, `infinity` of a date) is a row error. JSON lines and CSV hold every "
    "value as text; whole numbers and truths are their own, binary values Base64.",
    "zh": "各类列在[目标文件](../how-to/files.zh.md)中的类型，按写出格式列出。类型不能容纳的值（如小数的 `NaN`、日期的 "
    "`infinity`）成为异常行。JSON lines 与 CSV 以文本保存所有值；整数与布尔为其自身形式，二进制为 Base64。",
}
KIND = {"en": "meaning", "zh": "含义"}
NOTES = {
    "en": {"type-widened": "wider", "stored-as-text": "as text", "unsupported-type": "refused"},
    "zh": {"type-widened": "加宽", "stored-as-text": "存为文本", "unsupported-type": "拒绝"},
}
_TYPED = ("parquet", "avro")
_DECIMALS = (
    DataType(Kind.DECIMAL, "decimal(p ≤ 38)", precision=12, scale=2),
    DataType(Kind.DECIMAL, "decimal(p > 38)", precision=65, scale=2),
)


def pages() -> dict[str, str]:
    """File name → text."""
    return {f"file-types{'' if language == 'en' else '.zh'}.md": _page(language) for language in LANGUAGES}


def _page(language: str) -> str:
    rows = [(f"`{name}`", *(_become(FORMATS[one], data, language) for one in _TYPED)) for name, data in meanings()]
    return page(TITLES[language], INTRODUCTIONS[language], table((KIND[language], *_TYPED), rows))


def meanings() -> Iterator[tuple[str, DataType]]:
    """Of columns: name and type."""
    for kind in Kind:
        if kind is Kind.DECIMAL:
            yield from ((one.native, one) for one in _DECIMALS)
        else:
            yield kind.value, DataType(kind, kind.value)


def _become(form: WrittenFormat, data: DataType, language: str) -> str:
    schema = TableSchema(TableName("", ""), "", (Column("c", data),), ())
    (note,) = form.map_columns(schema)
    native = note.target_type.replace("(12,2)", "(p,s)")
    return ", ".join(
        part for part in ("" if note.blocking else native, NOTES[language].get(note.note, note.note)) if part
    )
