"""Completion and progress of the command line."""

import io
import shutil
import subprocess
import sys

import pytest

from zcbus.cli.link import _progress
from zcbus.cli.main import main
from zcbus.cli.output import ProgressLine


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_commands_verbs_options_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out

    def offered(*words: str) -> list[str]:
        at = f'COMP_WORDS=({" ".join(words)} ""); COMP_CWORD={len(words)}; _shtab_zcbus; '
        ask = at + 'printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, check=True, cwd="/")
        return done.stdout.split()

    assert {"serve", "link", "user", "completion"} <= set(offered("zcbus"))
    assert {"apply", "status", "reload"} <= set(offered("zcbus", "link"))
    assert "tmp" in {word.strip("/") for word in offered("zcbus", "link", "apply")}


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    status = {"state": "full-running", "tables": [{"state": "full-running", "rowsLoaded": 1200}, {"state": "ready"}]}
    for stream, shown in ((_Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with ProgressLine() as line:
            line.show(_progress("shop", status, "ready"))
        written = stream.getvalue()
        assert ("shop: full-running, 1 of 2 tables ready, 1,200 rows loaded" in written) == shown
        assert written.endswith("\r\x1b[K") == shown
