"""Shipped and custom texts side by side."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.translation import repository
from zcbus.control.features.translation.rules import fault_of, placeholders
from zcbus.control.features.translation.schemas import TextMark, TextPageRequest, TextRecord
from zcbus.control.features.translation.shipped import ShippedText, shipped_texts
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import LANGUAGES, Language

_Customs = Mapping[Language, Row[Any]]


def found(call: Call, request: TextPageRequest) -> Iterator[TextRecord]:
    """The texts that the request asks for, by key; custom texts whose key is gone are last."""
    text = request.search.strip().casefold()
    for record in records(call):
        if _is_shown(record, request) and text in _searched(record):
            yield record


def records(call: Call) -> Iterator[TextRecord]:
    """Every text."""
    custom = _customs(repository.select_all(call.connection))
    shipped = shipped_texts(call.services.catalogue)
    for key, text in shipped.items():
        yield _record(text, custom.get(key, {}))
    for key in custom.keys() - shipped.keys():
        yield _record(ShippedText(key, None, None), custom[key])


def _customs(rows: Iterable[Row[Any]]) -> Mapping[str, _Customs]:
    custom: defaultdict[str, dict[Language, Row[Any]]] = defaultdict(dict)
    for row in rows:
        custom[row.text_key][row.language] = row
    return custom


def _record(text: ShippedText, custom: _Customs) -> TextRecord:
    newest = max(custom.values(), key=lambda row: row.updated_at, default=None)
    needed = placeholders(text.zh or text.en or "", text) or frozenset()
    # Thousands of lines that come from code and columns: checking each again costs more than all else.
    return TextRecord.model_construct(
        key=text.key,
        zh=text.zh,
        en=text.en,
        custom_zh=custom["zh"].value if "zh" in custom else None,
        custom_en=custom["en"].value if "en" in custom else None,
        placeholders=sorted(needed),
        marks=_marks(text, custom),
        updated_by=newest.updated_by if newest else None,
        updated_at=newest.updated_at if newest else None,
    )


def _marks(text: ShippedText, custom: _Customs) -> list[TextMark]:
    if not custom:
        return []
    marks: list[TextMark] = []
    if text.zh is not None and text.en is not None and len(custom) < len(LANGUAGES):
        marks.append("one-language")
    if any(fault_of(row.value, text, language) for language, row in custom.items()):
        marks.append("unused")
    elif any(row.shipped != text.text(language) for language, row in custom.items()):
        marks.append("outdated")
    return marks


def _is_shown(record: TextRecord, request: TextPageRequest) -> bool:
    if request.show == "all":
        return True
    if request.show == "custom":
        return record.updated_at is not None
    return request.show in record.marks


def _searched(record: TextRecord) -> str:
    parts = (record.key, record.zh, record.en, record.custom_zh, record.custom_en)
    return "\n".join(part for part in parts if part).casefold()
