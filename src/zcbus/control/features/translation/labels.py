"""Texts as labels of other features: read as people read them, written as custom texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from zcbus.control.features.translation import repository
from zcbus.control.features.translation.errors import LabelFaultError
from zcbus.control.features.translation.rules import fault_of
from zcbus.control.features.translation.service import store, wanted_custom
from zcbus.control.features.translation.shipped import shipped_texts
from zcbus.control.platform.language import LANGUAGES
from zcbus.control.platform.messages import Catalogue


@dataclass(frozen=True, slots=True)
class Label:
    """A text that both languages have."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels by text key as they are read now; `updated_at` has when those that are custom were written."""

    texts: Mapping[str, Label]
    updated_at: Mapping[str, datetime]


def read_labels(connection: Connection, catalogue: Catalogue, keys: Iterable[str]) -> Labels:
    """The labels of text keys, all of which this version ships in both languages."""
    shipped = shipped_texts(catalogue)
    texts = {key: {language: shipped[key].text(language) or "" for language in LANGUAGES} for key in keys}
    updated_at: dict[str, datetime] = {}
    for row in repository.select_keys(connection, texts):
        if fault_of(row.value, shipped[row.text_key], row.language) is None:
            texts[row.text_key][row.language] = row.value
            updated_at[row.text_key] = max(row.updated_at, updated_at.get(row.text_key, row.updated_at))
    return Labels({key: Label(both["zh"], both["en"]) for key, both in texts.items()}, updated_at)


def write_labels(
    connection: Connection, catalogue: Catalogue, labels: Mapping[str, Label], user_name: str, now: datetime
) -> None:
    """Store labels by text key; those that are as shipped are no custom texts. Raises LabelFaultError before any is
    stored."""
    shipped = shipped_texts(catalogue)
    custom = {key: wanted_custom(shipped[key], {"zh": label.zh, "en": label.en}) for key, label in labels.items()}
    for key, texts in custom.items():
        for language, text in texts.items():
            if text is not None and (fault := fault_of(text, shipped[key], language)):
                raise LabelFaultError(name=text, problem=f"text-{fault}")
    for key, texts in custom.items():
        store(connection, shipped[key], texts, user_name, now)
