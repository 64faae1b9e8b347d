"""Which expressions may be used."""

import pytest

from zcbus.engine.transform.expressions import ExpressionRefused, parse


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("amount > 100 AND region IN ('CN', 'DE')", {"amount", "region"}),
        ("upper(trim(name)) || '-' || id", {"name", "id"}),
        ("CASE WHEN paid THEN 1 ELSE 0 END", {"paid"}),
        ("CAST(free AS decimal(10, 2)) * 1.19", {"free"}),
        ('"Größe" BETWEEN 1 AND 2 OR name IS NULL', {"Größe", "name"}),
        ("extract(year FROM born) = 2020 -- a comment", {"born"}),
        ("name NOT LIKE 'x%' AND name ~ '^a'", {"name"}),
        ("made + INTERVAL 8 HOUR", {"made"}),
        ("json_extract_string(name, '$.a')", {"name"}),
        ("'constant'", set()),
    ],
)
def test_allowed(text: str, columns: set[str]) -> None:
    assert set(parse(text).columns) == columns


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "1; DROP TABLE x",
        "(SELECT 1)",
        "1 FROM x",
        "1) FROM read_text('/etc/passwd') -- ",
        "1), (2",
        "1 AS other",
        "read_text('/etc/passwd')",
        "read_csv('/etc/passwd')",
        "getenv('HOME')",
        "current_setting('memory_limit')",
        "now()",
        "random()",
        "gen_random_uuid()",
        "nextval('s')",
        "sum(amount)",
        "count(*)",
        "row_number() OVER ()",
        "*",
        "t.name",
        "main.upper(name)",
        "list_transform([1], x -> x)",
        "name[1]",
        "$1",
        "EXISTS (SELECT 1)",
        "id IN (SELECT id FROM x)",
        "CAST(name AS regclass)",
        "upper(name",
        "x" * 5000,
        "repeat('x', 1000000000)",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ExpressionRefused) as refused:
        parse(text)
    assert refused.value.problem
