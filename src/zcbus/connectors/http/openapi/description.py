"""A description's parts, with references resolved. Whatever is absent or malformed is an empty object."""

from collections.abc import Iterator, Mapping
from typing import Any

from zcbus.connectors.importing import ImportInvalid

Json = Mapping[str, Any]

_MAX_HOPS = 20
_MAX_REFERENCE_LENGTH = 1000
_DEEPEST_MERGE = 8
_MAX_STEPS = 2_000_000
"""Of one import: schemas may name each other in circles, and compositions multiply."""
_MERGED = ("allOf", "oneOf", "anyOf")


class Description:
    """An OpenAPI 3 description."""

    def __init__(self, root: Any) -> None:
        """Raises ImportInvalid."""
        self.root = as_object(root)
        version = str(self.root.get("openapi", ""))
        if not version.startswith("3."):
            found = f"openapi: {version}" if version else f"swagger: {self.root.get('swagger', '-')}"
            raise ImportInvalid(detail=f"{found[:50]}; supported: openapi: 3.x")
        self._steps = 0

    def resolved(self, node: Any) -> Json:
        """An object, behind references within the description."""
        found = as_object(node)
        for _ in range(_MAX_HOPS):
            self._step()
            reference = found.get("$ref")
            if not isinstance(reference, str) or len(reference) > _MAX_REFERENCE_LENGTH:
                return found
            found = as_object(self._at(reference))
        return {}

    def schema(self, node: Any, depth: int = 0) -> dict[str, Any]:
        """A schema with its compositions merged. Of alternatives it has the properties of all, and no type where they
        differ in it."""
        own = dict(self.resolved(node))
        if depth < _DEEPEST_MERGE:
            for word in _MERGED:
                parts = own.pop(word, None)
                for part in parts if isinstance(parts, list) else ():
                    _merge(own, self.schema(part, depth + 1))
                    # Copying a few names takes as long as a step.
                    self._step(len(as_object(own.get("properties"))) // 8)
        return own

    def properties(self, schema: Json) -> Iterator[tuple[str, dict[str, Any]]]:
        """Names and merged schemas of an object's properties."""
        for name, part in as_object(schema.get("properties")).items():
            yield str(name), self.schema(part)

    def _at(self, reference: str) -> Any:
        if not reference.startswith("#/"):
            return None
        node: Any = self.root
        for step in reference[2:].split("/"):
            node = as_object(node).get(step.replace("~1", "/").replace("~0", "~"))
        return node

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > _MAX_STEPS:
            raise ImportInvalid(detail="too many references")


def as_object(node: Any) -> Json:
    """The value, if it is an object."""
    return node if isinstance(node, dict) else {}


def type_of(schema: Json) -> str:
    """The JSON type: empty where there are several, or none is stated. `null` next to another one does not count."""
    stated = schema.get("type")
    types = {str(one) for one in (stated if isinstance(stated, list) else [stated]) if one not in (None, "null")}
    if len(types) == 1:
        return types.pop()
    return "" if types else "object" if schema.get("properties") else "array" if schema.get("items") else ""


def _merge(own: dict[str, Any], part: Json) -> None:
    if _is_null(part):
        return
    properties = {**as_object(own.get("properties")), **as_object(part.get("properties"))}
    types = {type_of(own), type_of(part)} - {""}
    for name, value in part.items():
        own.setdefault(name, value)
    if properties:
        own["properties"] = properties
    if len(types) > 1:
        own["type"] = sorted(types)


def _is_null(schema: Json) -> bool:
    return schema.get("type") in ("null", ["null"])
