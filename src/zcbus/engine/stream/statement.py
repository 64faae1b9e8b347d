"""SELECT of a stream query, parsed by the library that evaluates it, and checked against lists.

Everything not on the lists is refused: tables that are no inputs, functions over files, settings and clocks, anything
that gives another result the next time, and recursion, which need not end."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from zcbus.engine.transform import expressions
from zcbus.engine.transform.expressions import ExpressionRefused, statements_of

MAX_LENGTH = 20_000


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_CLASSES = _set(
    "CONSTANT COLUMN_REF FUNCTION OPERATOR COMPARISON CONJUNCTION CASE CAST BETWEEN TYPE STAR WINDOW SUBQUERY"
)
_PARTS = _set(  # Queries, table references, modifiers.
    "SELECT_NODE SET_OPERATION_NODE CTE_NODE BASE_TABLE JOIN SUBQUERY EMPTY EXPRESSION_LIST ORDER_MODIFIER "
    "LIMIT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING"
)
_AGGREGATES = _set(
    "count count_star sum avg min max stddev stddev_samp stddev_pop variance var_samp var_pop median mode "
    "quantile_cont quantile_disc bool_and bool_or bit_and bit_or bit_xor product corr covar_samp covar_pop regr_slope "
    "regr_intercept arg_min arg_max min_by max_by string_agg group_concat listagg"
)
_IN_ORDER = frozenset({"string_agg", "group_concat", "listagg"})
"""Their result depends on the order of the rows."""
_WINDOWS = _set("row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value")
_FUNCTIONS = expressions.FUNCTIONS | _AGGREGATES | {"time_bucket"}
_NOT_COLUMNS = _set(
    "current_date current_time current_timestamp localtime localtimestamp user current_user session_user current_role "
    "current_catalog current_schema rowid"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A SELECT that may be evaluated."""

    sql: str
    tables: frozenset[str]
    """Inputs that it reads, in lower case."""
    names: frozenset[str]
    """All texts in it, in lower case: a column that is not among them is not needed."""
    all_columns: bool
    """It selects all columns of a table."""


def read(text: str) -> Statement:
    """Parse a SELECT. Raises ExpressionRefused."""
    sql = text.strip().rstrip(";").strip()
    if not sql:
        raise ExpressionRefused("empty")
    if len(sql) > MAX_LENGTH:
        raise ExpressionRefused(f"longer than {MAX_LENGTH} characters")
    statements = statements_of(sql)["statements"]
    if len(statements) != 1:
        raise ExpressionRefused("not a single statement")
    return _checked(sql, statements[0]["node"])


def check_inputs(statement: Statement, names: Iterable[str]) -> None:
    """Raises ExpressionRefused if the SELECT reads a table that is no input, or does not use an input."""
    known = {name.lower(): name for name in names}
    strange, unused = sorted(statement.tables - known.keys()), sorted(known.keys() - statement.tables)
    if strange:
        raise ExpressionRefused(f"{', '.join(strange)}: no input is called so")
    if unused:
        raise ExpressionRefused(f"{', '.join(known[name] for name in unused)}: the input is not used")


def _checked(sql: str, tree: Any) -> Statement:
    nodes = list(_nodes(tree))
    for node in nodes:
        _check(node)
    commons = {entry["key"].lower() for node in nodes for entry in node.get("cte_map", {}).get("map", ())}
    named = {node["table_name"].lower() for node in nodes if node.get("type") == "BASE_TABLE"}
    all_columns = any(node.get("class") == "STAR" or node.get("ref_type") == "NATURAL" for node in nodes)
    return Statement(sql, frozenset(named - commons), frozenset(_texts(tree)), all_columns)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        if "type" in tree or "class" in tree:
            yield tree
        for value in tree.values():
            yield from _nodes(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _nodes(value)


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree.lower()
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from _texts(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _texts(value)


def _check(node: dict[str, Any]) -> None:
    kind = node.get("class")
    if kind is None:
        _check_part(node)
    elif kind not in _CLASSES:
        raise ExpressionRefused(f"{kind.lower().replace('_', ' ')} is not allowed")
    elif kind == "FUNCTION":
        _check_function(node)
    elif kind == "WINDOW":
        _check_window(node)
    elif kind == "COLUMN_REF" and node["column_names"][-1].lower() in _NOT_COLUMNS:
        raise ExpressionRefused(f"{node['column_names'][-1]} is not allowed: it is not a function of the inputs")
    elif kind == "TYPE" and (node["type_name"].upper() not in expressions.TYPES or node["schema"] or node["catalog"]):
        raise ExpressionRefused(f"type {node['type_name']} is not allowed")


def _check_part(node: dict[str, Any]) -> None:
    kind = node["type"]
    if kind not in _PARTS:
        raise ExpressionRefused(f"{str(kind).lower().replace('_', ' ')} is not allowed")
    if node.get("sample") is not None or node.get("at_clause") is not None:
        raise ExpressionRefused("a sample is not allowed: it differs each time")
    if node.get("ref_type") == "POSITIONAL":
        raise ExpressionRefused("a positional join is not allowed: rows have no order")
    if kind == "BASE_TABLE" and (node["schema_name"] or node["catalog_name"]):
        raise ExpressionRefused(f"{node['schema_name']}.{node['table_name']}: inputs are called without a schema")


def _check_function(node: dict[str, Any]) -> None:
    name = node["function_name"].lower()
    if name not in _FUNCTIONS or node["schema"] or node["catalog"]:
        raise ExpressionRefused(f"function {name} is not allowed")
    if name in _IN_ORDER and not node["order_bys"]["orders"]:
        raise ExpressionRefused(f"function {name} needs an ORDER BY")


def _check_window(node: dict[str, Any]) -> None:
    name = node["function_name"].lower()
    if name not in _WINDOWS | (_AGGREGATES - _IN_ORDER) or node.get("schema") or node.get("catalog"):
        raise ExpressionRefused(f"function {name} is not allowed over a window")
