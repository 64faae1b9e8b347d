"""A server that takes the place of the one whose log was read."""

import pytest
from tests.integration.engine.running import Link
from tests.integration.engine.test_servers_away import expect_equal, expect_flow, run

pytestmark = [pytest.mark.server, pytest.mark.fault]
PAIRS = [("mariadb_server", "postgres_server")]


def test_another_server_in_the_sources_place_is_not_read(link: Link) -> None:
    writer = run(link)
    expect_flow(link)
    assert link.publisher.stop() == 0
    (number,) = link.source.rows("SELECT @@server_id")[0]
    link.source.execute(f"SET GLOBAL server_id = {number + 1}")
    try:
        link.publisher.start()
        assert link.publisher.wait_for_end() == 3
        reason = link.publisher.reports[""]["reason"]
        assert (reason["code"], "answers instead of" in reason["facts"]["detail"]) == ("log-position-lost", True)
    finally:
        link.source.execute(f"SET GLOBAL server_id = {number}")
    # The right one is back: nothing was lost.
    link.publisher.start()
    expect_flow(link)
    writer.stop()
    expect_equal(link)
