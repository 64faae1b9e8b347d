"""Faults in the fields of a request, in the caller's language, as a form shows them under the fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue

_PLAIN_KINDS = frozenset({"str", "int", "float", "bool"})

KEYS: Mapping[str, str] = {
    "missing": "missing",
    "string_type": "text",
    "string_too_short": "too-short",
    "string_too_long": "too-long",
    "string_pattern_mismatch": "pattern",
    "int_type": "whole-number",
    "int_parsing": "whole-number",
    "int_parsing_size": "whole-number",
    "int_from_float": "whole-number",
    "float_type": "number",
    "float_parsing": "number",
    "finite_number": "number",
    "bool_type": "truth",
    "bool_parsing": "truth",
    "datetime_type": "moment",
    "datetime_parsing": "moment",
    "datetime_from_date_parsing": "moment",
    "datetime_object_invalid": "moment",
    "list_type": "list",
    "too_short": "too-few",
    "too_long": "too-many",
    "greater_than_equal": "too-small",
    "less_than_equal": "too-large",
    "enum": "choice",
    "literal_error": "choice",
    "dict_type": "object",
    "model_type": "object",
    "model_attributes_type": "object",
    "extra_forbidden": "unknown",
    "json_invalid": "not-json",
}
"""Error types of the schema library by message key; several types share one message."""


def field_fault(key: str, **facts: object) -> PydanticCustomError:
    """To be raised by a schema's own check. The text is the catalogue's `field.<key>`."""
    return PydanticCustomError(key, key, facts)


def field_errors(faults: Iterable[Mapping[str, Any]], catalogue: Catalogue, language: Language) -> list[dict[str, str]]:
    """Validation errors as `{field, reason}`: each field once, by its wire name. For a field of several types, the
    error of the type that matched furthest counts."""
    found: dict[str, Mapping[str, Any]] = {}
    for fault in faults:
        path = _path(fault)
        if path not in found or len(fault["loc"]) > len(found[path]["loc"]):
            found[path] = fault
    return [{"field": path, "reason": _reason(fault, catalogue, language)} for path, fault in found.items()]


def _path(fault: Mapping[str, Any]) -> str:
    """Without what only names one of the kinds that a field may be of."""
    # The location of a JSON syntax error is an offset in the text, not a field.
    location = () if fault["type"] == "json_invalid" else fault["loc"][1:]
    parts: list[str] = []
    for part in location:
        if isinstance(part, str) and ("[" in part or "(" in part):
            break
        if not isinstance(part, str) or not _is_kind(part):
            parts.append(str(part))
    return ".".join(parts) or "body"


def _is_kind(part: str) -> bool:
    return part in _PLAIN_KINDS or part[:1].isupper() or part.startswith("constrained-")


def _reason(fault: Mapping[str, Any], catalogue: Catalogue, language: Language) -> str:
    facts = dict(fault.get("ctx") or {})
    if "expected" in facts:
        facts["expected"] = str(facts["expected"]).replace("' or '", "', '")
    key = f"field.{_key(fault, facts)}"
    return catalogue.text(language, key if key in catalogue.message_keys() else "field.invalid", **facts)


def _key(fault: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    # "At least one character", or "must be a number" of nothing at all, is no way to say it to people.
    kind = fault["type"]
    is_empty = kind in ("string_too_short", "too_short") and facts.get("min_length") == 1
    is_nothing = kind.endswith("_type") and fault.get("input", kind) is None
    return "missing" if is_empty or is_nothing else KEYS.get(kind, kind)
