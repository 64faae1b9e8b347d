"""The check for modules that know a kind of database by name."""

import pytest

from tests.support.scripts import load

check = load("check_dialects")

SCRIPT = """
// mysql in a comment
<h2 className="card">{database.kind === 'mysql' ? 'x' : "MySQL and others"}</h2>
const { deltaY } = event; isPostgres(kind === 'h2');
"""


def test_names_of_kinds_in_a_script_are_found_but_not_in_its_comments_and_sentences() -> None:
    found = [
        (line, word)
        for line, word in check.script_words(SCRIPT)
        if check.names_kind(word, "features/x.tsx", check.CONSOLE_ALSO)
    ]
    assert found == [(3, "mysql"), (3, "MySQL"), (4, "isPostgres"), (4, "h2")]


@pytest.mark.parametrize(("path", "found"), [("control/store/engine.py", False), ("control/server.py", True)])
def test_only_the_store_knows_the_platforms_own_database(path: str, found: bool) -> None:
    assert check.names_kind("sqlite_where", path, {"sqlite": ("control/store/",)}) is found
    assert check.names_kind("mysql", path, {"sqlite": ("control/store/",)})


def test_words_of_the_console_are_read() -> None:
    assert any(word == "SqlEditor" for _, _, word in check.console_words())
