"""A writer process to be killed. Arguments: the bus folder or address. Prints each acknowledged next_offset."""

import random
import sys
from pathlib import Path

from tests.faults.bus.numbered import numbered
from zcbus.bus.contract import Bus, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.kit.bus_settings import BusSettings


def main() -> None:
    with _bus(sys.argv[1]).writer("t", Retention()) as writer:
        last = writer.last()
        assert last is None or bytes(last.payload) == numbered(last.offset)
        assert writer.next_offset == (0 if last is None else last.offset + 1)
        while True:
            for _ in range(random.randint(1, 30)):
                writer.append([numbered(writer.next_offset)])
            print(writer.flush(), flush=True)


def _bus(place: str) -> Bus:
    if place.startswith("kafka://"):
        return KafkaBus(BusSettings(place))
    return EmbeddedBus(Path(place), segment_bytes=256 << 10)


if __name__ == "__main__":
    main()
