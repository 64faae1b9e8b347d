"""The text of a document, read and checked line by line: YAML, or JSON, which is a part of it."""

import re
from functools import lru_cache
from typing import Any

import yaml
from pydantic import ValidationError

from zcbus.connectors.http.document import Interface
from zcbus.connectors.options import OptionFault

_DEEPEST = 20


class _Loader(yaml.SafeLoader):
    """Without aliases, by which a few lines are millions of values. Dates are texts here, and so is `no`: the name of
    columns, and a country."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "alias", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)


_OWN_TAGS = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag not in _OWN_TAGS]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_OWN_TAGS[1], re.compile(r"^(?:true|false)$"), list("tf"))


@lru_cache(maxsize=256)
def read(text: str) -> Interface:
    """The document of a text. Raises OptionFault."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        value = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise OptionFault(line, "", "syntax", error.problem or "") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise OptionFault(1, "", "syntax", str(error).partition("\n")[0][:200]) from error
    finally:
        loader.dispose()
    try:
        return Interface.model_validate(value)
    except ValidationError as error:
        raise _fault(node, error) from error
    except RecursionError as error:
        raise OptionFault(1, "", "syntax") from error


def line_of(text: str, place: tuple[int | str, ...]) -> int:
    """Line of a value in the text of a valid document, from 1; of its nearest ancestor where it is absent."""
    loader = _Loader(text)
    try:
        return _place(loader.get_single_node(), place)[0]
    finally:
        loader.dispose()


_PROBLEMS = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "literal_error": "choice",
    "union_tag_invalid": "choice",
    "union_tag_not_found": "missing",
    "string_too_long": "long",
    "too_long": "long",
}


def _fault(node: Any, error: ValidationError) -> OptionFault:
    # A misspelt name is missing as well: that it is unknown says more.
    faults = error.errors(include_input=False, include_url=False)
    first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
    line, place = _place(node, first["loc"])
    context = first.get("ctx", {})
    detail = context.get("expected") or context.get("expected_tags") or context.get("error") or context.get("pattern")
    problem = _PROBLEMS.get(first["type"], "value")
    if not detail and problem == "value":
        detail = first["msg"]
    return OptionFault(line, place, problem, str(detail or "")[:200])


def _place(node: Any, location: tuple[int | str, ...]) -> tuple[int, str]:
    """Line and name of where a value is wrong; of the nearest one that is there."""
    line, named = 1, list[str]()
    for step in location[:_DEEPEST]:
        below = _below(node, step)
        if below is None:
            # Names of alternatives are no part of the text; a missing one is the last.
            if step == location[-1]:
                named.append(str(step))
            continue
        node, line = below
        named.append(str(step))
    return line, ".".join(named)


def _below(node: Any, step: int | str) -> tuple[Any, int] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step].start_mark.line + 1
    return None
