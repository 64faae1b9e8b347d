"""Which token an agent signs its calls with."""

import stat
from pathlib import Path

from pydantic import SecretStr

from zcbus.agent.identity import AgentTokens


def test_the_newest_token_is_kept_for_one_control_plane(tmp_path: Path) -> None:
    tokens = AgentTokens(tmp_path, "http://one", "first")
    assert tokens.current == "first"
    tokens.replace(SecretStr("second"))
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert AgentTokens(tmp_path, "http://one", "first").current == "second"
    assert AgentTokens(tmp_path, "http://two", "first").current == "first"


def test_a_kept_token_that_is_refused_gives_way_to_the_first(tmp_path: Path) -> None:
    AgentTokens(tmp_path, "http://one", "first").replace(SecretStr("second"))
    tokens = AgentTokens(tmp_path, "http://one", "joined again")
    assert tokens.refused()
    assert tokens.current == "joined again"
    assert not tokens.refused()
