"""How MySQL and MariaDB read a query's text ("Language Structure" of their manuals)."""

import re

from zcbus.model.query_text import BLANK, NAME_BEGIN, OTHER, PARAMETER, QueryRules

QUERY_RULES = QueryRules(
    tokens=re.compile(
        r"(?P<comment>--(?=[ \t\n\r\f\v]|\Z)[^\n]*|\#[^\n]*|/\*(?![!+]|[mM]!)(?:(?!\*/).)*\*/)"
        r"|(?P<text>'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\")"
        r"|(?P<quoted>`(?:[^`]|``)*`)"
        rf"|{BLANK}|(?P<word>(?:[0-9$]|{NAME_BEGIN})+)|(?P<number>\.\d+)"
        rf"|{PARAMETER}|{OTHER}",
        re.DOTALL,
    ),
    rejected_words=frozenset({"into", "procedure"}),
    refused_functions=re.compile(
        r"get_lock|is_(free|used)_lock|release_(all_)?locks?|sleep|benchmark|load_file|sys_(exec|eval|get|set)"
        r"|(master|source)_pos_wait|master_gtid_wait|wait_(for|until)_.*|nextval|setval|lastval"
        r"|service_\w*lock\w*|version_tokens_.*|group_replication_.*|asynchronous_connection_.*|keyring_.*"
        r"|audit_(log|api)_.*|mysql_firewall_.*|(set|reset|read)_firewall_.*|gen_blocklist|mysql_query_attribute_.*"
    ),
    assigns=True,
    folds_quoted=True,
)
