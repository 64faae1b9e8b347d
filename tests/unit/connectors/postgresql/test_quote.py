"""Names and texts cannot break out of their quotes."""

import pytest

from zcbus.connectors.postgresql.connection import quote
from zcbus.model.schema import TableName


def test_identifiers_double_their_quotes() -> None:
    assert quote.identifier('a"; DROP TABLE b; --') == '"a""; DROP TABLE b; --"'
    assert quote.table(TableName("S", 'x"y')) == '"S"."x""y"'
    assert quote.identifiers(["a", "B"]) == '"a", "B"'


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_impossible_identifiers_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not an identifier"):
        quote.identifier(name)


def test_literals_are_the_same_under_every_setting() -> None:
    assert quote.literal("it's") == "'it''s'"
    assert quote.literal("a\\'b") == " E'a\\\\''b'"
    with pytest.raises(ValueError, match="NUL"):
        quote.literal("\0")
