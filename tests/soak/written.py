"""A link whose source is written to while faults strike, for long."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.links.recovery import Recovery
from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.support.platform import running_platform
from tests.support.processes import wait_until

_MAX_ROWS = 20_000
_PAUSE = 0.02
"""Between two transactions: workers that are killed as soon as they run get behind whatever the pace."""
_CATCH_UP_SECONDS = 600


@contextmanager
def written_link(
    folder: Path, servers: tuple[Server, Server], ports: tuple[int, int] | None = None, **settings: str
) -> Iterator[tuple[Situation, Recovery]]:
    """A link that streams, and the measure of how soon it recovers. In the end both sides are equal.

    `ports` are those of proxies before the servers; the settings are the platform's. Prints the number of changes and
    how soon they came again.
    """
    with running_platform(folder / "var", **settings) as platform:
        situation = Situation(platform, *servers, seed=13, most_rows=_MAX_ROWS, pause=_PAUSE)
        situation.ports = ports or situation.ports
        situation.link()
        platform.wait(LINK, "incremental-running")
        situation.writer.start()
        recovery = Recovery(situation)
        try:
            yield situation, recovery
            wait_until(lambda: not recovery.waiting, _CATCH_UP_SECONDS, "changes flow after the last fault")
        finally:
            situation.writer.stop()
            recovery.close()
        situation.expect_equal(300)
        print(
            f"\n{situation.writer.changes} changes of rows; recovery {recovery.summary()};"
            f" load {os.getloadavg()[1]:.0f}",
            flush=True,
        )
