"""Finds retired words: names and prose of our own that gave way to the field's terms.

In the code of product, tests and console whole names and parts of names count; in docstrings, comments, documentation
and English texts for users words; in Chinese texts the renderings that docs/reference/terms.md replaces. A word is
added when its last use is renamed; a folder leaves UNFINISHED when its prose is clean.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

RETIRED = {
    "AnnouncedSession": "RegisteredSession",
    "ChangePlace": "ChangeInfo",
    "CheckComputation": "CheckStreamQuery",
    "ComputationAction": "StreamQueryAction",
    "ComputationInput": "StreamQueryInput",
    "ComputationRecord": "StreamQueryRecord",
    "ComputationReport": "StreamQueryReport",
    "Continuity": "CaptureHistory",
    "DropComputation": "DropStreamQuery",
    "Crew": "WriterPool",
    "Director": "TableScheduler",
    "FeedKeeper": "JsonExportKeeper",
    "FeedNotOffered": "ExportNotOffered",
    "HELD_UP": "BLOCKED",
    "HeldLog": "RetainedLog",
    "HeldRows": "QuarantinedRows",
    "JsonFeed": "JsonExport",
    "KafkaFeed": "KafkaExportWriter",
    "KeyLane": "ApplierCheckpoint",
    "Lane": "Checkpoint",
    "LaneStore": "CheckpointStore",
    "LaneWriter": "CheckpointWriter",
    "LogLetGo": "SlotDropped",
    "Looks": "PollThrottle",
    "MainLane": "ChannelCheckpoint",
    "NearSource": "DirectLoad",
    "Openings": "SessionFactory",
    "Passage": "ChangeForwarder",
    "Patience": "Timeouts",
    "PatientOutput": "NonBlockingOutput",
    "PlaceTooEarly": "PositionTooEarly",
    "PlaceTooLate": "PositionTooLate",
    "PlacedChanges": "RecordChanges",
    "PortionedBus": "BatchLimitedBus",
    "RestlessTables": "UnsteadyTables",
    "Restructuring": "SchemaEvolution",
    "StructureHistory": "SchemaHistory",
    "TableLane": "TableCheckpoint",
    "Teller": "JsonEncoder",
    "Told": "ReportCache",
    "Unevaluated": "ExpressionError",
    "changes_in_words": "change_clauses",
    "create_beside": "create_shadow_table",
    "heard_time": "newest_time",
    "recall_held": "load_quarantined",
    "speaks_tls": "uses_tls",
    "take_rows": "apply_shadow_table",
    "tell_known": "with_existing",
    "write_beside": "write_in_parallel",
    "write_lane": "write_checkpoint",
}
"""Retired name → what it is called now."""

RETIRED_PARTS = {
    "announced": "registered",
    "crew": "pool",
    "director": "scheduler",
    "hear": "receive",
    "house": "housekeeping",
    "lane": "applier, checkpoint",
    "looks": "polls",
    "openings": "session_factory",
    "patience": "timeout",
    "silence": "liveness",
    "teller": "encoder",
    "tells": "reports",
    "told": "reported, listed",
    "whats": "summaries",
}
"""Retired part of a snake_case or CamelCase name → terms to use instead."""

RETIRED_SCRIPT_PARTS = {
    **{part: RETIRED_PARTS[part] for part in ("hear", "lane", "teller", "tells", "told")},
    "anew": "again",
    "beside": "next, aside",
    "heard": "received, reported",
    "lanes": "appliers",
    "nobody": "no user",
    "somebody": "an operator, a user",
    "tell": "report, show",
}
"""Retired part of a name in the console → terms to use instead. Other RETIRED_PARTS are words of a page there."""

FIELDS_OF_CALLS = ("lanes", "beside")
"""Names on the wire, which are names in the console too."""

RETIRED_LIMITS = {
    "LARGEST": "MAX",
    "LEAST": "MIN",
    "LONGEST": "MAX, _LENGTH",
    "MOST": "MAX",
    "SHORTEST": "MIN",
}
"""Retired first part of a constant's name → what it begins with instead."""

RETIRED_WORDS = {
    "anew": "again, from scratch",
    "beside": "in parallel, with, next to",
    "crew": "writer pool",
    "crews": "writer pools",
    "go on": "resume, continue",
    "goes on": "resumes, continues",
    "going on": "resuming, continuing",
    "hear": "receive",
    "heard": "received",
    "hears": "receives",
    "lane": "applier, checkpoint",
    "lanes": "appliers, checkpoints",
    "let go": "release",
    "lets go": "releases",
    "look at": "check, read",
    "looked at": "checked, read",
    "looks at": "checks, reads",
    "nobody": "no user, no process",
    "patience": "time-out",
    "somebody": "an operator, a user",
    "stretch": "range, segment, chunk",
    "stretches": "ranges, segments, chunks",
    "tell": "report, show, distinguish",
    "telling": "reporting, distinguishing",
    "tells": "reports, shows",
    "told": "reported, received",
    "whoever": "the process that, users who",
}
"""Retired word of prose → terms to use instead."""

