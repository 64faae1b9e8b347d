"""User-written expressions, parsed by the library that evaluates them, and checked against lists.

Everything not on the lists is refused: subqueries, tables, aggregates, windows, anything that reads files, settings or
clocks, and anything that gives another value the next time: an expression must be a function of its row alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import duckdb
import orjson

from zcbus.engine.transform.confinement import run_confined
from zcbus.engine.transform.sandbox import connection
from zcbus.kit.confined import Overrun

MAX_LENGTH = 4000

_CLASSES = frozenset(
    {"CONSTANT", "COLUMN_REF", "FUNCTION", "OPERATOR", "COMPARISON", "CONJUNCTION", "CASE", "CAST", "BETWEEN", "TYPE"}
)
_TYPES = (
    "BOOLEAN BOOL TINYINT SMALLINT INTEGER INT BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT DECIMAL NUMERIC "
    "REAL FLOAT DOUBLE VARCHAR TEXT CHAR STRING BLOB BYTEA DATE TIME TIMESTAMP DATETIME INTERVAL JSON UUID"
)
_FUNCTIONS = (
    # Operators as the parser names them.
    "+ - * / // % ** ^ || & | << >> ~ ~~ !~~ ~~* !~~* ~~~ -> ->> like_escape not_like_escape ilike_escape "
    "not_ilike_escape "
    # Texts.
    "upper ucase lower lcase trim ltrim rtrim length len char_length strlen substring substr left right lpad rpad "
    "replace translate concat concat_ws reverse split_part starts_with ends_with prefix suffix contains position "
    "instr strpos ascii chr md5 sha256 hex to_hex from_hex unhex base64 to_base64 from_base64 regexp_matches "
    "regexp_full_match regexp_replace regexp_extract strip_accents levenshtein jaro_winkler_similarity format "
    # Numbers.
    "abs round floor ceil ceiling trunc sign mod fmod power pow sqrt cbrt ln log log10 log2 exp greatest least "
    "isnan isinf isfinite even gcd lcm pi degrees radians sin cos tan asin acos atan atan2 "
    # Choices.
    "coalesce nullif ifnull if "
    # Dates and times.
    "date_part datepart date_trunc datetrunc year month day hour minute second quarter week dayofweek isodow "
    "dayofyear weekofyear date_diff datediff date_sub datesub date_add last_day make_date make_time make_timestamp "
    "strftime strptime to_years to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds "
    "epoch epoch_ms monthname dayname "
    # JSON.
    "json_extract json_extract_string json_extract_path json_extract_path_text json_array_length json_type "
    "json_valid json_exists"
)
_DISTANCES = frozenset({"levenshtein", "jaro_winkler_similarity"})
_MAX_DISTANCES = 4
_WIDE_FORMAT = re.compile(r"\d{5,}|\{[^}]*\{")
TYPES, FUNCTIONS = frozenset(_TYPES.split()), frozenset(_FUNCTIONS.split())


class ExpressionRefused(Exception):
    """The text is not an allowed expression. `problem`: what is wrong and where, for people."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that may be evaluated. `columns`: the names it uses, as written."""

    text: str
    columns: tuple[str, ...]


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Parse an expression. Raises ExpressionRefused."""
    if not text.strip():
        raise ExpressionRefused("empty")
    if len(text) > MAX_LENGTH:
        raise ExpressionRefused(f"longer than {MAX_LENGTH} characters")
    tree = syntax_tree(text)
    columns: dict[str, None] = {}
    distances = 0
    for node in _nodes(tree):
        _check(node)
        distances += node.get("function_name", "").lower() in _DISTANCES
        if node["class"] == "COLUMN_REF":
            columns[_column_name(node)] = None
    if distances > _MAX_DISTANCES:
        raise ExpressionRefused(f"{' and '.join(sorted(_DISTANCES))} may stand {_MAX_DISTANCES} times at most")
    return Expression(text, tuple(columns))


def syntax_tree(text: str) -> dict[str, Any]:
    """The library's syntax tree of an expression: nodes with `class`, `type` and their fields. Raises
    ExpressionRefused."""
    return _single_expression(_syntax(text))


def wrapped(text: str) -> str:
    """The text as it may stand inside a statement; a comment in it ends with its line."""
    return f"({text}\n)"


def _syntax(text: str) -> Any:
    return statements_of(f"SELECT {wrapped(text)}")


def statements_of(sql: str) -> Any:
    """The library's syntax tree of SELECT statements: an object with `statements`. Raises ExpressionRefused."""
    try:
        tree = orjson.loads(run_confined(_serialized, sql))
    except orjson.JSONDecodeError as error:
        raise ExpressionRefused("nested too deeply") from error
    except Overrun as error:
        raise ExpressionRefused(str(error)) from error
    if tree.get("error"):
        raise ExpressionRefused(str(tree.get("error_message", "")))
    return tree


