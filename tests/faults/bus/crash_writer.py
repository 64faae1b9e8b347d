"""A writer process to be killed. Arguments: the bus folder. Prints each acknowledged next_offset as a line."""

import random
import sys
from pathlib import Path

from tests.faults.bus.numbered import numbered
from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus


def main() -> None:
    bus = EmbeddedBus(Path(sys.argv[1]), segment_bytes=256 << 10)
    with bus.writer("t", Retention()) as writer:
        last = writer.last()
        assert last is None or bytes(last.payload) == numbered(last.offset)
        assert writer.next_offset == (0 if last is None else last.offset + 1)
        while True:
            for _ in range(random.randint(1, 30)):
                writer.append([numbered(writer.next_offset)])
            print(writer.flush(), flush=True)


if __name__ == "__main__":
    main()