RETIRED_CHINESE = {
    "(?<!正在)加载(?!失败)": "装载 (load)",
    "取消发布|撤回发布": "撤销发布 (withdraw)",
    "取消订阅": "解绑 (unbind)",
    "对比": "比对 (comparison)",
    "已要求": "已请求 (requested)",
    "异常数据": "异常行 (row error)",
    "手中的|手头的": "在途 (in flight)",
    "执行端": "代理 (agent)",
    "挂起": "暂停 (suspend)",
    "控制面(?!板)": "控制平面 (control plane)",
    "接收者": "接收方 (receiver)",
    "旁边的|旁路": "影子表 (shadow table)",
    "时延": "延迟 (lag)",
    "滞留": "积压, 保留 (retained log)",
    "简易同步|简化同步": "极简同步 (simplified sync)",
    "管理端": "控制平面 (control plane)",
    "行错误|错误行": "异常行 (row error)",
    "订阅方|订阅客户": "订阅者 (subscriber)",
    "副本标识": "复制标识 (replica identity)",
    "(?<!普通)账户": "账号 (account)",
    "采集(?:代理|容器)": "代理, 容器 (agent, container)",
    "(?:同步|读取|日志|源端|增量|原|从该|更[早晚]的)位置": "位点 (position)",
}
"""Pattern of a retired Chinese rendering → the term to use instead; docs/reference/terms.md has them all."""

ALLOWED = ("apply lanes", "Apply lanes", "goOn")
"""Names on the screen and on the wire, which prose may use without quoting them."""

CODE = ("src", "tests")
"""Folders whose names are checked."""

SCRIPTS = "console/src"
"""Folder of the console's modules, whose names are checked for RETIRED_SCRIPT_PARTS."""

PROSE = ("src/zcbus", "docs", "console/src", "console/e2e", "tests")
"""Folders whose docstrings, comments, titles of tests, pages and English texts are checked, except for UNFINISHED."""

CHINESE = ("src/zcbus", "docs", "console/src", "scripts/reference")
"""Folders whose Chinese texts are checked; only texts for users are in Chinese."""

UNFINISHED = (
    "console/src/shared/api/gen",
    "docs/reference",
    "src/zcbus/control/store/migrations",
    "tests/unit/scripts/test_check_words.py",
)
"""Folders with retired words in their prose, and generated ones."""

