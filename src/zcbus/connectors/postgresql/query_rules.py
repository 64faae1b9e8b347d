"""How PostgreSQL reads a query's text ("Lexical Structure" of its manual)."""

import re

from zcbus.model.query_text import BLANK, NAME_BEGIN, OTHER, PARAMETER, QueryRules

_NUMBER = r"0[xX][0-9A-Fa-f_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?"
_BEHIND_NUMBER = r"(?![\w$'\"`]|[^\x00-\x7f])"
_NAME = rf"(?:{NAME_BEGIN})(?:[0-9]|{NAME_BEGIN})*"

QUERY_RULES = QueryRules(
    tokens=re.compile(
        r"(?P<comment>--[^\n\r]*|/\*(?:(?!/\*|\*/).)*\*/)"
        r"|(?P<text>[eE]'(?:[^'\\]|\\.|'')*'|[bBxXnN]?'(?:[^']|'')*'"
        rf"|\$(?P<tag>(?:{_NAME})?)\$.*?\$(?P=tag)\$)"
        r"|(?P<quoted>\"(?:[^\"]|\"\")*\")"
        r"|(?P<escaped>[uU]&['\"])"
        rf"|{BLANK}|(?P<word>(?:{NAME_BEGIN})(?:[0-9$]|{NAME_BEGIN})*)|(?P<number>(?:{_NUMBER}){_BEHIND_NUMBER})"
        rf"|{PARAMETER}|{OTHER}",
        re.DOTALL,
    ),
    rejected_words=frozenset({"into"}),
    # Only the server knows which functions have side effects: the connector asks it.
    refused_functions=re.compile(r"(?!)"),
)
