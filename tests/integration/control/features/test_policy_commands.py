"""`zcbus policy …` as scripts use it, on a control plane with an agent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master
from zcbus.cli.main import main
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(admin: Caller, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LANG", "C")

    def once(*words: str) -> tuple[int, str, str]:
        code = main(["policy", *words, "--url", admin.plane.address, "--token", admin.token])
        captured = capsys.readouterr()
        return code, _without_log(captured.out), _without_log(captured.err)

    return once


def _without_log(output: str) -> str:
    """The control plane writes its log to the same output: it runs in this process. Other tests choose the form."""
    lines = output.splitlines(keepends=True)
    return "".join(line for line in lines if " component=" not in line and not line.startswith('{"component"'))


def test_a_policy_as_a_file(agent: FakeAgent, admin: Caller, run: Run, tmp_path: Path) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    file = tmp_path / "retail.yaml"
    document = {"policy": "retail", "node": "shop", "tables": [{"source": "public.orders"}]}
    file.write_text(yaml.safe_dump(document))
    assert run("diff", str(file))[:2] == (1, "+ public.orders\n")
    code, out, err = run("apply", str(file), "--release", "--note", "first")
    assert (code, out) == (0, "+ public.orders\n")
    assert err.startswith("policy retail: created, version 1 released")
    assert run("diff", str(file))[:2] == (0, "")
    # Exported and applied again it changes nothing; changes are shown field by field.
    code, out, _ = run("export", "retail")
    file.write_text(out)
    assert (code, yaml.safe_load(out)["tables"], run("diff", str(file))[0]) == (0, document["tables"], 0)
    changed = {**document, "clean": "truncate", "tables": [{"source": "public.orders", "where": "n > 1"}]}
    file.write_text(yaml.safe_dump(changed))
    code, out, err = run("apply", str(file), "--release")
    assert out.splitlines() == ['~ clean "none" -> "truncate"', '~ public.orders: where null -> "n > 1"']
    assert "version 2 released" in err
    assert json.loads(run("export", "retail", "--version", "1", "--json")[1])["tables"] == document["tables"]
    assert run("list")[1].splitlines()[1].split() == ["retail", "shop", "released", "1", "2", "0"]
    file.write_text("tables: []\n")
    assert run("apply", str(file))[2] == f"zcbus: {file} is not a policy file: it needs `policy: NAME` at the top\n"
    # To a subscriber, who needs no further name while he has one master.
    customer = new_customer(admin)
    new_master(admin, customer, node)
    assert run("distribute", "retail")[2] == "zcbus: no subscriber has policy retail: name them with --to\n"
    assert run("distribute", "retail", "--to", "nobody")[0] == 1
    code, out, _ = run("distribute", "retail", "--to", "branch", "--version", "1", "--dry-run")
    assert (code, out.splitlines()[1].split()) == (0, ["branch", "public.orders", "copy.orders", "add"])
    assert json.loads(run("deliveries", "retail", "--json")[1]) == []
    code, out, _ = run("distribute", "retail", "--to", "branch/m", "--version", "1")
    assert (code, out.splitlines()[1].split()) == (0, ["branch", "1", "add=1"])
    assert run("deliveries", "retail")[1].splitlines()[1].split()[:3] == ["branch", "m", "1"]
    # To all that have it; customers that keep their version are listed, and the exit code shows it.
    agent.database.findings = (Finding(level="error", reason=Reason(code="no-key", facts={"table": "public.orders"})),)
    code, _, err = run("distribute", "retail", "--dry-run")
    assert (code, err.startswith("error:")) == (1, True)
    code, _, err = run("distribute", "retail")
    assert (code, err.startswith("zcbus: branch: The pre-check found 1 errors")) == (1, True)
    agent.database.findings = ()
    assert run("distribute", "retail")[0] == 0
    new_master(admin, customer, node, "second")
    assert "several masters: name one of branch/m, branch/second" in run("distribute", "retail", "--to", "branch")[2]