def _serialized(sql: str) -> str:
    try:
        rows = connection().execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    except duckdb.Error as error:
        raise ExpressionRefused(first_line(error)) from error
    return str(rows[0][0])


def _single_expression(tree: Any) -> dict[str, Any]:
    """The only expression of `SELECT (…)`. A text that closes the bracket to add more is refused."""
    statements = tree["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    plain = (
        node.get("type") == "SELECT_NODE"
        and len(node["select_list"]) == 1
        and node["from_table"]["type"] == "EMPTY"
        and not node["modifiers"]
        and not node["where_clause"]
        and not node["group_expressions"]
        and not node["having"]
        and not node.get("qualify")
        and not node["select_list"][0]["alias"]
    )
    if not plain:
        raise ExpressionRefused("not a single expression")
    expression: dict[str, Any] = node["select_list"][0]
    return expression


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        if "class" in tree:
            yield tree
        for value in tree.values():
            yield from _nodes(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _nodes(value)


def _check(node: dict[str, Any]) -> None:
    kind = node["class"]
    if kind not in _CLASSES:
        raise ExpressionRefused(f"{kind.lower().replace('_', ' ')} is not allowed")
    if kind == "FUNCTION":
        _check_function(node)
    elif kind == "TYPE" and (node["type_name"].upper() not in TYPES or node["schema"] or node["catalog"]):
        raise ExpressionRefused(f"type {node['type_name']} is not allowed")
    elif kind == "OPERATOR" and node["type"] in ("ARRAY_EXTRACT", "ARRAY_SLICE", "STRUCT_EXTRACT", "ARRAY_CONSTRUCTOR"):
        raise ExpressionRefused("arrays are not allowed")


def _check_function(node: dict[str, Any]) -> None:
    name = node["function_name"].lower()
    plain = not (node["schema"] or node["catalog"] or node["filter"] or node["distinct"] or node["order_bys"]["orders"])
    if name not in FUNCTIONS or not plain:
        raise ExpressionRefused(f"function {name} is not allowed")
    if name == "format":
        _check_format(node)


def _check_format(node: dict[str, Any]) -> None:
    """Refuse a pattern whose widths make long results from any values."""
    first = node["arguments"][0]["expression"] if node["arguments"] else {}
    pattern = first["literal"].get("text") if first.get("class") == "CONSTANT" else None
    if not isinstance(pattern, str) or _WIDE_FORMAT.search(pattern):
        raise ExpressionRefused("format needs a constant pattern with widths below 10000")


def _column_name(node: dict[str, Any]) -> str:
    names: list[str] = node["column_names"]
    if len(names) != 1:
        raise ExpressionRefused(f"{'.'.join(names)} is not a column")
    return names[0]


def first_line(error: Exception) -> str:
    """The library's message, without the quoted statement."""
    return (str(error).strip() or "it takes too much memory").splitlines()[0][:500]
