"""Selection of tables by the patterns of a link file.

`schema.table` with `*` and `?`; a leading `!` removes tables; a pattern without a dot matches the table's name
in the connection's database, in all its schemas if it has several. Later patterns win.
Matching is case-sensitive.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.registry import spec_of
from zcbus.engine.connections import Connectors, options_of
from zcbus.engine.reasons import PATTERN_MATCHES_NOTHING, TABLE_LEFT_OUT
from zcbus.engine.requests.findings import warning
from zcbus.kit.errors import TerminalError
from zcbus.model.schema import TableName, TableSummary
from zcbus.protocol.answers import Resolved, ResolvedTable
from zcbus.protocol.base import TableRef
from zcbus.protocol.requests import ResolveTables


class PatternMatchesNothing(TerminalError):
    """A pattern selects no table. Facts: pattern."""

    code = PATTERN_MATCHES_NOTHING


def resolve_tables(request: ResolveTables, connectors: Connectors) -> Resolved:
    """The selected tables with their targets. Raises PatternMatchesNothing, TableRefused for a table named exactly."""
    kind, options = request.source.kind, options_of(request.source)
    with connectors(kind).discoverer(options) as discoverer:
        own_schema = options.title if spec_of(kind).capabilities.schemas == "database" else None
        selection = select(discoverer.tables(), request.patterns, own_schema, lenient=request.lenient)
    target = connectors(request.target.kind).target(options_of(request.target))
    return Resolved(
        tables=tuple(
            ResolvedTable(
                source=TableRef(schema_name=name.schema, table=name.table),
                target=TableRef(schema_name=target.default_schema(name, kind), table=name.table),
            )
            for name in selection.tables
        ),
        left_out=tuple(
            warning(TABLE_LEFT_OUT, table=name, reason=reason) for name, reason in selection.left_out.items()
        ),
    )


@dataclass(frozen=True, slots=True)
class Selection:
    """The tables that patterns select."""

    tables: Sequence[TableName]
    """In the order of the patterns, then by name."""
    left_out: Mapping[TableName, str]
    """Refused tables that a pattern with wildcards matches, with the reason."""


def select(
    summaries: Sequence[TableSummary], patterns: Sequence[str], own_schema: str | None = None, *, lenient: bool = False
) -> Selection:
    """`own_schema`: the only schema in which patterns without a dot search; None: all. `lenient`: a pattern may select
    nothing, and refused tables are left out also where they are named exactly."""
    chosen: dict[TableName, None] = {}
    left_out: dict[TableName, str] = {}
    find = _finder(summaries, own_schema)
    for pattern in patterns:
        matching = find(pattern.removeprefix("!"))
        if pattern.startswith("!"):
            for summary in matching:
                chosen.pop(summary.name, None)
                left_out.pop(summary.name, None)
            continue
        if not matching and not lenient:
            raise PatternMatchesNothing(pattern=pattern)
        for summary in matching:
            if not summary.refused:
                chosen[summary.name] = None
            elif lenient or _has_wildcard(pattern):
                left_out[summary.name] = summary.refused
            else:
                raise TableRefused(table=str(summary.name), column="", reason=summary.refused)
    return Selection(list(chosen), left_out)


def _finder(summaries: Sequence[TableSummary], own_schema: str | None) -> Callable[[str], Sequence[TableSummary]]:
    """Search by pattern. A name without wildcards is a lookup: a link may have thousands of tables."""
    named: dict[str, list[TableSummary]] = defaultdict(list)
    for summary in summaries:
        named[str(summary.name)].append(summary)

    def find(pattern: str) -> Sequence[TableSummary]:
        if "." in pattern and not _has_wildcard(pattern):
            return named.get(pattern, ())
        return [summary for summary in summaries if _matches(pattern, summary.name, own_schema)]

    return find


def _has_wildcard(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern


def _matches(pattern: str, name: TableName, own_schema: str | None) -> bool:
    has_schema = "." in pattern
    if not has_schema and own_schema not in (None, name.schema):
        return False
    text = str(name) if has_schema else name.table
    return _expression(pattern).fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _expression(pattern: str) -> re.Pattern[str]:
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(character, re.escape(character)) for character in pattern), re.DOTALL)
