"""What is kept of an answer."""

from collections.abc import Callable

import pytest

from zcbus.connectors.queries import MAX_BYTES, AnswerTooLarge, Collected

Wrap = Callable[[str], object]


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text], lambda text: {"a": [{text: 1}]}])
def test_the_bytes_of_an_answer_are_limited_also_in_documents(wrap: Wrap) -> None:
    kept, large = Collected(), "x" * (MAX_BYTES // 2 - 1000)
    for number in range(2):
        kept.add((number, wrap(large)))
    with pytest.raises(AnswerTooLarge):
        kept.add((2, wrap(large)))
    assert len(kept.rows) == 2
