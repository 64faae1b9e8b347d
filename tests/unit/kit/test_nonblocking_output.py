"""A process that logs never blocks, also without a reader."""

import json
import os

from zcbus.kit.nonblocking_output import NonBlockingOutput

LINES = 20_000
LINE = "x" * 99 + "\n"


def test_writers_do_not_wait_for_a_reader_and_the_reader_learns_what_it_missed() -> None:
    reading, writing = os.pipe()
    output = NonBlockingOutput(writing, most_lines=100)
    for _ in range(LINES):
        output.write(LINE)
    # Far more than a pipe holds was written, and nothing was read.
    with os.fdopen(reading, encoding="utf-8") as pipe:
        kept = lost = 0
        while kept + lost < LINES:
            line = pipe.readline()
            if line == LINE:
                kept += 1
            else:
                lost += json.loads(line)["lines"]
    assert kept + lost == LINES
    assert kept >= 100
    assert lost > 0
    output.close()
    os.close(writing)


def test_closing_writes_the_last_lines() -> None:
    reading, writing = os.pipe()
    output = NonBlockingOutput(writing)
    output.write("one\n")
    output.write("two \ud800\n")
    output.close()
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert pipe.read() == "one\ntwo \\ud800\n"
