"""Export and import of texts as a file."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from zcbus.control.features.translation import repository
from zcbus.control.features.translation.errors import TextsRefusedError
from zcbus.control.features.translation.listing import records
from zcbus.control.features.translation.rules import fault_of
from zcbus.control.features.translation.schemas import (
    BothTexts,
    ImportConflict,
    ImportFault,
    ImportPreview,
    ImportResult,
    TextRecord,
    TextsFile,
)
from zcbus.control.features.translation.service import plain, wanted_custom, write
from zcbus.control.features.translation.shipped import ShippedText, shipped_texts
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import LANGUAGES, Language

_LISTED = 100


@dataclass(slots=True)
class _Plan:
    """Outcome of a file's texts. `writes`: those without a conflict; None removes the custom text."""

    same: int = 0
    writes: list[tuple[ShippedText, Language, str | None]] = field(default_factory=list)
    conflicts: list[tuple[ImportConflict, tuple[ShippedText, Language, str | None]]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    faults: list[ImportFault] = field(default_factory=list)


def export(call: Call, *, custom_only: bool) -> TextsFile:
    """Custom texts, or all texts as they are read now."""
    texts = {record.key: both for record in records(call) if (both := _exported(record, custom_only)) is not None}
    return TextsFile(texts=texts)


def preview(call: Call, file: TextsFile) -> ImportPreview:
    """Effects of an import that has not been made."""
    plan = _plan(call, file)
    return ImportPreview(
        added=len(plan.writes),
        same=plan.same,
        conflict_count=len(plan.conflicts),
        conflicts=[conflict for conflict, _ in plan.conflicts[:_LISTED]],
        unknown_count=len(plan.unknown),
        unknown=plan.unknown[:_LISTED],
        fault_count=len(plan.faults),
        faults=plan.faults[:_LISTED],
    )


def take_over(call: Call, file: TextsFile, *, replace: bool) -> ImportResult:
    """Import a file. Raises TextsRefusedError before anything is written."""
    plan = _plan(call, file)
    if plan.faults:
        first = plan.faults[0]
        facts = {"count": len(plan.faults), "key": first.key, "problem": f"text-{first.fault}"}
        raise TextsRefusedError(**facts)
    writes = [*plan.writes, *(wanted for _, wanted in plan.conflicts if replace)]
    changed = {(text.key, language) for text, language, _ in writes}
    call.audit.before = plain(
        row for row in repository.select_all(call.connection) if (row.text_key, row.language) in changed
    )
    call.audit.after = [{"key": text.key, "language": language, "text": custom} for text, language, custom in writes]
    for text, language, custom in writes:
        write(call, text, {language: custom})
    return ImportResult(written=len(writes), kept=0 if replace else len(plan.conflicts), unknown=len(plan.unknown))


def _exported(record: TextRecord, custom_only: bool) -> BothTexts | None:
    if custom_only:
        custom = BothTexts(zh=record.custom_zh, en=record.custom_en)
        return custom if custom.zh is not None or custom.en is not None else None
    if "unused" in record.marks:
        return None
    return BothTexts(zh=record.custom_zh or record.zh, en=record.custom_en or record.en)


def _plan(call: Call, file: TextsFile) -> _Plan:
    plan = _Plan()
    shipped = shipped_texts(call.services.catalogue)
    custom = {(row.text_key, row.language): row.value for row in repository.select_all(call.connection)}
    for key, both in file.texts.items():
        text = shipped.get(key)
        if text is None:
            plan.unknown.append(key)
            continue
        for language, value in _given(both):
            _judge(call, plan, text, language, value, custom.get((key, language)))
    return plan


def _given(both: BothTexts) -> Iterator[tuple[Language, str]]:
    for language in LANGUAGES:
        value = both.zh if language == "zh" else both.en
        if value is not None:
            yield language, value


def _judge(call: Call, plan: _Plan, text: ShippedText, language: Language, value: str, custom: str | None) -> None:
    if fault := fault_of(value, text, language):
        reason = call.text(f"problem.text-{fault}")
        plan.faults.append(ImportFault(key=text.key, language=language, fault=fault, reason=reason))
        return
    wanted = wanted_custom(text, {language: value})[language]
    if wanted == custom:
        plan.same += 1
    elif custom is None:
        plan.writes.append((text, language, wanted))
    else:
        conflict = ImportConflict(key=text.key, language=language, custom=custom, file=value)
        plan.conflicts.append((conflict, (text, language, wanted)))