_PRODUCTS = re.compile("ClickHouse")
"""Names of others."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WORD = re.compile(rf"(?<![-\w])({'|'.join(sorted(RETIRED_WORDS, key=len, reverse=True))})(?![-\w])", re.IGNORECASE)
_CHINESE = re.compile("|".join(f"({pattern})" for pattern in RETIRED_CHINESE))
_CODE = re.compile("`[^`]*`")
_QUOTED = re.compile("|".join(["`[^`]*`", r"\{\w+\}", r"'\w+'", r"\]\([^)]*\)", *map(re.escape, ALLOWED)]))
_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_NEWLINE = "\n"
_COLUMN = re.compile(r"\blane\b")
"""Column of the checkpoint tables, in SQL."""
_ENGLISH_VALUE = re.compile(r"""(?<=": )"(?:[^"\\]|\\.)*"|\ben: (?:'[^']*'|"[^"]*"|`[^`]*`)""")
"""Value of a locale file, or English text of a page's definition."""
_TEST_TITLE = re.compile(r"""\b(?:test|step|describe|it)\(\s*('[^']*'|`[^`]*`)""")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_SCRIPT_TEXT = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=>)[^<>{}=;()]*(?=<)""")
"""A text in quotes, or one that is shown between two tags."""
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def main() -> None:
    found = [line for folder in CODE for path in _files(folder) if path.suffix == ".py" for line in retired_in(path)]
    found += [line for path in _modules() for line in retired_in_script(path)]
    found += [line for folder in PROSE for path in _clean_files(folder) for line in retired_prose_in(path)]
    found += [line for folder in CHINESE for path in _files(folder) for line in retired_chinese_in(path)]
    if found:
        print(*found, sep="\n")
        sys.exit(1)


def retired_in(path: Path) -> list[str]:
    """One line for each use of a retired name, or of a name with a retired part, in a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    return [
        f"{path}:{token.start[0]}: {token.string} is called {called}"
        for token in tokens
        if token.type == tokenize.NAME and (called := replacement(token.string))
    ]


def replacement(name: str) -> str:
    """What to call something with a retired name; empty: the name is fine."""
    if name in RETIRED:
        return RETIRED[name]
    first, _, rest = name.lstrip("_").partition("_")
    if rest and first in RETIRED_LIMITS:
        return f"{RETIRED_LIMITS[first]} (not {first})"
    parts = (part.lower() for part in _PART.findall(_PRODUCTS.sub("", name)))
    return ", ".join(f"{RETIRED_PARTS[part]} (not {part})" for part in parts if part in RETIRED_PARTS)


def retired_in_script(path: Path) -> list[str]:
    """One line for each name with a retired part in a module of the console; comments and texts are left out."""
    text = _without(_SCRIPT_TEXT, _without(_SCRIPT_COMMENT, path.read_text("utf-8")))
    return [
        f"{path}:{1 + text.count(_NEWLINE, 0, name.start())}: {name[0]} is called {called}"
        for name in _NAME.finditer(text)
        if name[0] not in FIELDS_OF_CALLS and (called := _script_replacement(name[0]))
    ]


def _script_replacement(name: str) -> str:
    parts = (part.lower() for part in _PART.findall(name))
    return ", ".join(f"{RETIRED_SCRIPT_PARTS[part]} (not {part})" for part in parts if part in RETIRED_SCRIPT_PARTS)


def retired_prose_in(path: Path) -> list[str]:
    """One line for each retired word in a file's docstrings, comments and English texts, or in a page."""
    return [
        f"{path}:{line + text.count(_NEWLINE, 0, word.start())}: {word[1]} (use {RETIRED_WORDS[word[1].lower()]})"
        for line, text in _prose(path)
        for word in _WORD.finditer(_without(_QUOTED, text))
    ]


def retired_chinese_in(path: Path) -> list[str]:
    """One line for each retired rendering in a file's Chinese texts."""
    text = _without(_CODE, path.read_text("utf-8"))
    terms = tuple(RETIRED_CHINESE.values())
    return [
        f"{path}:{1 + text.count(_NEWLINE, 0, found.start())}: {found[0]} (use {terms[(found.lastindex or 1) - 1]})"
        for found in _CHINESE.finditer(text)
    ]


def _files(folder: str) -> Iterator[Path]:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".py", ".md", ".json", ".ts", ".tsx", ".yaml"):
            yield path


def _modules() -> Iterator[Path]:
    """The console's modules, but for the generated client."""
    for path in _clean_files(SCRIPTS):
        if path.suffix in (".ts", ".tsx"):
            yield path


def _clean_files(folder: str) -> Iterator[Path]:
    unfinished = tuple(ROOT / one for one in UNFINISHED)
    for path in _files(folder):
        if (path.suffix in (".py", ".md", ".ts", ".tsx") or is_english_locale(path)) and not any(
            path.is_relative_to(one) for one in unfinished
        ):
            yield path


def is_english_locale(path: Path) -> bool:
    """Whether it is `locales/en.json` or `locales/en/NAME.json`."""
    return path.suffix == ".json" and "locales" in path.parts and "en" in (path.stem, path.parent.name)


def _prose(path: Path) -> Iterator[tuple[int, str]]:
    """Pieces of prose with the lines at which they begin."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        yield 1, _without(_BLOCK, text)
    elif path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
        yield from _strings(ast.parse(text))
    else:
        for found in _ENGLISH_VALUE.finditer(text):
            yield 1 + text.count(_NEWLINE, 0, found.start()), found[0].strip('"')
        if path.suffix != ".json":
            for title in _TEST_TITLE.finditer(text):
                yield 1 + text.count(_NEWLINE, 0, title.start(1)), title[1].strip("'")
            for comment in _SCRIPT_COMMENT.finditer(text):
                yield 1 + text.count(_NEWLINE, 0, comment.start()), comment[0]


def _strings(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Docstrings, and other strings of several words: single words are names on the wire."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=str(text)) if id(node) in docstrings:
                yield node.lineno, text
            case ast.Constant(value=str(text)) if " " in text.strip():
                yield node.lineno, _without(_COLUMN, text)


def _without(pattern: re.Pattern[str], text: str) -> str:
    """The text with what the pattern finds blanked, so that line numbers stay the same."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


if __name__ == "__main__":
    main()
