"""Operations of a description that a document can declare as resources."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from zcbus.connectors.http.document import Resource
from zcbus.connectors.http.openapi import paging
from zcbus.connectors.http.openapi.description import Description, Json, as_object
from zcbus.connectors.http.openapi.records import shape_of
from zcbus.connectors.importing import MAX_OPERATIONS

_PARAMETER = re.compile(r"\{([^{}]{1,100})\}")
_UNNAMED = re.compile(r"[^A-Za-z0-9_.-]")
_SUCCESS = ("200", "2XX", "2xx", "default")
_MAX_PATH_LENGTH = 500
_MAX_NAME_LENGTH = 63
_MAX_WORDS = 20
_MAX_SUMMARY_LENGTH = 200


@dataclass(slots=True)
class Candidate:
    """An operation as a resource."""

    path: str
    summary: str
    operation: Json
    resource: dict[str, Any]
    """In the notation of the document."""
    parameters: list[str] = field(default_factory=list)
    """Names of values that the operator has to enter."""


def candidates(description: Description) -> Iterator[Candidate]:
    """GET operations whose answer has an array of records with a possible key, in order of the description; at most
    MAX_OPERATIONS."""
    found, names = 0, set[str]()
    for path, item in as_object(description.root.get("paths")).items():
        above = description.resolved(item)
        if found < MAX_OPERATIONS and len(str(path)) <= _MAX_PATH_LENGTH and isinstance(above.get("get"), dict):
            candidate = _candidate(description, str(path), above, _table(str(path), names))
            if candidate is not None:
                found += 1
                names.add(candidate.resource["name"])
                yield candidate


def _candidate(description: Description, path: str, item: Json, table: str) -> Candidate | None:
    operation = as_object(item["get"])
    response = _response(description, operation)
    answer = description.schema(_json_schema(response))
    shape = shape_of(description, answer, table)
    if shape is None:
        return None
    given = list(_parameters(description, item, operation))
    query = {str(one["name"]): description.schema(one.get("schema")) for one in given if one.get("in") == "query"}
    pages, asked = paging.guess(description, query, answer, as_object(response.get("headers")), shape.key)
    entered = list[str]()
    resource: dict[str, Any] = {
        "name": table,
        "path": _PARAMETER.sub(lambda match: _placeholder(match.group(1), entered), path),
        "query": {**_required(given, query, pages or {}, entered), **asked},
        "records": shape.path,
        "pages": pages,
        "key": [shape.key],
        "columns": shape.columns,
    }
    resource = {name: value for name, value in resource.items() if value not in (None, {}, "$")}
    summary = str(operation.get("summary") or operation.get("operationId") or "")
    candidate = Candidate(path, " ".join(summary.split())[:_MAX_SUMMARY_LENGTH], operation, resource, entered)
    return candidate if _is_valid(resource) else None


def _response(description: Description, operation: Json) -> Json:
    responses = as_object(operation.get("responses"))
    by_status = {str(status): one for status, one in responses.items()}
    return next((description.resolved(by_status[status]) for status in _SUCCESS if status in by_status), {})


def _json_schema(response: Json) -> Any:
    for media, content in as_object(response.get("content")).items():
        if "json" in str(media).lower():
            return as_object(content).get("schema")
    return None


def _parameters(description: Description, item: Json, operation: Json) -> Iterator[Json]:
    for one in (item.get("parameters"), operation.get("parameters")):
        for parameter in one if isinstance(one, list) else ():
            found = description.resolved(parameter)
            if isinstance(found.get("name"), str):
                yield found


def _required(
    given: list[Json], query: Mapping[str, Json], pages: Mapping[str, Any], entered: list[str]
) -> dict[str, str]:
    """Parameters without which the service refuses: a stated default or first value, else one for the operator."""
    found = {}
    for one in given:
        name = str(one["name"])
        if one.get("in") == "query" and one.get("required") is True and name not in pages.values():
            schema = query[name]
            choices = schema.get("enum")
            value = schema.get("default", choices[0] if isinstance(choices, list) and choices else None)
            # Python refuses to write longer integers.
            is_plain = isinstance(value, str | float) or (isinstance(value, int) and value.bit_length() <= 64)
            found[name] = _text(value) if is_plain else _placeholder(name, entered)
    return found


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _placeholder(name: str, entered: list[str]) -> str:
    plain = _UNNAMED.sub("_", name)
    if plain in ("account", "cursor"):  # these have a meaning of their own
        plain += "_"
    if plain not in entered:
        entered.append(plain)
    return f"${{{plain}}}"


def _table(path: str, taken: set[str]) -> str:
    """The path's last word that is not taken, with those before it where it is."""
    words = [
        re.sub(r"[^\w.-]", "_", word, flags=re.ASCII).strip("_.-")
        for word in path.removesuffix(".json").split("/")[-_MAX_WORDS:]
        if "{" not in word
    ]
    words = [word for word in words if word] or ["records"]
    names = ["_".join(words[-count:])[-_MAX_NAME_LENGTH:].lstrip("_.-") for count in range(1, len(words) + 1)]
    numbered = (f"{names[-1][: _MAX_NAME_LENGTH - 5]}_{number}" for number in range(2, MAX_OPERATIONS + 2))
    return next(name for name in (*names, *numbered) if name and name not in taken)


def _is_valid(resource: dict[str, Any]) -> bool:
    try:
        Resource.model_validate(resource)
    except (ValidationError, RecursionError):
        return False
    return True
