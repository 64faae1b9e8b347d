"""Requests and answers of custom texts."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.translation.rules import TextFault
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema

TextKey = Annotated[str, StringConstraints(min_length=1, max_length=250)]
# Longer than a text may be, so that the answer can name the text instead of a place in the request.
_Value = Annotated[str, StringConstraints(max_length=4000)]

TextShow = Literal["all", "custom", "one-language", "outdated", "unused"]
TextMark = Literal["one-language", "outdated", "unused"]
"""`one-language`: custom in one language, shipped in the other. `outdated`: the shipped text has changed since the
custom one was written. `unused`: the key is gone, or its placeholders have changed; the shipped text is shown."""


class TextPageRequest(PageRequest):
    """`search`: a part of the key, or of the shipped or custom text of either language. `show`: only those."""

    search: str = Field("", max_length=100)
    show: TextShow = "all"


class TextRecord(Schema):
    """A text. `zh`, `en`: as shipped; null where the language has no such form. `custom…`: read instead."""

    key: str
    zh: str | None
    en: str | None
    custom_zh: str | None
    custom_en: str | None
    placeholders: list[str]
    marks: list[TextMark]
    updated_by: str | None
    updated_at: datetime | None


class TextForm(Schema):
    """Custom texts of a key. Null, empty or equal to the shipped text: the shipped one."""

    key: TextKey
    zh: _Value | None = None
    en: _Value | None = None


class TextChoice(Schema):
    key: TextKey


class TextReset(DeletionProof):
    """`until`: custom texts written later stay."""

    until: AwareDatetime


class ResetResult(Schema):
    removed: int


class BothTexts(Schema):
    """A text in both languages; null: not spoken of."""

    zh: _Value | None = None
    en: _Value | None = None


class TextsFile(Schema):
    """Texts by key, as exported. Other files have another `format`."""

    format: Literal["zcbus-texts/1"] = "zcbus-texts/1"
    texts: dict[TextKey, BothTexts] = Field(max_length=20_000)


class TextsExport(Schema):
    """`customOnly`: only custom texts; else all texts as they are read now."""

    custom_only: bool = True


class TextsImport(Schema):
    """`replace`: texts of the file win over other custom texts of their keys; else those stay."""

    file: TextsFile
    replace: bool = False


class ImportFault(Schema):
    """A text of the file that cannot be used; `reason` is in the caller's language."""

    key: str
    language: Language
    fault: TextFault
    reason: str


class ImportConflict(Schema):
    """An custom text that differs from the file's."""

    key: str
    language: Language
    custom: str
    file: str


class ImportPreview(Schema):
    """Effects of an import. `added`: new custom texts. `same`: texts that are read already. Lists hold the first
    hundred. While there are faults, the import is refused. Unknown keys are left out."""

    added: int
    same: int
    conflict_count: int
    conflicts: list[ImportConflict]
    unknown_count: int
    unknown: list[str]
    fault_count: int
    faults: list[ImportFault]


class ImportResult(Schema):
    """`kept`: conflicting custom texts that stayed."""

    written: int
    kept: int
    unknown: int


class CustomTexts(Schema):
    """The console's custom texts in the caller's language, by namespace and key."""

    texts: dict[str, dict[str, str]]


TEXTS = ListDefinition[TextRecord](
    TextRecord,
    sort_keys={
        "key": lambda one: one.key,
        "zh": lambda one: one.custom_zh or one.zh or "",
        "en": lambda one: one.custom_en or one.en or "",
        "updatedAt": lambda one: one.updated_at.timestamp() if one.updated_at else 0.0,
    },
)
