"""Drivers on an agent's host: fetched whole, kept, fetched again when lost, deleted with their order."""

import hashlib
import stat
import threading
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.support.processes import wait_until

from zcbus.agent import drivers as module
from zcbus.agent.drivers import KeptDrivers
from zcbus.agent.file_download import FileNotReceived
from zcbus.engine.requests.watch import Watch
from zcbus.protocol.drivers import Driver
from zcbus.protocol.table_import import UploadedFile

JAR = b"PK\x03\x04 a driver"


def driver(name: str = "h2-2.3.jar", content: bytes = JAR, signature: str = "") -> Driver:
    digest = hashlib.sha256(content).hexdigest()
    return Driver(id=name, name=name, size=len(content), sha256=digest, signature=signature)


class Source:
    """A control plane's files."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.fails = False
        self.blocks = threading.Event()
        self.blocks.set()

    def fetch(self, address: str, file: UploadedFile, to: Path, watch: Watch | None = None) -> None:
        assert address == "/api/zcbus/agent/driver/file"
        self.fetched.append(file.id)
        to.write_bytes(JAR[:4])
        while not self.blocks.wait(0.01):
            assert watch is not None
            watch.reached(4, file.size)
        if self.fails:
            raise FileNotReceived(url="http://control", detail="another checksum")
        to.write_bytes(JAR)


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def kept(tmp_path: Path, source: Source, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptDrivers]:
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.02)
    drivers = KeptDrivers(tmp_path / "drivers", source, None)
    yield drivers
    drivers.close()


def states(kept: KeptDrivers) -> dict[str, str]:
    kept.report_again()
    return {one.id: one.state for one in kept.report() or ()}


def test_a_driver_is_kept_and_fetched_again_when_it_is_lost_or_changed(
    kept: KeptDrivers, source: Source, tmp_path: Path
) -> None:
    path = tmp_path / "drivers" / "h2-2.3.jar"
    kept.order([driver()])
    wait_until(lambda: states(kept) == {"h2-2.3.jar": "present"}, 10, "it is present")
    assert path.read_bytes() == JAR
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert source.fetched == ["h2-2.3.jar"]
    path.unlink()
    wait_until(lambda: path.exists() and len(source.fetched) == 2, 10, "it is fetched again")
    path.write_bytes(b"x" * len(JAR))
    wait_until(lambda: path.read_bytes() == JAR, 10, "the changed file is replaced")


def test_what_no_order_names_is_deleted_and_a_fetch_of_it_ends(
    kept: KeptDrivers, source: Source, tmp_path: Path
) -> None:
    kept.order([driver("old.jar")])
    wait_until(lambda: states(kept) == {"old.jar": "present"}, 10, "it is present")
    source.blocks.clear()
    kept.order([driver("slow.jar")])
    wait_until(lambda: "slow.jar" in source.fetched, 10, "it is being fetched")
    assert not (tmp_path / "drivers" / "slow.jar").exists(), "no half file has the driver's name"
    kept.order([])
    wait_until(lambda: list((tmp_path / "drivers").iterdir()) == [], 10, "the folder is empty")
    assert states(kept) == {}


def test_a_failure_has_its_reason_and_is_tried_again(kept: KeptDrivers, source: Source, tmp_path: Path) -> None:
    source.fails = True
    kept.order([driver()])
    wait_until(lambda: states(kept) == {"h2-2.3.jar": "failed"}, 10, "it failed")
    kept.report_again()
    [state] = kept.report() or ()
    assert state.reason is not None
    assert (state.reason.code, state.reason.facts["detail"]) == ("file-not-received", "another checksum")
    assert list((tmp_path / "drivers").iterdir()) == []
    source.fails = False
    wait_until(lambda: states(kept) == {"h2-2.3.jar": "present"}, 10, "it is fetched after all")
    kept.report_again()
    assert kept.report() is not None
    assert kept.report() is None, "an unchanged state is not reported twice"


def test_a_host_with_keys_keeps_signed_drivers_only(source: Source, tmp_path: Path) -> None:
    private, keys = Ed25519PrivateKey.generate(), tmp_path / "keys"
    keys.mkdir()
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (keys / "release.pem").write_bytes(public)
    signature = b64encode(private.sign(JAR)).decode()
    foreign = b64encode(Ed25519PrivateKey.generate().sign(JAR)).decode()
    kept = KeptDrivers(tmp_path / "drivers", source, keys)
    ordered = {"signed.jar": signature, "foreign.jar": foreign, "plain.jar": "", "odd.jar": "?"}
    kept.order([driver(name, signature=one) for name, one in ordered.items()])
    wait_until(lambda: len(states(kept)) == 4, 10, "all were tried")
    found = {one.id: one.reason.code if one.reason else one.state for one in kept._states or ()}
    kept.close()
    refused = dict.fromkeys(("foreign.jar", "plain.jar", "odd.jar"), "driver-not-signed")
    assert found == {"signed.jar": "present", **refused}
    assert [path.name for path in (tmp_path / "drivers").iterdir()] == ["signed.jar"]


@pytest.mark.parametrize("name", ["../h2.jar", "a/b.jar", ".h2.jar", "h2.zip", "h2.jar\n"])
def test_a_name_leads_nowhere_else(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        driver(name)
