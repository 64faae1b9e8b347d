"""Writing and removing custom texts."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.translation import repository
from zcbus.control.features.translation.errors import ChineseTextFaultError, EnglishTextFaultError, TextUnknownError
from zcbus.control.features.translation.rules import fault_of
from zcbus.control.features.translation.schemas import TextForm
from zcbus.control.features.translation.shipped import ShippedText, shipped_texts
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import LANGUAGES, Language

_FAULT_ERRORS = {"zh": ChineseTextFaultError, "en": EnglishTextFaultError}


def save(call: Call, form: TextForm) -> None:
    """Set both languages of a key. Raises TextUnknownError, TextFaultError."""
    shipped = find_shipped(call, form.key)
    wanted: dict[Language, str | None] = {"zh": form.zh, "en": form.en}
    _note(call, form.key, wanted_custom(shipped, wanted))
    for language, value in wanted_custom(shipped, wanted).items():
        if value is not None and (fault := fault_of(value, shipped, language)):
            raise _FAULT_ERRORS[language](key=form.key, problem=f"text-{fault}")
    write(call, shipped, wanted_custom(shipped, wanted))


def reset(call: Call, key: str) -> None:
    """Remove the custom texts of a key, also of one that is gone."""
    _note(call, key, {})
    repository.remove(call.connection, [(key, language) for language in LANGUAGES])


def reset_all(call: Call, until: datetime) -> int:
    """Remove every custom text that was written until then; returns how many."""
    rows = [row for row in repository.select_all(call.connection) if row.updated_at <= until]
    call.audit.before, call.audit.after = plain(rows), None
    repository.remove(call.connection, [(row.text_key, row.language) for row in rows])
    return len(rows)


def find_shipped(call: Call, key: str) -> ShippedText:
    """Raises TextUnknownError."""
    shipped = shipped_texts(call.services.catalogue).get(key)
    if shipped is None:
        raise TextUnknownError(key=key)
    return shipped


def wanted_custom(shipped: ShippedText, wanted: dict[Language, str | None]) -> dict[Language, str | None]:
    """Custom text by language; None where the shipped one shall be read."""
    return {
        language: value if value is not None and value.strip() and value != shipped.text(language) else None
        for language, value in wanted.items()
    }


def write(call: Call, shipped: ShippedText, custom: dict[Language, str | None]) -> None:
    """Store the custom texts of a key for the given languages, and remove those that are None."""
    store(call.connection, shipped, custom, call.principal.user_name, call.services.clock.now())


def store(
    connection: Connection, shipped: ShippedText, custom: dict[Language, str | None], user_name: str, now: datetime
) -> None:
    """As `write`, in a user's name."""
    repository.remove(connection, [(shipped.key, language) for language in custom])
    repository.insert(
        connection,
        [
            {
                "text_key": shipped.key,
                "language": language,
                "value": value,
                "shipped": shipped.text(language),
                "updated_by": user_name,
                "updated_at": now,
            }
            for language, value in custom.items()
            if value is not None
        ],
    )


def plain(rows: Iterable[Row[Any]]) -> list[dict[str, str]]:
    """Custom texts for the operation log. Keys are values: it hides what stands behind names like `password`."""
    return [{"key": row.text_key, "language": row.language, "text": row.value} for row in rows]


def _note(call: Call, key: str, custom: dict[Language, str | None]) -> None:
    rows = repository.select_key(call.connection, key)
    call.audit.subject = key
    call.audit.before = {row.language: row.value for row in rows}
    call.audit.after = {language: value for language, value in custom.items() if value is not None}
